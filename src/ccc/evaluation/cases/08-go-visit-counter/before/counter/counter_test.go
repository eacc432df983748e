package counter

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	c := New()
	c.Add("/")
	c.Add("/")
	if got := c.Get("/"); got != 2 {
		t.Fatalf("got %d, want 2", got)
	}
}

func TestConcurrent(t *testing.T) {
	c := New()
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 1000; j++ {
				c.Add("/")
				for range c.Snapshot() {
				}
			}
		}()
	}
	wg.Wait()
	if got := c.Get("/"); got != 8000 {
		t.Fatalf("got %d, want 8000", got)
	}
}
