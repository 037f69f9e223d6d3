package kinds

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Suggest returns the end of an error message about an unknown word: the most
// similar choice, or all choices when none is similar.
func Suggest(word string, choices []string) string {
	if len(word) > maxWord {
		word = word[:maxWord]
	}
	// more changes than half of the word, and one, make another word
	best, bestD := "", len(word)/2+2
	letters := utf8.RuneCountInString(word)
	for _, c := range choices {
		// each letter more or less is one change at least
		if n := utf8.RuneCountInString(c) - letters; max(n, -n) >= bestD {
			continue
		}
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
	// d[i][j] is the distance of the first i letters of a and the first j of b; of its rows the last three are kept
	s, t := []rune(a), []rune(b)
	var few [3 * 32]int // most words are short
	n := len(t) + 1
	rows := few[:]
	if 3*n > len(rows) {
		rows = make([]int, 3*n)
	}
	before, last, row := rows[:n], rows[n:2*n], rows[2*n:3*n] // rows i−2, i−1 and i
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(s); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(t)]
}
