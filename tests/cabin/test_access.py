# SPDX-License-Identifier: BSD-3-Clause
"""Who may connect: hosts, origins and tokens."""

import pytest

from knuckleboom.cabin.access import Access, is_loopback, name_of


def test_loopback_needs_no_token_and_any_other_address_does() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "127.3.2.1"):
        assert is_loopback(host)
        assert Access.choose(host).token == ""
    for host in ("0.0.0.0", "192.168.1.5", "::", "cabin.example"):
        assert not is_loopback(host)
        assert len(Access.choose(host).token) >= 20
    assert Access.choose("0.0.0.0").token != Access.choose("0.0.0.0").token
    assert Access.choose("0.0.0.0", "mine").token == "mine"
    assert Access.choose("127.0.0.1", "mine").token == "mine"


def test_tokens() -> None:
    access = Access.choose("0.0.0.0", "mine")
    assert access.token_fault("mine") == ""
    assert access.token_fault("") == "a token is needed"
    assert access.token_fault("Mine") == access.token_fault("mine ") == access.token_fault("ü") == "the token is wrong"
    assert Access.choose("127.0.0.1").token_fault("anything") == ""


def test_tokens_that_are_no_proper_text() -> None:
    """Half a letter of UTF-16 can stand in an address and on a command line."""
    assert Access.choose("0.0.0.0", "mine").token_fault("\ud800") == "the token is wrong"
    assert Access.choose("0.0.0.0", "a\udcff").token_fault("a\udcff") == ""


def test_what_a_page_calls_itself_stays_on_one_line() -> None:
    assert "\n" not in Access("127.0.0.1").origin_fault({"host": "127.0.0.1", "origin": "x\nclosed client 1"})


@pytest.mark.parametrize("host", ["127.0.0.1:8360", "localhost:8360", "LOCALHOST", "[::1]:8360", "[::1]"])
def test_loopback_names(host: str) -> None:
    assert Access("127.0.0.1").host_fault({"host": host}) == ""


@pytest.mark.parametrize("host", ["evil.example:8360", "127.0.0.1.evil.example", "10.0.0.1", "localhost.evil.example"])
def test_foreign_names_that_lead_to_this_computer(host: str) -> None:
    assert "is not this computer" in Access("127.0.0.1").host_fault({"host": host})
    assert Access("0.0.0.0", "token").host_fault({"host": host}) == ""


@pytest.mark.parametrize("host", ["", "a b", "a\r\nX: y", "'", "a;b", "[x]", "a/b", "a@b"])
def test_hosts_that_are_none(host: str) -> None:
    assert Access("0.0.0.0", "token").host_fault({"host": host}) == "there is no proper Host header"


def test_origins() -> None:
    access = Access.choose("127.0.0.1", origins=["https://trainer.example/"])
    host = {"host": "127.0.0.1:8360"}
    assert access.origin_fault(host) == ""
    for origin in ("http://127.0.0.1:8360", "https://127.0.0.1:8360", "https://trainer.example"):
        assert access.origin_fault({**host, "origin": origin}) == ""
    foreign = ("http://127.0.0.1:8361", "http://localhost:8360", "null", "", "http://evil.example", "file://",
               "http://127.0.0.1:8360.evil.example", "ftp://127.0.0.1:8360")  # fmt: skip
    for origin in foreign:
        assert "may not connect" in access.origin_fault({**host, "origin": origin})


def test_name_without_port() -> None:
    assert [name_of(host) for host in ("a:1", "a", "[::1]:1", "[::1]")] == ["a", "a", "[::1]", "[::1]"]
