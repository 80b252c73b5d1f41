"""Imports of big files in the admin: begun, watched, stopped; another club's do not exist."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.admin import importing
from games.models import ImportJob, Role, Session
from games.services import import_slices
from tests.admin.conftest import a_member_of, log_in
from tests.api.test_import_jobs import a_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(desk, monkeypatch):
    """A file that is big enough for a job, just sent."""

    def send(body):
        monkeypatch.setattr(importing, "LARGEST", 100)
        file = SimpleUploadedFile("deals.ndjson", body)
        data = {"club": desk.table.club.pk, "file": file, "scheme": "", "text": "", "step": ""}
        answer = desk.client.post(reverse("admin:games_session_import"), data)
        made = ImportJob.objects.get()
        assert answer["Location"] == page_of(made)
        return made

    return send


def page_of(job):
    return reverse("admin:games_importjob_change", args=[job.pk])


def test_a_big_file_becomes_a_job_whose_page_comes_again_until_it_is_over(desk, job):
    made = job(a_file("a", "b"))
    page = desk.client.get(page_of(made)).content.decode()
    assert 'http-equiv="refresh"' in page
    while import_slices.go_on(made.pk):
        pass
    page = desk.client.get(page_of(made)).content.decode()
    assert 'http-equiv="refresh"' not in page
    for session in Session.objects.filter(label__in="ab"):
        assert reverse("admin:games_session_change", args=[session.pk]) in page
    assert page_of(made) in desk.client.get(reverse("admin:games_importjob_changelist")).content.decode()


def test_its_faults_are_shown_with_their_lines(desk, job):
    made = job(a_file("a") + b"{\n")
    import_slices.go_on(made.pk)
    page = desk.client.get(page_of(made)).content.decode()
    assert "1 fault was found" in page or "refused" in page
    assert '<td class="number">4</td>' in page
    assert not Session.objects.filter(label="a").exists()


def test_it_can_be_stopped(desk, job):
    made = job(a_file("a"))
    stop = reverse("admin:games_importjob_stop", args=[made.pk])
    desk.client.get(stop)
    assert ImportJob.objects.get().status == "checking"
    desk.client.post(stop)
    assert ImportJob.objects.get().status == "cancelled"


def test_members_and_other_clubs_see_none_of_it(desk, job, make_desk):
    made = job(a_file("a"))
    member = log_in(a_member_of(desk.table.club, "mia", Role.MEMBER))
    other = make_desk(4, name="hill")
    for client in (member, other.client):
        assert client.get(page_of(made)).status_code in (302, 403)
        assert client.post(reverse("admin:games_importjob_stop", args=[made.pk])).status_code in (302, 403)
        assert page_of(made) not in client.get(reverse("admin:games_importjob_changelist")).content.decode()
    assert ImportJob.objects.get().status == "checking"


def test_nobody_makes_changes_or_deletes_one_by_hand(desk, job):
    made = job(a_file("a"))
    assert desk.client.get(reverse("admin:games_importjob_add")).status_code == 403
    assert desk.client.post(reverse("admin:games_importjob_delete", args=[made.pk])).status_code == 403
    desk.client.post(page_of(made), {"status": "done"})
    assert ImportJob.objects.get().status == "checking"


def test_a_step_that_the_page_never_asks_for_is_no_step(desk):
    data = {"club": desk.table.club.pk, "scheme": "", "text": "", "step": "job"}
    answer = desk.client.post(reverse("admin:games_session_import"), data)
    assert answer.status_code == 422
    assert "Choose a file." in answer.content.decode()
