package doyen

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestTheParserReturnsTheSameEventsWhereverTheStreamIsCut(t *testing.T) {
	text := "\uFEFFretry: 2000\r\nid: x-1\r\nevent: leader\r\ndata: {\"name\":\"grün\"}\r\n\n:\r\n" +
		"data:one\ndata: two\n\nid\rdata:  3\r\r: a comment\nevent: gone\n\nunknown: 1\ndata\n\ndata: cut off"
	expected := []streamEvent{
		{"leader", `{"name":"grün"}`, "x-1"},
		{"message", "one\ntwo", "x-1"},
		{"message", " 3", ""},
		{"message", "", ""},
	}
	for first := 0; first <= len(text); first++ {
		for second := first; second <= len(text); second++ {
			parser := &eventStreamParser{}
			var events []streamEvent
			for _, piece := range []string{text[:first], text[first:second], text[second:]} {
				found, err := parser.feed([]byte(piece))
				if err != nil {
					t.Fatal(err)
				}
				events = append(events, found...)
			}
			if !reflect.DeepEqual(events, expected) {
				t.Fatalf("cut at %d and %d: the events are %q", first, second, events)
			}
			if parser.retry != 2*time.Second || parser.comments != 2 {
				t.Fatalf("cut at %d and %d: retry is %s, and comments is %d", first, second, parser.retry, parser.comments)
			}
		}
	}
}

func TestTheParserKeepsTheLastIdAndIgnoresInvalidFields(t *testing.T) {
	parser := &eventStreamParser{id: "x-7"}
	events, err := parser.feed([]byte("retry: soon\nretry:\nretry: 1e3\nretry: -1\nretry: ١\nid: a\x00b\ndata: \xff\n\n"))
	if err != nil || len(events) != 1 || events[0] != (streamEvent{"message", "\uFFFD", "x-7"}) || parser.hasRetry {
		t.Errorf("the events are %q, the error is %v, and retry is %s", events, err, parser.retry)
	}
}

func TestTheParserRejectsALineAndAnEventThatAreTooLong(t *testing.T) {
	longest := strings.Repeat("x", maxLine-6)
	if events, err := (&eventStreamParser{}).feed([]byte("data: " + longest + "\n\n")); err != nil || len(events) != 1 {
		t.Errorf("the longest line: %d events, %v", len(events), err)
	}
	endless := &eventStreamParser{}
	if _, err := endless.feed([]byte(":" + longest)); err != nil {
		t.Error(err)
	}
	for text, parser := range map[string]*eventStreamParser{
		"data: " + longest + "x\n\n": {},
		"xxxxxxxxx":                  endless,
	} {
		_, err := parser.feed([]byte(text))
		if err == nil || err.Error() != "a line of the stream has more than 65536 bytes" {
			t.Errorf("a long line: the error is %v", err)
		}
	}
	_, err := (&eventStreamParser{}).feed([]byte(strings.Repeat("data: 1234567\n", maxLine/8+1)))
	if err == nil || err.Error() != "an event of the stream has more than 65536 bytes" {
		t.Errorf("a long event: the error is %v", err)
	}
}

func TestAnswersOfBothKindsAreReadAndOthersAreRejected(t *testing.T) {
	const election = `{"name":"a","leader":{"id":"b","term":7}}`
	for _, each := range []struct {
		text, me string
		expected Leader
	}{
		{`{"name":"a","last_update":"x"}`, "a", Leader{Name: "a", Known: true, IsMe: true}},
		{`{"name":"b"}`, "a", Leader{Name: "b", Known: true}},
		{`{"name":""}`, "a", Leader{Known: true}},
		{election, "b", Leader{Name: "b", Known: true, IsMe: true, Term: 7}},
		{election, "a", Leader{Name: "b", Known: true, Term: 7}},
		{`{"name":"a","leader":null}`, "a", Leader{Known: true}},
		{"{}", "a", Leader{Known: true}},
	} {
		if leader, err := leaderIn([]byte(each.text), each.me); err != nil || leader != each.expected {
			t.Errorf("%s: the leader is %+v, and the error is %v", each.text, leader, err)
		}
	}
	for _, bad := range []string{
		"", "null", "[]", "1", `{"leader":7}`, `{"name":1}`, `{"name":null}`, `{"name":"a","leader":{"id":"b"}}`,
		`{"name":"a","leader":{"term":1}}`, `{"leader":{"id":"b","term":true}}`, `{"leader":{"id":"b","term":1.5}}`,
		"<html>", `{"name":"a"`, `{"other":"a"}`, strings.Repeat("[", 50_000),
	} {
		_, err := leaderIn([]byte(bad), "a")
		if err == nil || !strings.HasPrefix(err.Error(), "the response is not an answer of an elector: ") {
			t.Errorf("%.40q: the error is %v", bad, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%.40q: the error has %d bytes", bad, len(err.Error()))
		}
	}
}

func TestTheDelayDoublesAndStaysWithinItsBounds(t *testing.T) {
	next := func(backoff *backoff, random float64, count int) string {
		var found []time.Duration
		for i := 0; i < count; i++ {
			found = append(found, backoff.next(random))
		}
		return fmt.Sprint(found)
	}
	delays := &backoff{}
	if found := next(delays, 1, 6); found != "[1s 2s 4s 8s 10s 10s]" {
		t.Error(found)
	}
	delays.worked()
	delays.retry(2 * time.Second)
	if found := next(delays, 0, 3); found != "[1s 2s 4s]" {
		t.Error(found)
	}
	for delay, expected := range map[time.Duration]string{0: "[100ms]", 1000 * time.Hour: "[10s]"} {
		delays.worked()
		delays.retry(delay)
		if found := next(delays, 1, 1); found != expected {
			t.Error(found)
		}
	}
}

// setEnvironment sets the variables of an elector, and removes the others.
func setEnvironment(t *testing.T, variables map[string]string) {
	t.Helper()
	for _, name := range []string{"HOSTNAME", "ELECTOR_GET_URL", "ELECTOR_PATH", "ELECTOR_SSE_URL"} {
		t.Setenv(name, "")
		value, isSet := variables[name]
		if !isSet {
			_ = os.Unsetenv(name)
			continue
		}
		t.Setenv(name, value)
	}
}

func TestTheSettingsComeFromTheEnvironmentAndTheOptions(t *testing.T) {
	host, _ := os.Hostname()
	pod := map[string]string{
		"HOSTNAME": "pod-1", "ELECTOR_GET_URL": "http://localhost:4040/", "ELECTOR_SSE_URL": "http://localhost:4041/sse",
	}
	for _, each := range []struct {
		variables map[string]string
		options   Options
		expected  string
	}{
		{pod, Options{}, "pod-1 http://localhost:4040 http://localhost:4041/sse?heartbeat=2s"},
		{pod, Options{URL: "elector:99"}, "pod-1 http://elector:99 http://elector:99/sse?heartbeat=2s"},
		{pod, Options{SSEURL: "x/sse"}, "pod-1 http://localhost:4040 http://x/sse?heartbeat=2s"},
		{pod, Options{Name: "me", Believe: time.Minute}, "me http://localhost:4040 http://localhost:4041/sse?heartbeat=24s"},
		{map[string]string{"ELECTOR_PATH": "localhost:4040"}, Options{},
			host + " http://localhost:4040 http://localhost:4040/sse?heartbeat=2s"},
		{pod, Options{Election: "a/b +&é"}, "pod-1 http://localhost:4040/v1/elections/a%2Fb%20%2B%26%C3%A9 " +
			"http://localhost:4040/v1/elections/a%2Fb%20%2B%26%C3%A9/events?heartbeat=2s"},
	} {
		setEnvironment(t, each.variables)
		found, err := settingsOf(each.options)
		if text := fmt.Sprint(found.name, " ", found.requestURL, " ", found.streamURL); err != nil || text != each.expected {
			t.Errorf("%+v: the settings are %s, and the error is %v", each.options, text, err)
		}
	}
}

func TestInvalidSettingsAreRejectedWithTheirNameAndValue(t *testing.T) {
	const remedy = " is not the address of an elector; write it like http://localhost:4040/"
	expect := func(options Options, expected string) {
		t.Helper()
		if _, err := NewElector(options); err == nil || err.Error() != expected {
			t.Errorf("the error is %v\nand not        %s", err, expected)
		}
	}
	for _, bad := range []string{
		" ", "ftp://x", "http://", "/sse", "http://[", "localhost:99999", "localhost:x", "localhost:0", "a b", "x/a b",
		"x/\r\nEvil: 1",
	} {
		setEnvironment(t, map[string]string{"ELECTOR_GET_URL": "localhost:4040"})
		expect(Options{URL: bad}, fmt.Sprintf("the option URL (%q)%s", bad, remedy))
		expect(Options{SSEURL: bad}, fmt.Sprintf("the option SSEURL (%q)%s", bad, remedy))
		for _, name := range []string{"ELECTOR_GET_URL", "ELECTOR_PATH"} {
			setEnvironment(t, map[string]string{name: bad})
			expect(Options{}, fmt.Sprintf("%s (%q)%s", name, bad, remedy))
		}
		setEnvironment(t, map[string]string{"ELECTOR_GET_URL": "x", "ELECTOR_SSE_URL": bad})
		expect(Options{}, fmt.Sprintf("ELECTOR_SSE_URL (%q)%s", bad, remedy))
	}
	const missing = "the address of the elector is unknown, because ELECTOR_GET_URL is %s; " +
		"run the elector's sidecar in this pod, or set ELECTOR_GET_URL or the option URL"
	setEnvironment(t, nil)
	expect(Options{}, fmt.Sprintf(missing, "not set"))
	setEnvironment(t, map[string]string{"ELECTOR_GET_URL": ""})
	expect(Options{}, fmt.Sprintf(missing, "empty"))
	for _, believe := range []time.Duration{-time.Second, 2999 * time.Millisecond, 300_001 * time.Millisecond} {
		expect(Options{URL: "x", Believe: believe}, fmt.Sprintf("the option Believe (%s) must be from 3s to 5m0s", believe))
	}
}
