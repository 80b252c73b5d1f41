"""Which seat an account enters results for from a score slip."""

import pytest

from games.access import seat_of, slip_account


@pytest.mark.django_db
def test_the_account_of_each_seat_is_known_by_its_name():
    assert [seat_of(slip_account(seat).username) for seat in range(8)] == list(range(8))


@pytest.mark.parametrize("username", ["", "anna", "slip-", "slip-anna", "slip-1a", "slip--1", "my-slip-1"])
def test_any_other_account_is_of_no_seat(username):
    assert seat_of(username) is None
