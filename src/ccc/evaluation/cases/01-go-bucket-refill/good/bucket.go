// Package bucket limits outgoing calls with a token bucket.
package bucket

import (
	"sync"
	"time"
)

// Bucket holds up to capacity tokens and gains rate tokens per second.
type Bucket struct {
	mu       sync.Mutex
	capacity int
	rate     int
	tokens   float64
	last     time.Time
	now      func() time.Time
}

// New returns a full bucket.
func New(capacity, rate int) *Bucket {
	return newAt(capacity, rate, time.Now)
}

func newAt(capacity, rate int, now func() time.Time) *Bucket {
	return &Bucket{capacity: capacity, rate: rate, tokens: float64(capacity), last: now(), now: now}
}

// Take removes one token and reports whether there was one.
func (b *Bucket) Take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill(b.now())
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// refill keeps fractions of a token, so frequent calls lose nothing.
func (b *Bucket) refill(now time.Time) {
	b.tokens += now.Sub(b.last).Seconds() * float64(b.rate)
	if b.tokens > float64(b.capacity) {
		b.tokens = float64(b.capacity)
	}
	b.last = now
}
