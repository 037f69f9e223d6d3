package hydroelastic

import (
	"math"
	"reflect"
	"sync"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

func TestQueriesAllocateNothing(t *testing.T) {
	all := bodies(t)
	var q Query
	var s ContactSurface
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0.1}), P: r3.Vec{0.02, 0.01, 0.06}}
	run := func() {
		for _, pair := range [][2]string{{"sphere", "box"}, {"rigid", "cylinder"}, {"ground", "capsule"}, {"half-space", "tets"}, {"half-space", "rigid"}} {
			q.Contact(all[pair[0]], all[pair[1]], r3.PoseIdentity(), X, &s)
		}
	}
	run()
	if n := alloctest.PerRun(10, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Any number of queries share the bodies and give the same bits, whatever a query
// did before.
func TestQueriesAreIndependent(t *testing.T) {
	all := bodies(t)
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0.1}), P: r3.Vec{0.02, 0.01, 0.06}}
	want := contact(t, all["surface"], all["box"], r3.PoseIdentity(), X)
	if len(want.Faces) == 0 {
		t.Fatal("no faces")
	}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			var q Query
			var s ContactSurface
			for range 5 {
				q.Contact(all["sphere"], all["rigid"], r3.PoseIdentity(), X, &s)
				q.Contact(all["surface"], all["box"], r3.PoseIdentity(), X, &s)
				if !reflect.DeepEqual(s.Faces, want.Faces) || !reflect.DeepEqual(s.Verts_W, want.Verts_W) {
					t.Errorf("query %d finds another surface", i)
				}
			}
		})
	}
	group.Wait()
}

func TestFarBodiesDoNotMeet(t *testing.T) {
	all := bodies(t)
	var q Query
	var s ContactSurface
	for a, A := range all {
		for b, B := range all {
			if !A.Compliant() && !B.Compliant() || a == "half-space" || b == "half-space" || a == "ground" || b == "ground" {
				continue
			}
			if q.Contact(A, B, r3.PoseIdentity(), at(0.3, 0, 0), &s); len(s.Faces) > 0 || s.Area != 0 {
				t.Errorf("%s and %s meet over 0.1 m", a, b)
			}
		}
	}
}

// The faces on the rim of a block have a pressure and a gradient almost along the
// surface: their φ stays within the depth of the bodies, their stiffness is that
// of a gradient 15° off, and they are as deep as they lie.
func TestRimFacesKeepAStiffness(t *testing.T) {
	box := must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.1, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05, Margin: 1e-3}))
	for _, delta := range []float64{1e-6, 1e-3, 0.03} {
		s := contact(t, NewRigidHalfSpace(), box, r3.PoseIdentity(), r3.Pose{R: r3.RotExp(r3.Vec{0.01, 0.02, 0}), P: r3.Vec{0, 0, 0.05 - delta}})
		for _, f := range s.Faces {
			if f.Phi < -box.Depth() || f.Phi > 1e-3/minGradientShare {
				t.Errorf("at %g m: a face with φ = %g m", delta, f.Phi)
			}
			if f.PressureGradient < minGradientShare*1e6/0.05*(1-1e-12) {
				t.Errorf("at %g m: a face with a gradient of %g Pa/m", delta, f.PressureGradient)
			}
			// The lowest corner is deepest.
			if f.Depth > delta+0.0016 || f.Depth > -f.Phi+1e-15 && f.Phi < 0 || (f.Depth > 0) != (f.Phi < 0) {
				t.Errorf("at %g m: a face %g m deep with φ = %g m", delta, f.Depth, f.Phi)
			}
		}
	}
}

func TestDroppedFacesAreCounted(t *testing.T) {
	box := must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.1, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05}))
	// A thin rigid plate right through, near the bottom, is pushed out by its upper
	// side; the lower side faces away.
	plate := must[*Rigid](t)(NewRigid(surfaceOf(t, must[*Compliant](t)(NewBox(r3.Vec{0.3, 0.3, 0.01}, Options{HydroelasticModulus: 1, ResolutionHint: 0.1}))), 0))
	s := contact(t, box, plate, r3.PoseIdentity(), at(0, 0, -0.04))
	if s.Dropped.Facing == 0 {
		t.Error("nothing is dropped")
	}
	for _, f := range s.Faces {
		middle := max(math.Abs(f.Pos_W[0]), math.Abs(f.Pos_W[1])) < 0.044
		if middle && f.Normal_W[2] > 0 {
			t.Errorf("the plate's lower face pulls it in: %+v", f)
		}
	}
}

func TestTrianglesCoverTheFaces(t *testing.T) {
	all := bodies(t)
	s := contact(t, all["sphere"], all["box"], r3.PoseIdentity(), at(0.01, 0.01, 0.07))
	area, corners := 0.0, 0
	for _, tri := range s.Triangles(nil) {
		area += r3.TriangleNormal(s.Verts_W[tri[0]], s.Verts_W[tri[1]], s.Verts_W[tri[2]]).Norm() / 2
	}
	want := 0.0
	for _, f := range s.Faces {
		want += f.Area
		corners += int(f.Hi - f.Lo)
	}
	near(t, "area", area, want, 1e-12)
	if corners != len(s.Verts_W) || corners != len(s.Pressures) {
		t.Errorf("%d corners, %d vertices, %d pressures", corners, len(s.Verts_W), len(s.Pressures))
	}
}

// Faces name the elements they lie on, and rigid ones the triangle given.
func TestElementsOfAFaceContainIt(t *testing.T) {
	all := bodies(t)
	surface := surfaceOf(t, all["ellipsoid"].(*Compliant))
	soft, hard := all["cylinder"].(*Compliant), must[*Rigid](t)(NewRigid(surface, 0.01))
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0.1}), P: r3.Vec{0.01, 0.02, 0.07}}
	s := contact(t, hard, soft, r3.PoseIdentity(), X)
	if len(s.Faces) == 0 {
		t.Fatal("no faces")
	}
	for _, f := range s.Faces {
		tri := hard.tris[f.Elem[0]]
		a, b, c := hard.verts[tri[0]], hard.verts[tri[1]], hard.verts[tri[2]]
		if q, _ := r3.ClosestOnTriangle(f.Pos_W, a, b, c); q.Sub(f.Pos_W).Norm() > 1e-12 {
			t.Errorf("triangle %d is %g m from its face", f.Elem[0], q.Sub(f.Pos_W).Norm())
		}
		near(t, "normal", f.Normal_W.Dot(hard.normal[f.Elem[0]]), 1, 1e-12)
		given := surface.Tris[hard.source[f.Elem[0]]]
		a, b, c = surface.Verts[given[0]], surface.Verts[given[1]], surface.Verts[given[2]]
		if q, _ := r3.ClosestOnTriangle(f.Pos_W, a, b, c); q.Sub(f.Pos_W).Norm() > 1e-12 {
			t.Errorf("part %d is %g m from the triangle given", f.Elem[0], q.Sub(f.Pos_W).Norm())
		}
		x := X.InvPoint(f.Pos_W)
		p := soft.pressure[f.Elem[1]].at(&x)
		near(t, "pressure", f.Pressure, p, 1e-7*soft.HydroelasticModulus())
	}
}
