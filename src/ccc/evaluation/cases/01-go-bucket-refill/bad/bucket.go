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
	tokens   int
	last     time.Time
	now      func() time.Time
}

// New returns a full bucket.
func New(capacity, rate int) *Bucket {
	return newAt(capacity, rate, time.Now)
}

func newAt(capacity, rate int, now func() time.Time) *Bucket {
	return &Bucket{capacity: capacity, rate: rate, tokens: capacity, last: now(), now: now}
}

// Take removes one token and reports whether there was one.
func (b *Bucket) Take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill(b.now())
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}

func (b *Bucket) refill(now time.Time) {
	elapsed := int(now.Sub(b.last).Seconds())
	b.tokens += elapsed * b.rate
	if b.tokens > b.capacity {
		b.tokens = b.capacity
	}
	b.last = now
}
