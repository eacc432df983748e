// Package zones knows the time zones of our branches.
package zones

//go:generate go run gen.go

// Zone is the city of a branch and its distance from UTC in minutes.
type Zone struct {
	City    string
	Minutes int
}

// Lookup finds a zone by the branch's code.
func Lookup(code string) (Zone, bool) {
	zone, ok := table[code]
	return zone, ok
}
