package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
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
	return pairContacts(&Geom{Body: 0, Shape: a, Material: 3}, &Geom{Body: 1, Shape: b, Material: 4}, X_WA, X_WB, margin, nil, nil)
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

// checkContacts fails unless every contact keeps the contract. The gap of the
// pair, exact from the cores, is that of the deepest contact.
func checkContacts(t *testing.T, name string, A, B Shape, X_WA, X_WB r3.Pose, margin float64, cs []Contact) {
	t.Helper()
	if len(cs) > maxPoints {
		t.Fatalf("%s: %d contacts", name, len(cs))
	}
	for _, c := range cs {
		if !near(c.Normal_W.Norm(), 1, 1e-14) || !c.Pos_W.IsFinite() || !(c.Phi < margin) {
			t.Fatalf("%s: bad contact %+v", name, c)
		}
		gap := c.B.Pos_W.Sub(c.A.Pos_W)
		if gap.AddScaled(-c.Phi, c.Normal_W).Norm() > 1e-15*(1+X_WA.P.Norm()) {
			t.Fatalf("%s: x_B - x_A = %v, phi %g n %v", name, gap, c.Phi, c.Normal_W)
		}
		if c.Pos_W.Sub(c.A.Pos_W.Lerp(c.B.Pos_W, 0.5)).Norm() > 1e-15*(1+X_WA.P.Norm()) {
			t.Fatalf("%s: the force does not act midway", name)
		}
		if c.A.Body != 0 || c.B.Body != 1 || c.A.N != 0 || c.Materials != [2]int{3, 4} {
			t.Fatalf("%s: bodies or materials of %+v", name, c)
		}
		// Surface points never lie outside; within by how much a radius swept
		// along n falls short on a tilted line.
		a, _ := A.SignedDistance(X_WA.InvPoint(c.A.Pos_W))
		b, _ := B.SignedDistance(X_WB.InvPoint(c.B.Pos_W))
		if a > 1e-5 || b > 1e-5 {
			t.Fatalf("%s: surface points are %g, %g outside", name, a, b)
		}
	}
}

// trueGap returns the gap of two convex shapes from their cores, and how far the
// preference for faces may take the contacts below it.
func trueGap(A, B SupportMap, X_WA, X_WB r3.Pose) (phi, slack float64) {
	k := newCores(A, B, X_WA, X_WB)
	c, _ := k.closest(math.Inf(1))
	r := A.Rounding() + B.Rounding()
	slack = 1e-10
	if r == 0 {
		slack += faceBias + faceBiasRel*math.Abs(c.s)
	}
	return c.s - r, slack
}

// randomPair places two shapes at random with a gap between −5 mm and 2 mm.
func randomPair(r *rand.Rand, A, B SupportMap) (X_WA, X_WB r3.Pose) {
	X_WA, X_WB = randomPose(r, 0.05), randomPose(r, 0.2)
	k := newCores(A, B, X_WA, X_WB)
	c, _ := k.closest(math.Inf(1))
	gap := -5e-3 + 7e-3*r.Float64()
	shift := gap - (c.s - A.Rounding() - B.Rounding())
	X_WB.P = X_WB.P.AddScaled(shift, X_WA.R.MulVec(c.n))
	return X_WA, X_WB
}

func TestRandomPairsKeepTheContract(t *testing.T) {
	r := newRand(t, 1)
	shapes := solids(r)
	const margin = 2e-3
	for _, na := range solidNames {
		for _, nb := range solidNames {
			A, B := shapes[na], shapes[nb]
			for i := range 40 {
				X_WA, X_WB := randomPair(r, A, B)
				lost := 1e-6
				if i%4 == 0 {
					// Anywhere: along a preferred face's normal deep bodies may meet
					// by other faces than those that were matched.
					X_WA, X_WB, lost = randomPose(r, 0.05), randomPose(r, 0.16), 0.01
				}
				name := na + " " + nb
				cs := contactsOf(A, B, X_WA, X_WB, margin)
				checkContacts(t, name, A, B, X_WA, X_WB, margin, cs)
				phi, slack := trueGap(A, B, X_WA, X_WB)
				if (len(cs) > 0) != (phi < margin) && !near(phi, margin, slack) {
					t.Fatalf("%s: gap %g, %d contacts", name, phi, len(cs))
				}
				if len(cs) == 0 {
					continue
				}
				if least := leastPhi(cs); least > phi+1e-6 || least < phi-2*slack {
					t.Fatalf("%s: gap %.12g, deepest contact %.12g", name, phi, least)
				}
				// Undoing the deepest contact parts the shapes.
				for _, c := range cs {
					if c.Phi < 0 && c.Phi == leastPhi(cs) {
						Y := X_WB
						Y.P = Y.P.AddScaled(-c.Phi, c.Normal_W)
						if left, _ := trueGap(A, B, X_WA, Y); left < -lost {
							t.Fatalf("%s: depth %g, %g left after parting", name, c.Phi, left)
						}
					}
				}
			}
		}
	}
}

func TestSwappingThePairMirrorsTheContacts(t *testing.T) {
	r := newRand(t, 2)
	shapes := solids(r)
	all := append([]string{"ground"}, solidNames...)
	for _, na := range all {
		for _, nb := range all {
			for range 20 {
				var A, B Shape = HalfSpace{}, HalfSpace{}
				if na != "ground" {
					A = shapes[na]
				}
				if nb != "ground" {
					B = shapes[nb]
				}
				X_WA, X_WB := randomPose(r, 0.05), randomPose(r, 0.1)
				if na != "ground" && nb != "ground" {
					X_WA, X_WB = randomPair(r, shapes[na], shapes[nb])
				}
				a, b := &Geom{Body: 0, Shape: A, Material: 3}, &Geom{Body: 1, Shape: B, Material: 4}
				ab := pairContacts(a, b, X_WA, X_WB, 1e-3, nil, nil)
				ba := pairContacts(b, a, X_WB, X_WA, 1e-3, nil, nil)
				if len(ab) != len(ba) {
					t.Fatalf("%s %s: %d and %d contacts", na, nb, len(ab), len(ba))
				}
				for i := range ab {
					m := ba[i]
					m.mirror()
					if na == "sphere" && nb == "sphere" && sameContacts([]Contact{m}, ab[i:i+1], 1e-14) {
						continue
					}
					if m != ab[i] {
						t.Fatalf("%s %s: %+v mirrors to %+v", na, nb, ab[i], m)
					}
				}
				// The roles inside the pair do not matter either.
				a.Body, b.Body = 1, 0
				other := pairContacts(a, b, X_WA, X_WB, 1e-3, nil, nil)
				if !sameContacts(ab, other, 1e-6) {
					t.Fatalf("%s %s: roles matter:\n%v\n%v", na, nb, brief(ab), brief(other))
				}
			}
		}
	}
}

type short struct {
	p, n r3.Vec
	phi  float64
}

func brief(cs []Contact) (s []short) {
	for _, c := range cs {
		s = append(s, short{c.Pos_W, c.Normal_W, c.Phi})
	}
	return s
}

// sameContacts reports whether both sets agree in any order: places and normals
// to tol, gaps, which are second order in those, closer.
func sameContacts(a, b []Contact, tol float64) bool {
	if len(a) != len(b) {
		return false
	}
	for _, c := range a {
		found := false
		for _, d := range b {
			found = found || c.Pos_W.Sub(d.Pos_W).Norm() <= tol && near(c.Phi, d.Phi, tol/100+1e-14) && c.Normal_W.Sub(d.Normal_W).Norm() <= tol
		}
		if !found {
			return false
		}
	}
	return true
}

// Moving both bodies alike moves the contacts; 100 m from the origin positions
// themselves are only known to 1e-14 m.
func TestContactsMoveWithTheWorld(t *testing.T) {
	r := newRand(t, 3)
	shapes := solids(r)
	for _, na := range solidNames {
		for _, nb := range solidNames {
			for range 15 {
				X_WA, X_WB := randomPair(r, shapes[na], shapes[nb])
				Y := randomPose(r, 1)
				ab := contactsOf(shapes[na], shapes[nb], X_WA, X_WB, 1e-3)
				moved := contactsOf(shapes[na], shapes[nb], Y.Mul(X_WA), Y.Mul(X_WB), 1e-3)
				var back []Contact
				for _, c := range moved {
					c.Pos_W = Y.InvPoint(c.Pos_W)
					c.Normal_W = Y.R.TMulVec(c.Normal_W)
					back = append(back, c)
				}
				tol := 1e-12
				if round(na) || round(nb) { // found by iteration on curves
					tol = 1e-7
				}
				if !sameContacts(ab, back, tol) {
					t.Fatalf("%s %s:\n%v\n%v", na, nb, brief(ab), brief(back))
				}
			}
		}
	}
}

func round(name string) bool { return name == "cylinder" || name == "disc" }
