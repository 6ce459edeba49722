from __future__ import annotations

import os
import socket
import unittest
from unittest import mock

from doyen import ElectorError
from doyen._backoff import Backoff
from doyen._leader import Leader, leader_in
from doyen._settings import settings_of
from doyen._stream import MAX_LINE, EventStreamParser, StreamEvent


class TheParser(unittest.TestCase):
    def test_gives_the_same_events_wherever_the_stream_is_cut_with_each_kind_of_line_end(self) -> None:
        text = (
            '\ufeffretry: 2000\r\nid: x-1\r\nevent: leader\r\ndata: {"name":"grün"}\r\n\n:\r\n'
            "data:one\ndata: two\n\nid\rdata:  3\r\r: a comment\nevent: gone\n\nunknown: 1\ndata\n\ndata: cut off"
        )
        expected = [
            StreamEvent("leader", '{"name":"grün"}', "x-1"),
            StreamEvent("message", "one\ntwo", "x-1"),
            StreamEvent("message", " 3", ""),
            StreamEvent("message", "", ""),
        ]
        whole = text.encode()
        for first in range(len(whole) + 1):
            for second in range(first, len(whole) + 1):
                parser = EventStreamParser()
                pieces = (whole[:first], whole[first:second], whole[second:])
                events = [event for piece in pieces for event in parser.feed(piece)]
                self.assertEqual(events, expected, f"cut at {first} and {second}")
                self.assertEqual((parser.retry_millis, parser.comments), (2000, 2))

    def test_keeps_the_id_of_the_connection_before_and_takes_no_bad_one(self) -> None:
        parser = EventStreamParser("x-7")
        events = parser.feed(b"retry: soon\nretry:\nretry: 1e3\nretry: \xd9\xa1\nid: a\0b\ndata: 1\n\n")
        self.assertEqual(events, [StreamEvent("message", "1", "x-7")])
        self.assertIsNone(parser.retry_millis)

    def test_refuses_a_line_and_an_event_that_are_too_long_also_one_that_never_ends(self) -> None:
        longest = b"x" * (MAX_LINE - 6)
        self.assertEqual(len(EventStreamParser().feed(b"data: " + longest + b"\n\n")), 1)
        with self.assertRaises(ValueError):
            EventStreamParser().feed(b"data: " + longest + b"x\n\n")
        endless = EventStreamParser()
        endless.feed(b":" + longest)
        with self.assertRaises(ValueError):
            endless.feed(b"xxxxxxxxx")
        with self.assertRaisesRegex(ValueError, "an event of the stream"):
            EventStreamParser().feed(b"data: 1234567\n" * (MAX_LINE // 8 + 1))


class Answers(unittest.TestCase):
    def test_of_either_kind_are_read_and_others_are_refused(self) -> None:
        nobody = Leader("", known=True, is_me=False)
        self.assertEqual(leader_in('{"name":"a","last_update":"x"}', "a"), Leader("a", known=True, is_me=True))
        self.assertEqual(leader_in('{"name":"b"}', "a"), Leader("b", known=True, is_me=False))
        self.assertEqual(leader_in('{"name":""}', ""), nobody)
        election = '{"name":"a","leader":{"id":"b","term":7}}'
        self.assertEqual(leader_in(election, "b"), Leader("b", known=True, is_me=True, term=7))
        self.assertFalse(leader_in(election, "a").is_me, "an election may have the name of a pod")
        self.assertEqual(leader_in('{"name":"a","leader":null}', "a"), nobody)
        self.assertEqual(leader_in("{}", "a"), nobody, "the NAIS elector before it has found a leader")
        bad = ["", "null", "[]", "1", '{"leader":7}', '{"name":1}', '{"name":"a","leader":{"id":"b"}}', "<html>", '{"name":"a"']
        for text in [*bad, '{"leader":{"id":"b","term":true}}', "[" * 50_000]:
            with self.assertRaisesRegex(ValueError, "not an answer of an elector"):
                leader_in(text, "a")


class TheSettings(unittest.TestCase):
    def found(self, env: dict[str, str], url: str | None = None, believe: float = 5.0) -> tuple[str, str, str]:
        with mock.patch.dict(os.environ, env, clear=True):
            settings = settings_of(None, url, None, believe, "follow")
            return settings.name, settings.url, settings.sse_url

    def test_come_from_the_environment_that_the_injector_and_nais_give(self) -> None:
        env = {
            "HOSTNAME": "pod-1",
            "ELECTOR_GET_URL": "http://localhost:4040/",
            "ELECTOR_SSE_URL": "http://localhost:4041/sse",
        }
        self.assertEqual(self.found(env), ("pod-1", "http://localhost:4040", "http://localhost:4041/sse"))
        self.assertEqual(self.found(env, url="elector:99")[2], "http://elector:99/sse")

    def test_take_an_address_without_scheme_and_the_hosts_name(self) -> None:
        self.assertEqual(
            self.found({"ELECTOR_PATH": "localhost:4040"}),
            (socket.gethostname(), "http://localhost:4040", "http://localhost:4040/sse"),
        )

    def test_that_are_out_of_bounds_are_refused_in_a_sentence(self) -> None:
        for believe in (2.9, 300.1, float("nan")):
            with self.assertRaisesRegex(ElectorError, "must be from 3.0 to 300.0 s"):
                self.found({}, url="x", believe=believe)


class TheWaits(unittest.TestCase):
    def test_double_from_what_the_server_requested_and_stay_within_bounds(self) -> None:
        backoff = Backoff()
        self.assertEqual([backoff.next(1) for _ in range(5)], [1, 2, 4, 8, 10])
        backoff.worked()
        backoff.retry(2000)
        self.assertEqual([backoff.next(0) for _ in range(3)], [1, 2, 4])
        for millis, waited in ((0, 0.1), (10**9, 10)):
            backoff.worked()
            backoff.retry(millis)
            self.assertEqual(backoff.next(1), waited)


if __name__ == "__main__":
    unittest.main()
