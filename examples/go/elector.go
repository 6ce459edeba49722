package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Elector is a client of the elector beside this app. That elector is doyen elector or the NAIS elector.
type Elector struct {
	URL, Name string
	Every     time.Duration // interval between two requests
	Client    http.Client
	// Log logs when the elector begins to fail and when it answers again. The default is log.Printf.
	Log     func(format string, values ...any)
	failing atomic.Bool
}

// NewElector takes an address with or without http://. It returns an error if the address is empty or malformed. The
// default name is the host's name.
func NewElector(address, name string) (*Elector, error) {
	complete := strings.TrimSpace(address)
	if !strings.Contains(complete, "://") {
		complete = "http://" + complete
	}
	if !isValid(complete) {
		return nil, fmt.Errorf("the elector's address %q is not valid; run the elector's sidecar in this pod, "+
			"or set ELECTOR_GET_URL to an address like http://localhost:4040/", address)
	}
	if name == "" {
		name, _ = os.Hostname()
	}
	client := http.Client{Timeout: 2 * time.Second}
	return &Elector{URL: complete, Name: name, Every: time.Second, Client: client}, nil
}

func isValid(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Hostname() == "" {
		return false
	}
	_, err = strconv.ParseUint(parsed.Port(), 10, 16)
	return err == nil || parsed.Port() == ""
}

// IsLeader returns true if the elector reports this app as the leader, and false without a valid answer. The first
// request without a valid answer and the next valid answer are logged. The requests between them are not logged.
func (e *Elector) IsLeader(ctx context.Context) bool {
	leader, err := e.leader(ctx)
	if err == nil && e.failing.CompareAndSwap(true, false) {
		e.logf("the elector at %s answers again", e.URL)
	}
	if err != nil && ctx.Err() == nil && e.failing.CompareAndSwap(false, true) {
		e.logf("the elector at %s gave no valid answer: %v; check the address and that the elector runs", e.URL, err)
	}
	return err == nil && leader != "" && leader == e.Name
}

func (e *Elector) logf(format string, values ...any) {
	if e.Log == nil {
		log.Printf(format, values...)
	} else {
		e.Log(format, values...)
	}
}

func (e *Elector) leader(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL, nil)
	if err != nil {
		return "", err
	}
	answer, err := e.Client.Do(request)
	if err != nil {
		return "", errors.Unwrap(err) // without the URL
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("status %d", answer.StatusCode)
	}
	var leader struct {
		Name string `json:"name"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, 65536)).Decode(&leader); err != nil {
		return "", fmt.Errorf("the answer is not that of an elector (%w)", err)
	}
	return leader.Name, nil
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
