package fem

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A rigid motion of a box a×b×c: p = m v, L = I ω + m r×v, I_zz = m (a² + b²)/12,
// T = ½ m v² + ½ ω·I ω, V = −m g·r.
func TestReportsOfARigidMotionAreThoseOfABox(t *testing.T) {
	a, b, c := 0.2, 0.3, 0.4
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{a, b, c}, 2, 3, 2), Law: rubber(t, 0.3), Density: 500})
	w := newWorld(m)
	center, omega, vel := r3.Vec{a / 2, b / 2, c / 2}, r3.Vec{1, -2, 3}, r3.Vec{0.5, 0.7, -0.2}
	for i, X := range m.Mesh().Verts {
		v := vel.Add(omega.Cross(X.Sub(center)))
		copy(w.v[3*i:], v[:])
	}
	mass := 500 * a * b * c
	I := r3.Vec{mass / 12 * (b*b + c*c), mass / 12 * (a*a + c*c), mass / 12 * (a*a + b*b)}
	spin := r3.Vec{I[0] * omega[0], I[1] * omega[1], I[2] * omega[2]}
	if e := w.d.Momentum(w.v).Sub(vel.Scale(mass)).Norm(); e > 1e-13 {
		t.Errorf("momentum is off by %g", e)
	}
	if e := w.d.CenterOfMass().Sub(center).Norm(); e > 1e-15 {
		t.Errorf("centre of mass is off by %g", e)
	}
	if e := w.d.AngularMomentum(center, w.v).Sub(spin).Norm(); e > 1e-13 {
		t.Errorf("spin is off by %g", e)
	}
	about := r3.Vec{3, 2, 1}
	if e := w.d.AngularMomentum(about, w.v).Sub(spin).Sub(center.Sub(about).Cross(vel.Scale(mass))).Norm(); e > 1e-11 {
		t.Errorf("angular momentum is off by %g", e)
	}
	if e := w.d.KineticEnergy(w.v) - 0.5*mass*vel.Norm2() - 0.5*omega.Dot(spin); math.Abs(e) > 1e-12 {
		t.Errorf("kinetic energy is off by %g", e)
	}
	g := r3.Vec{1, 2, -9.81}
	if e := w.d.PotentialEnergy(g) + mass*g.Dot(center); math.Abs(e) > 1e-12 {
		t.Errorf("potential energy is off by %g", e)
	}
	if e := w.d.ElasticEnergy(); math.Abs(e) > 1e-15 {
		t.Errorf("elastic energy is %g", e)
	}
}

// Uniaxial stress σ = E ε in a bar with free sides, and energy ½ E ε² V, turned
// anyhow.
func TestStressOfAStretchedBarIsYoungsModulusTimesStrain(t *testing.T) {
	const eps, E, nu = 1e-5, 1e5, 0.3
	R := r3.RotExp(r3.Vec{1, 2, 3})
	for name, law := range lawsOf(t, E, nu) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{1, 0.1, 0.1}, 5, 2, 2), Law: law, Density: 500})
		w := newWorld(m)
		for i, X := range m.Mesh().Verts {
			x := r3.Vec{X[0] * (1 + eps), X[1] * (1 - nu*eps), X[2] * (1 - nu*eps)}
			if name != "linear" {
				x = R.MulVec(x)
			}
			copy(w.x[3*i:], x[:])
		}
		w.d.Place(w.x)
		for i, s := range w.d.VonMises(nil) {
			if math.Abs(s-E*eps) > 1e-4*E*eps {
				t.Fatalf("%s: von Mises stress %d is %g, want %g Pa", name, i, s, E*eps)
			}
		}
		if s := w.d.MaxVonMises(); math.Abs(s-E*eps) > 1e-4*E*eps {
			t.Errorf("%s: MaxVonMises %g", name, s)
		}
		if e, want := w.d.ElasticEnergy(), 0.5*E*eps*eps*0.01; math.Abs(e-want) > 1e-4*want {
			t.Errorf("%s: energy %g, want %g J", name, e, want)
		}
		least, most := w.d.Stretch()
		if math.Abs(most-1-eps) > 1e-12 || math.Abs(least-1+nu*eps) > 1e-12 {
			t.Errorf("%s: stretches %g to %g", name, least, most)
		}
	}
}

// A linear law makes the thickness of a sheet negative that is stretched far, ε_z = −ν/(1−ν)
// (ε_x + ε_y). Its faces keep their directions and their contact, so that nothing falls through;
// its rim is turned inside out.
func TestFacesOfStretchedSheetsStayLive(t *testing.T) {
	const thickness = 0.1
	for _, elements := range []Elements{Tet4, Hex12} {
		mesh, err := meshes.BoxTets(r3.Vec{1, 1, thickness}, [3]int{2, 2, 1})
		if err != nil {
			t.Fatal(err)
		}
		m := mustModel(t, Spec{Mesh: mesh, Law: rubber(t, 0.3), Density: 500, Elements: elements})
		w := newWorld(m)
		turn := r3.RotRPY(0.3, -0.4, 1)
		for i, X := range m.spec.Mesh.Verts {
			x := turn.MulVec(r3.Vec{4 * X[0], 3 * X[1], -0.5 * X[2]})
			copy(w.x[3*i:], x[:])
		}
		w.d.Place(w.x)
		if w.d.Inverted() == 0 {
			t.Fatal("nothing is inside out")
		}
		for i, tri := range m.boundary {
			X := m.spec.Mesh.Verts
			N := r3.TriangleNormal(X[tri[0]], X[tri[1]], X[tri[2]]).Unit()
			if live := w.d.TriangleActive(int32(i)); live != (math.Abs(N[2]) > 0.5) {
				t.Errorf("%v, triangle %d with normal %.3g at rest: live %v", elements, i, N, live)
			}
		}
	}
}

// A surface triangle dies with its tet, where it turns with it, and comes back with it.
func TestTrianglesOfInvertedTetsAreNotLive(t *testing.T) {
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{1, 1, 1}, 2, 2, 2), Law: rubber(t, 0.3), Density: 500})
	w := newWorld(m)
	w.x[0] = 3 // a corner, through its tets
	w.d.Place(w.x)
	if w.d.Inverted() == 0 {
		t.Fatal("nothing is inside out")
	}
	dead := 0
	for i := range m.boundary {
		live := w.d.TriangleActive(int32(i))
		det := m.elements[m.owner[i]].gradient(w.d.Positions()).Det()
		if det > 0 && !live {
			t.Errorf("triangle %d: not live, det F = %g", i, det)
		}
		if !live {
			dead++
		}
	}
	if dead == 0 || dead == len(m.boundary) {
		t.Errorf("%d of %d triangles dead", dead, len(m.boundary))
	}
	if s := w.d.MaxVonMises(); math.IsNaN(s) || math.IsInf(s, 0) {
		t.Errorf("stress of an inverted tet is %g", s)
	}
	w.x[0] = 0
	w.d.Place(w.x)
	for i := range m.boundary {
		if !w.d.TriangleActive(int32(i)) {
			t.Errorf("triangle %d stays dead", i)
		}
	}
}
