package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// Elector is a client of the elector beside this app. That elector is doyen elector or the NAIS elector.
type Elector struct {
	URL, Name string
	Every     time.Duration // interval between two requests
	Client    http.Client
}

// NewElector takes an address with or without http://. The default name is the host's name.
func NewElector(url, name string) *Elector {
	if !strings.Contains(url, "://") {
		url = "http://" + url
	}
	if name == "" {
		name, _ = os.Hostname()
	}
	return &Elector{url, name, time.Second, http.Client{Timeout: 2 * time.Second}}
}

// IsLeader returns true if the elector reports this app as the leader, and false without a valid answer.
func (e *Elector) IsLeader(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL, nil)
	if err != nil {
		return false
	}
	answer, err := e.Client.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	var leader struct {
		Name string `json:"name"`
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, 65536)).Decode(&leader)
	return err == nil && answer.StatusCode == http.StatusOK && leader.Name != "" && leader.Name == e.Name
}

// WhileLeading waits until this app leads and then runs the work. If this app stops leading or the leader becomes
// unknown, WhileLeading cancels the work's context, at the latest after Every plus the client's timeout. WhileLeading
// returns after the work has ended, or if ctx is cancelled before this app leads.
func (e *Elector) WhileLeading(ctx context.Context, work func(context.Context)) {
	for !e.IsLeader(ctx) {
		if !sleep(ctx, e.Every) {
			return
		}
	}
	leading, lost := context.WithCancel(ctx)
	defer lost()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer lost()
		work(leading)
	}()
	for sleep(leading, e.Every) && e.IsLeader(leading) {
	}
	lost()
	<-done
}

func sleep(ctx context.Context, span time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(span):
		return true
	}
}
