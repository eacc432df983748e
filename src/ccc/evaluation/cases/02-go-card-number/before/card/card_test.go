package card

import "testing"

func TestValid(t *testing.T) {
	cases := map[string]bool{
		"4539 1488 0343 6467": true,
		"6011-0009-9013-9424": true,
		"378282246310005":     true,
		"4539 1488 0343 6468": false,
		"8273 1232 7352 0569": false,
		"4539x14880343646":    false,
		"0":                   false,
	}
	for in, want := range cases {
		if got := Valid(in); got != want {
			t.Errorf("Valid(%q) = %v，应为 %v", in, got, want)
		}
	}
}
