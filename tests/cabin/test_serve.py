# SPDX-License-Identifier: BSD-3-Clause
"""Addresses that cannot be had are told in words; an end is quick and clean."""

import errno
import fcntl
import socket

import pytest

from cabin.fake_cabin import FakeSource, Running
from knuckleboom.cabin import serve
from knuckleboom.cabin.serve import AddressError, _why, address_of, addresses_of, listen, own_numbers


def test_port_that_is_taken_is_answered_with_a_free_one() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressError) as refused:
            listen("127.0.0.1", port)
    text = str(refused.value)
    assert text.startswith(f"Port {port} of 127.0.0.1 is taken, perhaps by another cabin. Take another one: --port ")
    assert int(text.split()[-1]) > port


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("192.0.2.1", "192.0.2.1 is not an address of this computer"),
        ("no such name", "'no such name' is no name or address of this computer"),
        ("a..b", "'a..b' is no name or address of this computer"),
        ("a" * 70, "is no name or address of this computer"),
    ],
)
def test_hosts_that_are_not_ours(host: str, text: str) -> None:
    with pytest.raises(AddressError, match=text):
        listen(host, 0)


def test_names_of_this_computer() -> None:
    with listen("localhost", 0) as opened:
        assert opened.getsockname()[1] > 0


def test_last_port_is_taken_and_none_comes_after_it() -> None:
    taken = OSError(errno.EADDRINUSE, "Address already in use")
    assert _why(taken, "127.0.0.1", 65535, "--port").endswith("Take another one: --port 0")


def test_addresses_for_a_browser() -> None:
    with listen("127.0.0.1", 0) as opened:
        port = opened.getsockname()[1]
        assert address_of(opened, "localhost") == f"http://127.0.0.1:{port}/"
        assert address_of(opened, "0.0.0.0", "abc") == f"http://{socket.gethostname()}:{port}/?token=abc"
        assert address_of(opened, "fe80::1") == f"http://[fe80::1]:{port}/"


def test_who_does_not_know_our_name_gets_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as opened:
        port = opened.getsockname()[1]
        assert addresses_of(opened, "127.0.0.1") == [f"http://127.0.0.1:{port}/"]
        monkeypatch.setattr(serve, "own_numbers", lambda with_six: ["198.51.100.7"] + ["2001:db8::7"] * with_six)
        named = f"http://{socket.gethostname()}:{port}/?token=abc"
        assert addresses_of(opened, "0.0.0.0", "abc") == [named, f"http://198.51.100.7:{port}/?token=abc"]
        assert addresses_of(opened, "::", "abc")[2] == f"http://[2001:db8::7]:{port}/?token=abc"


def test_own_numbers_can_be_listened_on_without_a_route_too(monkeypatch: pytest.MonkeyPatch) -> None:
    found = own_numbers()
    for number in found:
        assert not number.startswith("127.")
        listen(number, 0).close()
    monkeypatch.setattr(serve, "_toward", lambda *_: "")
    assert set(own_numbers()) <= set(found) and bool(own_numbers()) == bool(found)


def test_own_numbers_are_those_of_the_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {b"lo": "127.0.0.1", b"eth0": "198.51.100.7", b"vpn0": "203.0.113.9"}

    def address(_: object, request: int, asked: bytes) -> bytes:
        return bytes(20) + socket.inet_aton(numbers[asked.rstrip(b"\0")])

    monkeypatch.setattr(socket, "if_nameindex", lambda: [(at, name.decode()) for at, name in enumerate(numbers)])
    monkeypatch.setattr(fcntl, "ioctl", address)
    monkeypatch.setattr(serve, "_toward", lambda *_: "203.0.113.9")
    assert own_numbers() == ["203.0.113.9", "198.51.100.7"]


@pytest.mark.parametrize("opens_after", [0.0, 2.0], ids=["ready", "not ready"])
def test_end_with_clients_connected(opens_after: float) -> None:
    server = Running(FakeSource(opens_after=opens_after))
    server.start()
    clients = [server.client() for _ in range(3)]
    for client in clients:
        client.text("status" if opens_after else "hello")
    server.stop()
    for client in clients:
        assert client.ended()[0] in (1001, 1012)
        client.socket.close()
