package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// generic returns the contacts of the generic path, in the frame of A.
func generic(A, B SupportMap, X_WA, X_WB r3.Pose, margin float64) (p manifold) {
	k := newCores(A, B, X_WA, X_WB)
	k.convexContacts(margin, &p)
	return p
}

func TestSphereAgreesWithTheGenericPath(t *testing.T) {
	r := newRand(t, 1)
	shapes := solids(r)
	ball := must(NewSphere(0.05))
	for _, name := range solidNames {
		for range 300 {
			X_WA, X_WB := randomPose(r, 0.1), randomPose(r, 0.05)
			cs := contactsOf(ball, shapes[name], X_WA, X_WB, 0.01)
			p := generic(ball, shapes[name], X_WA, X_WB, 0.01)
			if len(cs) != p.n || p.n > 1 {
				t.Fatalf("%s: %d contacts, generic %d", name, len(cs), p.n)
			}
			if p.n == 1 && (!near(cs[0].Phi, p.pt[0].phi, 1e-14) || cs[0].Normal_W.Sub(X_WA.R.MulVec(p.pt[0].n)).Norm() > 1e-6) {
				phi, _ := shapes[name].SignedDistance(relative(X_WB, X_WA).P)
				t.Fatalf("%s: phi %.15g normal %v, generic %.15g %v (centre at %g)", name, cs[0].Phi, cs[0].Normal_W, p.pt[0].phi, X_WA.R.MulVec(p.pt[0].n), phi)
			}
		}
	}
}

// Two balls: φ = |c_B − c_A| − R_A − R_B along the centres.
func TestSpheresTouchAlongTheirCentres(t *testing.T) {
	a, b := must(NewSphere(0.3)), must(NewSphere(0.2))
	for _, d := range []float64{0.6, 0.5, 0.49, 1e-12} {
		u := r3.Vec{0.6, 0, 0.8}
		cs := contactsOf(a, b, at(r3.Vec{100, 0, 0}), at(r3.Vec{100, 0, 0}.AddScaled(d, u)), 0.2)
		if len(cs) != 1 || !near(cs[0].Phi, d-0.5, 2e-14) || d > 1e-3 && cs[0].Normal_W.Sub(u).Norm() > 1e-13 {
			t.Errorf("d = %g: %+v", d, cs)
		}
	}
	cs := contactsOf(a, b, at(r3.Vec{}), at(r3.Vec{}), 0)
	if len(cs) != 1 || cs[0].Phi != -0.5 || cs[0].Normal_W.Norm() != 1 {
		t.Errorf("coincident centres: %+v", cs)
	}
}

// The ground pushes a ball up, from either side of the pair.
func TestGroundPushesUp(t *testing.T) {
	ball := must(NewSphere(0.1))
	for _, z := range []float64{0.0999, 0.05, -0.2} {
		ab := contactsOf(HalfSpace{}, ball, at(r3.Vec{}), at(r3.Vec{1, 2, z}), 0)
		ba := contactsOf(ball, HalfSpace{}, at(r3.Vec{1, 2, z}), at(r3.Vec{}), 0)
		if len(ab) != 1 || ab[0].Normal_W != (r3.Vec{0, 0, 1}) || !near(ab[0].Phi, z-0.1, 1e-16) {
			t.Errorf("ground first: %+v", ab)
		}
		if len(ba) != 1 || ba[0].Normal_W != (r3.Vec{0, 0, -1}) || ba[0].Phi != ab[0].Phi {
			t.Errorf("ball first: %+v", ba)
		}
	}
	if len(contactsOf(HalfSpace{}, HalfSpace{}, at(r3.Vec{}), at(r3.Vec{}), 1)) != 0 {
		t.Error("two half-spaces touch")
	}
}

// A wide block is a half-space to what stands on it: same places, same gaps.
func TestGroundAndWideBlockAgree(t *testing.T) {
	r := newRand(t, 2)
	shapes := solids(r)
	block := must(NewBox(r3.Vec{4, 4, 4}))
	for _, name := range solidNames {
		for i := range 300 {
			X := randomPose(r, 0)
			if i%3 == 0 { // standing and lying, nearly
				X.R = r3.RotExp(gauss(r).Scale(math.Pow(10, -8*r.Float64())))
				if i%2 == 0 {
					X.R = X.R.Mul(r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}))
				}
			}
			low := X.Point(shapes[name].Support(X.R.TMulVec(r3.Vec{0, 0, -1})))[2] - shapes[name].Rounding()
			X.P[2] = -low - 2e-3 + 3e-3*r.Float64()
			const margin = 1e-3
			g := contactsOf(HalfSpace{}, shapes[name], at(r3.Vec{}), X, margin)
			b := contactsOf(block, shapes[name], at(r3.Vec{0, 0, -2}), X, margin)
			if !near(leastPhi(g), X.P[2]+low, 1e-16) || !near(leastPhi(g), leastPhi(b), 5e-15) {
				t.Fatalf("%s: gap %g, ground %g, block %g", name, X.P[2]+low, leastPhi(g), leastPhi(b))
			}
			// Nearly parallel faces share the normal, between both.
			if !sameContacts(g, b, 1e-6) {
				t.Fatalf("%s tilt %v: ground\n%v\nblock\n%v", name, X.R, brief(g), brief(b))
			}
		}
	}
}

// A cylinder stands on eight rim points, the deepest among them, and lies on the
// two ends of a line.
func TestCylinderStandsOnItsRimAndLiesOnALine(t *testing.T) {
	c := must(NewCylinder(0.05, 0.16))
	for _, tilt := range []float64{0, 1e-14, 1e-9, 1e-6, 1e-4} {
		R := r3.RotExp(r3.Vec{tilt * 0.6, tilt * 0.8, 0})
		cs := contactsOf(HalfSpace{}, c, at(r3.Vec{}), r3.Pose{R: R, P: r3.Vec{0, 0, 0.08 - 1e-5}}, 1e-4)
		if len(cs) != 8 {
			t.Fatalf("tilt %g: %d contacts", tilt, len(cs))
		}
		deepest := -1e-5 - 0.05*math.Sin(tilt) + 0.08*(1-math.Cos(tilt))
		if !near(leastPhi(cs), deepest, 1e-16) {
			t.Errorf("tilt %g: deepest %.17g, want %.17g", tilt, leastPhi(cs), deepest)
		}
		var mean r3.Vec
		for _, p := range cs {
			mean = mean.Add(p.Pos_W.Scale(1.0 / 8))
		}
		if math.Hypot(mean[0], mean[1]) > 0.1*tilt+1e-15 {
			t.Errorf("tilt %g: contacts are centred at %v", tilt, mean)
		}
	}
	lying := r3.RotExp(r3.Vec{math.Pi / 2, 0, 0})
	for _, under := range []Shape{HalfSpace{}, must(NewBox(r3.Vec{1, 1, 1}))} {
		X := at(r3.Vec{})
		if under != Shape(HalfSpace{}) {
			X.P[2] = -0.5
		}
		cs := contactsOf(under, c, X, r3.Pose{R: lying, P: r3.Vec{0.01, 0, 0.05 - 1e-6}}, 1e-4)
		if len(cs) != 2 {
			t.Fatalf("lying on %T: %d contacts", under, len(cs))
		}
		for _, p := range cs {
			if !near(p.Phi, -1e-6, 1e-16) || !near(math.Abs(p.Pos_W[1]), 0.08, 1e-15) || !near(p.Pos_W[0], 0.01, 1e-15) || p.Normal_W[2] != 1 {
				t.Errorf("lying on %T: %+v", under, p)
			}
		}
	}
}

// s of the 15 axes and the expanding polytope agree, but for the preference for
// faces.
func TestBoxAxesAgreeWithTheExpandingPolytope(t *testing.T) {
	r := newRand(t, 3)
	edges := 0
	for range 3000 {
		A := must(NewBox(r3.Vec{0.05 + r.Float64(), 0.05 + r.Float64(), 0.05 + r.Float64()}))
		B := must(NewBox(r3.Vec{0.05 + r.Float64(), 0.05 + r.Float64(), 0.05 + r.Float64()}))
		k := newCores(A, B, randomPose(r, 0.1), randomPose(r, 0.7))
		n, s := boxAxis(&A.Half, &B.Half, &k.X_AB, math.Inf(1), bias(A.Bounds(), B.Bounds()))
		if s > 0 {
			continue
		}
		c, _ := k.closest(math.Inf(1))
		if s > c.s+1e-14 || s < c.s-faceBias-faceBiasRel*math.Abs(s)-1e-14 {
			t.Fatalf("axes %.15g, polytope %.15g", s, c.s)
		}
		if got := k.separation(n); !near(got, s, 1e-15) {
			t.Fatalf("axis claims %.17g, has %.17g", s, got)
		}
		if f, _ := k.faces(n); f.Normal.Sub(n).Norm() > 1e-12 {
			if _, f := k.faces(n); f.Normal.Add(n).Norm() > 1e-12 {
				edges++
			}
		}
	}
	if edges < 100 {
		t.Errorf("only %d pairs met edge to edge", edges)
	}
}

// Boxes apart touch as the generic path says, whether their faces answer for their
// distance or it has to be searched: face to face a little tilted, and any way.
func TestBoxesApartAgreeWithTheGenericPath(t *testing.T) {
	r := newRand(t, 10)
	several := 0
	for i := range 4000 {
		A := must(NewBox(r3.Vec{0.05 + r.Float64(), 0.05 + r.Float64(), 0.05 + r.Float64()}))
		B := must(NewBox(r3.Vec{0.05 + r.Float64(), 0.05 + r.Float64(), 0.05 + r.Float64()}))
		X_WA, X_WB := randomPose(r, 0.1), randomPose(r, 0.1)
		if i%2 == 0 {
			tilt := gauss(r).Unit().Scale(math.Pow(10, -1-8*r.Float64()))
			X_WB.R = r3.RotExp(tilt).Mul(X_WA.R)
		}
		k := newCores(A, B, X_WA, X_WB)
		c, _ := k.closest(math.Inf(1))
		X_WB.P = X_WB.P.AddScaled(1e-3*r.Float64()-c.s, X_WA.R.MulVec(c.n))
		if !comesFirst(A, B, &X_WA, &X_WB) {
			A, B, X_WA, X_WB = B, A, X_WB, X_WA
		}
		const margin = 2e-3
		got, want := contactsOf(A, B, X_WA, X_WB, margin), generic(A, B, X_WA, X_WB, margin)
		if len(got) != want.n {
			t.Fatalf("%d contacts, generic %d", len(got), want.n)
		}
		if want.n > 1 {
			several++
		}
		for i, c := range got {
			p := want.pt[i]
			if !near(c.Phi, p.phi, 1e-12) || c.Normal_W.Sub(X_WA.R.MulVec(p.n)).Norm() > 1e-9 || c.A.Pos_W.Sub(X_WA.Point(p.a)).Norm() > 1e-9 {
				t.Fatalf("contact %d: %+v, generic %+v", i, brief([]Contact{c}), p)
			}
		}
	}
	if several < 500 {
		t.Errorf("only %d pairs touch at several points", several)
	}
}

// Two edges that cross make one contact, where they cross.
func TestCrossingEdgesTouchAtOnePoint(t *testing.T) {
	b := must(NewBox(r3.Vec{0.2, 0.2, 0.2}))
	edgeUp := r3.RotExp(r3.Vec{math.Pi / 4, 0, 0})                                      // edge along x on top
	edgeDown := r3.RotExp(r3.Vec{0, 0, 1.1}).Mul(r3.RotExp(r3.Vec{-math.Pi / 4, 0, 0})) // turned about z
	h := 0.2 * math.Sqrt2
	for _, gap := range []float64{-1e-4, -1e-9, 1e-9, 1e-4} {
		cs := contactsOf(b, b, r3.Pose{R: edgeUp}, r3.Pose{R: edgeDown, P: r3.Vec{0.01, 0.02, h + gap}}, 1e-3)
		if len(cs) != 1 || !near(cs[0].Phi, gap, 1e-15) || cs[0].Normal_W.Sub(r3.Vec{0, 0, 1}).Norm() > 1e-9 {
			t.Fatalf("gap %g: %+v", gap, cs)
		}
		// The lines (x, 0) and (0.01, 0.02) + t (cos 1.1, sin 1.1).
		x := 0.01 - 0.02/math.Tan(1.1)
		if p := cs[0].Pos_W; !near(p[0], x, 1e-9) || !near(p[1], 0, 1e-9) || !near(p[2], h/2+gap/2, 1e-12) {
			t.Errorf("gap %g: at %v, want x = %g", gap, p, x)
		}
	}
}

// Stacks of equal blocks keep four contacts and their gaps under tiny motions,
// whether Box or hull.
func TestRestingContactsAreContinuous(t *testing.T) {
	r := newRand(t, 4)
	box := must(NewBox(r3.Vec{0.1, 0.1, 0.1}))
	wide := must(NewBox(r3.Vec{0.3, 0.2, 0.1}))
	hull, wideHull := must(NewConvex(cornersOf(box))), must(NewConvex(cornersOf(wide)))
	for name, pair := range map[string][2]Shape{
		"equal":       {box, box},
		"on wide":     {wide, box},
		"under wide":  {box, wide},
		"hull":        {hull, hull},
		"on hull":     {wideHull, box},
		"hull on box": {box, wideHull},
		"ground":      {HalfSpace{}, box},
		"ground hull": {HalfSpace{}, hull},
	} {
		for _, gap := range []float64{-1e-4, -1e-6, 0, 1e-5} {
			for _, turn := range []r3.Vec{{}, {1e-6, 2e-6, 0}, {0, 0, 0.4}, {0, 0, 1e-7}} {
				z := 0.1
				if pair[0] == Shape(HalfSpace{}) {
					z = 0.05
				}
				X := r3.Pose{R: r3.RotExp(turn), P: r3.Vec{0, 0, z + gap}}
				ref := contactsOf(pair[0], pair[1], at(r3.Vec{}), X, 1e-3)
				if len(ref) < 4 || turn[2] != 0.4 && len(ref) != 4 {
					t.Fatalf("%s gap %g turn %v: %d contacts", name, gap, turn, len(ref))
				}
				for range 20 {
					Y := r3.Pose{R: X.R.Mul(r3.RotExp(gauss(r).Scale(1e-9))), P: X.P.AddScaled(1e-9, gauss(r))}
					got := contactsOf(pair[0], pair[1], at(r3.Vec{}), Y, 1e-3)
					if len(got) != len(ref) {
						t.Fatalf("%s gap %g turn %v: %d contacts become %d", name, gap, turn, len(ref), len(got))
					}
					for _, c := range got {
						best := math.Inf(1)
						for _, d := range ref {
							if c.Pos_W.Sub(d.Pos_W).Norm() < 1e-3*0.15 {
								best = min(best, math.Abs(c.Phi-d.Phi)+c.Normal_W.Sub(d.Normal_W).Norm())
							}
						}
						if best > 2e-8 {
							t.Fatalf("%s gap %g turn %v: contact jumps by %g", name, gap, turn, best)
						}
					}
				}
			}
		}
	}
}

// The normal between two blocks tilted by a little turns continuously from one
// face's to the other's as the tilt grows through the tolerance.
func TestTheNormalOfAStackNeverJumps(t *testing.T) {
	box := must(NewBox(r3.Vec{0.1, 0.1, 0.1}))
	for _, shift := range []float64{0, 0.01, -0.03} {
		var last Contact
		for i := range 4001 {
			tilt := 1e-3 * (float64(i)/2000 - 1)
			X := r3.Pose{R: r3.RotExp(r3.Vec{0, tilt, 0}), P: r3.Vec{shift, 0, 0.1}}
			cs := contactsOf(box, box, at(r3.Vec{}), X, 1e-3)
			if len(cs) == 0 {
				t.Fatalf("tilt %g: no contact", tilt)
			}
			low := cs[0]
			for _, c := range cs {
				if c.Phi < low.Phi {
					low = c
				}
			}
			if i > 0 && (low.Normal_W.Sub(last.Normal_W).Norm() > 5e-5 || math.Abs(low.Phi-last.Phi) > 1e-7) {
				t.Fatalf("shift %g tilt %g: normal %v after %v, phi %g after %g", shift, tilt, low.Normal_W, last.Normal_W, low.Phi, last.Phi)
			}
			last = low
		}
	}
}

func TestCapsulesTouchAsTheirSegmentsDo(t *testing.T) {
	r := newRand(t, 5)
	a, b := must(NewCapsule(0.04, 0.2)), must(NewCapsule(0.03, 0.15))
	for range 2000 {
		X_WA, X_WB := randomPose(r, 0.05), randomPose(r, 0.12)
		cs := contactsOf(a, b, X_WA, X_WB, 0.01)
		k := newCores(a, b, X_WA, X_WB)
		c, _ := k.closest(math.Inf(1))
		if phi := c.s - 0.07; c.s > 1e-6 {
			if (len(cs) > 0) != (phi < 0.01) {
				t.Fatalf("gap %g: %d contacts", phi, len(cs))
			}
			if len(cs) > 0 && !near(leastPhi(cs), phi, 1e-14) && !near(leastPhi(cs), phi, endsTol*0.03) {
				t.Fatalf("gap %.15g, contacts %.15g", phi, leastPhi(cs))
			}
		}
	}
	// Parallel: the ends of the shared stretch; crossing: one point.
	cs := contactsOf(a, b, at(r3.Vec{}), at(r3.Vec{0.06, 0, 0.05}), 0)
	if len(cs) != 2 || !near(cs[0].Phi, -0.01, 1e-16) || !near(cs[1].Phi, -0.01, 1e-16) ||
		!near(min(cs[0].Pos_W[2], cs[1].Pos_W[2]), -0.025, 1e-15) || !near(max(cs[0].Pos_W[2], cs[1].Pos_W[2]), 0.1, 1e-15) {
		t.Errorf("parallel: %+v", cs)
	}
	cs = contactsOf(a, b, at(r3.Vec{}), r3.Pose{R: r3.RotExp(r3.Vec{1, 0, 0}), P: r3.Vec{0.06, 0, 0.05}}, 0)
	if len(cs) != 1 || !near(cs[0].Phi, -0.01, 1e-15) || cs[0].Normal_W.Sub(r3.Vec{1, 0, 0}).Norm() > 1e-14 || !near(cs[0].Pos_W[2], 0.05, 1e-15) {
		t.Errorf("crossing: %+v", cs)
	}
}

// A hull of the corners of a block does what the Box does, resting or falling.
func TestHullAndBoxAgree(t *testing.T) {
	r := newRand(t, 6)
	box := must(NewBox(r3.Vec{0.2, 0.12, 0.08}))
	hull := must(NewConvex(cornersOf(box)))
	other := must(NewBox(r3.Vec{0.15, 0.1, 0.2}))
	for range 2000 {
		X_WA, X_WB := randomPair(r, other, box)
		b := contactsOf(other, box, X_WA, X_WB, 1e-3)
		h := contactsOf(other, hull, X_WA, X_WB, 1e-3)
		if len(b) == 0 {
			continue
		}
		if !near(leastPhi(b), leastPhi(h), faceBias+faceBiasRel*math.Abs(leastPhi(b))) {
			t.Fatalf("box %v\nhull %v", brief(b), brief(h))
		}
		if len(b) > 1 && len(h) > 1 && b[0].Normal_W.Sub(h[0].Normal_W).Norm() < 1e-9 && !sameContacts(b, h, 1e-9) {
			t.Fatalf("box %v\nhull %v", brief(b), brief(h))
		}
	}
}

func TestPairsAllocateNothing(t *testing.T) {
	r := newRand(t, 7)
	shapes := solids(r)
	var geoms []*Geom
	for i, name := range append([]string{"ground"}, solidNames...) {
		g := &Geom{Body: i, Shape: HalfSpace{}}
		if name != "ground" {
			g.Shape = shapes[name]
		}
		geoms = append(geoms, g)
	}
	dst := make([]Contact, 0, 100)
	if n := alloctest.PerRun(20, func() {
		for _, a := range geoms {
			for _, b := range geoms {
				dst = pairContacts(a, b, at(r3.Vec{}), r3.Pose{R: r3.RotExp(r3.Vec{0.1, 0.7, 1}), P: r3.Vec{0.05, 0.02, 0.03}}, 1e-3, nil, dst[:0])
			}
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// FuzzPair: any pose of any two shapes gives contacts that keep the contract:
// touching exactly, parallel, coincident, far away.
func FuzzPair(f *testing.F) {
	f.Add(uint8(1), uint8(1), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
	f.Add(uint8(1), uint8(7), 0.0, 0.0, 0.08, 0.0, 0.0, 0.0)
	f.Add(uint8(2), uint8(2), 0.1, 0.0, 0.0, 0.0, 0.0, 0.0)
	f.Add(uint8(2), uint8(4), 0.0, 0.09, 0.0, math.Pi/2, 0.0, 0.0)
	f.Add(uint8(4), uint8(4), 0.0, 0.0, 0.22, 0.0, 0.0, math.Pi/2)
	f.Add(uint8(5), uint8(6), 1e-17, 0.0, 0.0, 1e-9, 0.0, 0.0)
	f.Add(uint8(3), uint8(1), 0.0, 0.0, 0.05, 0.0, math.Pi, 1e-300)
	shapes := solids(newRand(f, 8))
	f.Fuzz(func(t *testing.T, i, j uint8, x, y, z, a, b, c float64) {
		p, turn := r3.Vec{x, y, z}, r3.Vec{a, b, c}
		if !(p.Norm() < 10) || !(turn.Norm() < 10) {
			return
		}
		A, B := shapes[solidNames[int(i)%len(solidNames)]], shapes[solidNames[int(j)%len(solidNames)]]
		X := r3.Pose{R: r3.RotExp(turn), P: p}
		cs := contactsOf(A, B, at(r3.Vec{}), X, 1e-3)
		checkContacts(t, "fuzz", A, B, at(r3.Vec{}), X, 1e-3, cs)
		phi, slack := trueGap(A, B, at(r3.Vec{}), X)
		if phi < -0.01 {
			// A body around another one's axis has no least way out: the polytope
			// runs out of faces, on the safe side.
			slack += 1e-3 * -phi
		}
		if least := leastPhi(cs); len(cs) > 0 && (least > phi+slack+1e-6 || least < phi-2*slack-1e-6) || len(cs) == 0 && phi < 1e-3-1e-9-2*slack {
			t.Fatalf("gap %g, contacts %v", phi, brief(cs))
		}
	})
}

// BenchmarkPairs reports the time of one pair of resting shapes.
func BenchmarkPairs(b *testing.B) {
	shapes := solids(newRand(b, 9))
	dst := make([]Contact, 0, 16)
	for _, pair := range [][2]string{{"box", "box"}, {"boxhull", "box"}, {"box", "cylinder"}, {"box", "capsule"}, {"sphere", "box"}, {"cylinder", "cylinder"}, {"bighull", "bighull"}} {
		A, B := shapes[pair[0]], shapes[pair[1]]
		k := newCores(A, B, at(r3.Vec{}), r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.3}), P: r3.Vec{0.01, 0.02, 0.5}})
		c, _ := k.closest(1)
		X := r3.Pose{R: k.X_AB.R, P: k.X_AB.P.AddScaled(A.Rounding()+B.Rounding()-c.s-1e-4, c.n)}
		ga, gb := &Geom{Body: 0, Shape: A}, &Geom{Body: 1, Shape: B}
		b.Run(pair[0]+" "+pair[1], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dst = pairContacts(ga, gb, at(r3.Vec{}), X, 1e-3, nil, dst[:0])
			}
			b.ReportMetric(float64(len(dst)), "contacts")
		})
	}
}
