// Package theme reads the colours of theme files.
package theme

import (
	"fmt"
	"strconv"
)

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// ParseHex reads a colour such as #1e90ff or, in short, #abc for #aabbcc.
func ParseHex(text string) (RGB, error) {
	if (len(text) != 7 && len(text) != 4) || text[0] != '#' {
		return RGB{}, fmt.Errorf("theme: not a colour: %q", text)
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		return RGB{}, fmt.Errorf("theme: not a colour: %q", text)
	}
	if len(text) == 4 {
		return RGB{uint8(n >> 8 << 4), uint8(n >> 4 << 4), uint8(n << 4)}, nil
	}
	return RGB{uint8(n >> 16), uint8(n >> 8), uint8(n)}, nil
}
