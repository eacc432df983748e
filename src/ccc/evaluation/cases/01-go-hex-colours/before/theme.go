// Package theme reads the colours of theme files.
package theme

import "strconv"

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// ParseHex reads a colour such as #1e90ff. It panics on anything else.
func ParseHex(text string) RGB {
	if len(text) != 7 || text[0] != '#' {
		panic("theme: not a colour: " + text)
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		panic("theme: not a colour: " + text)
	}
	return RGB{uint8(n >> 16), uint8(n >> 8), uint8(n)}
}
