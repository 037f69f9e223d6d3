package hydroelastic

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A margin adds faces ahead of contact and changes nothing at rest.
func TestMarginChangesNothingAtRest(t *testing.T) {
	plain, wide := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02, Margin: 3e-3}
	hull := surfaceOf(t, must[*Compliant](t)(NewEllipsoid(r3.Vec{0.06, 0.05, 0.04}, Options{HydroelasticModulus: 1, ResolutionHint: 0.04})))
	teeth := gear(0.04, 0.006, 0.02, 9, 180) // grooves narrower than twice the margin
	make := func(opt Options) map[string]*Compliant {
		return map[string]*Compliant{
			"sphere":    must[*Compliant](t)(NewSphere(0.05, opt)),
			"box":       must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}, opt)),
			"cylinder":  must[*Compliant](t)(NewCylinder(0.04, 0.1, opt)),
			"disk":      must[*Compliant](t)(NewCylinder(0.06, 0.04, opt)),
			"capsule":   must[*Compliant](t)(NewCapsule(0.03, 0.06, opt)),
			"ellipsoid": must[*Compliant](t)(NewEllipsoid(r3.Vec{0.06, 0.05, 0.04}, opt)),
			"convex":    must[*Compliant](t)(NewConvex(hull, opt)),
			"gear":      must[*Compliant](t)(NewFromSurface(teeth, opt)),
			"surface":   must[*Compliant](t)(NewFromSurface(hull, opt)),
		}
	}
	without, with := make(plain), make(wide)
	X := r3.Pose{R: r3.RotExp(r3.Vec{0.4, 0.3, 0.2})}
	for name, c := range without {
		lowest := math.Inf(1)
		for _, x := range c.verts {
			lowest = min(lowest, X.R.MulVec(x)[2])
		}
		X.P = r3.Vec{0, 0, -lowest - 0.004}
		for B, body := range map[string]Geometry{"rigid": NewRigidHalfSpace(), "soft": without["box"]} {
			X_WB := at(0, 0, 0)
			if B == "soft" {
				X_WB = at(0.01, 0.01, -0.03)
			}
			a, b := contact(t, c, body, X, X_WB), contact(t, with[name], body, X, X_WB)
			if e := a.Force_W.Sub(b.Force_W).Norm(); e > 1e-9*a.Force_W.Norm() {
				t.Errorf("%s on %s: force %v, with a margin %v", name, B, a.Force_W, b.Force_W)
			}
			near(t, name+": area", b.Area, a.Area, 1e-9*a.Area)
			ahead := 0
			for _, f := range b.Faces {
				if f.Phi > 0 {
					ahead++
				}
			}
			if B == "rigid" && ahead == 0 {
				t.Errorf("%s: no face is ahead of contact", name)
			}
		}
	}
}

// Ahead of a flat contact φ is the gap, up to the sum of the margins and no more.
func TestGapAheadOfContactIsTheDistance(t *testing.T) {
	const margin = 1e-3
	opt := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.05, Margin: margin}
	size := r3.Vec{0.1, 0.1, 0.1}
	box := must[*Compliant](t)(NewBox(size, opt))
	hard := must[*Compliant](t)(NewBox(size, Options{HydroelasticModulus: 1e8, ResolutionHint: 0.05, Margin: margin}))
	ground := NewRigidHalfSpace()
	soft := must[*HalfSpace](t)(NewHalfSpace(0.05, opt))
	lattice := must[*Compliant](t)(NewTets(must[*meshes.Tet](t)(meshes.BoxTets(size, [3]int{4, 4, 4})), opt))
	slab := must[*Rigid](t)(NewRigid(surfaceOf(t, box), 0))
	for name, c := range map[string]struct {
		A     Geometry
		z     float64 // of the upper box where it touches
		reach float64
	}{
		"rigid plane": {ground, 0.05, margin},
		"tets":        {lattice, 0.1, 2 * margin},
		"soft plane":  {soft, 0.05, 2 * margin},
		"box":         {box, 0.1, 2 * margin},
		"rigid box":   {slab, 0.1 + margin, margin}, // its surface is that of the margin
		"stiffer box": {hard, 0.1, 2 * margin},
	} {
		for _, gap := range []float64{0, 0.3, 0.9, 1.1} {
			s := contact(t, c.A, box, r3.PoseIdentity(), at(0, 0, c.z+gap*c.reach))
			if (len(s.Faces) > 0) != (gap < 1) {
				// Equal pressures do not meet midway when the slopes differ: then the
				// harder margin ends first.
				if name != "stiffer box" {
					t.Errorf("%s: %d faces at %g of the margin", name, len(s.Faces), gap)
				}
				continue
			}
			if s.Area > 0 && gap > 0 {
				t.Errorf("%s: force %v across a gap", name, s.Force_W)
			}
			for _, f := range s.Faces {
				if math.Abs(f.Pos_W[0]) < 0.04 && math.Abs(f.Pos_W[1]) < 0.04 {
					near(t, name+": φ", f.Phi, gap*c.reach, 1e-12)
				}
			}
		}
	}
}
