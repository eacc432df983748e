package bucket

import (
	"testing"
	"time"
)

func TestStartsFull(t *testing.T) {
	b := New(3, 1)
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
	b := New(1, 1)
	b.Take()
	time.Sleep(600 * time.Millisecond)
	b.Take() // polling early must not cost anything
	time.Sleep(600 * time.Millisecond)
	if !b.Take() {
		t.Fatal("no token after 1.2s at one per second")
	}
}
