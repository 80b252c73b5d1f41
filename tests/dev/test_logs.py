"""What our logs do not say."""

from django.test import Client


def test_no_log_has_the_code_of_a_score_slip(caplog, db):
    from fantan_site.logs import WithoutCodes

    Client().get("/r/2222-2222-2222-2222-2222/")
    records = [record for record in caplog.records if "/r/" in record.getMessage()]
    assert records
    for record in records:
        assert WithoutCodes().filter(record)
        assert record.getMessage() == "Not Found: /r/…/"


def test_every_handler_leaves_it_out(settings):
    handlers = settings.LOGGING["handlers"].values()
    assert all("codes" in handler["filters"] for handler in handlers)
