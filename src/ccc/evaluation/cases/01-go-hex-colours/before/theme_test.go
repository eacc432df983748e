package theme

import "testing"

func TestParseHex(t *testing.T) {
	for _, c := range []struct {
		text string
		want RGB
	}{
		{"#000000", RGB{0, 0, 0}},
		{"#1e90ff", RGB{30, 144, 255}},
		{"#FFFFFF", RGB{255, 255, 255}},
	} {
		got := ParseHex(c.text)
		if got != c.want {
			t.Errorf("%s: got %v, want %v", c.text, got, c.want)
		}
	}
}

func TestParseHexPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	ParseHex("blue")
}
