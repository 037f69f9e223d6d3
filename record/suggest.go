package record

import (
	"fmt"
	"strings"
)

// Suggest returns a remark for an error about an unknown word: the nearest of
// the choices, or all of them when none is near.
func Suggest(word string, choices []string) string {
	best, bestD := "", len(word)/2+2
	for _, c := range choices {
		if d := editDistance(word, c); d < bestD {
			best, bestD = c, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf(": did you mean %q?", best)
	case len(choices) == 0:
		return ": there are none"
	}
	return ": the choices are " + strings.Join(choices, ", ")
}

// editDistance is the number of bytes to insert, drop or change.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diag, row[j+1] = row[j+1], min(diag+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
