"""Keys and paths in a case of one's own: what goes, and what stays."""

import pytest

from ccc.evaluation import scrub
from ccc.evaluation.scrub import Scrubber

KEY = "Zq8vKp3mT9xWc2Lr7Yb4"


def scrubbed(text: str) -> str:
    """Return the text without the secrets and paths of a user."""
    projects = ["/home/alice/code/shop", "/mnt/code/shop"]
    return Scrubber(["p4ssw0rd!"], projects, ["/home/alice"], "alice").scrub(text)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("curl -u me:p4ssw0rd! x", "curl -u me:REDACTED x"),
        (f"export KIMI=sk-{KEY}", "export KIMI=REDACTED-1"),
        (f"ghp_{KEY} and ghp_{KEY}", "REDACTED-1 and REDACTED-1"),
        (f"Authorization: Bearer {KEY}", "Authorization: Bearer REDACTED-1"),
        (f'api_key = "{KEY}"', 'api_key = "REDACTED-1"'),
        (f'{{"client_secret": "{KEY}"}}', '{"client_secret": "REDACTED-1"}'),
        (f"DB_PASSWORD={KEY}", "DB_PASSWORD=REDACTED-1"),
        ("postgres://me:geheim@db/x", "postgres://me:REDACTED-1@db/x"),
        ("token='abc12345' token='abc12346'", "token='REDACTED-1' token='REDACTED-2'"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nend",
            "REDACTED-1\nend",
        ),
    ],
)
def test_keys(text: str, after: str) -> None:
    """Known secrets and what looks like a key become placeholders, the same for the same."""
    assert scrubbed(text) == after


@pytest.mark.parametrize(
    "text",
    [
        "token = tokens[0]",
        "password = config.get_password_of(user1)",
        'PASSWORD = "{password1}"',
        "api_key = settings.API_KEY_V2",
        "digest = 'd41d8cd98f00b204e9800998ecf8427e'",
        "task-management-of-the-year-2026",
        "key = 'item-0001'",
        'url = f"://{user}:{password}@{host}"',
        "The secret is to keep it simple.",
    ],
)
def test_what_stays(text: str) -> None:
    """Code, hashes and words stay as they are: a case must still run."""
    assert scrubbed(text) == text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("cd /home/alice/code/shop && make", "cd . && make"),
        ("/home/alice/code/shop/a.py:3: error", "./a.py:3: error"),
        ("cat /mnt/code/shop/a.py.", "cat ./a.py."),
        ("/home/alice/code/shop2/a.py", "/home/user/code/shop2/a.py"),
        ("~/.claude/projects/-home-alice-work", "~/.claude/projects/-home-user-work"),
        ("/Users/alice/x /home/alicea/x", "/Users/user/x /home/alicea/x"),
        ("/home/alice", "/home/user"),
        ("alice wrote this", "alice wrote this"),
    ],
)
def test_paths(text: str, after: str) -> None:
    """The project is `.`, the home and the user's name in paths are somebody's."""
    assert scrubbed(text) == after


def test_assignments() -> None:
    """The variables of a file such as `.env`."""
    text = "# keys\nexport A_KEY='one'\nB = two\n\nnot this\nC=\"x=y\"\n"
    assert scrub.assignments(text) == {"A_KEY": "one", "B": "two", "C": "x=y"}
