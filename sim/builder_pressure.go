package sim

// Rigid bodies have point contact, unless some shape has a contact material with a
// HydroelasticModulus. Then contact is hydroelastic: every shape gets a pressure field, or
// a rigid surface where its own modulus is 0, and bodies touch over contact surfaces:
//
//	p(x) = E d(x)/H
//
// with E the modulus, d the depth below the surface and H its largest value. Fields extend
// beyond the shape by a margin, in which p is negative, so that contacts about to close
// are detected. Source: Elandt, Drumwright, Sherman, Ruina 2019; Masterjohn et al. 2022.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes/repair"
)

// Bounds of the default margin of a pressure field.
const (
	leastHydroelasticMargin = 2e-3 // of the least size of the shapes
	hydroelasticMarginShare = 0.05 // of a shape's least extent, at most
)

// pressureKey is what a pressure field depends on: shapes that share it share the field.
type pressureKey struct {
	shape               any     // shapes of one mesh are one pointer
	modulus, resolution float64 // Pa, m
	given               bool    // whether the resolution is
}

// pressureFields gives compliant shapes their pressure fields, and in models that have
// such the others rigid surfaces. Without any, all contact is at points.
func (a *assembly) pressureFields() {
	// contact of pressure is a property of the whole model
	compliant := false
	for i := range a.geoms {
		compliant = compliant || a.modulus(i) > 0
	}
	if !compliant {
		a.unusedPressure()
		return
	}
	if a.FrictionLag == FrictionLagPrevious {
		a.warn("model", "", "the friction lag 'previous' has no effect on contact surfaces, whose faces differ from step to step: their friction is bounded as by 'geometry'; 'sweep' bounds it by the normal impulse of the same step")
	}
	least := leastHydroelasticMargin * (&geometry.Model{Geoms: a.geoms}).LeastSize()
	// geoms of the same shape and material share a field
	built := map[pressureKey]hydroelastic.Geometry{}
	for i := range a.geoms {
		g, s := &a.geoms[i], a.pressure[i]
		key := pressureKey{sharedShape(g.Shape), a.modulus(i), a.resolution(i), s.ResolutionHint != 0}
		var ok bool
		if g.Field, ok = built[key]; ok {
			continue
		}
		// a fault of the shape or of its resolution
		var err error
		if g.Field, err = a.pressureField(s, key.modulus, key.resolution, least); err != nil {
			a.fail("body", g.Name, "%w", err)
			continue
		}
		if f, ok := g.Field.(interface{ SelfIntersectionsChecked() bool }); ok && !f.SelfIntersectionsChecked() {
			a.warn("body", g.Name, "%s", repair.UncheckedCuts)
		}
		built[key] = g.Field
	}
}

// sharedShape returns what shapes with the same field have in common: the sizes of round
// shapes, whose fields are large, and else the shape itself.
func sharedShape(s geometry.Shape) any {
	switch s := s.(type) {
	case *geometry.Sphere:
		return *s
	case *geometry.Ellipsoid:
		return *s
	case *geometry.Capsule:
		return *s
	case *geometry.Cylinder:
		return *s
	}
	return s
}

// modulus returns the hydroelastic modulus of a geom, Pa; 0 for a rigid surface.
func (a *assembly) modulus(geom int) float64 {
	return a.materials.list[a.geoms[geom].Material].HydroelasticModulus
}

// unusedPressure warns of settings of pressure fields in a model without any.
func (a *assembly) unusedPressure() {
	if a.HydroelasticMargin != nil {
		a.warn("model", "", "the hydroelastic margin is not used: no shape has a material with a hydroelastic modulus")
	}
	for i, s := range a.pressure {
		if s.ResolutionHint != 0 {
			a.warn("body", a.geoms[i].Name, "the resolution hint is not used: no shape has a material with a hydroelastic modulus")
		}
	}
}

// pressureField makes the pressure field of a shape, or its rigid surface for a modulus
// of 0.
func (a *assembly) pressureField(spec *ShapeSpec, modulus, resolution, least float64) (hydroelastic.Geometry, error) {
	return geometry.NewPressureField(spec.Shape, hydroelastic.Options{
		HydroelasticModulus: modulus, ResolutionHint: resolution, EqualVolume: spec.ResolutionHint == 0, Margin: a.hydroelasticMargin(spec.Shape, least),
	})
}

// hydroelasticMargin returns the width of a field outside of its shape: by default twice the
// fall of a step, by which a resting body may tilt in one, and no less than least, m, but at most a small part of the
// shape's size. Less than that fall, stated for parts that mesh, is for these alone: convex bodies
// would fall on faces that their contact does not have yet, and never come to rest.
func (a *assembly) hydroelasticMargin(sh geometry.Shape, least float64) float64 {
	most := math.Inf(1) // a half-space has no size
	if _, endless := sh.(geometry.HalfSpace); !endless {
		// wide fields cost time and meet distant bodies: no more than a part of the least extent
		d := sh.Bounds().Size()
		most = hydroelasticMarginShare * min(d[0], d[1], d[2])
	}
	fall := 2 * a.TimeStep * a.TimeStep * a.Gravity.Norm()
	if a.HydroelasticMargin == nil {
		return math.Min(math.Max(least, fall), most)
	}
	stated := *a.HydroelasticMargin
	if _, general := sh.(*geometry.Mesh); general || stated < 0 { // the field refuses what is negative
		return stated
	}
	return math.Max(stated, math.Min(fall, most))
}
