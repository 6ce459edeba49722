package doyen

import "time"

const (
	leastDelay = 100 * time.Millisecond
	mostDelay  = 10 * time.Second
	firstDelay = time.Second
)

// backoff computes the delay before the next connection.
//
// The delay starts with the server's retry: line (or 1 s), and doubles with each consecutive failure up to 10 s. Up to
// half of the delay is random, so that many apps do not reconnect at the same time.
type backoff struct {
	base     time.Duration
	failures int
}

// worked resets the backoff after a valid answer.
func (b *backoff) worked() {
	b.failures = 0
}

// retry sets the first delay to that of the server.
func (b *backoff) retry(delay time.Duration) {
	b.base = delay
	if b.base < leastDelay {
		b.base = leastDelay
	}
	if b.base > mostDelay {
		b.base = mostDelay
	}
}

// next returns the next delay. The random number is from 0 to 1.
func (b *backoff) next(random float64) time.Duration {
	whole := b.base
	if whole == 0 {
		whole = firstDelay
	}
	for i := 0; i < b.failures && whole < mostDelay; i++ {
		whole *= 2
	}
	if whole > mostDelay {
		whole = mostDelay
	}
	b.failures++
	return time.Duration(float64(whole) * (0.5 + random/2))
}
