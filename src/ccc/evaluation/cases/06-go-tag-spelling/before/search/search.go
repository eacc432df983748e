// Package search answers the search box.
package search

import (
	"strings"

	"example.org/bookmarks/tags"
)

// Matches says whether all words of query occur in the title.
func Matches(query, title string) bool {
	title = tags.Normalize(title)
	for _, word := range strings.Fields(tags.Normalize(query)) {
		if !strings.Contains(title, word) {
			return false
		}
	}
	return true
}
