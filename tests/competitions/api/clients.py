"""A competition with somebody in every role, over the API."""

from typing import Any

from games.access import bot_account
from games.models import Club, Role, User
from tests.api.clients import Api
from tests.competitions.builders import League, a_league
from tests.games.builders import a_member


class Cup:
    """A league of tests.competitions.builders and clients for it; paths are given without the competition's."""

    def __init__(self, count: int = 8, **settings: Any) -> None:
        self.league: League = a_league(count, **settings)
        club = self.league.club
        self.organiser = Api(self.league.organiser)
        self.scorer = Api(a_member(club, "a-scorer", Role.SCORER))
        self.member = Api(a_member(club, "a-member", Role.MEMBER))
        self.anonymous = Api()
        other = Club.objects.create(name="Hill", slug="hill")
        self.outsider = Api(a_member(other, "hill-organiser", Role.ORGANISER))
        self.superuser = Api(User.objects.create_superuser("root", password="correct horse battery"))
        self.bot = Api(bot_account("random"))

    @property
    def path(self) -> str:
        return f"/competitions/{self.league.public_id}"

    @property
    def roles(self) -> dict[str, Api]:
        return {
            "anonymous": self.anonymous,
            "outsider": self.outsider,
            "member": self.member,
            "scorer": self.scorer,
            "organiser": self.organiser,
            "superuser": self.superuser,
            "bot": self.bot,
        }

    @property
    def ids(self) -> list[str]:
        return [player.public_id for player in self.league.people]

    def get(self, path: str = "", client: Api | None = None, status: int = 200) -> Any:
        answer = (client or self.organiser).get(f"{self.path}{path}")
        assert answer.status_code == status, answer.content
        return answer.json()

    def post(self, path: str, body: Any = None, *, status: int = 201, **more: Any) -> Any:
        answer = self.organiser.post(f"{self.path}{path}", {} if body is None else body, **more)
        assert answer.status_code == status, answer.content
        return answer.json()

    def patch(self, path: str, body: Any, *, status: int = 200, **more: Any) -> Any:
        answer = self.organiser.patch(f"{self.path}{path}", body, **more)
        assert answer.status_code == status, answer.content
        return answer.json()
