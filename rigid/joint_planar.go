package rigid

import "github.com/curlfree/curlfree/r3"

// Planar slides in F's plane of x and y and turns about its z: q is (x, y, θ), m
// and rad, and v their rates.
type Planar struct{}

// Size implements Joint.
func (Planar) Size() (nq, nv int) { return 3, 3 }

// Check implements Joint.
func (Planar) Check() error { return nil }

// Zero implements Joint.
func (Planar) Zero(q []float64) { clear(q) }

// Pose_FM implements Joint.
func (Planar) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.RotExp(r3.Vec{0, 0, q[2]}), P: r3.Vec{q[0], q[1], 0}}
}

// Subspace_FM implements Joint.
func (Planar) Subspace_FM(j int) (w, v r3.Vec) {
	if j == 2 {
		w[2] = 1
	} else {
		v[j] = 1
	}
	return w, v
}

// Advance implements Joint.
func (Planar) Advance(h float64, q, v []float64) {
	for i := range 3 {
		q[i] += h * v[i]
	}
}
