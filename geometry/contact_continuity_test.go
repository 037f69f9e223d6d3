package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// load returns the force on B and its moment about the origin, by a linear law with a
// stiffness of 1 for a weight of 1.
func load(cs []Contact) (force, moment r3.Vec) {
	for i := range cs {
		if c := &cs[i]; c.Phi < 0 {
			w := c.Weight
			if w == 0 {
				w = 1
			}
			f := c.Normal_W.Scale(-c.Phi * w)
			force = force.Add(f)
			moment = moment.Add(c.Pos_W.Cross(f))
		}
	}
	return force, moment
}

// flatPair is B on top of A, as a function of a pose of B in the plane.
type flatPair struct {
	a, b   *Geom
	height float64 // of B's origin over A's
}

func (p *flatPair) at(x, y, angle, tilt float64) []Contact {
	R := r3.RotExp(r3.Vec{tilt, 0.3 * tilt, 0}).Mul(r3.RotExp(r3.Vec{0, 0, angle}))
	return pairContacts(p.a, p.b, r3.PoseIdentity(), r3.Pose{R: R, P: r3.Vec{x, y, p.height}}, 0.1, nil, nil)
}

const flatDepth = 1e-3

// flatPairs are boxes, prisms and cylinders, 1 mm deep in each other.
func flatPairs(t *testing.T) map[string]*flatPair {
	t.Helper()
	box := func(x, y float64) Shape { return must(NewBox(r3.Vec{x, y, 1})) }
	prism := func(n int) Shape {
		var verts []r3.Vec
		for i := range n {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			verts = append(verts, r3.Vec{0.6 * c, 0.5 * s, 0.5}, r3.Vec{0.6 * c, 0.5 * s, -0.5})
		}
		return must(NewConvex(verts))
	}
	pairs := map[string]*flatPair{}
	for name, s := range map[string][2]Shape{
		"boxes": {box(1, 1), box(0.8, 0.9)}, "equal boxes": {box(1, 1), box(1, 1)},
		"box and prism": {box(1, 1), prism(5)}, "half-space and box": {HalfSpace{}, box(1, 0.7)}, "half-space and prism": {HalfSpace{}, prism(6)},
	} {
		height := 1 - flatDepth
		if isHalfSpace(s[0]) {
			height = 0.5 - flatDepth
		}
		pairs[name] = &flatPair{&Geom{Body: 0, Shape: s[0]}, &Geom{Body: 1, Shape: s[1]}, height}
	}
	return pairs
}

// Two flat faces press with four times the stiffness of a point, however many corners their
// intersection has, and symmetric ones without a moment.
func TestForceOfFlatFacesDoesNotDependOnTheirCorners(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for name, p := range flatPairs(t) {
		corners := map[int]bool{}
		for range 1000 {
			cs := p.at(0.6*(r.Float64()-0.5), 0.6*(r.Float64()-0.5), 7*r.Float64(), 0)
			corners[len(cs)] = true
			if f, _ := load(cs); math.Abs(f[2]/flatDepth-4) > 1e-6 {
				t.Fatalf("%s: %d corners press with %.9g times the stiffness of one", name, len(cs), f[2]/flatDepth)
			}
		}
		if len(corners) < 2 && name != "half-space and box" && name != "half-space and prism" {
			t.Errorf("%s: always as many corners", name)
		}
		if name == "boxes" || name == "equal boxes" {
			for i := range 100 {
				if _, m := load(p.at(0, 0, 0.0157*float64(i), 0)); m.Norm() > 2e-3*flatDepth {
					t.Errorf("%s at the angle %g: moment %g", name, 0.0157*float64(i), m)
				}
			}
		}
	}
}

// Force and moment change continuously as flat or nearly flat faces slide and turn on each
// other: of the largest change within each short stretch of random paths, bisection leaves
// nothing at 1e-7 of the size. Without weights a corner that appears is a jump by a quarter.
func TestForceOfFacesIsContinuous(t *testing.T) {
	for name, p := range flatPairs(t) {
		r := rand.New(rand.NewPCG(6, 9))
		jumped, worst := 0, 0.0
		for range 300 {
			x, y, angle := 0.8*(r.Float64()-0.5), 0.8*(r.Float64()-0.5), 7*r.Float64()
			dx, dy, turn := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
			tilt := 1e-4 * r.Float64() // all of the faces overlaps
			at := func(s float64) (r3.Vec, r3.Vec) { return load(p.at(x+s*dx, y+s*dy, angle+s*turn, tilt)) }
			const stride = 5e-3
			fa, ma := at(0)
			for i := range 10 {
				a, b := stride*float64(i), stride*float64(i+1)
				fEnd, mEnd := at(b)
				fb, mb := fEnd, mEnd
				for b-a > 1e-7 {
					mid := (a + b) / 2
					fm, mm := at(mid)
					if fm.Sub(fa).Norm()+mm.Sub(ma).Norm() > fb.Sub(fm).Norm()+mb.Sub(mm).Norm() {
						b, fb, mb = mid, fm, mm
					} else {
						a, fa, ma = mid, fm, mm
					}
				}
				if jump := (fb.Sub(fa).Norm() + mb.Sub(ma).Norm()) / (4 * flatDepth); jump > 5e-3 {
					jumped++
					worst = max(worst, jump)
				}
				fa, ma = fEnd, mEnd
			}
		}
		t.Logf("%s: %d jumps, the worst %.3g of the force", name, jumped, worst)
		if jumped > 0 {
			t.Errorf("%s: %d of 3000 stretches have a jump above 0.5 %% of the force, the worst of %.3g", name, jumped, worst)
		}
	}
}
