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
		if _, err := ParseHex(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

func TestParseHexErrors(t *testing.T) {
	for _, text := range []string{"", "blue", "#12", "#12345", "#ggg", "1e90ff#"} {
		if _, err := ParseHex(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
