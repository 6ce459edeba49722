package doyen

import (
	"fmt"
	"strings"
	"sync"
)

// outages logs each outage of an address once, and its end once.
//
// All calls of an Elector share one value, so a repeated call does not repeat a message. Any goroutine may call the
// methods.
type outages struct {
	log     func(format string, values ...any)
	lock    sync.Mutex
	failing map[string]bool
}

func newOutages(log func(format string, values ...any)) *outages {
	return &outages{log: log, failing: map[string]bool{}}
}

func (o *outages) failed(url string, failure error) {
	if o.changed(url, true) {
		o.log("%v", withAddress(url, failure))
	}
}

func (o *outages) answered(url string) {
	if o.changed(url, false) {
		o.log("the elector at %s answers again", url)
	}
}

// changed sets the state of the address, and returns true if the state was different before.
func (o *outages) changed(url string, failing bool) bool {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.failing[url] == failing {
		return false
	}
	o.failing[url] = failing
	return true
}

// withAddress adds the address and the remedy to a failure that does not contain the address.
func withAddress(url string, failure error) error {
	// A watch also sends requests to another address.
	if strings.HasPrefix(failure.Error(), "the elector at ") || strings.Contains(failure.Error(), url) {
		return failure
	}
	return fmt.Errorf("the elector at %s gave no valid answer: %w; check the address and that the elector runs",
		url, failure)
}
