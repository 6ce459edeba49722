package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const me = `{"name":"me","last_update":"2026-11-22T10:00:00Z"}`

func answering(t *testing.T, answer func(http.ResponseWriter)) *Elector {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
	t.Cleanup(server.Close)
	elector := NewElector(strings.TrimPrefix(server.URL, "http://"), "me")
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
	for name, elector := range map[string]*Elector{"500": failing, "late": late, "gone": NewElector("127.0.0.1:1", "me")} {
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
