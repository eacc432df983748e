package counter

import (
	"reflect"
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

func TestTop(t *testing.T) {
	c := New()
	for _, path := range []string{"/b", "/a", "/c", "/c"} {
		c.Add(path)
	}
	if got, want := c.Top(2), []string{"/c", "/a"}; !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if got := c.Top(10); len(got) != 3 {
		t.Fatalf("got %v, want all three", got)
	}
}
