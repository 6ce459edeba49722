from __future__ import annotations

import asyncio
import itertools
import unittest
from collections.abc import Callable

from doyen import AsyncElector, Elector, ElectorError, Leader, LeadershipLost, Stop, leader_only

from .fakes import FakeAnswer, FakePlatform, Script, Suspension, event, plain


def elector(platform: FakePlatform) -> Elector:
    return Elector(name="me", url="localhost:4040", platform=platform)


def names(seen: list[Leader]) -> list[str]:
    return [leader.name if leader.known else "?" for leader in seen]


class Watching(unittest.TestCase):
    def seen(self, platform: FakePlatform, count: int, election: str | None = None) -> list[Leader]:
        return list(itertools.islice(elector(platform).watch(election), count))

    def test_yields_the_present_state_and_each_change_once(self) -> None:
        script = Script([(0, plain("a") + plain("a")), (0, plain("")[:9]), (1, plain("")[9:] + plain("me"))])
        platform = FakePlatform([script])
        seen = self.seen(platform, 3)
        self.assertEqual(names(seen), ["a", "", "me"])
        self.assertEqual([leader.is_me for leader in seen], [False, False, True])
        self.assertEqual(platform.requests[0][1], "http://localhost:4040/sse?heartbeat=2s")
        self.assertTrue(script.closed, "the end of the loop closes the stream")

    def test_reconnects_after_the_delay_that_the_server_requested_with_the_last_event_id(self) -> None:
        again = event(2, "me", 2) + event(3, "b", 3) + b"event: reset\ndata: {}\n\n" + event(4, "c", 4)
        platform = FakePlatform([Script([(0, b"retry: 2000\n" + event(1, "a", 1))]), Script([(0, again)])])
        seen = self.seen(platform, 4, "a/b")
        self.assertEqual([(leader.name, leader.term) for leader in seen], [("a", 1), ("me", 2), ("b", 3), ("c", 4)])
        (first, url, headers), (second, _, later) = platform.requests
        self.assertEqual(url, "http://localhost:4040/v1/elections/a%2Fb/events?heartbeat=2s")
        self.assertEqual((second - first, headers.get("Last-Event-ID"), later["Last-Event-ID"]), (2, None, "x-1"))

    def test_nobody_is_known_to_lead_from_5_s_after_the_last_message_of_a_server_that_is_gone(self) -> None:
        platform = FakePlatform([Script([(0, plain("me")), (1, b":\n\n")])])
        self.assertEqual(names(self.seen(platform, 2)), ["me", "?"])
        self.assertEqual(platform.time, 6)
        platform = FakePlatform([Script([(0, plain("me"))])])
        watch = elector(platform).watch()
        self.assertEqual(names([next(watch), next(watch)]), ["me", "?"])
        platform.scripts.append(Script([(0, plain("me"))]))
        self.assertEqual(names([next(watch)]), ["me"])
        gaps = [later[0] - earlier[0] for earlier, later in itertools.pairwise(platform.requests)]
        self.assertEqual(gaps, [1, 2, 4])

    def test_no_failure_of_a_connection_ends_the_watch_and_each_kind_is_logged_once(self) -> None:
        platform = FakePlatform()
        original = platform.get
        failures = [MemoryError("on purpose"), MemoryError("on purpose"), RuntimeError("can't start new thread")]

        def get(url: str, headers: dict[str, str], timeout: float) -> FakeAnswer:
            if failures:
                raise failures.pop(0)
            return original(url, headers, timeout)

        platform.get = get  # type: ignore[method-assign]
        platform.scripts.append(Script([(0, plain("me"))]))
        with self.assertLogs("doyen", "ERROR") as logged:
            self.assertEqual(names(self.seen(platform, 2)), ["?", "me"])
        self.assertEqual(len(logged.records), 2)

    def test_waits_are_never_longer_than_10_s(self) -> None:
        platform = FakePlatform()
        stop = Stop()
        original = platform.wait

        def wait(stopped: Stop, seconds: float) -> None:
            original(stopped, seconds)
            if platform.time > 100:
                stop.ask()

        platform.wait = wait  # type: ignore[method-assign]
        self.assertEqual(names(list(elector(platform).watch(stop=stop))), ["?"])
        gaps = [later[0] - earlier[0] for earlier, later in itertools.pairwise(platform.requests)]
        self.assertEqual(gaps[:6], [1, 2, 4, 8, 10, 10])

    def test_a_stream_that_had_heartbeats_and_is_silent_is_given_up_and_nobody_known_in_time(self) -> None:
        silent = Script([(0, plain("me") + b":\n\n")], ends=False)
        platform = FakePlatform([silent, Script([], ends=False), Script([(0, plain("a"))])])
        self.assertEqual(names(self.seen(platform, 3)), ["me", "?", "a"])
        self.assertEqual([(at, "/sse" in url) for at, url, _ in platform.requests], [(0, True), (4, True), (7, True)])
        self.assertTrue(silent.closed)

    def test_an_elector_without_heartbeats_gets_a_request_when_it_is_silent_and_is_believed_if_it_answers(self) -> None:
        def answer(name: str) -> Script:
            return Script([(0, plain(name)[6:])], content_type="application/json")

        quiet = [Script([(0, plain("a"))], ends=False), answer("a"), Script([], ends=False), answer("me")]
        platform = FakePlatform([*quiet, Script([], ends=False)])
        self.assertEqual(names(self.seen(platform, 3)), ["a", "me", "?"])
        self.assertEqual(
            [(at, url.removeprefix("http://localhost:4040")) for at, url, _ in platform.requests[:5]],
            [(0, "/sse?heartbeat=2s"), (3, ""), (3, "/sse?heartbeat=2s"), (6, ""), (6, "/sse?heartbeat=2s")],
        )
        self.assertEqual(platform.time, 11)

    def test_bytes_that_arrived_while_this_process_was_suspended_are_ignored(self) -> None:
        old = Script([(0, event(1, "me", 1)), Suspension(60, b":\n\n" + event(2, "me", 2))], ends=False)
        platform = FakePlatform([old, Script([(0, event(3, "other", 3))])])
        self.assertEqual(names(self.seen(platform, 3, "app")), ["me", "?", "other"])
        self.assertTrue(old.closed)

    def test_a_first_event_that_arrived_while_this_process_was_suspended_is_ignored(self) -> None:
        platform = FakePlatform([Script([Suspension(60, plain("me"))]), Script([(0, plain("other"))])])
        self.assertEqual(names(self.seen(platform, 2)), ["?", "other"])

    def test_the_age_of_an_answer_counts_from_the_time_of_the_request(self) -> None:
        quiet = [Script([(0, plain("me"))], ends=False), Script([(0.9, plain("me")[6:])]), Script([], ends=False)]
        platform = FakePlatform(quiet)
        self.assertEqual(names(self.seen(platform, 2)), ["me", "?"])
        self.assertEqual(platform.time, 3 + 5)

    def test_an_answer_that_arrived_while_this_process_was_suspended_is_ignored(self) -> None:
        quiet = [Script([(0, plain("me"))], ends=False), Script([Suspension(60, plain("me")[6:])])]
        platform = FakePlatform(quiet)
        self.assertEqual(names(self.seen(platform, 2)), ["me", "?"])
        self.assertEqual(platform.time, 3 + 60)

    def test_bad_streams_are_left_for_a_new_one(self) -> None:
        bad = [b"data: []\n\n", b"data: nonsense\n\n", b"data: " + b"x" * 70_000, b"data: \xff\n\n"]
        scripts = [Script([(0, text)], ends=False) for text in bad]
        platform = FakePlatform([*scripts, Script([(0, plain("a"))])])
        self.assertEqual(names(self.seen(platform, 2)), ["?", "a"])
        self.assertTrue(all(script.closed for script in scripts))
        self.assertEqual([at for at, _, _ in platform.requests], [0, 1, 3, 7, 15])

    def test_a_busy_server_gets_another_request_and_one_that_refuses_does_not(self) -> None:
        with self.assertRaisesRegex(ElectorError, "none/events.* status 404; check the address"):
            self.seen(FakePlatform([Script([], status=503), Script([], status=429), Script([], status=404)]), 2, "none")
        with self.assertRaisesRegex(ElectorError, "is not an event stream"):
            self.seen(FakePlatform([Script([(0, b"<html>")], content_type="text/html")]), 1)


class LeadingFor(unittest.TestCase):
    def test_goes_on_over_connections_without_a_replay_and_ends_5_s_after_the_last_message(self) -> None:
        first = Script([(0, event(1, "other", 1)), (1, event(2, "me", 2))])
        platform = FakePlatform([first, Script([(0, event(2, "me", 2)), (2, b":\n\n")])])
        with elector(platform).leading("app") as leadership:
            self.assertTrue(leadership.wait(60))
        self.assertIn("did not answer for too long", leadership.why_lost)
        self.assertEqual(platform.time, 1 + 1 + 2 + 5)
        self.assertFalse(any("Last-Event-ID" in headers for _, _, headers in platform.requests))

    def test_ends_when_another_term_has_begun(self) -> None:
        platform = FakePlatform([Script([(0, event(1, "me", 1)), (0, event(2, "me", 2))])])
        with elector(platform).leading("app") as leadership:
            self.assertTrue(leadership.wait(60))
        self.assertEqual(leadership.why_lost, "another term has begun: 2")

    def test_ends_when_the_elector_refuses_the_next_connection(self) -> None:
        platform = FakePlatform([Script([(0, event(1, "me", 1))]), Script([], status=404)])
        with elector(platform).leading("app") as leadership:
            self.assertTrue(leadership.wait(60))
        self.assertRegex(leadership.why_lost, "app/events.* status 404; check the address")

    def test_ends_when_the_watch_fails(self) -> None:
        platform = FakePlatform([Script([(0, event(1, "me", 1))])])

        def wait(stop: Stop, seconds: float) -> None:
            raise RuntimeError("on purpose")

        platform.wait = wait  # type: ignore[method-assign]
        with elector(platform).leading("app") as leadership:
            self.assertTrue(leadership.wait(60))
        self.assertEqual(leadership.why_lost, "the watch failed: RuntimeError('on purpose')")


class LeadingWithAsyncio(unittest.IsolatedAsyncioTestCase):
    async def test_ends_when_the_thread_that_watches_fails(self) -> None:
        platform = FakePlatform([Script([(0, plain("me"))])])

        def wait(stop: Stop, seconds: float) -> None:
            raise RuntimeError("can't start new thread, on purpose")

        platform.wait = wait  # type: ignore[method-assign]
        leading = AsyncElector(name="me", url="localhost:4040", platform=platform).leading()
        with self.assertRaisesRegex(LeadershipLost, "the watch failed"):
            async with leading:
                await asyncio.wait_for(asyncio.Event().wait(), 30)

    async def test_ends_when_the_elector_refuses_the_next_connection(self) -> None:
        platform = FakePlatform([Script([(0, event(1, "me", 1))]), Script([], status=404)])
        leading = AsyncElector(name="me", url="localhost:4040", platform=platform).leading("app")
        with self.assertRaisesRegex(LeadershipLost, "app/events.* status 404; check the address"):
            async with leading:
                await asyncio.wait_for(asyncio.Event().wait(), 30)


class IsLeader(unittest.TestCase):
    def is_leader_after(self, make: Callable[[], Script | None]) -> bool:
        script = make()
        return elector(FakePlatform([script] if script else [])).is_leader()

    def test_is_true_only_if_the_elector_names_this_app(self) -> None:
        me = plain("me")[6:]
        self.assertTrue(self.is_leader_after(lambda: Script([(0, me[:5]), (1, me[5:])])))
        for script in (
            Script([(0, plain("other")[6:])]),
            Script([(0, plain("")[6:])]),
            Script([(0, me)], status=500),
            Script([(0, me)], status=404),
            Script([(0, b"nonsense")]),
            Script([(0, me + b" " * 70_000)]),
            Script([(0, me[:5])], ends=False),
            Script([(1.5, me[:5]), (0.6, me[5:])]),
            Script([Suspension(60, me)]),
            None,
        ):
            self.assertFalse(self.is_leader_after(lambda script=script: script), script)

    def test_returns_what_when_unknown_defines(self) -> None:
        def gone(when_unknown: str) -> bool:
            return Elector(name="me", url="x", when_unknown=when_unknown, platform=FakePlatform()).is_leader()  # type: ignore[arg-type]

        self.assertEqual((gone("follow"), gone("lead")), (False, True))
        with self.assertRaises(ConnectionRefusedError):
            gone("raise")
        with self.assertRaisesRegex(ElectorError, "must be follow, raise or lead"):
            gone("explode")

    def test_requests_the_given_election(self) -> None:
        platform = FakePlatform([Script([(0, b'{"name":"orders","leader":{"id":"me","term":3}}')])])
        self.assertTrue(elector(platform).is_leader("orders"))
        self.assertEqual(platform.requests[0][1], "http://localhost:4040/v1/elections/orders")

    def test_decides_whether_a_function_for_leaders_runs(self) -> None:
        platform = FakePlatform([Script([(0, plain(name)[6:])]) for name in ("me", "other")])

        @leader_only(elector=elector(platform))
        def double(number: int) -> int:
            return 2 * number

        self.assertEqual([double(2), double(2), double(2)], [4, None, None])


if __name__ == "__main__":
    unittest.main()
