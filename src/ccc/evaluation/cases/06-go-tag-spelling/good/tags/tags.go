// Package tags keeps the tags of all bookmarks.
package tags

import (
	"sort"
	"strings"
)

// Normalize returns the form in which tags are compared.
func Normalize(tag string) string {
	return strings.ToLower(strings.TrimSpace(tag))
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
	key := Normalize(tag)
	if _, known := x.spelling[key]; !known {
		x.spelling[key] = strings.TrimSpace(tag)
	}
	x.ids[key] = append(x.ids[key], id)
}

// Find returns the bookmarks that have tag.
func (x *Index) Find(tag string) []int {
	return x.ids[Normalize(tag)]
}

// All returns the tags as they were first spelled, in alphabetical order regardless of case.
func (x *Index) All() []string {
	keys := make([]string, 0, len(x.ids))
	for key := range x.ids {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for i, key := range keys {
		keys[i] = x.spelling[key]
	}
	return keys
}
