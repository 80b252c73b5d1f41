"""What tokens are for. Those made before are for everything, as they were."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import games.models.fields


def give_ids(apps, schema_editor):
    for token in apps.get_model('games', 'Token').objects.all():
        token.public_id = games.models.fields.public_id()
        token.save(update_fields=['public_id'])


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_request_key_age'),
    ]

    operations = [
        migrations.AddField(
            model_name='token',
            name='kind',
            field=models.CharField(choices=[('personal', 'Personal'), ('bot', "A bot's")], default='personal', editable=False, max_length=10),
        ),
        migrations.AddField(
            model_name='token',
            name='made_with',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='made', to='games.token'),
        ),
        migrations.AddField(
            model_name='token',
            name='public_id',
            field=models.CharField(editable=False, max_length=12, null=True),
        ),
        migrations.RunPython(give_ids, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='token',
            name='public_id',
            field=models.CharField(default=games.models.fields.public_id, editable=False, max_length=12, unique=True),
        ),
        migrations.AddField(
            model_name='token',
            name='scopes',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=['admin'], size=None),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='token',
            name='prefix',
            field=models.CharField(editable=False, max_length=20),
        ),
        migrations.AddConstraint(
            model_name='token',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['personal', 'bot'])), name='token_kind'),
        ),
        migrations.AddConstraint(
            model_name='token',
            constraint=models.CheckConstraint(condition=models.Q(('scopes', []), _negated=True), name='token_for_something'),
        ),
    ]
