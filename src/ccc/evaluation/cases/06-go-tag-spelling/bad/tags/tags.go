// Package tags keeps the tags of all bookmarks.
package tags

import (
	"sort"
	"strings"
)

// Normalize returns tag without surrounding space, in its own spelling.
func Normalize(tag string) string {
	return strings.TrimSpace(tag)
}

func key(tag string) string {
	return strings.ToLower(Normalize(tag))
}

// Index maps tags to bookmark numbers.
type Index struct {
	ids      map[string][]int
	spelling map[string]string // as first added
}

// New returns an empty index.
func New() *Index {
	return &Index{ids: map[string][]int{}, spelling: map[string]string{}}
}

// Add puts tag on bookmark id.
func (x *Index) Add(tag string, id int) {
	k := key(tag)
	if _, known := x.spelling[k]; !known {
		x.spelling[k] = Normalize(tag)
	}
	x.ids[k] = append(x.ids[k], id)
}

// Find returns the bookmarks that have tag.
func (x *Index) Find(tag string) []int {
	return x.ids[key(tag)]
}

// All returns the tags as they were first spelled, in alphabetical order regardless of case.
func (x *Index) All() []string {
	keys := make([]string, 0, len(x.ids))
	for k := range x.ids {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for i, k := range keys {
		keys[i] = x.spelling[k]
	}
	return keys
}
