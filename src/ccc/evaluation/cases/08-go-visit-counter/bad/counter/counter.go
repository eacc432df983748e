// Package counter counts visits per path.
package counter

import (
	"sort"
	"sync"
)

// Counter counts visits per path. It is safe for concurrent use.
type Counter struct {
	mu     sync.Mutex
	visits map[string]int
}

// New returns an empty counter.
func New() *Counter {
	return &Counter{visits: map[string]int{}}
}

// Add counts one visit of path.
func (c *Counter) Add(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.visits[path]++
}

// Get returns the number of visits of path.
func (c *Counter) Get(path string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.visits[path]
}

// Snapshot returns the visits of all paths.
func (c *Counter) Snapshot() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.visits
}

// Top returns the n most visited paths, the most visited first, ties by path.
func (c *Counter) Top(n int) []string {
	visits := c.Snapshot()
	paths := make([]string, 0, len(visits))
	for path := range visits {
		paths = append(paths, path)
	}
	sort.Slice(paths, func(i, j int) bool {
		if visits[paths[i]] != visits[paths[j]] {
			return visits[paths[i]] > visits[paths[j]]
		}
		return paths[i] < paths[j]
	})
	if n < len(paths) {
		paths = paths[:n]
	}
	return paths
}
