package scene

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes"
)

// fieldSpec is what a shape says of its pressure field.
type fieldSpec struct {
	pos            Pos
	where          string  // for messages
	resolutionHint float64 // m; 0: by size
	thickness      float64 // of a half-space, m
	tets           *meshes.Tet
}

// Defaults of pressure fields.
const (
	defaultThickness = 1    // of a half-space, m
	leastSkirt       = 1e-4 // m
	skirtShare       = 0.05 // of a shape's least extent, at most
)

// buildFields gives the shapes of materials with a hydroelastic_modulus their
// pressure fields, and where there are such the others rigid surfaces for them to
// press on. Without any, all contact is at points.
func (b *builder) buildFields() {
	compliant := false
	for i := range b.geoms {
		compliant = compliant || b.mats[b.geoms[i].Material].HydroelasticModulus > 0
	}
	if !compliant {
		if b.f.Solver.HydroelasticMargin != nil {
			b.warn("solver.hydroelastic_margin is not used: no shape has a material with a hydroelastic_modulus")
		}
		for i := range b.fields {
			b.unusedField(&b.fields[i])
		}
		return
	}
	if b.f.Solver.FrictionLag == "previous" {
		b.warn("solver.friction_lag: previous has no part in pressure fields, whose faces are others in every step: their friction is bounded as by geometry; sweep has it exactly")
	}
	built := map[fieldKey]hydroelastic.Geometry{}
	for i := range b.geoms {
		g, spec := &b.geoms[i], &b.fields[i]
		key := fieldKey{g.Shape, b.mats[g.Material].HydroelasticModulus, spec.resolutionHint, spec.thickness}
		var ok bool
		if g.Field, ok = built[key]; ok {
			continue
		}
		var err error
		if g.Field, err = b.field(g.Shape, key.modulus, spec); err != nil {
			b.fail(spec.pos, "%s: %v", spec.where, err)
			continue
		}
		built[key] = g.Field
	}
}

// fieldKey is what a field depends on: shapes that share a mesh share it.
type fieldKey struct {
	shape                              geometry.Shape
	modulus, resolutionHint, thickness float64
}

func (b *builder) unusedField(s *fieldSpec) {
	if s.resolutionHint != 0 {
		b.warn("%s: resolution_hint is not used: no shape has a material with a hydroelastic_modulus", s.where)
	}
}

// field makes the pressure field of a shape, or its rigid surface.
func (b *builder) field(sh geometry.Shape, modulus float64, spec *fieldSpec) (hydroelastic.Geometry, error) {
	switch s := sh.(type) {
	case geometry.HalfSpace:
		s.Thickness = spec.thickness
		sh = s
	case *geometry.Mesh:
		sh = s.WithTets(spec.tets)
	}
	opt := hydroelastic.Options{HydroelasticModulus: modulus, ResolutionHint: spec.resolutionHint, Margin: b.skirt(sh)}
	return geometry.NewPressureField(sh, opt)
}

// skirt returns how far the field of a shape reaches beyond it: as far as what
// rests on it may tilt in a step, which is twice the fall of one, but a little of
// its size at most.
func (b *builder) skirt(sh geometry.Shape) float64 {
	if m := b.f.Solver.HydroelasticMargin; m != nil {
		return *m
	}
	g := b.model.Gravity.Norm()
	h := b.f.Time.Step
	margin := math.Max(leastSkirt, 2*h*h*g)
	if _, endless := sh.(geometry.HalfSpace); endless {
		return margin
	}
	d := sh.Bounds().Size()
	return math.Min(margin, skirtShare*min(d[0], d[1], d[2]))
}
