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
