package modal

import (
	"io"

	"github.com/james-bowman/sparse"

	"github.com/curlfree/curlfree/internal/matrixmarket"
)

// WriteMatrixMarket writes the lower triangle of a symmetric matrix, such as Modes.K and Modes.M, in
// the Matrix Market format, with all digits, so that other programs can read it.
func WriteMatrixMarket(w io.Writer, A *sparse.CSR) error {
	n, _ := A.Dims()
	return matrixmarket.Write(w, n, func(f func(i, j int, x float64)) {
		// K and M are stored whole, the format wants one half
		A.DoNonZero(func(i, j int, x float64) {
			if i >= j {
				f(i, j, x)
			}
		})
	})
}
