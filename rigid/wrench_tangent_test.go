package rigid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// seenFrom carries a spatial vector about C back by the motion g of A, as A sees it.
func seenFrom(g r3.Pose, x spatial, force bool) spatial {
	back := g.Inv()
	// the origin of the world as the point, where poses act simply
	y := x.rotated(back.R)
	if force {
		y.w = y.w.Add(back.P.Cross(y.v))
	} else {
		y.v = y.v.Add(back.P.Cross(y.w))
	}
	return y
}

// about moves the point of a spatial vector from a to b.
func about(x spatial, a, b r3.Vec, force bool) spatial {
	if force {
		return x.shiftForce(a.Sub(b))
	}
	return x.shiftMotion(b.Sub(a))
}

// A wrench that is linear in what A sees of B, between links of random forests.
func TestPairWrenchTangentIsADifference(t *testing.T) {
	const h = 2e-3
	for i := range 80 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(7), everything)
		n := m.NumV()
		if n == 0 {
			continue
		}
		vNext := make([]float64, n)
		for k := range v {
			vNext[k] = v[k] + r.NormFloat64()
		}
		d := m.NewData()
		w := randWrench(r, m)
		freeResidual(d, 0.3, h, q, v, vNext)
		C := w.Center_W
		X_WA, X_WB := poseOrWorld(d, w.A), poseOrWorld(d, w.B)
		var start, end [6]float64
		d.RelativeVelocity(w.A, w.B, &C, v, &start)
		d.RelativeVelocity(w.A, w.B, &C, vNext, &end)

		residual := func(q, v []float64) []float64 {
			var p cliques.Problem
			d.Place(0.3, h, q, v)
			p.Reset(0.3, h)
			d.FreeMotion(r3.Vec{}, nil, &p)
			// what A sees, by the motion g of A
			g := poseOrWorld(d, w.A).Mul(X_WA.Inv())
			X := g.Inv().Mul(poseOrWorld(d, w.B)).Mul(X_WB.Inv())
			turn := X.R.Quat().Log()
			xi := spatial{turn, X.Point(C).Sub(C)}
			W := asSpatial(w.Wrench[:]).add(mul6(&w.ByPose, &xi))
			for e, u := range [2][]float64{v, vNext} {
				var now [6]float64
				d.RelativeVelocity(w.A, w.B, &r3.Vec{}, u, &now)
				V := about(seenFrom(g, asSpatial(now[:]), false), r3.Vec{}, C, false)
				dV := V.sub(asSpatial([2]*[6]float64{&start, &end}[e][:]))
				W = W.add(mul6([2]*[36]float64{&w.ByStart, &w.ByEnd}[e], &dV))
			}
			// back into the world, and on to the joints
			W = seenFrom(g.Inv(), about(W, C, r3.Vec{}, true), true)
			out := make([]float64, n)
			rows := func(link int, s float64) {
				if link == World {
					return
				}
				p.AddConstraint(open{})
				for k := range 3 {
					e := r3.Vec{}
					e[k] = 1
					d.PointRow(&p, 0, link, r3.Vec{}, e, W.v[k])
					d.AngularRow(&p, 0, link, e, W.w[k])
				}
				for _, b := range p.Blocks(cliques.Handle(len(p.Constraints) - 1)) {
					for k := range p.NodeSize[b.Node] {
						out[p.NodeOffset[b.Node]+k] -= s * b.J[k]
					}
				}
			}
			rows(w.A, -1)
			rows(w.B, 1)
			return out
		}
		want := residualDifference(m, q, v, 1e-5, residual)
		freeResidual(d, 0.3, h, q, v, vNext)
		got := make([]float64, 2*n*n)
		d.AddPairWrench(w, vNext, got, n, n)
		if slices.Max(want) == 0 && slices.Max(got) == 0 {
			continue // nothing that moves
		}
		if e := largestDifference(got, want); !(e < 1e-7) {
			t.Errorf("forest %d, links %d and %d: off by %.1e", i, w.A, w.B, e)
		}
	}
}

func poseOrWorld(d *Data, link int) r3.Pose {
	if link == World {
		return r3.PoseIdentity()
	}
	return d.Pose(link)
}

// randWrench returns a wrench between two links with random derivatives.
func randWrench(r *rand.Rand, m *Model) *PairWrench {
	w := &PairWrench{A: r.IntN(m.NumLinks()+1) - 1, B: r.IntN(m.NumLinks()), Center_W: randVec(r)}
	for w.A == w.B {
		w.A = r.IntN(m.NumLinks()+1) - 1
	}
	for k := range w.Wrench {
		w.Wrench[k] = r.NormFloat64()
	}
	for k := range 36 {
		w.ByPose[k], w.ByStart[k], w.ByEnd[k] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
	}
	return w
}
