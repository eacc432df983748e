"""Who may see the page: tokens, cookies, names and origins."""

import os
import time
from pathlib import Path

import pytest

from ccc.web import access
from ccc.web.access import Access

OWN = "127.0.0.1:8765"


def opened(**values: object) -> tuple[Access, str, str]:
    """Return the keys of a server with the first token and the cookie for it."""
    keys = Access(**values)  # type: ignore[arg-type]
    token = keys.begin()
    cookie = keys.enter(token)
    assert cookie
    return keys, token, cookie


def test_a_token_works_once() -> None:
    """A token becomes a cookie once, and the next token is told."""
    told: list[str] = []
    keys, token, cookie = opened(on_new_token=told.append)
    assert keys.enter(token) is None
    assert told == [keys.token]
    other = keys.enter(told[0])
    assert other not in (None, cookie)
    assert len({token, cookie, other, *told}) == 5


def test_a_token_of_a_file_works_again() -> None:
    """A token that the user chose stays valid, for other cookies."""
    told: list[str] = []
    keys, token, cookie = opened(fixed_token="a" * 20, on_new_token=told.append)
    assert token == "a" * 20
    assert keys.enter(token) not in (None, cookie)
    assert told == []


@pytest.mark.parametrize("token", ["", "x", "é", "\ud800", "a" * 100_000])
def test_wrong_tokens(token: str) -> None:
    """Nothing else is a token, also not before there is one."""
    assert Access().enter(token) is None
    keys = Access()
    keys.begin()
    assert keys.enter(token) is None
    assert keys.form_token(token) == ""
    assert not keys.may_act(token, token)


def test_a_form_belongs_to_a_browser() -> None:
    """A form's token is valid with the cookie that it was made for."""
    keys, _, cookie = opened()
    other = keys.enter(keys.token)
    assert other
    assert keys.may_act(cookie, keys.form_token(cookie))
    assert not keys.may_act(cookie, keys.form_token(other))
    assert not keys.may_act(cookie, "")
    assert not keys.may_act("", keys.form_token(cookie))


def test_a_cookie_belongs_to_a_server() -> None:
    """Its signature is for one key and one name, which has the port, the machine and the user."""
    keys, _, cookie = opened(key="a" * 64, cookie_name="ccc_web_1_x")
    assert keys.form_token(cookie)
    assert Access(key="a" * 64, cookie_name="ccc_web_1_x").form_token(cookie)
    assert not Access(key="a" * 64, cookie_name="ccc_web_2_x").form_token(cookie)
    assert not Access(key="b" * 64, cookie_name="ccc_web_1_x").form_token(cookie)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_changed_cookie(part: int) -> None:
    """Neither its text, its time nor its signature can be changed."""
    keys, _, cookie = opened()
    parts = cookie.split(".")
    parts[part] = ("B" if parts[part][0] == "A" else "A") + parts[part][1:]
    assert not keys.form_token(".".join(parts))
    assert not keys.form_token(cookie + "x")
    assert not keys.form_token(".".join(parts[:2]))


class TestKey:
    """The file with the key."""

    def test_it_is_made_once(self, tmp_path: Path) -> None:
        """It is private, and the next server has the same key."""
        file = tmp_path / "new" / "web-key"
        key = access.load_key(str(file))
        assert (len(key), file.read_text(), file.stat().st_mode & 0o777) == (64, key, 0o600)
        os.utime(file, (1, 1))
        assert access.load_key(str(file)) == key
        assert file.stat().st_mtime > 1  # `ccc clean` leaves it

    @pytest.mark.parametrize("content", ["", "x", "A" * 64, "a" * 63, "a" * 65, "é" * 64, "\0"])
    def test_another_content(self, tmp_path: Path, content: str) -> None:
        """What isn't a key is replaced."""
        file = tmp_path / "web-key"
        file.write_text(content)
        file.chmod(0o600)
        assert access.load_key(str(file)) == file.read_text() != content

    def test_a_key_that_others_can_read(self, tmp_path: Path) -> None:
        """It is replaced."""
        file = tmp_path / "web-key"
        file.write_text("a" * 64)
        file.chmod(0o640)
        assert access.load_key(str(file)) == file.read_text() != "a" * 64
        assert file.stat().st_mode & 0o777 == 0o600

    def test_a_key_of_another_user(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It isn't used."""
        file = tmp_path / "web-key"
        file.write_text("a" * 64)
        file.chmod(0o600)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert access.load_key(str(file)) != "a" * 64

    def test_no_place(self, tmp_path: Path) -> None:
        """Without a place for the file, or with something else there, each server has its own."""
        (tmp_path / "file").write_text("")
        (tmp_path / "directory").mkdir()
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path / "file" / "web-key", tmp_path / "directory"):
            assert access.load_key(str(path)) != access.load_key(str(path))
        assert len(access.load_key(str(tmp_path / "pipe"))) == 64


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        (OWN, True),
        ("localhost:8765", True),
        ("LOCALHOST:1", True),
        ("[::1]:8765", True),
        ("127.0.0.1", True),
        ("", False),
        (":8765", False),
        ("evil.example", False),
        ("evil.example:8765", False),
        ("127.0.0.1.evil.example:8765", False),
        ("127.0.0.1:8765@evil.example", False),
        ("127.0.0.1:evil", False),
        ("192.0.2.7:8765", False),
        ("[::2]:8765", False),
    ],
)
def test_the_name_of_the_page(host: str, allowed: bool) -> None:
    """A page on loopback has loopback's names, with any port (a tunnel's), and no others."""
    assert Access().is_own_host({"host": host}) is allowed


def test_without_a_name() -> None:
    """A request must name the page."""
    assert not Access().is_own_host({})


@pytest.mark.parametrize(
    ("bound", "host", "allowed"),
    [
        ("192.0.2.7", "192.0.2.7:80", True),
        ("192.0.2.7", "192.0.2.8:80", False),
        ("2001:db8::1", "[2001:db8::1]:80", True),
        ("Box.Example", "box.example:80", True),
        ("0.0.0.0", "box:80", True),
        ("0.0.0.0", "192.0.2.8:80", True),
        ("::", "[2001:db8::1]:80", True),
        ("0.0.0.0", "evil.example:80", False),
    ],
)
def test_names_elsewhere(bound: str, host: str, allowed: bool) -> None:
    """A page on all addresses has all of them and the machine's name, but no other name."""
    everywhere = bound in access.EVERYWHERE
    keys = Access(hosts=access.hosts_of(bound, "box"), any_address=everywhere)
    assert keys.is_own_host({"host": host}) is allowed


@pytest.mark.parametrize(
    ("headers", "read", "act"),
    [
        ({}, True, False),
        ({"origin": f"http://{OWN}"}, True, True),
        ({"origin": f"https://{OWN}"}, True, True),
        ({"sec-fetch-site": "same-origin"}, True, True),
        ({"sec-fetch-site": "none"}, True, False),
        ({"sec-fetch-site": "cross-site"}, False, False),
        ({"sec-fetch-site": "same-site", "origin": f"http://{OWN}"}, False, False),
        ({"origin": "null"}, False, False),
        ({"origin": "http://evil.example"}, False, False),
        ({"origin": "http://127.0.0.1:8766"}, False, False),
        ({"origin": f"ftp://{OWN}"}, False, False),
        ({"origin": ""}, False, False),
    ],
)
def test_origins(headers: dict[str, str], read: bool, act: bool) -> None:
    """Only the page itself may act; a request without an origin may read."""
    sent = {"host": OWN, **headers}
    assert Access().is_own_origin(sent, must_be_named=False) is read
    assert Access().is_own_origin(sent, must_be_named=True) is act


@pytest.mark.parametrize(
    ("token", "usable"),
    [
        ("a" * 16, True),
        ("a" * 15, False),
        ("a b" * 9, False),
        ("é" * 20, False),
        ("A-_9" * 4, True),
    ],
)
def test_tokens_of_files(token: str, usable: bool) -> None:
    """A token of a file is long, and fits in a link."""
    assert access.is_usable_token(token, 16) is usable


@pytest.mark.parametrize("now", [0.0, 1_000.0, 1.8e9])
def test_an_unknown_browser(now: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It isn't let in, whatever the clock says."""
    monkeypatch.setattr(time, "time", lambda: now)
    keys, _, cookie = opened()
    assert keys.form_token(cookie)
    assert not keys.form_token("x")
    assert not keys.may_act("", keys.form_token(""))


def test_thirty_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser is known for thirty days, also by a server that goes on."""
    keys, _, cookie = opened()
    later = time.time() + 31 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    assert not keys.form_token(cookie)


def test_the_first_page() -> None:
    """Only the last browser is new, until its first page."""
    keys, _, cookie = opened()
    assert not keys.is_first("x")
    assert keys.is_first(cookie)
    assert not keys.is_first(cookie)
    assert not keys.is_first("")
