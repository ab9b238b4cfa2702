// Package near finds the name that somebody meant to type.
package near

import "strings"

// Name is the known name that is closest to said: the same but for case,
// dashes, underscores and dots, or at most two letters away and less than half
// of the name; "" when there is none.
func Name(said string, known []string) string {
	best, found := 3, ""
	for _, name := range known {
		a, b := fold(said), fold(name)
		if d := distance(a, b); d < best && 2*d < len(b) {
			best, found = d, name
		}
	}
	return found
}

func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(s))
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last = last, row
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
