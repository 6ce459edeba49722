package doyen

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Tests of sockets and goroutines against a local server. testing/acceptance tests a real elector.

// patient is a time for which an answer stays valid on a slow machine.
const patient = mostBelieve

// streams sends the test's pieces to the clients of its streams. The piece "" ends a stream.
type streams struct {
	url    string
	pieces chan string
	gone   chan struct{}
	opened int32
}

func newStreams(t *testing.T) *streams {
	result := &streams{pieces: make(chan string, 16), gone: make(chan struct{}, 16)}
	result.url = serve(t, func(response http.ResponseWriter, request *http.Request) {
		atomic.AddInt32(&result.opened, 1)
		response.Header().Set("Content-Type", "text/event-stream")
		response.WriteHeader(http.StatusOK)
		response.(http.Flusher).Flush()
		for {
			select {
			case piece := <-result.pieces:
				if piece == "" {
					return
				}
				_, _ = response.Write([]byte(piece))
				response.(http.Flusher).Flush()
			case <-request.Context().Done():
				result.gone <- struct{}{}
				return
			}
		}
	})
	return result
}

// elector returns a patient client of these streams.
func (s *streams) elector(t *testing.T, election string) *Elector {
	return at(t, s.url, Options{Election: election})
}

func at(t *testing.T, url string, options Options) *Elector {
	t.Helper()
	options.Name, options.URL, options.Believe = "me", url, patient
	if options.Log == nil {
		options.Log = func(string, ...any) {}
	}
	elector, err := NewElector(options)
	if err != nil {
		t.Fatal(err)
	}
	return elector
}

// within fails the test if nothing arrives.
func within[T any](t *testing.T, what string, arrives <-chan T) T {
	t.Helper()
	select {
	case value := <-arrives:
		return value
	case <-time.After(hang):
		t.Fatal(what)
		panic("unreachable")
	}
}

// begin starts a watch, and returns the leaders that it reports and its error.
func begin(ctx context.Context, elector *Elector) (<-chan Leader, <-chan error) {
	leaders, ended := make(chan Leader, 16), make(chan error, 1)
	go func() {
		ended <- elector.Watch(ctx, func(leader Leader) { leaders <- leader })
	}()
	return leaders, ended
}

func TestAStreamInPiecesIsReadAsItArrivesAndClosedAtTheEnd(t *testing.T) {
	server := newStreams(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	leaders, ended := begin(ctx, server.elector(t, ""))
	server.pieces <- plain("a")[:7]
	server.pieces <- plain("a")[7:]
	if leader := within(t, "no leader arrived", leaders); leader.Name != "a" {
		t.Errorf("the leader is %+v", leader)
	}
	server.pieces <- plain("me")
	if leader := within(t, "no change arrived", leaders); !leader.IsMe {
		t.Errorf("the leader is %+v", leader)
	}
	stop()
	if err := within(t, "the watch did not end", ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the watch ended with %v", err)
	}
	within(t, "the client did not close the stream", server.gone)
	if opened := atomic.LoadInt32(&server.opened); opened != 1 {
		t.Errorf("the client opened %d streams", opened)
	}
}

func TestTheWorkIsCancelledOnLossAndWaitedFor(t *testing.T) {
	server := newStreams(t)
	server.pieces <- event(1, "other", 1) + event(2, "me", 2)
	hasEnded := false
	err := server.elector(t, "app").WhileLeading(context.Background(), func(leading context.Context, term int64) {
		if term != 2 || leading.Err() != nil {
			t.Errorf("the work starts in term %d with %v", term, leading.Err())
		}
		server.pieces <- event(3, "other", 3)
		within(t, "the work was not cancelled", leading.Done())
		runtime.Gosched()
		hasEnded = true
	})
	var lost *LeadershipLostError
	if !errors.As(err, &lost) || err.Error() != "other leads" || !hasEnded {
		t.Errorf("the error is %v; ended: %v", err, hasEnded)
	}
	within(t, "the client did not close the stream", server.gone)
}

func TestWorkThatEndsByItselfReturnsNoError(t *testing.T) {
	server := newStreams(t)
	server.pieces <- plain("me")
	var kept context.Context
	err := server.elector(t, "").WhileLeading(context.Background(), func(leading context.Context, term int64) {
		kept = leading
		if term != 0 {
			t.Errorf("an election without a name has term %d", term)
		}
	})
	if err != nil || kept.Err() == nil {
		t.Errorf("the error is %v, and the context of the work is %v", err, kept.Err())
	}
	within(t, "the client did not close the stream", server.gone)
}

func TestACancelledContextIsNoLostLeadership(t *testing.T) {
	server := newStreams(t)
	elector := server.elector(t, "")
	ctx, stop := context.WithCancel(context.Background())
	server.pieces <- plain("me")
	err := elector.WhileLeading(ctx, func(leading context.Context, _ int64) {
		stop()
		within(t, "the work was not cancelled", leading.Done())
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	err = elector.WhileLeading(ctx, func(context.Context, int64) { t.Error("the work started") })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	late, end := context.WithTimeout(context.Background(), time.Millisecond)
	defer end()
	err = elector.WhileLeading(late, func(context.Context, int64) { t.Error("the work started") })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

func TestAPanicOfTheWorkEndsTheWatch(t *testing.T) {
	server := newStreams(t)
	server.pieces <- plain("me")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		_ = server.elector(t, "").WhileLeading(context.Background(), func(context.Context, int64) { panic("on purpose") })
	}()
	within(t, "the client did not close the stream", server.gone)
}

func TestTheClientIgnoresProxiesRedirectsAndLimitsOfOneRead(t *testing.T) {
	// Go never uses a proxy for a local server, so a request cannot show the proxy of other addresses.
	if transport := newSystem().client.Transport.(*http.Transport); transport.Proxy != nil {
		t.Error("the client uses a proxy")
	}
	server := serve(t, func(response http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/elsewhere" {
			t.Error("the client followed a redirect")
		}
		if request.Header.Get("Accept") != "application/json" || request.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("the headers are %v", request.Header)
		}
		if request.URL.Path == "/moved" {
			http.Redirect(response, request, "/elsewhere", http.StatusFound)
			return
		}
		text := body("me")
		_, _ = response.Write([]byte(text[:5]))
		response.(http.Flusher).Flush()
		_, _ = response.Write([]byte(text[5:] + strings.Repeat(" ", 20_000)))
	})
	if !at(t, server, Options{}).IsLeader(context.Background()) {
		t.Error("IsLeader() is false")
	}
	if at(t, server+"/moved", Options{}).IsLeader(context.Background()) {
		t.Error("IsLeader() is true after a redirect")
	}
}

func TestAnAnswerThatDoesNotComeIsNoLeadership(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	var waits int32
	server := serve(t, func(response http.ResponseWriter, _ *http.Request) {
		if atomic.AddInt32(&waits, 1) > 1 { // The second request gets a part of an answer.
			_, _ = response.Write([]byte(body("me")[:5]))
			response.(http.Flusher).Flush()
		}
		<-end
	})
	elector := at(t, server, Options{})
	elector.settings.believe = time.Second
	for i := 0; i < 2; i++ {
		if elector.IsLeader(context.Background()) {
			t.Error("IsLeader() is true without an answer")
		}
		if _, err := elector.Leader(context.Background()); err == nil || !strings.Contains(err.Error(), server) {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestARequestLogsAnOutageOnceAndItsEndOnce(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(response http.ResponseWriter, _ *http.Request) { response.WriteHeader(code) }
	}
	for expected, failing := range map[string]http.HandlerFunc{
		" answered with status 401; check the address and the name of the election": status(401),
		" answered with status 404; check the address and the name of the election": status(404),
		" answered with status 503": status(503),
		" gave no valid answer: the response is not an answer of an elector: \"<html>\"; check the address and " +
			"that the elector runs": func(response http.ResponseWriter, _ *http.Request) {
			_, _ = response.Write([]byte("<html>"))
		},
		" gave no valid answer: EOF; check the address and that the elector runs": func(
			http.ResponseWriter, *http.Request,
		) {
			panic(http.ErrAbortHandler)
		},
	} {
		answer := failing
		logged := make(lines, 16)
		server := serve(t, func(response http.ResponseWriter, request *http.Request) { answer(response, request) })
		elector := at(t, server, Options{Log: logged.log})
		ask := func(isLeader bool, expected ...string) {
			t.Helper()
			for i := 0; i < 2; i++ {
				if elector.IsLeader(context.Background()) != isLeader {
					t.Errorf("IsLeader() is not %v", isLeader)
				}
			}
			if found := logged.rest(); fmt.Sprintf("%q", found) != fmt.Sprintf("%q", expected) {
				t.Errorf("the log contains %q\nand not       %q", found, expected)
			}
		}
		ask(false, "the elector at "+server+expected)
		answer = func(response http.ResponseWriter, _ *http.Request) { _, _ = response.Write([]byte(body("me"))) }
		ask(true, "the elector at "+server+" answers again")
		answer = failing
		ask(false, "the elector at "+server+expected)
	}
}

func TestAWatchLogsAnOutageOnceAndItsEndOnce(t *testing.T) {
	address := nowhere()
	logged := make(lines, 16)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	options := Options{Name: "me", URL: address, Believe: patient, Log: logged.log}
	elector, err := newElector(options, quick{newSystem()})
	if err != nil {
		t.Fatal(err)
	}
	leaders, _ := begin(ctx, elector)
	stream := address + "/sse?heartbeat=120s"
	line := logged.next(t)
	if !strings.HasPrefix(line, "the elector at "+stream+" gave no valid answer: ") ||
		!strings.HasSuffix(line, "connection refused; check the address and that the elector runs") {
		t.Errorf("the log contains %q", line)
	}
	if leader := within(t, "nothing was reported", leaders); leader.Known {
		t.Errorf("the leader is %+v", leader)
	}
	answerFrom(t, address)
	if line := logged.next(t); line != "the elector at "+stream+" answers again" {
		t.Errorf("a retry that fails belongs to the same outage; the log contains %q", line)
	}
	if leader := within(t, "nothing was reported", leaders); !leader.IsMe {
		t.Errorf("the leader is %+v", leader)
	}
	if line := logged.next(t); line != "the elector at "+stream+" ended the stream: EOF" {
		t.Errorf("the log contains %q", line)
	}
}

// quick is the system without the delays between connections.
type quick struct {
	system
}

func (quick) wait(context.Context, time.Duration) {}

// answerFrom starts a server at this address. The server rejects the first request, answers the second one with a
// stream that ends, and does not answer later ones.
func answerFrom(t *testing.T, address string) {
	t.Helper()
	listener, err := net.Listen("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	var requests int32
	handler := func(response http.ResponseWriter, request *http.Request) {
		switch atomic.AddInt32(&requests, 1) {
		case 1:
			response.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			response.Header().Set("Content-Type", "text/event-stream")
			_, _ = response.Write([]byte(plain("me")))
		default:
			<-request.Context().Done()
		}
	}
	server := &http.Server{Handler: http.HandlerFunc(handler)}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
}

func TestACancelledRequestIsNotLogged(t *testing.T) {
	logged := make(lines, 16)
	elector := at(t, nowhere(), Options{Log: logged.log})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if elector.IsLeader(ctx) {
		t.Error("IsLeader() is true")
	}
	if _, err := elector.Leader(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if err := elector.Watch(ctx, func(Leader) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if found := logged.rest(); len(found) != 0 {
		t.Errorf("the log contains %q", found)
	}
}

func TestTheDefaultLogIsTheStandardLogger(t *testing.T) {
	var logged strings.Builder
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	elector, err := NewElector(Options{Name: "me", URL: nowhere(), Believe: patient})
	if err != nil {
		t.Fatal(err)
	}
	if elector.IsLeader(context.Background()) || !strings.Contains(logged.String(), "gave no valid answer") {
		t.Errorf("the log contains %q", logged.String())
	}
}
