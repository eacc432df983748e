package zones

import "testing"

func TestLookup(t *testing.T) {
	if zone, ok := Lookup("NOR"); !ok || zone.City != "Oslo" || zone.Minutes != 60 {
		t.Fatalf("got %v %v", zone, ok)
	}
	if _, ok := Lookup("XXX"); ok {
		t.Fatal("found XXX")
	}
}
