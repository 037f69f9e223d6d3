package check

// Under a pressure p between a deformable and another body, the two surfaces in series,
// of pressure gradient k (Pa/m), are pressed in by the static depth δ of the normal law
// f(δ) for a pair of stiffness k, and the outermost elements, of length e and Young's
// modulus E, are squeezed by about δ_e:
//
//	f(δ) = p, for a linear law δ = p/k                                    (1)
//	δ_e = p Σ e/E                                                         (2)
//
// The sum is over the sides that are deformable.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/geometry"
)

// DeformableEstimate is the estimated behaviour of contact between a deformable and
// another body, or itself: for each pair of materials, that of the pair of bodies with
// the shortest elements.
type DeformableEstimate struct {
	// Materials are the names of the materials, that of the deformable first.
	Materials [2]string `json:"materials"`
	// Bodies are the names of the bodies, the deformable first.
	Bodies [2]string `json:"bodies"`
	// Gradient is the pressure gradient k of both surfaces in series, Pa/m.
	Gradient float64 `json:"pressure_gradient_Pa_m"`
	// Dissipation is Hunt and Crossley's d of the pair, s/m.
	Dissipation float64 `json:"dissipation_s_m"`
	// Friction is the dynamic coefficient of the pair.
	Friction float64 `json:"friction"`
	// Pressure is the pressure p at which Depth and Squeeze are computed, Pa.
	Pressure float64 `json:"pressure_Pa"`
	// Depth is the overlap δ of the surfaces, m; 0 where the law keeps bodies apart.
	Depth float64 `json:"depth_m,omitempty"`
	// Squeeze is the compression δ_e of the outermost elements, m.
	Squeeze float64 `json:"squeeze_m"`
	// Element is the mean length of edges in the first body, m.
	Element float64 `json:"element_m"`
	// Thickness is the least extent of the thinner body, m.
	Thickness float64 `json:"least_extent_m"`
}

// String returns the estimate as one line.
func (a *DeformableEstimate) String() string {
	s := fmt.Sprintf("%s on %s, by pressure gradient: %.3g Pa/m, dissipation %.3g s/m, friction %.3g; ",
		a.Materials[0], a.Materials[1], a.Gradient, a.Dissipation, a.Friction)
	if a.Depth == 0 {
		return s + fmt.Sprintf("barriers keep them apart; elements of %s are %s long", a.Bodies[0], metres(a.Element))
	}
	return s + fmt.Sprintf("%.3g kPa press the surfaces in by %s and squeeze the outermost elements (of %s, %s) by %s",
		1e-3*a.Pressure, metres(a.Depth), a.Bodies[0], metres(a.Element), metres(a.Squeeze))
}

const (
	// gripPressure is a working pressure of soft grips, Pa; bodies that it would strain
	// by more than mostStrain are judged at the pressure that strains them by that.
	gripPressure = 1e4
	mostStrain   = 0.1
	// Surfaces pressed in by more than deepSurface of a body's least extent let thin
	// bodies pass through each other. Pressed in by more than softSkin times the squeeze
	// of the outermost elements they decide where contact is, whatever the mesh.
	deepSurface = 0.2
	softSkin    = 20
)

// side is the partner of a deformable in a contact.
type side struct {
	body       int     // scene body
	material   int     // contact material
	deformable int     // number of the deformable, −1 of a rigid body
	slope      float64 // pressure gradient of a rigid body's field, Pa/m; 0: none
}

// partners returns the bodies that deformable i can touch: rigid shapes, deformables of lower
// number, itself.
func (c *checker) partners(i int) (all []side) {
	m := c.Model.Geometry
	g := &m.Deformables[i]
	for k := range m.Geoms {
		o := side{m.Geoms[k].Body, m.Geoms[k].Material, -1, 0}
		if slope := c.slope(&m.Geoms[k]); !math.IsInf(slope, 1) {
			o.slope = slope
		}
		all = append(all, o)
	}
	for k := range i {
		all = append(all, side{m.Deformables[k].Body, m.Deformables[k].Material, k, 0})
	}
	all = slices.DeleteFunc(all, func(o side) bool { return c.filtered(g.Body, o.body) })
	if g.Self != nil {
		all = append(all, side{g.Body, g.Material, i, 0})
	}
	return all
}

// foundDeformable is an estimate with the deformable and its partner.
type foundDeformable struct {
	DeformableEstimate
	i int
	o side
}

// deformables returns an estimate for every pair of materials of which one is a
// deformable's, where it can meet the other, and warns where it is doubtful.
func (c *checker) deformables() (all []DeformableEstimate) {
	least := c.leastSqueezes()
	// Of A on B and B on A keep the one with the shorter elements.
	var kept []foundDeformable
	for key, a := range least {
		other, both := least[[2]int{key[1], key[0]}]
		if both && (other.Squeeze < a.Squeeze || other.Squeeze == a.Squeeze && key[0] > key[1]) {
			continue
		}
		kept = append(kept, a)
	}
	slices.SortFunc(kept, func(x, y foundDeformable) int { return slices.Compare(x.Materials[:], y.Materials[:]) })
	for i := range kept {
		a := &kept[i]
		c.judgeDeformable(&a.DeformableEstimate, a.i, &a.o)
		all = append(all, a.DeformableEstimate)
	}
	return all
}

// leastSqueezes returns the estimate of the least squeeze for each ordered pair of
// materials, by the indices of their bases.
func (c *checker) leastSqueezes() map[[2]int]foundDeformable {
	least := map[[2]int]foundDeformable{}
	for i := range c.Model.Geometry.Deformables {
		g := &c.Model.Geometry.Deformables[i]
		for _, o := range c.partners(i) {
			key := [2]int{c.Materials[g.Material].Base, c.Materials[o.material].Base}
			a, ok := c.deformableContact(i, &o)
			if old, known := least[key]; ok && !(known && old.Squeeze <= a.Squeeze) {
				least[key] = foundDeformable{a, i, o}
			}
		}
	}
	return least
}

// deformableContact returns the estimate of a contact of deformable i; false where the
// pair of materials has no finite stiffness.
func (c *checker) deformableContact(i int, o *side) (a DeformableEstimate, ok bool) {
	g := &c.Model.Geometry.Deformables[i]
	// a contact of unit area, between a face of the deformable and the other side
	contact := geometry.Contact{
		A: geometry.MaterialPoint{Body: o.body}, B: geometry.MaterialPoint{Body: g.Body, N: 3},
		Materials: [2]int{o.material, g.Material}, Area: 1, PressureGradient: o.slope,
	}
	if o.deformable >= 0 {
		contact.A.N = 3
	}
	pair, err := c.Model.ContactMaterials.Pair(&contact)
	if err != nil {
		return a, false // the step that they touch in says so
	}
	a = DeformableEstimate{
		Materials: [2]string{c.Materials[g.Material].Name, c.Materials[o.material].Name},
		Bodies:    [2]string{g.Name, c.name(o.body)},
		Gradient:  pair.Stiffness, Dissipation: pair.Dissipation, Friction: pair.Friction,
	}
	c.press(&a, i, o)
	return a, true
}

// press fills in the effect of a pressure on the surfaces and the outermost elements.
func (c *checker) press(a *DeformableEstimate, i int, o *side) {
	mesh, young := c.Model.Deformables[i].Mesh(), c.young(i)
	a.Element, a.Thickness = meanEdge(mesh), leastOf(mesh)
	compliance := a.Element / young // Σ e/E of (2)
	if o.deformable >= 0 {
		other := c.Model.Deformables[o.deformable].Mesh()
		compliance += meanEdge(other) / c.young(o.deformable)
		young, a.Thickness = min(young, c.young(o.deformable)), min(a.Thickness, leastOf(other))
	}
	a.Pressure = min(gripPressure, mostStrain*young)
	a.Squeeze = a.Pressure * compliance // (2)
	if n := c.Model.Contact.Facts().Normal; n.Range() == 0 {
		a.Depth = n.StaticDepth(a.Gradient, a.Pressure) // (1)
	}
}

// judgeDeformable warns of an estimate that is doubtful. The depth is not judged where
// the other side is a pressure field, which is compliant on purpose, and where a warning
// about the surface of one of the bodies says the same.
func (c *checker) judgeDeformable(a *DeformableEstimate, i int, o *side) {
	where := []string{"materials." + a.Materials[0], "materials." + a.Materials[1]}
	// The impulse of a contact face of an outermost element of length e grows with its
	// velocity by h² k e², that of the element by ρ e³ + h² E e.
	h := c.Step
	inert := c.Model.Deformables[i].Spec().Density*a.Element*a.Element + h*h*c.young(i)
	if ratio := h * h * a.Gradient * a.Element / inert; exceeds(ratio, stiffestStep) {
		c.warn(ContactTooStiff, where, fmt.Sprintf("lower %s below %.2g times this", keyGradient, stiffestStep/ratio),
			"the pressure gradient of %.3g Pa/m is too stiff for steps of %g s: round-off keeps the solver from its tolerance", a.Gradient, h)
	}
	// A softer field is compliant on purpose, and a soft surface has a warning of its own.
	if o.slope > 0 || c.surfaceTooSoft(i) || o.deformable >= 0 && c.surfaceTooSoft(o.deformable) {
		return
	}
	switch {
	case exceeds(a.Depth, deepSurface*a.Thickness):
		c.warn(ContactLoad, where, "raise "+keyGradient,
			"%.3g kPa press the surfaces in by %s, %.0f %% of the least extent of the thinner body", 1e-3*a.Pressure, metres(a.Depth), 100*a.Depth/a.Thickness)
	case exceeds(a.Depth, softSkin*a.Squeeze):
		c.warn(ContactLoad, where, "raise "+keyGradient,
			"the surfaces give way %.2g times as much as the outermost elements, so that the pressure gradient, not the body, decides where they touch", a.Depth/a.Squeeze)
	}
}
