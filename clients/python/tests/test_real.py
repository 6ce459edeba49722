"""Tests of sockets, threads and asyncio against a local server. testing/acceptance/ tests a real elector."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler

from doyen import AsyncElector, Elector, ElectorError, Leadership, LeadershipLost, Stop, leader_only

from .fakes import StandIn, event, plain


class Streams:
    """Sends the test's ``pieces`` to a streaming client in HTTP chunks. The piece None ends the stream."""

    def __init__(self) -> None:
        self.pieces: queue.Queue[bytes | None] = queue.Queue()
        self.gone = threading.Event()
        self.requests: list[str] = []

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.requests.append(request.path)
        if request.path.startswith("/v1/elections/none"):
            request.send_error(404)
            return
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        try:
            while (piece := self.pieces.get(timeout=90)) is not None:
                request.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                request.wfile.flush()
        except OSError:
            self.gone.set()


async def until(condition: threading.Event, why: str) -> None:
    if not await asyncio.to_thread(condition.wait, 60):
        raise AssertionError(why)


class Sockets(unittest.TestCase):
    def setUp(self) -> None:
        self.streams = Streams()
        server = StandIn(self.streams)
        server.__enter__()
        self.addCleanup(server.__exit__)
        self.url = server.url
        # The client closes a connection that is silent for 72 s (60 % of ``believe``). No test waits that long.
        self.elector = Elector(name="me", url=server.url, believe=120)
        # After the test, end a stream that is still open.
        self.addCleanup(self.streams.pieces.put, None)

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.streams.pieces.put(piece)


class WithThreads(Sockets):
    def test_a_stream_in_chunks_is_read_as_it_comes(self) -> None:
        self.send(plain("a")[:7], plain("a")[7:])
        watch = self.elector.watch()
        self.assertEqual(next(watch).name, "a")
        self.send(plain("me"))
        self.assertTrue(next(watch).is_me)

    def test_a_stream_may_be_silent_for_longer_than_a_connection_may_take(self) -> None:
        self.send(plain("a"))
        # The client waits at most 3 s for a connection, and at most 9 s for the next piece of a stream.
        watch = Elector(name="me", url=self.url, believe=15).watch()
        next(watch)
        threading.Timer(3.5, self.send, [plain("me")]).start()
        self.assertTrue(next(watch).is_me)
        self.assertEqual(len(self.streams.requests), 1)

    def test_stop_ends_a_watch_that_waits_for_data(self) -> None:
        stop = Stop()
        self.send(plain("a"))
        watch = self.elector.watch(stop=stop)
        next(watch)
        began = time.monotonic()
        threading.Timer(0.05, stop.ask).start()
        self.assertIsNone(next(watch, None))
        self.assertLess(time.monotonic() - began, 60, "seconds, less than the timeout for silence")

    def test_an_answer_that_drips_is_not_waited_for_longer_than_allowed(self) -> None:
        def drips(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.end_headers()
            try:
                while True:
                    request.wfile.write(b" ")
                    time.sleep(0.1)
            except OSError:
                pass  # The client has closed the connection.

        with StandIn(drips) as server:
            self.assertFalse(Elector(name="me", url=server.url, believe=3).is_leader())

    def test_leading_notifies_a_thread_when_it_is_over(self) -> None:
        self.send(event(1, "other", 1), event(2, "me", 2))
        with self.elector.leading("app") as leadership:
            self.assertEqual((leadership.is_leading, leadership.term, leadership.name), (True, 2, "me"))
            self.send(event(3, "", 2))
            self.assertTrue(leadership.wait(60))
            self.assertEqual((leadership.is_leading, leadership.why_lost), (False, "nobody leads any more"))
        self.assertNotIn("doyen-leading", [thread.name for thread in threading.enumerate()])

    def test_leading_is_over_when_its_block_is_left_and_ends_its_stream(self) -> None:
        self.send(event(2, "me", 2))
        with self.elector.leading("app") as leadership:
            began = time.monotonic()
        self.assertLess(time.monotonic() - began, 60, "seconds, less than the timeout for silence")
        self.assertFalse(leadership.is_leading)
        for _ in range(1000):
            self.send(b":\n\n")
        self.assertTrue(self.streams.gone.wait(60))
        stopped = Stop()
        stopped.ask()
        with self.assertRaises(InterruptedError), self.elector.leading("app", stop=stopped):
            pass


class WithAsyncio(Sockets, unittest.IsolatedAsyncioTestCase):
    async def is_closed(self) -> None:
        for _ in range(1000):
            self.send(b":\n\n")
        await until(self.streams.gone, "the client did not close the stream")

    async def test_watch_yields_changes_and_ends_its_thread(self) -> None:
        self.send(plain("a"), plain("me"))
        received: list[str] = []
        watch = AsyncElector(name="me", url=self.url).watch()
        async for leader in watch:
            received.append(leader.name)
            if leader.is_me:
                break
        await watch.aclose()
        self.assertEqual(received, ["a", "me"])
        await self.is_closed()

    async def test_the_body_is_cancelled_on_loss_and_the_block_left_only_after_it_ended(self) -> None:
        self.send(event(1, "other", 1), event(2, "me", 2))
        steps: list[str] = []
        with self.assertRaisesRegex(LeadershipLost, "^other leads$"):
            async with AsyncElector(name="me", url=self.url).leading("app") as leadership:
                self.assertEqual(leadership.term, 2)
                self.send(event(3, "me", 2), event(4, "other", 3))
                try:
                    await asyncio.sleep(60)
                finally:
                    steps.append("leads" if leadership.is_leading else "lost")
                    await asyncio.sleep(0.05)
                    steps.append("cleaned up")
        self.assertEqual(steps, ["lost", "cleaned up"])

    async def test_a_body_that_ends_by_itself_leaves_the_block_quietly(self) -> None:
        self.send(event(2, "me", 2))
        kept: list[Leadership] = []
        async with AsyncElector(name="me", url=self.url).leading("app") as leadership:
            kept.append(leadership)
        self.assertFalse(kept[0].is_leading)
        await self.is_closed()

    async def test_a_cancellation_from_elsewhere_is_no_loss(self) -> None:
        self.send(event(2, "me", 2))
        begun = asyncio.Event()

        async def work() -> None:
            async with AsyncElector(name="me", url=self.url).leading("app"):
                begun.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(work())
        await begun.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    @unittest.skipIf(sys.version_info < (3, 11), "Python 3.10 does not report who has cancelled the task")
    async def test_a_cancellation_from_elsewhere_stays_one_when_the_leadership_is_lost_too(self) -> None:
        async def work() -> None:
            async with AsyncElector(name="me", url=self.url).leading("app"):
                self.send(event(3, "other", 3))
                try:
                    await asyncio.sleep(60)
                finally:
                    task.cancel()
                    await asyncio.sleep(60)

        self.send(event(2, "me", 2))
        task = asyncio.create_task(work())
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_an_error_of_the_body_is_its_own(self) -> None:
        self.send(event(2, "me", 2))
        with self.assertRaises(ZeroDivisionError):
            async with AsyncElector(name="me", url=self.url).leading("app"):
                raise ZeroDivisionError

    async def test_a_wait_may_be_cancelled_and_an_unknown_election_raises(self) -> None:
        async def waits() -> None:
            async with AsyncElector(name="me", url=self.url).leading("app"):
                raise AssertionError

        task = asyncio.create_task(waits())
        self.send(event(1, "other", 1))
        # Wait until the server has sent the event.
        while not self.streams.pieces.empty():
            await asyncio.sleep(0.01)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        await self.is_closed()
        with self.assertRaisesRegex(ElectorError, "404"):
            async with AsyncElector(name="me", url=self.url).leading("none"):
                raise AssertionError

    async def test_a_coroutine_for_leaders_is_not_run_when_nobody_answers(self) -> None:
        @leader_only(elector=Elector(name="me", url="127.0.0.1:1"))
        async def work() -> str:
            return "done"

        self.assertIsNone(await work())
        self.assertFalse(await AsyncElector(name="me", url="127.0.0.1:1").is_leader())


if __name__ == "__main__":
    unittest.main()
