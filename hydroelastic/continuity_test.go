package hydroelastic

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// steps are offsets that straddle an exact coincidence, from below round-off to
// well above, m.
var steps = []float64{0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9}

// As a plane passes through faces of the mesh, exactly or nearly parallel to
// them, the force and the area do not jump: nothing is cut twice or lost.
func TestForceIsContinuousAcrossFacesOfTheMesh(t *testing.T) {
	lattice := must[*Compliant](t)(NewTets(must[*meshes.Tet](t)(meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{4, 4, 4})), Options{HydroelasticModulus: 1e6}))
	// Wider, so that the two fields are not the same along the sides.
	wide := must[*Compliant](t)(NewTets(must[*meshes.Tet](t)(meshes.BoxTets(r3.Vec{0.2, 0.2, 0.1}, [3]int{4, 4, 4})), Options{HydroelasticModulus: 1e6}))
	box := must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.1, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.03}))
	wideBox := must[*Compliant](t)(NewBox(r3.Vec{0.2, 0.2, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05}))
	slab := must[*Rigid](t)(NewRigid(surfaceOf(t, must[*Compliant](t)(NewBox(r3.Vec{0.2, 0.2, 0.1}, Options{HydroelasticModulus: 1, ResolutionHint: 0.05}))), 0))
	soft := must[*HalfSpace](t)(NewHalfSpace(0.05, Options{HydroelasticModulus: 1e6}))
	ground := NewRigidHalfSpace()
	type pair struct {
		name string
		A, B Geometry
		z    float64 // of B where faces coincide
	}
	for _, c := range []pair{
		{"lattice on a plane", ground, lattice, 0.025},
		{"lattice on a slab", slab, lattice, 0.05 + 0.025},
		{"lattice on a soft plane", soft, lattice, 0},
		{"lattice on lattice", wide, lattice, 0.05},
		{"box on box", wideBox, box, 0.05},
		{"box on lattice", wide, box, 0.05},
		{"lattice on box", wideBox, lattice, 0.05},
		{"box on a plane", ground, box, 0.04},
	} {
		for axis, tilt := range map[string]r3.Vec{"shift": {}, "tilt": {1, 0.3, 0}} {
			at := func(step float64) (force float64, area float64) {
				X := r3.Pose{R: r3.RotExp(tilt.Scale(step / 0.1)), P: r3.Vec{0, 0, c.z}}
				if axis == "shift" {
					X.P[2] += step
				}
				var q Query
				var s ContactSurface
				q.AllFaces = true
				q.Contact(c.A, c.B, r3.PoseIdentity(), X, &s)
				for _, f := range s.Faces {
					area += f.Area
				}
				return s.Force_W[2], area
			}
			force, area := at(0)
			for _, step := range steps {
				for _, sign := range []float64{1, -1} {
					// What the step itself changes: the force by k·step ≲ 1e6/0.05·0.01
					// N/m, the area by its rim.
					f, a := at(sign * step)
					if math.Abs(f-force) > 1e-9*math.Abs(force)+3e5*step {
						t.Errorf("%s: %s by %g: the force %.12g N becomes %.12g N", c.name, axis, sign*step, force, f)
					}
					if math.Abs(a-area) > 1e-9*area+10*step {
						t.Errorf("%s: %s by %g: the area %.12g m² becomes %.12g m²", c.name, axis, sign*step, area, a)
					}
				}
			}
			if force == 0 || area == 0 {
				t.Errorf("%s: no contact: force %g, area %g", c.name, force, area)
			}
		}
	}
}

// A sweep of the depth: the force of two unstructured bodies has no jumps.
func TestForceHasNoJumpsAlongASweep(t *testing.T) {
	A := must[*Compliant](t)(NewSphere(0.05, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02}))
	B := must[*Compliant](t)(NewCylinder(0.04, 0.08, Options{HydroelasticModulus: 4e6, ResolutionHint: 0.02}))
	R := r3.RotExp(r3.Vec{0.4, 1.1, -0.2})
	var q Query
	var s ContactSurface
	last := r3.Vec{}
	const step = 2e-6
	for i := range 4000 {
		q.Contact(A, B, r3.PoseIdentity(), r3.Pose{R: R, P: r3.Vec{0.01, 0.02, 0.092 - step*float64(i)}}, &s)
		if jump := s.Force_W.Sub(last).Norm(); jump > 1e6*step { // k ≲ E·(contact area)/R
			t.Fatalf("step %d: the force jumps by %g N from %v", i, jump, last)
		}
		last = s.Force_W
	}
	if last.Norm() < 10 {
		t.Errorf("the sweep ends at %v N", last)
	}
}

// Rolling a block over an edge leaves no jump.
func TestForceIsContinuousAsABlockTilts(t *testing.T) {
	box := must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.1, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05}))
	ground := NewRigidHalfSpace()
	last := 0.0
	const step = 1e-4
	var lowest r3.Vec
	for i := 0; i*int(1e6*step) < 1_200_000; i++ {
		X := r3.Pose{R: r3.RotExp(r3.Vec{float64(i) * step, 0, 0})}
		lowest = X.R.MulVec(r3.Vec{0, -0.05, -0.05})
		X.P[2] = -lowest[2] - 0.005
		s := contact(t, ground, box, r3.PoseIdentity(), X)
		if f := s.Force_W[2]; i > 500 && math.Abs(f-last) > 0.003*f {
			t.Errorf("at %.4f rad the force jumps from %g N to %g N", float64(i)*step, last, f)
		}
		last = s.Force_W[2]
	}
}

// Faces that turn away are faded, not dropped: a rigid cube sunk into a soft block
// tilts, and one of its sides passes from 105° to 112.5° of the block's gradient. That
// side carries 2 % of the force.
func TestFacesThatTurnAwayFade(t *testing.T) {
	soft := must[*Compliant](t)(NewBox(r3.Vec{0.3, 0.3, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.1}))
	cube := must[*Compliant](t)(NewBox(r3.Vec{0.03, 0.03, 0.03}, Options{HydroelasticModulus: 1, ResolutionHint: 0.03}))
	hard := must[*Rigid](t)(NewRigid(surfaceOf(t, cube), 0))
	const step = 1e-4
	var last r3.Vec
	for i := range 3000 {
		angle := 0.2 + step*float64(i)
		s := contact(t, soft, hard, r3.PoseIdentity(), r3.Pose{R: r3.RotExp(r3.Vec{angle, 0, 0}), P: r3.Vec{0, 0, 0.055}})
		if jump := s.Force_W.Sub(last).Norm(); i > 0 && jump > 1e-4*s.Force_W.Norm() {
			t.Fatalf("at %.4f rad the force jumps by %g N from %v", angle, jump, last)
		}
		last = s.Force_W
		if gone := s.Dropped.Facing > 0; gone != (angle > math.Pi/8) {
			t.Fatalf("at %.4f rad %d faces are dropped", angle, s.Dropped.Facing)
		}
	}
}

// Identical blocks on each other, aligned to within round-off or nearly so: along
// their sides the two fields are the same in a whole volume. The force is that of
// one of them on the mirror plane, without a moment.
func TestIdenticalStackedBlocksMeetCleanly(t *testing.T) {
	const E, delta = 1e7, 1e-4
	want := E / 0.04 * roof(0.2, 0.15, delta/2)
	for _, margin := range []float64{0, 1e-3} {
		box := must[*Compliant](t)(NewBox(r3.Vec{0.2, 0.15, 0.08}, Options{HydroelasticModulus: E, ResolutionHint: 0.05, Margin: margin}))
		for _, dx := range append(steps, 1e-8, 1e-7) {
			s := contact(t, box, box, r3.PoseIdentity(), r3.Pose{R: r3.Identity(), P: r3.Vec{dx, dx, 0.08 - delta}})
			near(t, "force", s.Force_W[2], want, want*(1e-9+dx/0.01))
			near(t, "area", s.Area, 0.2*0.15, 1e-3*0.2*0.15)
			near(t, "moment", s.Moment_W.Norm(), 0, 1e-12*want)
			for _, f := range s.Faces {
				checkFace(t, "stack", s, &f)
			}
		}
	}
}
