// Package card 校验银行卡号。
package card

import "strings"

// Valid 判断 s 是否为有效卡号。
func Valid(s string) bool {
	s = strings.NewReplacer(" ", "", "-", "").Replace(s)
	return len(s) >= 12 && len(s) <= 19
}
