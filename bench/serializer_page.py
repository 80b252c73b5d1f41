"""The usual way to serve a table: a view of the framework's with a ModelSerializer, the player nested, 100 rows."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")

from django.conf import settings

settings.ROOT_URLCONF = __name__

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from django.http import HttpResponse
from django.urls import path
from rest_framework import generics, permissions, serializers
from rest_framework.renderers import JSONRenderer

from competitions.models import Entry
from games.models import Player


class PlayerSerializer(serializers.ModelSerializer):
    class Meta:
        model = Player
        fields = ("public_id", "name", "strategy", "active")


class EntrySerializer(serializers.ModelSerializer):
    player = PlayerSerializer()

    class Meta:
        model = Entry
        fields = "__all__"


class Page(generics.ListAPIView):
    authentication_classes = ()
    permission_classes = (permissions.AllowAny,)
    renderer_classes = (JSONRenderer,)
    serializer_class = EntrySerializer

    def get_queryset(self):
        return Entry.objects.filter(competition=self.kwargs["pk"]).select_related("player").order_by("pk")[:100]


urlpatterns = [path("healthz", lambda request: HttpResponse()), path("<int:pk>", Page.as_view())]
