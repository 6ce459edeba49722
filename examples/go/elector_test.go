package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func at(t *testing.T, url string) *Elector {
	elector, err := NewElector(url, "me")
	if err != nil {
		t.Fatal(err)
	}
	elector.Log = func(string, ...any) {}
	return elector
}

const me = `{"name":"me","last_update":"2026-11-22T10:00:00Z"}`

func answering(t *testing.T, answer func(http.ResponseWriter)) *Elector {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
	t.Cleanup(server.Close)
	elector := at(t, strings.TrimPrefix(server.URL, "http://"))
	elector.Every = time.Millisecond
	elector.Client.Timeout = 100 * time.Millisecond
	return elector
}

func TestIsLeaderOnlyIfTheElectorNamesThisApp(t *testing.T) {
	for body, expected := range map[string]bool{
		me:                                    true,
		strings.Replace(me, "me", "other", 1): false,
		`{"name":""}`:                         false,
		`{"name":"me"`:                        false,
		"nonsense":                            false,
		"":                                    false,
		strings.Repeat(" ", 1<<17) + me:       false,
	} {
		said := answering(t, func(w http.ResponseWriter) { _, _ = w.Write([]byte(body)) }).IsLeader(context.Background())
		if said != expected {
			t.Errorf("%.40q: IsLeader() is %v", body, said)
		}
	}
}

func TestNoAnswerIsNoLeadership(t *testing.T) {
	failing := answering(t, func(w http.ResponseWriter) { w.WriteHeader(500); _, _ = w.Write([]byte(me)) })
	held := make(chan struct{})
	defer close(held)
	late := answering(t, func(http.ResponseWriter) { <-held })
	for name, elector := range map[string]*Elector{"500": failing, "late": late, "gone": at(t, "127.0.0.1:1")} {
		if elector.IsLeader(context.Background()) {
			t.Errorf("%s: IsLeader() is true without an answer", name)
		}
	}
	nameless := answering(t, func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"name":""}`)) })
	nameless.Name = ""
	if nameless.IsLeader(context.Background()) {
		t.Error("IsLeader() is true for an app without a name, although nobody leads")
	}
}

func TestTheWorkIsCancelledOnLossAndWaitedFor(t *testing.T) {
	var leads atomic.Bool
	elector := answering(t, func(w http.ResponseWriter) {
		if leads.Load() {
			_, _ = w.Write([]byte(me))
		}
	})
	time.AfterFunc(5*time.Millisecond, func() { leads.Store(true) })
	ended := false
	elector.WhileLeading(context.Background(), func(leading context.Context) {
		if !leads.Load() {
			t.Error("the work started before this app led")
		}
		leads.Store(false)
		<-leading.Done()
		ended = true
	})
	if !ended {
		t.Error("WhileLeading() returned before the work had ended")
	}
	leads.Store(true)
	elector.WhileLeading(context.Background(), func(context.Context) {})
	stopped, stop := context.WithCancel(context.Background())
	stop()
	elector.WhileLeading(stopped, func(context.Context) { t.Error("the work started although the context was cancelled") })
}

func TestAnEmptyOrMalformedAddressIsRejected(t *testing.T) {
	ports := []string{"localhost:99999", "localhost:x"}
	for _, bad := range append(ports, "", " ", "ftp://x", "http://", "/sse", "http://[", "a b") {
		elector, err := NewElector(bad, "me")
		expected := fmt.Sprintf("the elector's address %q is not valid; run the elector's sidecar in this pod, "+
			"or set ELECTOR_GET_URL to an address like http://localhost:4040/", bad)
		if elector != nil || err == nil || err.Error() != expected {
			t.Errorf("%q: the error is %v", bad, err)
		}
	}
}

func TestAnOutageIsLoggedOnceAtItsFirstFailureAndItsEndOnce(t *testing.T) {
	hangUp := func(w http.ResponseWriter) { panic(http.ErrAbortHandler) }
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.WriteHeader(code); _, _ = w.Write([]byte(me)) }
	}
	page := func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) }
	for expected, failing := range map[string]func(http.ResponseWriter){
		"status 401": status(401), "status 403": status(403), "status 404": status(404), "status 503": status(503),
		"the answer is not that of an elector": page, "EOF": hangUp,
	} {
		answer := failing
		elector := answering(t, func(w http.ResponseWriter) { answer(w) })
		elector.Client.Timeout = time.Minute
		var logged []string
		elector.Log = func(format string, values ...any) { logged = append(logged, fmt.Sprintf(format, values...)) }
		ask := func(expected bool, count int) {
			if elector.IsLeader(context.Background()) != expected || len(logged) != count {
				t.Fatalf("IsLeader() is not %v, or the log does not contain %d lines: %q", expected, count, logged)
			}
		}
		ask(false, 1)
		ask(false, 1)
		if !strings.HasPrefix(logged[0], "the elector at "+elector.URL+" gave no valid answer: ") ||
			!strings.Contains(logged[0], expected) ||
			!strings.HasSuffix(logged[0], "; check the address and that the elector runs") {
			t.Errorf("%s: the log contains %q", expected, logged[0])
		}
		answer = func(w http.ResponseWriter) { _, _ = w.Write([]byte(me)) }
		ask(true, 2)
		ask(true, 2)
		if logged[1] != "the elector at "+elector.URL+" answers again" {
			t.Errorf("the log contains %q", logged[1])
		}
		answer = failing
		ask(false, 3)
	}
}

func TestAnElectorWithoutALogUsesTheStandardLogger(t *testing.T) {
	var logged strings.Builder
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	elector := Elector{URL: server.URL, Name: "me"}
	if elector.IsLeader(context.Background()) || !strings.Contains(logged.String(), "status 404") {
		t.Errorf("the log contains %q", logged.String())
	}
}

func TestWhileLeadingLogsThatNothingListensAndNoCancelledRequest(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	elector := at(t, server.URL)
	server.Close()
	elector.Every = time.Millisecond
	ctx, stop := context.WithCancel(context.Background())
	var logged []string
	elector.Log = func(format string, values ...any) {
		logged = append(logged, fmt.Sprintf(format, values...))
		stop()
	}
	elector.WhileLeading(ctx, func(context.Context) { t.Error("the work started without an elector") })
	if len(logged) != 1 || !strings.Contains(logged[0], "connection refused; check the address") {
		t.Errorf("the log contains %q", logged)
	}
	logged = nil
	elector.failing.Store(false)
	if elector.IsLeader(ctx) || len(logged) != 0 {
		t.Errorf("the log contains %q after a cancelled request", logged)
	}
}
