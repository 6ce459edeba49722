"""Tests of an elector that cannot be reached, against local servers, and of missing and malformed addresses."""

from __future__ import annotations

import logging
import os
import queue
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from unittest import mock

from doyen import AsyncElector, Elector, ElectorError, Stop
from doyen._settings import settings_of

from .fakes import StandIn, event, plain

_ME = b'{"name":"me","last_update":"2026-11-22T10:00:00Z"}'


class Log(logging.Handler):
    """Collects the messages of the client. A test can wait for the next message."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: queue.Queue[str] = queue.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.put(record.getMessage())

    def next(self) -> str:
        return self.messages.get(timeout=50)

    def rest(self) -> list[str]:
        return [self.messages.get() for _ in range(self.messages.qsize())]


class Requests:
    """Answers each request with ``answer``, which a test can replace, and counts the requests."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> None:
        self.answer = answer
        self.counted = threading.Semaphore(0)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.counted.release()
        self.answer(request)


def status(code: int, body: bytes = b"") -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(code)
        request.end_headers()
        request.wfile.write(body)

    return answer


def hangs_up(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True


def nowhere() -> str:
    """Returns an address at which nothing listens."""
    with StandIn(status(200)) as server:
        return server.url


class Outages(unittest.TestCase):
    def setUp(self) -> None:
        self.log = Log()
        logger = logging.getLogger("doyen")
        logger.addHandler(self.log)
        self.addCleanup(logger.removeHandler, self.log)
        propagates, logger.propagate = logger.propagate, False
        self.addCleanup(setattr, logger, "propagate", propagates)

    def serve(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> StandIn:
        server = StandIn(answer)
        server.__enter__()
        self.addCleanup(server.__exit__)
        return server

    def begin(self, elector: Elector) -> queue.Queue[str]:
        """Starts a watch on a thread. Returns the names of the leaders that it yields."""
        stop = Stop()
        self.addCleanup(stop.ask)
        names: queue.Queue[str] = queue.Queue()

        def run() -> None:
            for leader in elector.watch(stop=stop):
                names.put(leader.name if leader.known else "?")

        threading.Thread(target=run, daemon=True).start()
        return names

    def test_a_watch_logs_an_outage_at_the_first_failure_and_its_end_once(self) -> None:
        ended = threading.Event()
        self.addCleanup(ended.set)

        def stream(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.end_headers()
            request.wfile.write(plain("me"))
            request.wfile.flush()
            ended.wait()

        logged = threading.Event()
        self.addCleanup(logged.set)

        def first_and_others(request: BaseHTTPRequestHandler) -> None:
            requests.answer = others
            status(503)(request)

        def others(request: BaseHTTPRequestHandler) -> None:
            logged.wait()
            status(503)(request)

        requests = Requests(first_and_others)
        server = self.serve(requests)
        # The client waits for the answer to a request for 60 s (20 % of ``believe``).
        names = self.begin(Elector(name="me", url=server.url, believe=300))
        self.assertRegex(self.log.next(), rf"^the elector at {server.url}/sse\S+ answered with status 503$")
        logged.set()
        for _ in range(3):
            self.assertTrue(requests.counted.acquire(timeout=60))
        self.assertEqual(self.log.rest(), [], "a retry that fails belongs to the same outage")
        requests.answer = stream
        self.assertRegex(self.log.next(), rf"^the elector at {server.url}/sse\S+ answers again$")
        self.assertEqual([names.get(timeout=60), names.get(timeout=60)], ["?", "me"])
        ended.set()
        self.assertRegex(self.log.next(), r"/sse\S+ ended the stream$")

    def test_nothing_listens_is_logged_with_the_address_the_reason_and_the_remedy_unless_it_is_raised(self) -> None:
        url = nowhere()
        self.begin(Elector(name="me", url=url))
        said = rf"^the elector at {url}/sse\S+ gave no valid answer: ConnectionRefusedError: .*; check the address"
        self.assertRegex(self.log.next(), said)
        with self.assertRaises(ConnectionRefusedError):
            Elector(name="me", url=url, when_unknown="raise").is_leader()
        self.assertEqual(self.log.rest(), [])

    def test_is_leader_logs_an_outage_once_and_its_end_once(self) -> None:
        for answer, reason in (
            (status(401), "status 401; check the address"),
            (status(403), "status 403; check the address"),
            (status(404), "status 404; check the address"),
            (status(200, b"<html>"), "not an answer of an elector.*; check the address"),
            (hangs_up, "RemoteDisconnected: .*; check the address"),
        ):
            with self.subTest(reason):
                requests = Requests(answer)
                server = self.serve(requests)
                # The client waits for an answer for 120 s (40 % of ``believe``).
                elector = Elector(name="me", url=server.url, believe=300)
                self.assertEqual([elector.is_leader() for _ in range(3)], [False] * 3)
                (message,) = self.log.rest()
                self.assertRegex(message, rf"^the elector at {server.url} .*{reason}")
                requests.answer = status(200, _ME)
                self.assertEqual([elector.is_leader() for _ in range(3)], [True] * 3)
                self.assertEqual(self.log.rest(), [f"the elector at {server.url} answers again"])
                requests.answer = answer
                self.assertFalse(elector.is_leader())
                self.assertEqual(len(self.log.rest()), 1)

    def test_repeated_leading_logs_the_same_outage_once(self) -> None:
        requests = Requests(status(503))
        elector = Elector(name="me", url=self.serve(requests).url)
        for _ in range(2):
            stop = Stop()

            def stops_at_the_second_request(stop: Stop = stop) -> None:
                requests.counted.acquire(timeout=60)
                requests.counted.acquire(timeout=60)
                stop.ask()

            threading.Thread(target=stops_at_the_second_request, daemon=True).start()
            with self.assertRaises(InterruptedError), elector.leading(stop=stop):
                pass
        self.assertEqual(len(self.log.rest()), 1)


class TheTimeLimitOfLeading(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.end = threading.Event()
        self.name = "other"

        def stream(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.end_headers()
            request.wfile.write(event(1, self.name, 1))
            request.wfile.flush()
            self.end.wait()

        server = StandIn(stream)
        server.__enter__()
        self.addCleanup(server.__exit__)
        self.addCleanup(self.end.set)
        self.url = server.url

    def test_raises_with_threads(self) -> None:
        elector = Elector(name="me", url=self.url)
        with self.assertRaisesRegex(TimeoutError, "^this app did not lead within 0.05 s$"):
            with elector.leading("app", timeout=0.05):
                raise AssertionError
        stop = Stop()
        with self.assertRaises(TimeoutError), elector.leading("app", stop=stop, timeout=0.05):
            raise AssertionError
        self.assertFalse(stop.is_asked, "the time limit must not ask the caller's stop")
        self.name = "me"
        with elector.leading("app", stop=stop, timeout=threading.TIMEOUT_MAX) as leadership:
            self.assertTrue(leadership.is_leading)
        self.assertFalse(stop.is_asked)
        with elector.leading("app", stop=stop) as leadership:
            stop.ask()
            self.assertTrue(leadership.wait(60))
        self.assertFalse([each for each in threading.enumerate() if isinstance(each, threading.Timer)])

    async def test_raises_with_asyncio(self) -> None:
        elector = AsyncElector(name="me", url=self.url)
        with self.assertRaisesRegex(TimeoutError, "^this app did not lead within 0.05 s$"):
            async with elector.leading("app", timeout=0.05):
                raise AssertionError
        self.name = "me"
        async with elector.leading("app", timeout=threading.TIMEOUT_MAX) as leadership:
            self.assertTrue(leadership.is_leading)

    def test_must_be_a_positive_number(self) -> None:
        for timeout in (0, -1, float("nan"), float("inf")):
            with self.assertRaisesRegex(ElectorError, r"timeout \(\S+ s\) must be more than 0"):
                with Elector(name="me", url=self.url).leading(timeout=timeout):
                    raise AssertionError
            with self.assertRaisesRegex(ElectorError, r"timeout \(\S+ s\) must be more than 0"):
                AsyncElector(name="me", url=self.url).leading(timeout=timeout)


class Addresses(unittest.TestCase):
    def refused(self, env: dict[str, str], url: str | None = None, sse_url: str | None = None) -> str:
        with mock.patch.dict(os.environ, env, clear=True), self.assertRaises(ElectorError) as caught:
            settings_of("me", url, sse_url, 5.0, "follow")
        return str(caught.exception)

    def test_that_are_empty_or_malformed_are_refused_with_the_name_and_the_value(self) -> None:
        remedy = "is not the address of an elector; write it like http://localhost:4040/"
        ports = ("localhost:99999", "localhost:x")
        for bad in ("", " ", "ftp://x", "http://", "/sse", "http://[", *ports, "a b", "x/\r\nEvil: 1"):
            with self.subTest(bad):
                env = {"ELECTOR_GET_URL": "localhost:4040"}
                self.assertEqual(self.refused(env, url=bad), f"url ({bad!r}) {remedy}")
                self.assertEqual(self.refused(env, sse_url=bad), f"sse_url ({bad!r}) {remedy}")
        for name in ("ELECTOR_GET_URL", "ELECTOR_PATH"):
            self.assertEqual(self.refused({name: "ftp://x"}), f"{name} ('ftp://x') {remedy}")
        env = {"ELECTOR_GET_URL": "x", "ELECTOR_SSE_URL": "http://"}
        self.assertEqual(self.refused(env), f"ELECTOR_SSE_URL ('http://') {remedy}")

    def test_that_are_missing_are_refused_with_the_reason_and_the_remedy(self) -> None:
        remedy = "run the elector's sidecar in this pod, or set ELECTOR_GET_URL or pass url"
        for env, why in (({}, "is not set"), ({"ELECTOR_GET_URL": ""}, "is empty")):
            message = f"the address of the elector is unknown, because ELECTOR_GET_URL {why}; {remedy}"
            self.assertEqual(self.refused(env), message)


if __name__ == "__main__":
    unittest.main()
