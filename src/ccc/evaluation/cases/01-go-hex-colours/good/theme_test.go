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
		{"#0af", RGB{0, 170, 255}},
	} {
		got, err := ParseHex(c.text)
		if err != nil || got != c.want {
			t.Errorf("%s: got %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseHexErrors(t *testing.T) {
	for _, text := range []string{"", "blue", "#12", "#12345", "#ggg", "1e90ff#"} {
		if got, err := ParseHex(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}
