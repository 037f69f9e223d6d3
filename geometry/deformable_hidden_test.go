package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// countedField counts its samples.
type countedField struct {
	shapeField
	samples int
}

func (f *countedField) at(p_W, n_W r3.Vec) (float64, r3.Vec) {
	f.samples++
	return f.shapeField.at(p_W, n_W)
}

// convexFields are distances of convex shapes of flat, round and sharp features.
var convexFields = []Shape{
	HalfSpace{}, &Sphere{Radius: 0.02}, &Cylinder{Radius: 0.02, HalfLength: 0.05},
	&Box{Half: r3.Vec{0.02, 0.01, 0.03}}, &Capsule{Radius: 0.005, HalfLength: 0.02},
}

// randomSamples returns the samples of a field at the corners and in the middle of a random triangle near the shape.
func randomSamples(r *rand.Rand, shape Shape) (corners [3]*sample, m sample) {
	center := randomVec(r).Scale(0.05)
	for k := range corners {
		s := &sample{pos_W: center.AddScaled(0.03, randomVec(r))}
		s.phi, s.grad_W = shape.SignedDistance(s.pos_W)
		m.pos_W = m.pos_W.AddScaled(1./3, s.pos_W)
		corners[k] = s
	}
	m.phi, m.grad_W = shape.SignedDistance(m.pos_W)
	return corners, m
}

// leastOn returns the least distance of a shape over a grid on a triangle.
func leastOn(shape Shape, corners *[3]*sample) float64 {
	const n = 30
	least := math.Inf(1)
	for i := range n + 1 {
		for j := range n + 1 - i {
			w := [3]float64{float64(i) / n, float64(j) / n, float64(n-i-j) / n}
			phi, _ := shape.SignedDistance(r3.Combine(w, corners[0].pos_W, corners[1].pos_W, corners[2].pos_W))
			least = min(least, phi)
		}
	}
	return least
}

// Where the tangents of a convex field rule a level out, no place of the triangle has it; and they rule out half at
// least of what the bound (3) of deformable_clip.go leaves open without need.
func TestTangentsRuleOutOnlyLevelsThatAreNotReached(t *testing.T) {
	for _, shape := range convexFields {
		r := rand.New(rand.NewPCG(3, 9))
		ruledOut, open := 0, 0
		for range 1200 {
			corners, m := randomSamples(r, shape)
			seen := min(corners[0].phi, corners[1].phi, corners[2].phi)
			bend := nonlinearity(corners[0], corners[1], corners[2], &m)
			level := seen - bend*r.Float64()
			if m.phi <= level || bend < 1e-9 {
				continue
			}
			var l levelSet
			l.place(&corners, &m)
			if l.slack > 1e-15 {
				t.Fatalf("%T: a convex field is %g m below its tangent", shape, l.slack)
			}
			least := leastOn(shape, &corners)
			switch reaches := l.reaches(level); {
			case !reaches && least <= level:
				t.Fatalf("%T: tangents rule out %g, but the field is %g", shape, level, least)
			case !reaches:
				ruledOut++
			case least > level:
				open++
			}
		}
		if ruledOut < open {
			t.Errorf("%T: tangents rule out %d levels and leave %d open that are not reached", shape, ruledOut, open)
		}
	}
}

// A field whose tangents exceed it at another sample is not convex, and reaches what that excess allows.
func TestTangentsOfAConcaveFieldRuleNothingOut(t *testing.T) {
	corners, m := [3]*sample{}, sample{phi: 0.01, grad_W: r3.Vec{0, 0, 1}}
	for k := range corners {
		p := r3.Vec{0.01 * math.Cos(2*math.Pi*float64(k)/3), 0.01 * math.Sin(2*math.Pi*float64(k)/3), 0}
		// φ = 1 cm − 0.2 ρ, as above the tip of a pit
		corners[k] = &sample{pos_W: p, phi: 0.008, grad_W: p.Scale(-20)}
	}
	var l levelSet
	l.place(&corners, &m)
	// at the opposite corner the tangent is 0.2 · 1.5 cm too high
	if math.Abs(l.slack-0.003) > 1e-12 {
		t.Errorf("tangents exceed the field by %g m, want 0.003", l.slack)
	}
	if !l.reaches(0.0075) || l.reaches(0.0049) {
		t.Error("levels within the excess may be reached, levels beyond it not")
	}
}

// A wide face ahead of a cylinder, all of it beyond the margin by less than the bound (3), is not divided: its samples
// show that it is clear. One that dips into the margin between its corners is divided, and found.
func TestFaceNextToACylinderIsDividedOnlyWhereItReachesTheMargin(t *testing.T) {
	shape := &Cylinder{Radius: 0.02, HalfLength: 0.05}
	for _, c := range []struct {
		gap         float64 // of the side in the plane x = 0.02 + gap, m
		most, parts int
	}{{0.15e-3, 4, 0}, {0.09e-3, 1000, 1}} {
		f := &countedField{shapeField: shapeField{r3.PoseIdentity(), newDistanceQuery(shape)}}
		w := cutter{field: f, margin: 1e-4, size: 0.04, products: true}
		x := [3]r3.Vec{{0.02 + c.gap, -1e-3, 0}, {0.02 + c.gap, -1e-3, 7e-3}, {0.02 + c.gap, 2e-3, 0}}
		var s [3]sample
		for k := range s {
			s[k].pos_W, s[k].w[k] = x[k], 1
			s[k].phi, s[k].grad_W = f.at(x[k], r3.Vec{})
		}
		f.samples = 0
		parts := w.clip(&s[0], &s[1], &s[2], r3.Vec{-1, 0, 0})
		if f.samples > c.most || len(parts) != c.parts {
			t.Errorf("a gap of %g m: %d samples and %d parts, want %d at most and %d", c.gap, f.samples, len(parts), c.most, c.parts)
		}
	}
}

// A face on a cylinder, turned until one of its corners is on the surface: what is pressed in between its corners
// counts as much when this corner is 10⁻¹⁵ m inside as when it is 10⁻¹⁵ m outside.
func TestDepthBetweenCornersStaysWhenACornerBeginsToTouch(t *testing.T) {
	const radius, tiny = 0.02, 1e-15
	rng := rand.New(rand.NewPCG(4, 2))
	shape := &Cylinder{Radius: radius, HalfLength: 0.5}
	pressed := 0
	for range 3000 {
		size, turn := 0.003+0.009*rng.Float64(), 2*math.Pi*rng.Float64()
		// corners in the plane that moves along x, turned about x
		var at [3]r3.Vec
		for k := range at {
			s, c := math.Sincos(turn + 2*math.Pi*float64(k)/3 + 0.5*rng.Float64())
			at[k] = r3.Vec{0, size * (c + 0.3*rng.Float64()), size * s}
		}
		// load is the integral of the depth over the overlap with the lowest corner at a distance
		load := func(phi float64) float64 {
			least := math.Inf(1)
			for _, p := range at {
				least = min(least, math.Abs(p[1]))
			}
			x := math.Sqrt((radius+phi)*(radius+phi) - least*least)
			f := &shapeField{r3.PoseIdentity(), newDistanceQuery(shape)}
			w := cutter{field: f, margin: 1e-6, size: 2 * radius, products: true}
			var s [3]sample
			for k, p := range at {
				p[0] = x
				s[k].pos_W, s[k].w[k] = p, 1
				s[k].phi, s[k].grad_W = f.at(p, r3.Vec{})
			}
			sum := 0.0
			for _, p := range w.clip(&s[0], &s[1], &s[2], r3.Vec{-1, 0, 0}) {
				if p.overlap {
					sum -= p.area * p.phi
				}
			}
			return sum
		}
		outside, inside := load(tiny), load(-tiny)
		if outside > 1e-6 {
			pressed++
		}
		if math.Abs(outside-inside) > 1e-3*outside+1e-12 {
			t.Fatalf("faces of %.1f mm, turned by %.3g: mean depth %.4g m before the corner touches, %.4g m after", 1e3*size, turn, outside, inside)
		}
	}
	if pressed < 1000 {
		t.Errorf("%d faces are pressed in between their corners", pressed)
	}
}
