package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// freeResidual returns A (v⁺ − v0) − p of all trees.
func freeResidual(d *Data, t, h float64, q, v, vNext []float64) []float64 {
	var p cliques.Problem
	d.Place(t, h, q, v)
	p.Reset(t, h)
	d.FreeMotion(r3.Vec{0.3, -0.4, -9.81}, nil, &p)
	r := make([]float64, p.Size())
	for _, c := range p.Cliques {
		for i := range c.Size {
			r[c.Offset+i] = -p.P[c.Offset+i]
			for j := range c.Size {
				r[c.Offset+i] += c.A[i*c.Size+j] * (vNext[c.Offset+j] - p.V0[c.Offset+j])
			}
		}
	}
	return r
}

// residualDifference returns the central differences of a residual by positions and velocities, a column each.
func residualDifference(m *Model, q, v []float64, width float64, residual func(q, v []float64) []float64) []float64 {
	n := len(v)
	J := make([]float64, 2*n*n)
	for k := range 2 * n {
		var r [2][]float64
		for side, w := range [2]float64{width, -width} {
			x, u, delta := append([]float64(nil), q...), append([]float64(nil), v...), make([]float64, n)
			if k < n {
				delta[k] = w
				m.Displace(x, delta)
			} else {
				u[k-n] += w
			}
			r[side] = residual(x, u)
		}
		for i := range n {
			J[k*n+i] = (r[0][i] - r[1][i]) / (2 * width)
		}
	}
	return J
}

// largestDifference returns the largest difference of two matrices over the largest entry.
func largestDifference(got, want []float64) float64 {
	d, size := 0.0, 0.0
	for i := range want {
		d, size = math.Max(d, math.Abs(got[i]-want[i])), math.Max(size, math.Abs(want[i]))
	}
	return d / size
}

// Of forests with joints of every kind, springs, dampers and prescribed motions, in slow and in fast motion.
func TestFreeMotionTangentIsTheDifferenceOfFreeMotion(t *testing.T) {
	const at, h = 0.3, 2e-3
	hand, fast := 0, 0
	for i := range 150 {
		r := newRand(i)
		kinds := []int{4, 4, coordinates, floating, everything}[i%5]
		m, q, v := randForest(t, r, 1+r.IntN(7), kinds)
		for k := range m.links {
			_, nv := m.links[k].Joint.Size()
			if nv == 1 && r.IntN(2) == 0 {
				m.links[k].Stiffness, m.links[k].Damping, m.links[k].Rest = 50*r.Float64(), r.Float64(), r.NormFloat64()
			}
			if tree := m.tree[k]; nv == 6 && tree >= 0 && m.singleBody[tree] != World && r.IntN(2) == 0 {
				m.links[k].Damping = r.Float64()
			}
		}
		if i%2 == 1 {
			carryWeights(m, r, math.NaN())
		}
		n := m.NumV()
		if n == 0 {
			continue
		}
		vNext := make([]float64, n)
		// what is differenced on both sides should be smooth on the scale of the widths
		speed := []float64{1, 10, 50}[i%3]
		if kinds != 4 {
			speed = min(speed, 5)
		}
		for k := range v {
			v[k] *= speed
			vNext[k] = v[k] + 0.2*r.NormFloat64()
		}
		d := m.NewData()
		want := residualDifference(m, q, v, 1e-6, func(q, v []float64) []float64 { return freeResidual(d, at, h, q, v, vNext) })
		freeResidual(d, at, h, q, v, vNext)
		got := make([]float64, 2*n*n)
		d.FreeMotionTangent(at, r3.Vec{0.3, -0.4, -9.81}, vNext, got, n, n)
		if e := largestDifference(got, want); !(e < 2e-8) {
			t.Errorf("forest %d of kinds %d: off by %.1e of the largest entry", i, kinds, e)
		}
		for tree := range m.Trees() {
			if m.hasOneAxisJoints(tree) && m.treeStart[tree+1]-m.treeStart[tree] > 1 {
				hand++
				if w := d.secondLook[tree]; w > 0 && w <= 1 {
					fast++
				}
			}
		}
		if allocs := alloctest.PerRun(2, func() {
			d.FreeMotionTangent(at, r3.Vec{0.3, -0.4, -9.81}, vNext, got, n, n)
		}); allocs > 0 && kinds != everything {
			t.Errorf("forest %d: %g allocations", i, allocs)
		}
	}
	if hand < 20 || fast < 5 {
		t.Errorf("%d trees of joints with one axis, %d of them fast: too few for a test", hand, fast)
	}
}
