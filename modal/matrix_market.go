package modal

import (
	"bufio"
	"fmt"
	"io"

	"github.com/james-bowman/sparse"

	"github.com/curlfree/curlfree/internal/authorship"
)

// WriteMatrixMarket writes the lower triangle of a symmetric matrix for other programs, in the
// Matrix Market format "matrix coordinate real symmetric", with all digits.
func WriteMatrixMarket(w io.Writer, A *sparse.CSR) error {
	// the header counts the entries, so that they are visited twice
	b := bufio.NewWriter(w)
	n, _ := A.Dims()
	count := 0
	lower := func(f func(i, j int, x float64)) {
		A.DoNonZero(func(i, j int, x float64) {
			if i >= j {
				f(i, j, x)
			}
		})
	}
	lower(func(int, int, float64) { count++ })
	fmt.Fprintf(b, "%%%%MatrixMarket matrix coordinate real symmetric\n%% %s\n%d %d %d\n", authorship.Mark, n, n, count)
	// rows and columns from 1
	lower(func(i, j int, x float64) { fmt.Fprintf(b, "%d %d %.17g\n", i+1, j+1, x) })
	return b.Flush()
}
