// Package counter counts visits per path.
package counter

// Counter counts visits per path.
type Counter struct {
	visits map[string]int
}

// New returns an empty counter.
func New() *Counter {
	return &Counter{visits: map[string]int{}}
}

// Add counts one visit of path.
func (c *Counter) Add(path string) {
	c.visits[path]++
}

// Get returns the number of visits of path.
func (c *Counter) Get(path string) int {
	return c.visits[path]
}

// Snapshot returns the visits of all paths.
func (c *Counter) Snapshot() map[string]int {
	return c.visits
}
