package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"curlfree/r3"
)

func newRand(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func must[S Shape](s S, err error) S {
	if err != nil {
		panic(err)
	}
	return s
}

func gauss(r *rand.Rand) r3.Vec {
	return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
}

func randomPose(r *rand.Rand, reach float64) r3.Pose {
	q := r3.Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	return r3.Pose{R: q.Unit().Mat(), P: gauss(r).Unit().Scale(reach * r.Float64())}
}

func at(p r3.Vec) r3.Pose { return r3.Pose{R: r3.Identity(), P: p} }

// contactsOf places two shapes as bodies 0 and 1.
func contactsOf(a, b Shape, X_WA, X_WB r3.Pose, margin float64) []Contact {
	return pairContacts(&Geom{Body: 0, Shape: a, Material: 3}, &Geom{Body: 1, Shape: b, Material: 4}, X_WA, X_WB, margin, nil)
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func leastPhi(cs []Contact) float64 {
	m := math.Inf(1)
	for _, c := range cs {
		m = min(m, c.Phi)
	}
	return m
}

func TestBoxOnGroundRestsOnItsFourCorners(t *testing.T) {
	box := must(NewBox(r3.Vec{0.2, 0.15, 0.08}))
	table := must(NewBox(r3.Vec{2, 1, 0.1}))
	for _, far := range []float64{0, 100} {
		for _, tilt := range []float64{0, 1e-9, 1e-6} {
			for _, gap := range []float64{-1e-5, 0, 1e-5} {
				for _, ground := range []Shape{HalfSpace{}, table} {
					o := r3.Vec{far, -far, 0}
					X_WG := at(o)
					if ground == Shape(table) {
						X_WG.P[2] -= 0.05
					}
					X_WB := r3.Pose{R: r3.RotExp(r3.Vec{tilt, -2 * tilt, 0.3}), P: o.Add(r3.Vec{0, 0, 0.04 + gap})}
					cs := contactsOf(ground, box, X_WG, X_WB, 1e-4)
					if len(cs) != 4 {
						t.Fatalf("%T far %g tilt %g gap %g: %d contacts", ground, far, tilt, gap, len(cs))
					}
					for _, c := range cs {
						// The corner of the box nearest to the contact, and its height.
						p := X_WB.InvPoint(c.B.Pos_W)
						corner := r3.Vec{math.Copysign(0.1, p[0]), math.Copysign(0.075, p[1]), -0.04}
						if d := p.Sub(corner).Norm(); d > 1e-11+1e-13*far {
							t.Errorf("contact %v is %g off its corner", p, d)
						}
						z := X_WB.R.MulVec(corner)[2] + X_WB.P[2]
						if !near(c.Phi, z, 1e-16+2e-12*math.Abs(z)) {
							t.Errorf("%T far %g tilt %g: phi %.17g, corner at %.17g", ground, far, tilt, c.Phi, z)
						}
						if c.Normal_W[2] < 1-1e-11 {
							t.Errorf("normal %v", c.Normal_W)
						}
					}
				}
			}
		}
	}
}
