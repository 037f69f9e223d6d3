package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// withField returns a shape with its pressure field.
func withField(t testing.TB, s Shape, opt hydroelastic.Options) Geom {
	t.Helper()
	var f hydroelastic.Geometry
	var err error
	switch s := s.(type) {
	case *Sphere:
		f, err = hydroelastic.NewSphere(s.Radius, opt)
	case *Box:
		f, err = hydroelastic.NewBox(s.Half.Scale(2), opt)
	case HalfSpace:
		f, err = hydroelastic.NewHalfSpace(0.1, opt)
	default:
		t.Fatalf("no field of %T", s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Geom{Name: "shape", X_BG: r3.PoseIdentity(), Shape: s, Field: f, Material: 7}
}

// pressed is what a layer of stiffness k makes of contacts: Σ A p n with p = −φ in
// series.
func pressed(cs []Contact, layer float64) (force r3.Vec) {
	for i := range cs {
		c := &cs[i]
		g := layer
		if c.PressureGradient > 0 {
			g = 1 / (1/layer + 1/c.PressureGradient)
		}
		if c.Phi < 0 {
			force = force.AddScaled(-c.Phi*g*c.Area, c.Normal_W)
		}
	}
	return force
}

// A soft ball of modulus E pressed by δ into a flat sheet that does not yield:
// F = 2πE ((R² − c²)/2 − (R³ − c³)/(3R)), c = R − δ, on sheets of any resolution; the
// error is the field's.
func TestCompliantBallPressesASheetWithItsField(t *testing.T) {
	const R, depth, E = 0.05, 0.005, 1e5
	const c = R - depth
	want := 2 * math.Pi * E * ((R*R-c*c)/2 - (R*R*R-c*c*c)/(3*R))
	last := math.Inf(1)
	for _, hint := range []float64{0.02, 0.01, 0.005} {
		g := withField(t, &Sphere{Radius: R}, hydroelastic.Options{HydroelasticModulus: E, ResolutionHint: hint, Margin: 1e-4})
		worst := 0.0
		for _, n := range []int{1, 3, 10, 30} {
			s := deformableData(nil, sheet(0.1, n))
			s.Model.Geoms = []Geom{g}
			s = sameData(s)
			s.X_WB[0] = shift(0.0013, 0.0007, -c)
			cs := s.Collide()
			checkDeformable(t, s, cs)
			f := pressed(cs, math.Inf(1))
			worst = max(worst, math.Abs(f[2]/want-1))
			if math.Hypot(f[0], f[1]) > 1e-9*want {
				t.Errorf("sideways force %v on a flat sheet", f)
			}
		}
		t.Logf("hint %g: error %.3g", hint, worst)
		if worst > 0.6*last {
			t.Errorf("hint %g: error %g after %g", hint, worst, last)
		}
		last = worst
	}
	if last > 0.04 {
		t.Errorf("error %g", last)
	}
}

// sameData makes a scene again after its model has changed.
func sameData(s *Data) *Data {
	r := NewData(s.Model)
	copy(r.X_W, s.X_W)
	return r
}

// A stiff field is a rigid shape: force and depth are those without a field. A soft
// one presses with its own gradient, whatever the layer.
func TestFieldAndLayerYieldInSeries(t *testing.T) {
	const layer, depth = 1e8, 1e-3
	for name, shape := range map[string]Shape{"box": &Box{Half: r3.Vec{0.1, 0.1, 0.02}}, "half-space": HalfSpace{}} {
		top, thick := 0.02, 0.02
		if name == "half-space" {
			top, thick = 0, 0.1
		}
		m := sheet(0.1, 4)
		plain := deformableData(shape, m)
		plain.X_W[0] = moved(m, shift(0, 0, top-depth))
		rigid := pressed(plain.Collide(), layer)
		for _, E := range []float64{1e3, 1e6, 1e14} {
			s := deformableData(nil, m)
			s.Model.Geoms = []Geom{withField(t, shape, hydroelastic.Options{HydroelasticModulus: E})}
			s = sameData(s)
			s.X_W[0] = plain.X_W[0]
			cs := s.Collide()
			checkDeformable(t, s, cs)
			f := pressed(cs, layer)
			slope := E / thick
			want := rigid[2] * slope / (slope + layer)
			if math.Abs(f[2]/want-1) > 1e-6 || math.Hypot(f[0], f[1]) > 1e-9*want {
				t.Errorf("%s, E = %g: force %v, want %g (rigid %g)", name, E, f, want, rigid[2])
			}
			for i := range cs {
				if math.Abs(cs[i].Phi+depth) > 1e-9 || len(cs) != len(m.Tris) {
					t.Fatalf("%s: %d contacts, φ = %g, want %g", name, len(cs), cs[i].Phi, -depth)
				}
			}
		}
	}
}

// Ahead of the field's margin contacts are those of the distance, with a gap each;
// coming nearer, area does not jump.
func TestContactAheadOfAFieldIsContinuous(t *testing.T) {
	m := sheet(0.1, 6)
	for name, shape := range map[string]Shape{"box": &Box{Half: r3.Vec{0.03, 0.02, 0.02}}, "half-space": HalfSpace{}} {
		top := 0.02
		if name == "half-space" {
			top = 0
		}
		s := deformableData(nil, m)
		s.Model.Geoms = []Geom{withField(t, shape, hydroelastic.Options{HydroelasticModulus: 1e6, Margin: 1e-4})}
		s = sameData(s)
		s.DeformableSpeculativeDistance, s.MotionBound[1] = 1e-3, 1e-3
		var lastForce, lastArea float64
		for k := range 200 {
			gap := 1.8e-3 - 1e-5*float64(k)
			s.X_W[0] = moved(m, shift(0, 0, top+gap))
			cs := s.Collide()
			checkDeformable(t, s, cs)
			area := 0.0
			for i := range cs {
				area += cs[i].Area
				if cs[i].PressureGradient == 0 {
					t.Fatalf("%s: contact without gradient", name)
				}
				inside := math.Abs(cs[i].Pos_W[0]) < 0.02 && math.Abs(cs[i].Pos_W[1]) < 0.01 // not at the rim
				if inside && math.Abs(cs[i].Phi-gap) > 0.3*max(math.Abs(gap), 1e-4) {
					t.Errorf("%s: φ = %g at gap %g", name, cs[i].Phi, gap)
				}
			}
			f := pressed(cs, 1e8)[2]
			if k > 0 && (f < lastForce*(1-1e-9) || math.Abs(area-lastArea) > 0.15*area) {
				t.Errorf("%s, gap %g: force from %g to %g, area from %g to %g", name, gap, lastForce, f, lastArea, area)
			}
			lastForce, lastArea = f, area
		}
	}
}

// A box with a field that slides over a sheet presses evenly, its edges included.
func TestForceOfAFieldIsContinuousWhileSliding(t *testing.T) {
	m := sheet(0.1, 9)
	s := deformableData(nil, m)
	s.Model.Geoms = []Geom{withField(t, &Box{Half: r3.Vec{0.03, 0.02, 0.05}}, hydroelastic.Options{HydroelasticModulus: 1e6})}
	s = sameData(s)
	last, jump, side := 0.0, 0.0, 0.0
	for k := range 1000 {
		u := float64(k) / 1000
		s.X_WB[0] = shift(0.004*u, 0.002*u, -0.0485)
		f := pressed(s.Collide(), 1e8)
		if k > 0 {
			jump = max(jump, math.Abs(f[2]/last-1))
		}
		last, side = f[2], max(side, math.Hypot(f[0], f[1])/f[2])
	}
	t.Logf("largest change of force per step %.2g, sideways %.2g", jump, side)
	if jump > 1e-3 || side > 1e-9 {
		t.Errorf("force changes by %g a step; sideways %g", jump, side)
	}
}

func TestPressedFacesAllocateNothing(t *testing.T) {
	s := deformableData(nil, sheet(0.1, 8))
	s.Model.Geoms = []Geom{withField(t, &Sphere{Radius: 0.05}, hydroelastic.Options{HydroelasticModulus: 1e6, Margin: 1e-4})}
	s = sameData(s)
	s.MotionBound[1] = 1e-3
	s.X_WB[0] = shift(0, 0, -0.048)
	s.Collide()
	if n := alloctest.PerRun(10, func() { s.Collide() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
