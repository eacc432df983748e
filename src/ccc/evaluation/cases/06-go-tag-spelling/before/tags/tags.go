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
	ids map[string][]int
}

// New returns an empty index.
func New() *Index {
	return &Index{ids: map[string][]int{}}
}

// Add puts tag on bookmark id.
func (x *Index) Add(tag string, id int) {
	key := Normalize(tag)
	x.ids[key] = append(x.ids[key], id)
}

// Find returns the bookmarks that have tag.
func (x *Index) Find(tag string) []int {
	return x.ids[Normalize(tag)]
}

// All returns the tags in alphabetical order.
func (x *Index) All() []string {
	out := []string{}
	for key := range x.ids {
		out = append(out, key)
	}
	sort.Strings(out)
	return out
}
