package bucket

import (
	"testing"
	"time"
)

func TestStartsFull(t *testing.T) {
	clock := time.Unix(1000, 0)
	b := newAt(3, 1, func() time.Time { return clock })
	for i := 0; i < 3; i++ {
		if !b.Take() {
			t.Fatalf("token %d missing", i)
		}
	}
	if b.Take() {
		t.Fatal("a fourth token from a bucket of three")
	}
}

func TestRefillAfterPause(t *testing.T) {
	clock := time.Unix(1000, 0)
	b := newAt(1, 1, func() time.Time { return clock })
	b.Take()
	clock = clock.Add(600 * time.Millisecond)
	if b.Take() { // polling early must not cost anything
		t.Fatal("a token after 0.6s at one per second")
	}
	clock = clock.Add(600 * time.Millisecond)
	if !b.Take() {
		t.Fatal("no token after 1.2s at one per second")
	}
}

func TestNeverAboveCapacity(t *testing.T) {
	clock := time.Unix(1000, 0)
	b := newAt(2, 5, func() time.Time { return clock })
	clock = clock.Add(time.Hour)
	taken := 0
	for b.Take() {
		taken++
	}
	if taken != 2 {
		t.Fatalf("took %d tokens from a bucket of two", taken)
	}
}
