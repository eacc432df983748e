package tags

import (
	"reflect"
	"testing"
)

func TestFindIgnoresCase(t *testing.T) {
	x := New()
	x.Add("Go", 1)
	x.Add(" go ", 2)
	if got := x.Find("GO"); !reflect.DeepEqual(got, []int{1, 2}) {
		t.Fatalf("got %v", got)
	}
}

func TestAllKeepsSpelling(t *testing.T) {
	x := New()
	for id, tag := range []string{"SQLite", "awk", "sqlite", " Go "} {
		x.Add(tag, id)
	}
	if got, want := x.All(), []string{"awk", "Go", "SQLite"}; !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}
