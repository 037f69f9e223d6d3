package hydroelastic

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func at(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %.1g", what, got, want, tol)
	}
}

func contact(t testing.TB, A, B Geometry, X_WA, X_WB r3.Pose) *ContactSurface {
	t.Helper()
	var q Query
	s := &ContactSurface{}
	if !q.Contact(A, B, X_WA, X_WB, s) {
		t.Fatal("no contact of this pair of bodies")
	}
	return s
}

// ballForce is the force of a ball, pressed by δ on a rigid plane, c = R − δ:
// F = 2πE[(R²−c²)/2 − (R³−c³)/(3R)].
func ballForce(E, R, delta float64) float64 {
	c := R - delta
	return 2 * math.Pi * E * ((R*R-c*c)/2 - (R*R*R-c*c*c)/(3*R))
}

func TestBallOnAPlaneConvergesAtSecondOrder(t *testing.T) {
	const E, R, delta = 1e6, 0.05, 0.01
	want := ballForce(E, R, delta)
	last := 0.0
	for _, hint := range []float64{0.0101, 0.00505, 0.002525, 0.00126} {
		ball := must[*Compliant](t)(NewSphere(R, Options{HydroelasticModulus: E, ResolutionHint: hint}))
		s := contact(t, NewRigidHalfSpace(), ball, r3.PoseIdentity(), at(0.1, -0.2, R-delta))
		e := math.Abs(s.Force_W[2]/want - 1)
		t.Logf("hint %g m: %d cells, %d faces, relative error %.2e", hint, ball.NumCells(), len(s.Faces), e)
		if last > 0 && !(e < last/3.3) {
			t.Errorf("hint %g m: error %.2e after %.2e, want a quarter", hint, e, last)
		}
		if tilt := math.Hypot(s.Force_W[0], s.Force_W[1]); tilt > 1e-12*want {
			t.Errorf("force %v is not along the normal", s.Force_W)
		}
		if m := s.Moment_W.Norm() + s.CenterOfPressure_W.Sub(r3.Vec{0.1, -0.2, 0}).Norm()*want; m > 1e-12*want*R {
			t.Errorf("moment %v, centre of pressure %v: want none, and the axis", s.Moment_W, s.CenterOfPressure_W)
		}
		last = e
	}
	if last > 2e-3 {
		t.Errorf("finest mesh is off by %.2e", last)
	}
}

// roof is ∫ min(δ, distance to the sides) over a rectangle: what a block pressed
// flat by δ answers with, over E/h.
func roof(l, w, delta float64) float64 {
	l, w = l-2*delta, w-2*delta
	return delta*l*w + delta*delta*(l+w) + 4.0/3*delta*delta*delta
}

func TestBlockOnAPlaneIsExact(t *testing.T) {
	const E, delta = 2e6, 0.002
	size := r3.Vec{0.1, 0.08, 0.06}
	want := E / 0.03 * roof(0.1, 0.08, delta)
	ground := NewRigidHalfSpace()
	for _, margin := range []float64{0, 1e-3} {
		box := must[*Compliant](t)(NewBox(size, Options{HydroelasticModulus: E, ResolutionHint: 0.02, Margin: margin}))
		s := contact(t, ground, box, r3.PoseIdentity(), at(0, 0, 0.03-delta))
		near(t, "force", s.Force_W[2], want, 1e-11*want)
		near(t, "area", s.Area, 0.1*0.08, 1e-12)
		near(t, "largest pressure", s.MaxPressure, E*delta/0.03, 1e-6)
		stiffness := 0.0
		for _, f := range s.Faces {
			if math.Abs(f.Pressure-E*delta/0.03) > 1e-6*E {
				continue // on the rim
			}
			stiffness += f.Area * f.PressureGradient
			near(t, "gap", f.Phi, -delta, 1e-12)
			near(t, "gradient", f.PressureGradient, E/0.03, 1e-3)
			if !math.IsInf(f.PressureGradientA, 1) {
				t.Errorf("the ground gives way by %g Pa/m", f.PressureGradientA)
			}
		}
		near(t, "stiffness away from the rim", stiffness, E/0.03*(0.1-2*delta)*(0.08-2*delta), 1e-6*E)
	}
}

// The moment that resists tilting comes from how the faces are spread: with n
// columns a side the second moment of area is 1 − 1/n² of the exact one.
func TestFlatFacesResistTilting(t *testing.T) {
	const L = 0.1
	box := must[*Compliant](t)(NewBox(r3.Vec{L, L, L}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02}))
	s := contact(t, NewRigidHalfSpace(), box, r3.PoseIdentity(), at(0, 0, L/2-1e-6))
	var ixx, iyy, ixy float64
	for _, f := range s.Faces {
		ixx += f.Area * f.Pos_W[0] * f.Pos_W[0]
		iyy += f.Area * f.Pos_W[1] * f.Pos_W[1]
		ixy += f.Area * f.Pos_W[0] * f.Pos_W[1]
	}
	exact := L * L * L * L / 12
	near(t, "Ixx", ixx/exact, 1-1.0/25, 1e-4)
	near(t, "Iyy/Ixx", iyy/ixx, 1, 1e-12)
	near(t, "Ixy", ixy/exact, 0, 1e-12)
}

func TestEqualBlocksMeetMidwayAndUnequalOnesByStiffness(t *testing.T) {
	const delta = 0.001
	size := r3.Vec{0.1, 0.1, 0.1}
	for _, ratio := range []float64{1, 4} {
		A := must[*Compliant](t)(NewBox(size, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.03}))
		B := must[*Compliant](t)(NewBox(size, Options{HydroelasticModulus: ratio * 1e6, ResolutionHint: 0.04}))
		s := contact(t, A, B, at(0, 0, 0), at(0, 0, 0.1-delta))
		gA, gB := 1e6/0.05, ratio*1e6/0.05
		found := 0
		for _, f := range s.Faces {
			if f.Normal_W[2] < 1-1e-9 || math.Abs(f.Pos_W[0]) > 0.04 || math.Abs(f.Pos_W[1]) > 0.04 {
				continue
			}
			found++
			near(t, "height", f.Pos_W[2], 0.05-delta*gB/(gA+gB), 1e-12)
			near(t, "gradient", f.PressureGradient, gA*gB/(gA+gB), 1e-3)
			near(t, "gradient of A", f.PressureGradientA, gA, 1e-3)
			near(t, "gradient of B", f.PressureGradientB, gB, 1e-3)
			near(t, "gap", f.Phi, -delta, 1e-12)
		}
		if found < 9 {
			t.Errorf("ratio %g: only %d faces in the middle", ratio, found)
		}
	}
}

// A ball pressed into a compliant half-space of the slope of its own, or into the
// mirrored ball, meets it on a plane halfway.
func TestEqualBallsTouchLikeABallOnAPlane(t *testing.T) {
	const E, R, delta = 1e6, 0.05, 0.004
	ball := must[*Compliant](t)(NewSphere(R, Options{HydroelasticModulus: E, ResolutionHint: 0.005}))
	plane := contact(t, NewRigidHalfSpace(), ball, r3.PoseIdentity(), at(0, 0, R-delta))
	balls := contact(t, ball, ball, r3.PoseIdentity(), at(0, 0, 2*(R-delta)))
	near(t, "force", balls.Force_W[2], plane.Force_W[2], 1e-9*plane.Force_W[2])
	near(t, "area", balls.Area, plane.Area, 1e-9*plane.Area)
	near(t, "height", balls.Centroid_W[2], R-delta, 1e-12)
	k, kPlane := 0.0, 0.0
	for _, f := range balls.Faces {
		k += f.Area * f.PressureGradient
	}
	for _, f := range plane.Faces {
		kPlane += f.Area * f.PressureGradient
	}
	near(t, "stiffness", k, kPlane/2, 1e-9*kPlane)
}

// Σ S g is how the force grows with the depth: the pressure vanishes where the
// surface ends.
func TestStiffnessIsTheDerivativeOfForce(t *testing.T) {
	const R, h = 0.05, 1e-6
	opt := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.006}
	ball := must[*Compliant](t)(NewSphere(R, opt))
	ground := must[*HalfSpace](t)(NewHalfSpace(0.02, Options{HydroelasticModulus: 5e5}))
	stiff := must[*HalfSpace](t)(NewHalfSpace(0.02, Options{HydroelasticModulus: 5e9}))
	for name, A := range map[string]Geometry{"rigid plane": NewRigidHalfSpace(), "stiff plane": stiff, "ball": ball, "soft plane": ground} {
		z := 0.045
		tol := 1e-5
		switch name {
		case "ball":
			z = 0.092
		case "soft plane": // curved: the faces turn as they move
			tol = 0.1
		}
		force := func(z float64) float64 {
			return contact(t, A, ball, r3.PoseIdentity(), at(0, 0, z)).Force_W[2]
		}
		k := 0.0
		for _, f := range contact(t, A, ball, r3.PoseIdentity(), at(0, 0, z)).Faces {
			k += f.Area * f.PressureGradient
		}
		d := (force(z-h) - force(z+h)) / (2 * h)
		if math.Abs(k/d-1) > tol {
			t.Errorf("%s: Σ S g = %.8g N/m, the force's derivative is %.8g N/m", name, k, d)
		}
	}
}

// A small rigid cube inside of a large ball is touched all around.
func TestSurfaceAroundABodyInsideIsClosed(t *testing.T) {
	cube := must[*Rigid](t)(NewRigid(surfaceOf(t, must[*Compliant](t)(NewBox(r3.Vec{0.01, 0.02, 0.015}, Options{HydroelasticModulus: 1, ResolutionHint: 0.01}))), 0))
	soft := must[*Compliant](t)(NewBox(r3.Vec{0.01, 0.02, 0.015}, Options{HydroelasticModulus: 1e9, ResolutionHint: 0.01}))
	ball := must[*Compliant](t)(NewSphere(0.1, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.03}))
	q := Query{AllFaces: true}
	var s ContactSurface
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.3, -0.5, 0.2}), P: r3.Vec{0.02, -0.03, 0.04}}
	for _, B := range []Geometry{cube, soft} {
		q.Contact(ball, B, r3.PoseIdentity(), X, &s)
		var sum r3.Vec
		area := 0.0
		for _, f := range s.Faces {
			sum = sum.AddScaled(f.Area, f.Normal_W)
			area += f.Area
		}
		if sum.Norm() > 1e-14 {
			t.Errorf("Σ S n̂ = %v m²", sum)
		}
		if B == Geometry(cube) {
			near(t, "area", area, 2*(0.01*0.02+0.02*0.015+0.015*0.01), 1e-15)
			// Archimedes: ∇p times the volume, about that of the ball's field.
			want := X.P.Unit().Scale(1e6 / 0.1 * 0.01 * 0.02 * 0.015)
			if e := s.Force_W.Sub(want).Norm() / want.Norm(); e > 0.05 {
				t.Errorf("force %v, buoyancy is %v", s.Force_W, want)
			}
		}
	}
}

func surfaceOf(t testing.TB, c *Compliant) *meshes.Tri {
	m, _ := c.Field()
	s, _ := m.Surface()
	if err := repair.Watertight(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// The work of the force along a closed path is none: it has a potential.
func TestForceIsConservative(t *testing.T) {
	box := must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.04}))
	ball := must[*Compliant](t)(NewSphere(0.04, Options{HydroelasticModulus: 3e6, ResolutionHint: 0.015}))
	q := Query{AllFaces: true}
	var s ContactSurface
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.1, 0.2, 0.3})}
	const n = 600
	work, total := 0.0, 0.0
	for i := range n {
		c, sn := math.Cos(2*math.Pi*float64(i)/n), math.Sin(2*math.Pi*float64(i)/n)
		X.P = r3.Vec{0.03 + 0.012*c, 0.02 + 0.012*sn, 0.06 + 0.008*sn - 0.004*c}
		dx := r3.Vec{-0.012 * sn, 0.012 * c, 0.008*c + 0.004*sn}.Scale(2 * math.Pi / n)
		q.Contact(box, ball, r3.PoseIdentity(), X, &s)
		work += s.Force_W.Dot(dx)
		total += math.Abs(s.Force_W.Dot(dx))
	}
	if math.Abs(work) > 2e-5*total {
		t.Errorf("work around the loop is %g J of %g J moved", work, total)
	}
}

// bodies are one of each kind, about 0.1 m in size.
func bodies(t testing.TB) map[string]Geometry {
	opt := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.03, Margin: 2e-3}
	hull := surfaceOf(t, must[*Compliant](t)(NewEllipsoid(r3.Vec{0.06, 0.05, 0.04}, Options{HydroelasticModulus: 1, ResolutionHint: 0.04})))
	return map[string]Geometry{
		"sphere":     must[*Compliant](t)(NewSphere(0.05, opt)),
		"box":        must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}, opt)),
		"cube":       must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.1, 0.1}, opt)),
		"cylinder":   must[*Compliant](t)(NewCylinder(0.04, 0.1, opt)),
		"disk":       must[*Compliant](t)(NewCylinder(0.06, 0.04, opt)),
		"roller":     must[*Compliant](t)(NewCylinder(0.05, 0.1, opt)),
		"capsule":    must[*Compliant](t)(NewCapsule(0.03, 0.06, opt)),
		"ellipsoid":  must[*Compliant](t)(NewEllipsoid(r3.Vec{0.06, 0.05, 0.04}, opt)),
		"convex":     must[*Compliant](t)(NewConvex(hull, opt)),
		"surface":    must[*Compliant](t)(NewFromSurface(hull, opt)),
		"tets":       must[*Compliant](t)(NewTets(must[*meshes.Tet](t)(meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{4, 4, 4})), opt)),
		"half-space": must[*HalfSpace](t)(NewHalfSpace(0.05, opt)),
		"rigid":      must[*Rigid](t)(NewRigid(hull, 0.03)),
		"ground":     NewRigidHalfSpace(),
	}
}

func randomPose(r *rand.Rand, scale float64) r3.Pose {
	v := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	return r3.Pose{R: r3.RotExp(v()), P: v().Unit().Scale(scale)}
}

// Every pair of kinds: the faces are sound, moving both bodies moves the result,
// and swapping them mirrors it.
func TestEveryPairIsInvariantAndMirrored(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	all := bodies(t)
	names := []string{"sphere", "box", "cube", "cylinder", "disk", "roller", "capsule", "ellipsoid", "convex", "surface", "tets", "half-space", "rigid", "ground"}
	var q Query
	var s, moved, swapped ContactSurface
	for i, a := range names {
		for _, b := range names[i:] {
			A, B := all[a], all[b]
			X_WA, X_WB := randomPose(r, 0), randomPose(r, 0.07)
			switch {
			case a == "half-space":
				X_WB.P = X_WA.R.Col(2).Scale(0.02)
			case b == "half-space" || b == "ground":
				X_WB.P = X_WB.R.Col(2).Scale(-0.02)
			case a == "capsule" || b == "capsule":
				X_WB.P = X_WB.P.Scale(0.5)
			}
			ok := q.Contact(A, B, X_WA, X_WB, &s)
			if bothFlat := a == "half-space" && (b == "half-space" || b == "ground"); ok == (!A.Compliant() && !B.Compliant() || bothFlat || a == "ground") {
				t.Errorf("%s on %s: contact possible: %v", a, b, ok)
			}
			if !ok {
				continue
			}
			if len(s.Faces) == 0 || s.Area == 0 {
				t.Errorf("%s on %s: no faces", a, b)
			}
			for _, f := range s.Faces {
				checkFace(t, a+" on "+b, &s, &f)
			}
			X := randomPose(r, 3)
			q.Contact(A, B, X.Mul(X_WA), X.Mul(X_WB), &moved)
			force := s.Force_W.Norm()
			if e := moved.Force_W.Sub(X.R.MulVec(s.Force_W)).Norm(); e > 1e-10*force {
				t.Errorf("%s on %s: moving both changes the force %g N by %g N", a, b, force, e)
			}
			if e := moved.Moment_W.Sub(X.R.MulVec(s.Moment_W)).Norm(); e > 1e-10*force*0.1 {
				t.Errorf("%s on %s: moving both changes the moment by %g N·m", a, b, e)
			}
			q.Contact(B, A, X_WB, X_WA, &swapped)
			if e := swapped.Force_W.Add(s.Force_W).Norm(); e > 1e-12*force {
				t.Errorf("%s on %s: action %v, reaction %v", a, b, s.Force_W, swapped.Force_W)
			}
			if e := swapped.Moment_W.Add(s.Moment_W).Norm(); e > 1e-12*force*0.1 {
				t.Errorf("%s on %s: moments %v and %v", a, b, s.Moment_W, swapped.Moment_W)
			}
		}
	}
}

// checkFace judges one face by what needs no reference.
func checkFace(t *testing.T, name string, s *ContactSurface, f *Face) {
	t.Helper()
	x := s.Verts_W[f.Lo:f.Hi]
	if len(x) < 3 || len(x) > maxCorners {
		t.Errorf("%s: a face of %d corners", name, len(x))
		return
	}
	var n, mean r3.Vec
	size, p := 0.0, 0.0
	for k := range x {
		mean = mean.AddScaled(1/float64(len(x)), x[k])
		n = n.Add(x[k].Sub(x[0]).Cross(x[(k+1)%len(x)].Sub(x[0])))
		size = max(size, x[k].Sub(x[0]).Norm())
		p += s.Pressures[int(f.Lo)+k] / float64(len(x))
	}
	near(t, name+": length of the normal", f.Normal_W.Norm(), 1, 1e-12)
	if a := n.Dot(f.Normal_W) / 2; f.Area > a*(1+1e-9) || f.Area <= 0 {
		t.Errorf("%s: area %g of a polygon of %g m²", name, f.Area, a)
	}
	for k := range x {
		near(t, name+": height over the face", x[k].Sub(f.Pos_W).Dot(f.Normal_W), 0, 1e-12)
		// Convex: every corner turns left.
		a, b := x[(k+1)%len(x)].Sub(x[k]), x[(k+2)%len(x)].Sub(x[(k+1)%len(x)])
		if turn := a.Cross(b).Dot(f.Normal_W); turn < -1e-12*size*size {
			t.Errorf("%s: corner %d turns by %g", name, k, turn)
		}
	}
	if len(x) == 3 {
		near(t, name+": pressure", f.Pressure, p, 1e-9*(1e6+math.Abs(p)))
	}
	if g := 1 / (1/f.PressureGradientA + 1/f.PressureGradientB); !(f.PressureGradient >= g*(1-1e-12)) || !(f.PressureGradient > 0) || math.IsInf(f.PressureGradient, 1) {
		t.Errorf("%s: gradients %g and %g in series are %g", name, f.PressureGradientA, f.PressureGradientB, f.PressureGradient)
	}
	near(t, name+": φ g + p", f.Phi*f.PressureGradient+f.Pressure, 0, 1e-9*math.Abs(f.Pressure))
}
