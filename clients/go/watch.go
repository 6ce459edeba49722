package doyen

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// watch reports the present leader and then each change, until its context is cancelled.
//
// If a connection is silent for 0.6 of believe, the watch closes it. If the connection has no heartbeats, the watch
// first sends a request, and reconnects at once after a valid answer. Therefore the watch detects a crashed elector
// before the last answer is outdated.
//
// If bytes arrive after the last answer is outdated, the watch ignores them and opens another connection. They may have
// been in a buffer while this process was suspended.
type watch struct {
	platform platform
	settings settings
	outages  *outages
	// replay is true if a new connection requests missed events, which can be outdated.
	replay bool

	backoff       backoff
	last          Leader
	hasReported   bool
	lastID        string
	believedUntil time.Time
}

func newWatch(elector *Elector, replay bool) *watch {
	return &watch{
		platform: elector.platform,
		settings: elector.settings,
		outages:  elector.outages,
		replay:   replay && elector.settings.hasHeartbeats,
	}
}

// run returns the error of ctx, or an *ElectorError if a retry cannot help.
func (w *watch) run(ctx context.Context, changed func(Leader)) error {
	for ctx.Err() == nil {
		again, err := w.connection(ctx, changed)
		var refusal *ElectorError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refusal):
			return refusal
		case err != nil:
			w.outages.failed(w.settings.streamURL, err)
		case again:
			continue
		}
		comes := w.platform.now().Add(w.backoff.next(w.platform.random()))
		w.platform.wait(ctx, w.patience(w.until(comes)))
		if !w.last.Known || w.isOutdated() {
			w.report(ctx, Leader{}, changed)
		}
		w.platform.wait(ctx, w.until(comes))
	}
	return ctx.Err()
}

// connection uses one connection until it fails or until another connection must replace it. It returns true if the
// next connection may begin at once.
func (w *watch) connection(ctx context.Context, changed func(Leader)) (bool, error) {
	url, believe := w.settings.streamURL, w.settings.believe
	if !w.last.Known {
		// An unknown leader has no time limit, so the limit for the bytes starts with the connection.
		w.received(w.platform.now())
	}
	headers := map[string]string{"Accept": "text/event-stream"}
	if w.replay && w.lastID != "" {
		headers["Last-Event-ID"] = w.lastID
	}
	answer, err := w.platform.get(ctx, url, headers, w.patience(believe*2/10))
	if err != nil {
		return false, err
	}
	defer answer.close()
	if answer.status() != http.StatusOK {
		return false, refused(answer.status(), url)
	}
	if !strings.HasPrefix(answer.contentType(), "text/event-stream") {
		return false, electorError("the response of %s is not an event stream; check the address", url)
	}
	parser := &eventStreamParser{id: w.lastID}
	for ctx.Err() == nil {
		piece, err := answer.read(ctx, w.patience(believe*6/10))
		if errors.Is(err, errSilent) {
			if w.settings.hasHeartbeats || parser.comments > 0 {
				return false, fmt.Errorf("the elector at %s sent nothing for too long", url)
			}
			return w.request(ctx, changed)
		}
		if w.isOutdated() {
			return false, nil
		}
		if len(piece) > 0 {
			w.received(w.platform.now())
			if err := w.events(ctx, parser, piece, changed); err != nil {
				return false, err
			}
		}
		if err != nil {
			return false, fmt.Errorf("the elector at %s ended the stream: %w", url, err)
		}
	}
	return false, nil
}

// events reports the leaders of the events in this piece.
func (w *watch) events(ctx context.Context, parser *eventStreamParser, piece []byte, changed func(Leader)) error {
	events, err := parser.feed(piece)
	if err != nil {
		return err
	}
	if parser.hasRetry {
		w.backoff.retry(parser.retry)
	}
	for _, event := range events {
		w.lastID = event.id
		if event.kind != "message" && event.kind != "leader" {
			continue
		}
		leader, err := leaderIn([]byte(event.data), w.settings.name)
		if err != nil {
			return err
		}
		w.backoff.worked()
		w.outages.answered(w.settings.streamURL)
		w.report(ctx, leader, changed)
	}
	return nil
}

// request sends a request while a stream without heartbeats is silent.
func (w *watch) request(ctx context.Context, changed func(Leader)) (bool, error) {
	if w.isOutdated() {
		return false, nil
	}
	sentAt := w.platform.now()
	limit := w.patience(w.settings.believe * 2 / 10)
	leader, err := requestLeader(ctx, w.platform, w.settings.name, w.settings.requestURL, limit)
	if err != nil {
		return false, err
	}
	w.received(sentAt)
	w.report(ctx, leader, changed)
	return true, nil
}

// report reports the leader if it differs from the last reported one, unless ctx is cancelled.
func (w *watch) report(ctx context.Context, leader Leader, changed func(Leader)) {
	if ctx.Err() == nil && !(w.hasReported && leader == w.last) {
		w.last, w.hasReported = leader, true
		changed(leader)
	}
}

func (w *watch) received(at time.Time) {
	w.believedUntil = at.Add(w.settings.believe)
}

// patience limits a wait, so that it ends before the last answer is outdated.
func (w *watch) patience(limit time.Duration) time.Duration {
	if rest := w.until(w.believedUntil); w.last.Known && rest < limit {
		return rest
	}
	return limit
}

func (w *watch) until(end time.Time) time.Duration {
	return end.Sub(w.platform.now())
}

func (w *watch) isOutdated() bool {
	return !w.platform.now().Before(w.believedUntil)
}
