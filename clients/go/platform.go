package doyen

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"time"
)

// errSilent reports that no data arrived in time.
var errSilent = errors.New("no data arrived in time")

// platform is the client's environment, which tests replace.
type platform interface {
	now() time.Time
	// random returns a random number from 0 to 1.
	random() float64
	// wait waits for this time, or until ctx is cancelled.
	wait(ctx context.Context, delay time.Duration)
	// get sends a request. It returns an error if the head of the answer does not arrive within the limit.
	get(ctx context.Context, url string, headers map[string]string, limit time.Duration) (answer, error)
}

// answer is a server's response. The body arrives later, in pieces.
type answer interface {
	status() int
	contentType() string
	// read returns the next bytes. The error is io.EOF at the end, and errSilent if nothing arrives within the limit.
	read(ctx context.Context, limit time.Duration) ([]byte, error)
	close()
}

// system uses the monotonic clock and net/http, without a proxy, because the elector runs beside the app.
type system struct {
	client *http.Client
}

func newSystem() system {
	return system{client: &http.Client{
		// A connection that outlives its request would keep goroutines after the last use of the client.
		Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}}
}

func (system) now() time.Time {
	return time.Now()
}

// random does not use math/rand, which returns the same numbers in each process before Go 1.20.
func (system) random() float64 {
	const most = 1 << 53
	number, err := rand.Int(rand.Reader, big.NewInt(most))
	if err != nil {
		return 1
	}
	return float64(number.Int64()) / most
}

func (system) wait(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (s system) get(
	ctx context.Context, url string, headers map[string]string, limit time.Duration,
) (answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Cache-Control", "no-cache")
	late := time.AfterFunc(limit, cancel)
	response, err := s.client.Do(request)
	if !late.Stop() {
		err = fmt.Errorf("no answer arrived within %s", limit)
	}
	if err != nil {
		cancel()
		if response != nil {
			_ = response.Body.Close()
		}
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // without the address
		}
		return nil, err
	}
	result := &httpAnswer{response: response, cancel: cancel, pieces: make(chan piece)}
	go result.readAll(ctx)
	return result, nil
}

// piece is a part of a body, and the error that followed it.
type piece struct {
	bytes []byte
	err   error
}

// httpAnswer is an answer of net/http. A goroutine reads the body until close, because a read of net/http has no time
// limit of its own.
type httpAnswer struct {
	response *http.Response
	cancel   context.CancelFunc
	pieces   chan piece
}

func (a *httpAnswer) readAll(ctx context.Context) {
	for {
		buffer := make([]byte, 4096)
		length, err := a.response.Body.Read(buffer)
		select {
		case a.pieces <- piece{bytes: buffer[:length], err: err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (a *httpAnswer) status() int {
	return a.response.StatusCode
}

func (a *httpAnswer) contentType() string {
	return a.response.Header.Get("Content-Type")
}

func (a *httpAnswer) read(ctx context.Context, limit time.Duration) ([]byte, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case piece := <-a.pieces:
		return piece.bytes, piece.err
	case <-timer.C:
		return nil, errSilent
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (a *httpAnswer) close() {
	a.cancel()
	_ = a.response.Body.Close()
}
