package doyen

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// watched returns the first leaders that a watch reports.
func watched(t *testing.T, platform *fakePlatform, election string, count int) []Leader {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var found []Leader
	err := on(t, platform, election).Watch(ctx, func(leader Leader) {
		if found = append(found, leader); len(found) == count {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the watch ended with %v", err)
	}
	return found
}

func expectNames(t *testing.T, leaders []Leader, expected string) {
	t.Helper()
	if found := names(leaders); found != expected {
		t.Errorf("the names are %s and not %s", found, expected)
	}
}

// paths returns the time and the path of each request.
func paths(platform *fakePlatform) string {
	var found []string
	for _, each := range platform.requests {
		found = append(found, fmt.Sprintf("%g:%s", each.at, strings.TrimPrefix(each.url, "http://localhost:4040")))
	}
	return strings.Join(found, " ")
}

func TestAWatchReportsThePresentStateAndEachChangeOnce(t *testing.T) {
	stream := silent(plain("a")+plain("a"), plain("")[:9]).later(1, plain("")[9:]+plain("me")+plain("late"))
	platform := &fakePlatform{scripts: []*script{stream}}
	found := watched(t, platform, "", 3)
	expectNames(t, found, `"a" "" "me"`)
	if found[0].IsMe || found[1].IsMe || !found[2].IsMe {
		t.Errorf("the leaders are %+v", found)
	}
	if paths(platform) != "0:/sse?heartbeat=2s" || !stream.isClosed {
		t.Errorf("the requests are %s; closed: %v", paths(platform), stream.isClosed)
	}
}

func TestAWatchReconnectsAfterTheRequestedDelayWithTheLastEventId(t *testing.T) {
	again := event(2, "me", 2) + event(3, "b", 3) + "event: reset\ndata: {}\n\n" + event(4, "c", 4)
	platform := &fakePlatform{scripts: []*script{ends("retry: 2000\n" + event(1, "a", 1)), ends(again)}}
	found := watched(t, platform, "a/b", 4)
	expected := []Leader{{"a", true, false, 1}, {"me", true, true, 2}, {"b", true, false, 3}, {"c", true, false, 4}}
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("the leaders are %+v", found)
	}
	const path = "/v1/elections/a%2Fb/events?heartbeat=2s"
	if paths(platform) != "0:"+path+" 2:"+path {
		t.Errorf("the requests are %s", paths(platform))
	}
	first, second := platform.requests[0].headers, platform.requests[1].headers
	if _, isSet := first["Last-Event-ID"]; isSet || second["Last-Event-ID"] != "x-1" {
		t.Errorf("the headers are %v and %v", first, second)
	}
}

func TestTheLeaderIsUnknownAfterTheLastAnswerIsOutdated(t *testing.T) {
	platform := &fakePlatform{scripts: []*script{ends(plain("me")).later(1, ":\n\n")}}
	expectNames(t, watched(t, platform, "", 2), `"me" ?`)
	if platform.seconds != 6 {
		t.Errorf("the leader is unknown after %g s", platform.seconds)
	}
	if paths(platform) != "0:/sse?heartbeat=2s 2:/sse?heartbeat=2s 4:/sse?heartbeat=2s" {
		t.Errorf("the requests are %s", paths(platform))
	}
}

func TestDelaysAreAtMostTenSeconds(t *testing.T) {
	platform := &fakePlatform{}
	ctx, stop := context.WithCancel(context.Background())
	platform.beforeWait = func() {
		if platform.seconds > 40 {
			stop()
		}
	}
	var found []Leader
	_ = on(t, platform, "").Watch(ctx, func(leader Leader) { found = append(found, leader) })
	expectNames(t, found, "?")
	var times []float64
	for _, each := range platform.requests {
		times = append(times, each.at)
	}
	if fmt.Sprint(times) != "[0 1 3 7 15 25 35]" {
		t.Errorf("the requests are at %v", times)
	}
}

func TestASilentStreamWithHeartbeatsIsReplacedInTime(t *testing.T) {
	quiet := silent(plain("me") + ":\n\n")
	platform := &fakePlatform{scripts: []*script{quiet, silent(), ends(plain("a"))}}
	expectNames(t, watched(t, platform, "", 3), `"me" ? "a"`)
	if paths(platform) != "0:/sse?heartbeat=2s 4:/sse?heartbeat=2s 7:/sse?heartbeat=2s" || !quiet.isClosed {
		t.Errorf("the requests are %s; closed: %v", paths(platform), quiet.isClosed)
	}
	named := &fakePlatform{scripts: []*script{silent(event(1, "me", 1)), ends(event(2, "a", 2))}}
	expectNames(t, watched(t, named, "app", 2), `"me" "a"`)
	const path = "/v1/elections/app/events?heartbeat=2s"
	if paths(named) != "0:"+path+" 4:"+path {
		t.Errorf("a named election has heartbeats; the requests are %s", paths(named))
	}
}

func TestASilentStreamWithoutHeartbeatsIsConfirmedByARequest(t *testing.T) {
	platform := &fakePlatform{scripts: []*script{
		silent(plain("a")), ends(body("a")), silent(), ends(body("me")), silent(),
	}}
	expectNames(t, watched(t, platform, "", 3), `"a" "me" ?`)
	const expected = "0:/sse?heartbeat=2s 3: 3:/sse?heartbeat=2s 6: 6:/sse?heartbeat=2s"
	if !strings.HasPrefix(paths(platform), expected) || platform.seconds != 11 {
		t.Errorf("at %g s the requests are %s", platform.seconds, paths(platform))
	}
}

func TestBytesThatArriveDuringASuspensionAreIgnored(t *testing.T) {
	old := silent(event(1, "me", 1)).suspended(60, ":\n\n"+event(2, "me", 2))
	platform := &fakePlatform{scripts: []*script{old, ends(event(3, "other", 3))}}
	expectNames(t, watched(t, platform, "app", 3), `"me" ? "other"`)
	if !old.isClosed {
		t.Error("the old stream is open")
	}
	first := &fakePlatform{scripts: []*script{ends().suspended(60, plain("me")), ends(plain("other"))}}
	expectNames(t, watched(t, first, "", 2), `? "other"`)
	answer := &fakePlatform{scripts: []*script{silent(plain("me")), ends().suspended(60, body("me"))}}
	expectNames(t, watched(t, answer, "", 2), `"me" ?`)
	if answer.seconds != 63 {
		t.Errorf("the leader is unknown after %g s", answer.seconds)
	}
}

func TestTheAgeOfAnAnswerCountsFromTheTimeOfTheRequest(t *testing.T) {
	platform := &fakePlatform{scripts: []*script{silent(plain("me")), ends().later(0.9, body("me")), silent()}}
	expectNames(t, watched(t, platform, "", 2), `"me" ?`)
	if platform.seconds != 8 {
		t.Errorf("the leader is unknown after %g s", platform.seconds)
	}
}

func TestAnInvalidStreamIsReplaced(t *testing.T) {
	bad := []*script{
		silent("data: []\n\n"), silent("data: nonsense\n\n"), silent("data: " + strings.Repeat("x", 70_000)),
		silent("data: \xff\n\n"),
	}
	platform := &fakePlatform{scripts: append(append([]*script{}, bad...), ends(plain("a")))}
	expectNames(t, watched(t, platform, "", 2), `? "a"`)
	for i, each := range bad {
		if !each.isClosed {
			t.Errorf("stream %d is open", i)
		}
	}
	if requests := platform.requests; requests[len(requests)-1].at != 15 {
		t.Errorf("the requests are %s", paths(platform))
	}
}

func TestABusyElectorGetsAnotherRequestAndARefusalEndsTheWatch(t *testing.T) {
	stream := "text/event-stream"
	for expected, scripts := range map[string][]*script{
		"the elector at http://localhost:4040/v1/elections/none/events?heartbeat=2s answered with status 404; " +
			"check the address and the name of the election": {
			ends().with(503, stream), ends().with(429, stream), ends().with(408, stream), ends().with(404, stream),
		},
		"the response of http://localhost:4040/v1/elections/none/events?heartbeat=2s is not an event stream; " +
			"check the address": {ends("<html>").with(200, "text/html")},
	} {
		platform := &fakePlatform{scripts: scripts}
		err := on(t, platform, "none").Watch(context.Background(), func(Leader) {})
		var refusal *ElectorError
		if !errors.As(err, &refusal) || err.Error() != expected || len(platform.scripts) != 0 {
			t.Errorf("the error is %v, and %d answers are left", err, len(platform.scripts))
		}
	}
}

func TestIsLeaderIsTrueOnlyIfTheElectorNamesThisApp(t *testing.T) {
	me := body("me")
	for i, each := range []struct {
		script   *script
		expected bool
	}{
		{ends(me[:5]).later(1, me[5:]), true},
		{ends(body("other")), false},
		{ends(body("")), false},
		{ends(me).with(500, ""), false},
		{ends(me).with(http.StatusFound, ""), false},
		{ends(me).with(404, ""), false},
		{ends("nonsense"), false},
		{ends(me + strings.Repeat(" ", 70_000)), false},
		{silent(me[:5]), false},
		{ends().later(1.5, me[:5]).later(0.6, me[5:]), false},
		{ends().suspended(60, me), false},
	} {
		if on(t, &fakePlatform{scripts: []*script{each.script}}, "").IsLeader(context.Background()) != each.expected {
			t.Errorf("answer %d: IsLeader() is not %v", i, each.expected)
		}
	}
	if on(t, &fakePlatform{}, "").IsLeader(context.Background()) {
		t.Error("IsLeader() is true without an elector")
	}
}

func TestLeaderReturnsTheTermOfANamedElectionAndTheFailure(t *testing.T) {
	platform := &fakePlatform{scripts: []*script{ends(`{"name":"orders","leader":{"id":"me","term":3}}`)}}
	leader, err := on(t, platform, "orders").Leader(context.Background())
	if err != nil || leader != (Leader{"me", true, true, 3}) || paths(platform) != "0:/v1/elections/orders" {
		t.Errorf("the leader is %+v, the error is %v, and the requests are %s", leader, err, paths(platform))
	}
	_, err = on(t, platform, "orders").Leader(context.Background())
	expected := "the elector at http://localhost:4040/v1/elections/orders gave no valid answer: no script is left; " +
		"check the address and that the elector runs"
	if err == nil || err.Error() != expected {
		t.Errorf("the error is %v", err)
	}
}

// leadership runs WhileLeading with work that ends with the leadership. It returns the term, or -1 if the work did not
// start, and the error. The clock of the fake platform does not wait for the work, so the leadership can end first.
func leadership(t *testing.T, platform *fakePlatform, election string) (int64, error) {
	t.Helper()
	var led int64 = -1
	err := on(t, platform, election).WhileLeading(context.Background(), func(leading context.Context, term int64) {
		led = term
		<-leading.Done()
	})
	return led, err
}

func TestALeadershipContinuesOverConnectionsAndEndsWhenItsAnswerIsOutdated(t *testing.T) {
	platform := &fakePlatform{scripts: []*script{
		ends(event(1, "other", 1)).later(1, event(2, "me", 2)), ends(event(2, "me", 2)).later(2, ":\n\n"),
	}}
	term, err := leadership(t, platform, "app")
	var lost *LeadershipLostError
	isSilent := errors.As(err, &lost) && strings.Contains(err.Error(), "did not answer for too long")
	if (term != 2 && term != -1) || !isSilent {
		t.Errorf("the term is %d, and the error is %v", term, err)
	}
	if platform.seconds != 1+1+2+5 {
		t.Errorf("the leadership ended after %g s", platform.seconds)
	}
	for _, each := range platform.requests {
		if _, isSet := each.headers["Last-Event-ID"]; isSet {
			t.Errorf("the watch requested missed events: %v", each.headers)
		}
	}
}

func TestALeadershipEndsWithAReason(t *testing.T) {
	stream := "text/event-stream"
	for expected, scripts := range map[string][]*script{
		"another term has begun: 2": {ends(event(1, "me", 1) + event(2, "me", 2))},
		"other leads":               {ends(event(1, "me", 1) + event(2, "other", 2) + event(3, "me", 3))},
		"nobody leads any more":     {ends(event(1, "me", 1) + event(2, "", 1))},
		"the elector at http://localhost:4040/v1/elections/app/events?heartbeat=2s answered with status 404; " +
			"check the address and the name of the election": {ends(event(1, "me", 1)), ends().with(404, stream)},
	} {
		term, err := leadership(t, &fakePlatform{scripts: scripts}, "app")
		var lost *LeadershipLostError
		if !errors.As(err, &lost) || err.Error() != expected || (term != 1 && term != -1) {
			t.Errorf("the term is %d, and the error is %v and not %s", term, err, expected)
		}
	}
}

func TestARefusalBeforeTheLeadershipIsReturned(t *testing.T) {
	term, err := leadership(t, &fakePlatform{scripts: []*script{ends().with(404, "text/event-stream")}}, "app")
	var refusal *ElectorError
	if term != -1 || !errors.As(err, &refusal) {
		t.Errorf("the term is %d, and the error is %v", term, err)
	}
}
