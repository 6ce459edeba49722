// Package doyen is a client of an elector beside an app. The elector is doyen elector or the NAIS elector.
//
// An Elector requests the leader of one election, follows its changes, and runs work while this app leads. The package
// needs only Go's standard library. It never ends the process.
package doyen

import (
	"context"
	"errors"
)

// Elector is a client of the elector beside the app.
//
// An answer contains the state at the time of sending, and can be outdated when it arrives. Therefore a process can
// still write after it has lost the leadership. To reject late writes, let the resource check the term. Any goroutine
// may call the methods.
type Elector struct {
	platform platform
	settings settings
	outages  *outages
}

// NewElector creates a client. It returns an *ElectorError if an option is missing, malformed or out of bounds.
func NewElector(options Options) (*Elector, error) {
	return newElector(options, newSystem())
}

func newElector(options Options, platform platform) (*Elector, error) {
	settings, err := settingsOf(options)
	if err != nil {
		return nil, err
	}
	return &Elector{platform: platform, settings: settings, outages: newOutages(settings.log)}, nil
}

// Name returns this app's name.
func (e *Elector) Name() string {
	return e.settings.name
}

// IsLeader requests the leader, and returns true if this app leads.
//
// It returns false if no valid answer arrives within 0.4 of Options.Believe. It logs the first such failure and the
// next valid answer. An app that must know the failure calls Leader.
func (e *Elector) IsLeader(ctx context.Context) bool {
	leader, err := e.request(ctx)
	switch {
	case err == nil:
		e.outages.answered(e.settings.requestURL)
	case ctx.Err() == nil:
		e.outages.failed(e.settings.requestURL, err)
	}
	return err == nil && leader.IsMe
}

// Leader requests the present leader. It returns an error if no valid answer arrives within 0.4 of Options.Believe. The
// error is an *ElectorError if a retry cannot help.
func (e *Elector) Leader(ctx context.Context) (Leader, error) {
	leader, err := e.request(ctx)
	if err != nil && ctx.Err() == nil {
		err = withAddress(e.settings.requestURL, err)
	}
	return leader, err
}

func (e *Elector) request(ctx context.Context) (Leader, error) {
	return requestLeader(ctx, e.platform, e.settings.name, e.settings.requestURL, e.settings.believe*4/10)
}

// Watch calls changed with the leader and then with each change, until ctx is cancelled.
//
// If the stream ends, Watch opens another one. If Options.Election is set, Watch also reports the changes that it
// missed while it was disconnected. Watch waits until changed returns, so a slow function receives changes late. Run
// long work under WhileLeading. Watch returns the error of ctx, or an *ElectorError if a retry cannot help.
func (e *Elector) Watch(ctx context.Context, changed func(Leader)) error {
	return newWatch(e, true).run(ctx, changed)
}

// WhileLeading waits until this app leads, and then runs the work once. The work does not start if this app has already
// lost the leadership.
//
// When the leadership is lost, WhileLeading cancels the work's context, and returns a *LeadershipLostError after the
// work has returned. If the work returns first, WhileLeading returns nil. The term is the fencing token. It is 0 if
// Options.Election is not set.
//
// If ctx is cancelled, WhileLeading returns the error of ctx. Before this app leads, WhileLeading returns an
// *ElectorError in the same cases as Watch. Later, a failed watch ends the leadership. WhileLeading ignores events that
// it missed, because they describe past leaderships.
func (e *Elector) WhileLeading(ctx context.Context, work func(leading context.Context, term int64)) error {
	leading, end := context.WithCancel(ctx)
	defer end()
	won, over := make(chan Leader, 1), make(chan error, 1)
	go func() {
		defer end()
		over <- follow(leading, newWatch(e, false), won, end)
	}()
	select {
	case err := <-over:
		return err
	case leader := <-won:
		if leading.Err() == nil {
			work(leading, leader.Term)
		}
	}
	isLost := leading.Err() != nil
	end()
	err := <-over
	if isLost {
		return err
	}
	return nil
}

// follow sends the first answer that names this app to won. When this leadership is over, it calls end, and returns the
// reason as a *LeadershipLostError.
func follow(leading context.Context, watch *watch, won chan<- Leader, end context.CancelFunc) error {
	var mine Leader
	var lost string
	err := watch.run(leading, func(leader Leader) {
		if !mine.IsMe {
			if leader.IsMe {
				mine = leader
				won <- leader
			}
			return
		}
		if lost = whyOver(mine, leader); lost != "" {
			end()
		}
	})
	var refused *ElectorError
	if mine.IsMe && errors.As(err, &refused) {
		lost = refused.Error()
	}
	if lost != "" {
		return &LeadershipLostError{reason: lost}
	}
	return err
}
