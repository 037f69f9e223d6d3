package kinds

import (
	"fmt"
	"strings"
)

// Suggest returns the end of an error message about an unknown word: the most
// similar choice, or all choices when none is similar.
func Suggest(word string, choices []string) string {
	if len(word) > maxWord {
		word = word[:maxWord]
	}
	// more changes than half of the word, and one, make another word
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

// maxWord bounds the length of words that are compared, in bytes.
const maxWord = 100

// editDistance is the number of letters to insert, drop, change or swap with
// their neighbour (optimal string alignment).
func editDistance(a, b string) int {
	// d[i][j] is the distance of the first i letters of a and the first j of b
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range t {
		d[0][j+1] = j + 1
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}
