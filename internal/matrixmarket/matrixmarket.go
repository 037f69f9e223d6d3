// Package matrixmarket writes symmetric matrices for other programs, such as scipy.io.mmread, in
// the Matrix Market format:
//
//	%%MatrixMarket matrix coordinate real symmetric
//	% a comment
//	ROWS COLUMNS ENTRIES
//	I J VALUE            one line for each entry of the lower triangle, I ≥ J, both from 1
//
// Source: Boisvert, Pozo and Remington, "The Matrix Market exchange formats", 1996.
package matrixmarket

import (
	"bufio"
	"fmt"
	"io"

	"github.com/curlfree/curlfree/internal/authorship"
)

// Lower iterates over the lower triangle of a symmetric sparse matrix: it calls f once for
// each stored entry x at row i and column j ≤ i, both counted from 0. Write calls it twice,
// because the header of the format has the number of entries.
type Lower func(f func(i, j int, x float64))

// Write writes a symmetric matrix of n rows with all digits: reading gives the same bits.
func Write(w io.Writer, n int, lower Lower) error {
	b := bufio.NewWriter(w)
	count := 0
	lower(func(int, int, float64) { count++ })
	// the mark identifies the file as written by this program, so that it may be replaced
	fmt.Fprintf(b, "%%%%MatrixMarket matrix coordinate real symmetric\n%% %s\n%d %d %d\n", authorship.Mark, n, n, count)
	lower(func(i, j int, x float64) { fmt.Fprintf(b, "%d %d %.17g\n", i+1, j+1, x) })
	// a bufio.Writer keeps the first error of all writes
	return b.Flush()
}
