// Package textcell writes names as cells of tables that spreadsheets may open, and reads them back.
//
// Spreadsheets compute cells that begin as formulas do, also those of a file that somebody sent. Such names get an
// apostrophe before them, which says that a cell is text.
package textcell

import (
	"strconv"
	"strings"
)

// formula are the characters with which a spreadsheet begins a formula, or which it skips before one.
const formula = "=+-@\t\r"

// Escape returns a name as a cell: with an apostrophe before it if it begins as a formula does and is no number. A name
// that looks like an escaped one gets another apostrophe, so that Unescape returns every name as it was.
func Escape(name string) string {
	if special(name) {
		return "'" + name
	}
	return name
}

// Unescape returns the name in a cell.
func Unescape(cell string) string {
	if name, ok := strings.CutPrefix(cell, "'"); ok && special(name) {
		return name
	}
	return cell
}

// EscapeAll returns a row of names as cells.
func EscapeAll(names []string) []string { return each(names, Escape) }

// UnescapeAll returns the names in a row of cells.
func UnescapeAll(cells []string) []string { return each(cells, Unescape) }

func each(in []string, f func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = f(s)
	}
	return out
}

// special reports whether a name begins, behind any apostrophes, as a formula does and is no number.
func special(name string) bool {
	bare := strings.TrimLeft(name, "'")
	if bare == "" || !strings.Contains(formula, bare[:1]) {
		return false
	}
	_, err := strconv.ParseFloat(bare, 64)
	return err != nil || strings.Contains(bare, "_") // a separator of digits in Go alone
}
