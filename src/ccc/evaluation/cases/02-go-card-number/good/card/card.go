// Package card 校验银行卡号。
package card

import "strings"

// Valid 判断 s 是否为有效卡号：去掉空格和短横线后，
// 长度为 12 到 19 位数字，并通过 Luhn 校验。
func Valid(s string) bool {
	s = strings.NewReplacer(" ", "", "-", "").Replace(s)
	if len(s) < 12 || len(s) > 19 {
		return false
	}
	sum := 0
	for i := 0; i < len(s); i++ {
		c := s[len(s)-1-i]
		if c < '0' || c > '9' {
			return false
		}
		d := int(c - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
