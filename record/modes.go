package record

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/r3"
)

// The motion of a surface over a recording, u(t) = x(t) − x(0), is nearly
// u(t) ≈ Σ w_k(t) φ_k with few fixed shapes φ_k: those of the singular value
// decomposition of all u(t) in one matrix U (one row an instant), found from the
// small matrix
//
//	U Uᵀ = Y diag(λ) Yᵀ,   φ_k = Uᵀ y_k / √λ_k,   w_k(t) = u(t)·φ_k.      (1)
//
// Legend: x(t) positions of the chosen vertices in one column, x(0) those of the first frame; φ_k
// orthonormal shapes; w_k weights, m; y_k and λ_k eigenvectors and eigenvalues of U Uᵀ, whose size is
// the number of instants, at most maxSnapshots. Source: Sirovich, Turbulence and the Dynamics of
// Coherent Structures, 1987 (method of snapshots).

const (
	maxModes     = 64
	maxSnapshots = 240  // instants that the shapes are found from
	modeError    = 2e-3 // wanted accuracy, of the surface's size
)

// motionModes returns the shapes φ_k of the motion of deformable i at the given vertices
// (m), and their weights w_k: all of the first frame, then all of the next. There are as
// many as it takes for an error of at most modeError times the surface's size at each
// vertex, and at most maxModes.
func motionModes(rec *Recording, i int, verts []int32) (modes [][][3]float32, weights []float32) {
	n := rec.Len()
	// rows of U: displacements since the first frame
	start := rec.At(0).Verts[i]
	snapshot := func(k int) []float64 {
		now := rec.At(k).Verts[i]
		u := make([]float64, 0, 3*len(verts))
		for _, v := range verts {
			d := now[v].Sub(start[v])
			u = append(u, d[:]...)
		}
		return u
	}
	// The tolerance is a part of the diagonal of the surface's bounding box.
	box := r3.EmptyBox()
	for _, v := range verts {
		box = box.Extend(start[v])
	}
	tol := modeError * box.Size().Norm()

	// shapes are found from evenly chosen frames
	stride := (n + maxSnapshots - 1) / maxSnapshots
	var rows []float64
	m := 0
	for k := 0; k < n; k += stride {
		rows = append(rows, snapshot(k)...)
		m++
	}
	U := mat.NewDense(m, 3*len(verts), rows)
	// eigenvectors of U Uᵀ, which is small
	var gram mat.SymDense
	gram.SymOuterK(1, U)
	var eig mat.EigenSym
	if !eig.Factorize(&gram, true) {
		return nil, nil // only for numbers that are not finite, which Valid refuses
	}
	lambda := eig.Values(nil) // ascending
	var Y mat.Dense
	eig.VectorsTo(&Y)

	// take shapes by falling eigenvalue until the residual is small enough
	var phi [][]float64
	left := mat.DenseCopyOf(U) // residual of the shapes so far
	for k := m - 1; k >= 0 && len(phi) < maxModes; k-- {
		if worst(left) <= tol || !(lambda[k] > 1e-14*lambda[m-1]) {
			break
		}
		shape := mat.NewVecDense(3*len(verts), nil)
		shape.MulVec(U.T(), Y.ColView(k)) // (1)
		shape.ScaleVec(1/math.Sqrt(lambda[k]), shape)
		// The part of the shape is taken out of all instants: left −= w φᵀ.
		var w mat.VecDense
		w.MulVec(left, shape)
		left.RankOne(left, -1, &w, shape)
		phi = append(phi, shape.RawVector().Data)
	}
	// weights at all frames
	weights = make([]float32, 0, n*len(phi))
	for k := range n {
		u := snapshot(k)
		// Shapes are orthonormal, so a weight is a scalar product.
		for _, p := range phi {
			w := 0.0
			for j := range u {
				w += u[j] * p[j]
			}
			weights = append(weights, float32(w))
		}
	}
	// Shapes as glTF stores them: three float32 for each vertex.
	for _, p := range phi {
		shape := make([][3]float32, len(verts))
		for j := range shape {
			shape[j] = float3(r3.Vec{p[3*j], p[3*j+1], p[3*j+2]})
		}
		modes = append(modes, shape)
	}
	return modes, weights
}

// worst returns the largest absolute value of an entry.
func worst(m *mat.Dense) float64 {
	w := 0.0
	for _, x := range m.RawMatrix().Data {
		w = max(w, math.Abs(x))
	}
	return w
}
