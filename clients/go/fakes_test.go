package doyen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// hang ends a test that would otherwise wait forever.
const hang = time.Minute

// plain returns an event of /sse.
func plain(name string) string {
	return fmt.Sprintf("data: {\"name\":%q,\"last_update\":\"2026-11-22T10:00:00Z\"}\n\n", name)
}

// event returns an event of /v1/elections/app/events.
func event(number int, name string, term int) string {
	leader := "null"
	if name != "" {
		leader = fmt.Sprintf(`{"id":%q,"term":%d}`, name, term)
	}
	body := fmt.Sprintf(`{"name":"app","leader":%s,"lastTerm":%d}`, leader, term)
	return fmt.Sprintf("id: x-%d\nevent: leader\ndata: %s\n\n", number, body)
}

// body returns the body of an answer of /.
func body(name string) string {
	return strings.TrimSpace(strings.TrimPrefix(plain(name), "data: "))
}

// step is a part of a script. The piece arrives after the delay, in seconds. If isSuspension is true, the process is
// suspended for this time, and then finds the piece in its buffer.
type step struct {
	seconds      float64
	piece        string
	isSuspension bool
}

// script is a scripted answer. It sends its pieces, and then ends or stays silent.
type script struct {
	steps    []step
	code     int
	kind     string
	isSilent bool
	isClosed bool
}

// ends returns an answer of status 200 that sends these pieces at once and ends.
func ends(pieces ...string) *script {
	result := &script{code: http.StatusOK, kind: "text/event-stream; charset=utf-8"}
	for _, each := range pieces {
		result.steps = append(result.steps, step{piece: each})
	}
	return result
}

// silent returns an answer of status 200 that sends these pieces at once and then stays silent.
func silent(pieces ...string) *script {
	result := ends(pieces...)
	result.isSilent = true
	return result
}

// later adds a piece that arrives after the delay.
func (s *script) later(seconds float64, piece string) *script {
	s.steps = append(s.steps, step{seconds: seconds, piece: piece})
	return s
}

// suspended adds a piece that arrives while the process is suspended.
func (s *script) suspended(seconds float64, piece string) *script {
	s.steps = append(s.steps, step{seconds: seconds, piece: piece, isSuspension: true})
	return s
}

// with sets the status and the content type.
func (s *script) with(code int, kind string) *script {
	s.code, s.kind = code, kind
	return s
}

// sent is a request that the fake platform has received.
type sent struct {
	at      float64
	url     string
	headers map[string]string
}

// fakePlatform has a clock that only waits advance. It answers each request with the next script, and refuses the
// connection if no script is left.
type fakePlatform struct {
	scripts  []*script
	requests []sent
	seconds  float64
	// beforeWait is called before each wait, if it is not nil.
	beforeWait func()
}

func (f *fakePlatform) now() time.Time {
	return time.Unix(0, 0).Add(time.Duration(f.seconds * float64(time.Second)))
}

func (f *fakePlatform) random() float64 {
	return 1
}

func (f *fakePlatform) advance(delay time.Duration) {
	if delay > 0 {
		f.seconds += delay.Seconds()
	}
}

func (f *fakePlatform) wait(ctx context.Context, delay time.Duration) {
	if f.beforeWait != nil {
		f.beforeWait()
	}
	if ctx.Err() == nil {
		f.advance(delay)
	}
}

func (f *fakePlatform) get(_ context.Context, url string, headers map[string]string, _ time.Duration) (answer, error) {
	f.requests = append(f.requests, sent{at: f.seconds, url: url, headers: headers})
	if len(f.scripts) == 0 {
		return nil, errors.New("no script is left")
	}
	next := f.scripts[0]
	f.scripts = f.scripts[1:]
	return &fakeAnswer{platform: f, script: next, steps: next.steps}, nil
}

type fakeAnswer struct {
	platform *fakePlatform
	script   *script
	steps    []step
}

func (f *fakeAnswer) status() int {
	return f.script.code
}

func (f *fakeAnswer) contentType() string {
	return f.script.kind
}

func (f *fakeAnswer) read(ctx context.Context, limit time.Duration) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(f.steps) == 0 && !f.script.isSilent {
		return nil, io.EOF
	}
	if len(f.steps) == 0 || (!f.steps[0].isSuspension && f.steps[0].seconds > limit.Seconds()) {
		f.platform.advance(limit)
		return nil, errSilent
	}
	next := f.steps[0]
	f.steps = f.steps[1:]
	f.platform.seconds += next.seconds
	return []byte(next.piece), nil
}

func (f *fakeAnswer) close() {
	f.script.isClosed = true
}

// on returns an elector on the fake platform.
func on(t *testing.T, platform *fakePlatform, election string) *Elector {
	t.Helper()
	options := Options{Name: "me", URL: "localhost:4040", Election: election, Log: func(string, ...any) {}}
	elector, err := newElector(options, platform)
	if err != nil {
		t.Fatal(err)
	}
	return elector
}

// serve starts a local server, and returns its address.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// nowhere returns an address at which nothing listens.
func nowhere() string {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	return server.URL
}

// lines collects the messages of a client. A test can wait for the next one.
type lines chan string

func (l lines) log(format string, values ...any) {
	l <- fmt.Sprintf(format, values...)
}

func (l lines) next(t *testing.T) string {
	t.Helper()
	select {
	case line := <-l:
		return line
	case <-time.After(hang):
		t.Fatal("no message was logged")
		return ""
	}
}

func (l lines) rest() []string {
	var found []string
	for len(l) > 0 {
		found = append(found, <-l)
	}
	return found
}

// names returns the names of these leaders, "?" for an unknown leader.
func names(leaders []Leader) string {
	var found []string
	for _, each := range leaders {
		if each.Known {
			found = append(found, fmt.Sprintf("%q", each.Name))
		} else {
			found = append(found, "?")
		}
	}
	return strings.Join(found, " ")
}
