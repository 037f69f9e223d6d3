package hydroelastic

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// The cells of every field fill its bounds' solid once, their gradients are those
// of the nodal pressures, the surface is closed, and the pressure there is that
// of the margin's edge.
func TestFieldsAreConsistent(t *testing.T) {
	for name, body := range bodies(t) {
		c, ok := body.(*Compliant)
		if !ok {
			continue
		}
		m, p := c.Field()
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range p {
			low, high = min(low, v), max(high, v)
		}
		// Vertices of a stuffed ellipsoid of depth 0.04 m lie up to half the hint of 0.03 m
		// from its deepest point.
		least := 0.8
		if name == "surface" {
			least = 1 - 0.5*0.03/0.04
		}
		if high > c.HydroelasticModulus() || high < least*c.HydroelasticModulus() {
			t.Errorf("%s: largest pressure %g Pa", name, high)
		}
		if low >= 0 {
			t.Errorf("%s: no negative pressure in the margin", name)
		}
		volume := 0.0
		for i := range m.Tets {
			if v := m.Volume(i); v < -1e-18 {
				t.Fatalf("%s: tetrahedron %d has volume %g m³", name, i, v)
			} else {
				volume += v
			}
		}
		surface, from := m.Surface()
		if err := repair.Watertight(surface); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		near(t, name+": volume", volume, surface.Volume(), 1e-12*volume)
		if name != "tets" && name != "surface" { // sharp corners keep the slope, not the pressure
			for i := range surface.Verts {
				v := i
				if from != nil {
					v = int(from[i])
				}
				near(t, name+": pressure on the edge of the margin", p[v], low, 1e-9*c.HydroelasticModulus())
			}
		}
		for i := range c.cells {
			cl := &c.cells[i]
			for _, v := range cl.v[:cl.topology().verts] {
				near(t, name+": pressure by the gradient", c.pressure[i].at(&c.verts[v]), c.p[v], 1e-8*c.HydroelasticModulus())
			}
		}
	}
}

func TestBoundaryPressureIsExactlyZero(t *testing.T) {
	torus := gear(0.04, 0.006, 0.02, 5, 100)
	c := must[*Compliant](t)(NewFromSurface(torus, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.01}))
	m, p := c.Field()
	surface, from := m.Surface()
	for i := range surface.Verts {
		v := i
		if from != nil {
			v = int(from[i])
		}
		if p[v] != 0 {
			t.Fatalf("vertex %v on the boundary has %g Pa", surface.Verts[i], p[v])
		}
	}
	for i := range c.pressure {
		if g := c.pressure[i].grad; g.Norm() < 0.01*c.PressureGradient() {
			t.Errorf("cell %d has a gradient of %g Pa/m, the field's is %g", i, g.Norm(), c.PressureGradient())
		}
	}
}

// A mesh of six tetrahedra whose vertices all lie on the boundary has a field
// after splitting.
func TestTetsOnTheBoundaryAreSplit(t *testing.T) {
	cube := must[*meshes.Tet](t)(meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{1, 1, 1}))
	c := must[*Compliant](t)(NewTets(cube, Options{HydroelasticModulus: 1e6}))
	near(t, "depth", c.Depth(), 0.05, 1e-12)
	s := contact(t, NewRigidHalfSpace(), c, r3.PoseIdentity(), at(0, 0, 0.049))
	near(t, "area", s.Area, 0.01, 1e-12)
	if s.Force_W[2] <= 0 {
		t.Errorf("force %v", s.Force_W)
	}
}

func TestNoSurfaceEdgeIsLongerThanTheHint(t *testing.T) {
	const hint = 0.013
	opt := Options{HydroelasticModulus: 1, ResolutionHint: hint}
	hull := surfaceOf(t, must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}, Options{HydroelasticModulus: 1, ResolutionHint: 0.1})))
	for name, c := range map[string]*Compliant{
		"sphere":    must[*Compliant](t)(NewSphere(0.05, opt)),
		"ellipsoid": must[*Compliant](t)(NewEllipsoid(r3.Vec{0.08, 0.05, 0.03}, opt)),
		"box":       must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}, opt)),
		"cylinder":  must[*Compliant](t)(NewCylinder(0.05, 0.1, opt)),
		"capsule":   must[*Compliant](t)(NewCapsule(0.05, 0.1, opt)),
		"convex":    must[*Compliant](t)(NewConvex(hull, opt)),
	} {
		longest := 0.0
		for i := range c.cells {
			cl := &c.cells[i]
			outer := cl.v[:3]
			if cl.col {
				outer = cl.v[:4]
			}
			for k, v := range outer {
				longest = max(longest, c.verts[v].Sub(c.verts[outer[(k+1)%len(outer)]]).Norm())
			}
		}
		most := hint * (1 + 1e-9)
		if name == "sphere" || name == "ellipsoid" {
			most *= 1.25
		}
		if longest > most {
			t.Errorf("%s: an edge of %g m", name, longest)
		}
		if longest < hint/2.1 {
			t.Errorf("%s: the longest edge is %g m: finer than asked for", name, longest)
		}
	}
}

// ellipsoidForce is the force of an ellipsoid standing on its z axis, pressed by
// δ: stretched space is a unit ball's.
func ellipsoidForce(E float64, semi r3.Vec, delta float64) float64 {
	return semi[0] * semi[1] * ballForce(E, 1, delta/semi[2])
}

// capsuleForce is the force of a capsule lying on a plane: E/R ∫ (R − r) dA over
// the strip and the two half disks of the contact surface.
func capsuleForce(E, R, length, delta float64) float64 {
	c := R - delta
	a := math.Sqrt(R*R - c*c)
	// ∫ (R − √(c²+y²)) dy over −a…a
	strip := 2*R*a - (a*R + c*c*math.Asinh(a/c))
	return E/R*length*strip + ballForce(E, R, delta)
}

func TestRoundShapesConvergeToTheirForces(t *testing.T) {
	const E, delta = 1e6, 0.004
	lying := r3.Pose{R: r3.RotExp(r3.Vec{math.Pi / 2, 0, 0})}
	for _, c := range []struct {
		name string
		make func(hint float64) (*Compliant, error)
		R    r3.Mat
		z    float64 // half height
		want float64
	}{
		{"ellipsoid", func(h float64) (*Compliant, error) {
			return NewEllipsoid(r3.Vec{0.06, 0.05, 0.04}, Options{HydroelasticModulus: E, ResolutionHint: h})
		}, r3.Identity(), 0.04, ellipsoidForce(E, r3.Vec{0.06, 0.05, 0.04}, delta)},
		{"capsule", func(h float64) (*Compliant, error) {
			return NewCapsule(0.03, 0.08, Options{HydroelasticModulus: E, ResolutionHint: h})
		},
			lying.R, 0.03, capsuleForce(E, 0.03, 0.08, delta)},
		{"capsule on its end", func(h float64) (*Compliant, error) {
			return NewCapsule(0.03, 0.08, Options{HydroelasticModulus: E, ResolutionHint: h})
		},
			r3.Identity(), 0.07, ballForce(E, 0.03, delta)},
		// The long cylinder: its ends lie beyond the rim of the contact surface by the caps' field,
		// p = E/R min(R − r, distance to the cap).
		{"cylinder on its cap", func(h float64) (*Compliant, error) {
			return NewCylinder(0.03, 0.08, Options{HydroelasticModulus: E, ResolutionHint: h})
		},
			r3.Identity(), 0.04, diskForce(E/0.03, 0.03, delta)},
		{"disk on its cap", func(h float64) (*Compliant, error) {
			return NewCylinder(0.05, 0.03, Options{HydroelasticModulus: E, ResolutionHint: h})
		},
			r3.Identity(), 0.015, diskForce(E/0.015, 0.05, delta)},
	} {
		last := 0.0
		for _, hint := range []float64{0.008, 0.004, 0.002} {
			body := must[*Compliant](t)(c.make(hint))
			s := contact(t, NewRigidHalfSpace(), body, r3.PoseIdentity(), r3.Pose{R: c.R, P: r3.Vec{0, 0, c.z - delta}})
			e := math.Abs(s.Force_W[2]/c.want - 1)
			if last > 0 && e > last/2.5 {
				t.Errorf("%s: error %.2e at hint %g m after %.2e", c.name, e, hint, last)
			}
			last = e
		}
		if last > 0.015 {
			t.Errorf("%s: error %.2e at the finest hint", c.name, last)
		}
	}
}

// Facets across the surface have the right force at a quarter of the depth that facets
// inside of it need, in every orientation: 0.12 h²/(Rδ) of balls, 0.03 h²/(Rδ) of lines.
func TestFacetsOfEqualVolumeHaveTheForceOfTheRoundShape(t *testing.T) {
	const E, h = 1e6, 0.1
	for _, delta := range []float64{0.01, 0.02, 0.04} {
		opt := Options{HydroelasticModulus: E, ResolutionHint: h, EqualVolume: true}
		for name, c := range map[string]struct {
			body  *Compliant
			lying r3.Mat
			z     float64 // height of the centre
			want  float64
			c     float64 // of the error c h²/δ
		}{
			"ball":      {must[*Compliant](t)(NewSphere(1, opt)), r3.Identity(), 1, ballForce(E, 1, delta), 0.12},
			"ellipsoid": {must[*Compliant](t)(NewEllipsoid(r3.Vec{1, 0.7, 0.7}, opt)), r3.RotExp(r3.Vec{0, 0.5 * math.Pi, 0}), 1, ellipsoidForce(E, r3.Vec{0.7, 0.7, 1}, delta), 0.12},
			"capsule":   {must[*Compliant](t)(NewCapsule(1, 2, opt)), r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}), 1, capsuleForce(E, 1, 2, delta), 0.03},
			"cylinder":  {must[*Compliant](t)(NewCylinder(1, 40, opt)), r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}), 1, capsuleForce(E, 1, 40, delta) - ballForce(E, 1, delta), 0.03},
		} {
			for k := range 12 {
				// about the axis of what has one, else about any
				R := c.lying.Mul(r3.RotExp(r3.Vec{0, 0, 0.37 * float64(k)}))
				switch name {
				case "ellipsoid":
					R = c.lying.Mul(r3.RotExp(r3.Vec{0.37 * float64(k), 0, 0}))
				case "ball":
					R = r3.RotExp(r3.Vec{0.3 * float64(k), 0.7, 0.2 * float64(k*k%7)})
				}
				s := contact(t, NewRigidHalfSpace(), c.body, r3.PoseIdentity(), r3.Pose{R: R, P: r3.Vec{0, 0, c.z - delta}})
				if e := math.Abs(s.Force_W[2]/c.want - 1); e > c.c*h*h/delta {
					t.Errorf("%s %d: error %.3f at a depth of %g, at most %.3f", name, k, e, delta, c.c*h*h/delta)
				}
			}
		}
	}
}

// diskForce is slope·∫ min(δ, R − r) dA over a disk.
func diskForce(slope, R, delta float64) float64 {
	c := R - delta
	return slope * (math.Pi*delta*c*c + 2*math.Pi*(R*(R*R-c*c)/2-(R*R*R-c*c*c)/3))
}

// A cube as a box, as a hull and as a surface of triangles answers alike.
func TestACubeIsTheSameInAnyForm(t *testing.T) {
	const E, L, delta = 1e6, 0.1, 0.003
	opt := Options{HydroelasticModulus: E, ResolutionHint: 0.02}
	box := must[*Compliant](t)(NewBox(r3.Vec{L, L, L}, opt))
	faces := surfaceOf(t, box)
	want := E / (L / 2) * roof(L, L, delta)
	X := at(0, 0, L/2-delta)
	for name, c := range map[string]struct {
		body *Compliant
		tol  float64
	}{
		"box":    {box, 1e-11},
		"convex": {must[*Compliant](t)(NewConvex(faces, opt)), 1e-11},
		// Distances are exact at the vertices only, which shows along the cube's edges.
		"surface": {must[*Compliant](t)(NewFromSurface(faces, opt)), 0.05},
		"tets":    {must[*Compliant](t)(NewTets(must[*meshes.Tet](t)(meshes.BoxTets(r3.Vec{L, L, L}, [3]int{8, 8, 8})), opt)), 0.05},
	} {
		s := contact(t, NewRigidHalfSpace(), c.body, r3.PoseIdentity(), X)
		near(t, name+": force", s.Force_W[2], want, c.tol*want)
		near(t, name+": area", s.Area, L*L, 1e-3*L*L)
		t.Logf("%s: force off by %.2e", name, s.Force_W[2]/want-1)
		near(t, name+": depth", c.body.Depth(), L/2, 1e-5*L)
	}
	hard := must[*Rigid](t)(NewRigid(faces, 0.02))
	ground := must[*HalfSpace](t)(NewHalfSpace(L/2, Options{HydroelasticModulus: E}))
	s := contact(t, ground, hard, r3.PoseIdentity(), X)
	near(t, "rigid cube on a soft plane", s.Force_W[2], E/(L/2)*L*L*delta, 1e-9*want)
}

// Nothing depends on the size: a scene a thousand times smaller, forces scale
// with the area.
func TestScaleInvariance(t *testing.T) {
	force := func(scale float64) float64 {
		opt := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02 * scale, Margin: 1e-3 * scale}
		A := must[*Compliant](t)(NewSphere(0.05*scale, opt))
		B := must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}.Scale(scale), opt))
		X := r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0.1}), P: r3.Vec{0.01, 0.02, 0.07}.Scale(scale)}
		return contact(t, A, B, r3.PoseIdentity(), X).Force_W.Norm() / (scale * scale)
	}
	want := force(1)
	for _, scale := range []float64{1e-6, 1e-3, 1e3} {
		near(t, "force over scale²", force(scale), want, 1e-10*want)
	}
}

func TestErrorsSayHowToRepair(t *testing.T) {
	good := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05}
	cube := surfaceOf(t, must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.1, 0.1}, good)))
	open := &meshes.Tri{Verts: cube.Verts, Tris: cube.Tris[1:]}
	twice := &meshes.Tri{Verts: append([]r3.Vec{}, cube.Verts...), Tris: append([][3]int32{}, cube.Tris...)}
	for _, x := range cube.Verts {
		twice.Verts = append(twice.Verts, x.Add(r3.Vec{0.031, 0.017, 0.023}))
	}
	for _, f := range cube.Tris {
		n := int32(len(cube.Verts))
		twice.Tris = append(twice.Tris, [3]int32{f[0] + n, f[1] + n, f[2] + n})
	}
	nan := &meshes.Tri{Verts: append([]r3.Vec{{math.NaN(), 0, 0}}, cube.Verts[1:]...), Tris: cube.Tris}
	beyond := &meshes.Tri{Verts: cube.Verts, Tris: append([][3]int32{{0, 1, 9999}}, cube.Tris...)}
	star := gear(0.05, 0.01, 0.02, 5, 50)
	flat := &meshes.Tet{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, Tets: [][4]int32{{0, 1, 2, 3}}}
	as := func(c any, err error) error { return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{as(NewSphere(-1, good)), "positive, finite length"},
		{as(NewSphere(math.NaN(), good)), "radius is NaN"},
		{as(NewSphere(1, Options{})), "modulus is 0 Pa"},
		{as(NewSphere(1, Options{HydroelasticModulus: math.Inf(1)})), "NewRigid"},
		{as(NewSphere(1, Options{HydroelasticModulus: 1, ResolutionHint: -1})), "resolution hint"},
		{as(NewSphere(1, Options{HydroelasticModulus: 1, ResolutionHint: math.NaN()})), "resolution hint"},
		{as(NewSphere(1, Options{HydroelasticModulus: 1, Margin: -1})), "margin is -1 m"},
		{as(NewSphere(1, Options{HydroelasticModulus: 1, ResolutionHint: 1e-6})), "choose a coarser one"},
		{as(NewBox(r3.Vec{1, 0, 1}, good)), "size along y"},
		{as(NewBox(r3.Vec{1, 1, 1}, Options{HydroelasticModulus: 1, ResolutionHint: 1e-8})), "choose a coarser one"},
		{as(NewCylinder(1, 0, good)), "length is 0 m"},
		{as(NewCylinder(1, 1, Options{HydroelasticModulus: 1, ResolutionHint: 1e-9})), "choose a coarser one"},
		{as(NewCapsule(0, 1, good)), "radius is 0 m"},
		{as(NewCapsule(1, 1, Options{HydroelasticModulus: 1, ResolutionHint: 1e-9})), "choose a coarser one"},
		{as(NewEllipsoid(r3.Vec{1, 1, -1}, good)), "semi-axis along z"},
		{as(NewHalfSpace(0, good)), "thickness"},
		{as(NewConvex(open, good)), "not closed"},
		{as(NewConvex(star, good)), "use NewFromSurface"},
		{as(NewConvex(cube, Options{HydroelasticModulus: 1e6, ResolutionHint: 1e-7})), "choose a coarser one"},
		{as(NewFromSurface(open, good)), "not closed"},
		{as(NewFromSurface(twice, good)), "cuts itself"},
		{as(NewFromSurface(&meshes.Tri{}, good)), "no triangles"},
		{as(NewFromSurface(nan, good)), "finite coordinates"},
		{as(NewFromSurface(beyond, good)), "names vertex 9999"},
		{as(NewTets(&meshes.Tet{}, good)), "no tetrahedra"},
		{as(NewTets(flat, good)), "without a volume"},
		{as(NewTets(must[*meshes.Tet](t)(meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{1, 1, 1})), Options{})), "modulus"},
		{as(NewRigid(open, 0)), "not closed"},
		{as(NewRigid(twice, 0)), "cuts itself"},
		{as(NewRigid(cube, -1)), "resolution hint"},
		{as(NewRigid(cube, math.NaN())), "resolution hint"},
		{as(NewRigid(cube, 1e-6)), "choose a coarser one"},
	} {
		if c.err == nil {
			t.Errorf("no error, want one about %q", c.want)
		} else if !strings.Contains(c.err.Error(), c.want) || !strings.HasPrefix(c.err.Error(), "hydroelastic: ") {
			t.Errorf("error %q, want one about %q", c.err, c.want)
		}
	}
}
