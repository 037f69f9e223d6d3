package check

// The surface of a deformable, of pressure gradient k (Pa/m), gives way by p/k under a
// pressure p, its inside of Young's modulus E and size L by about p L/E. The pressure
// gradient models a thin skin: where the surface gives way more than the inside, bodies
// overlap visibly before they bend or are squeezed. So it should be true that
//
//	E < 2 k L                                                             (1)
//
// L is the least extent of the body; of one that touches itself the length of its
// elements, because its ribs are about as thick.

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
)

const (
	softSurface = 2    // how many times as much as the inside a surface may give way
	shownStrain = 0.02 // strain of the inside at which warnings say how deep the surface is pressed in
)

// gradients warns of pressure gradients that are far too small for their body (1).
func (c *checker) gradients() {
	for i := range c.Model.Geometry.Deformables {
		g := &c.Model.Geometry.Deformables[i]
		// a body that touches nothing may have any surface
		if !c.canTouch(g) || !c.surfaceTooSoft(i) {
			continue
		}
		// Say by how much the surface gives way, and which gradient satisfies (1).
		size, of := c.thickness(i)
		k, young := c.gradient(i), c.young(i)
		c.warn(Gradient, []string{c.path(g.Body)}, fmt.Sprintf("give its material %s: %.1g or more", keyGradient, young/size),
			"its surface, of a pressure gradient of %.3g Pa/m, gives way before its inside does: a pressure that strains the inside by %g %% presses the surface in by %s, %.2g %% of %s",
			k, 100*shownStrain, metres(shownStrain*young/k), 100*shownStrain*young/k/size, of)
	}
}

// gradient returns the pressure gradient of the surface of deformable i, Pa/m.
func (c *checker) gradient(i int) float64 {
	g := &c.Model.Geometry.Deformables[i]
	return c.Model.ContactMaterials.DeformableGradient(g.Body, g.Material)
}

// surfaceTooSoft reports whether deformable i violates (1).
func (c *checker) surfaceTooSoft(i int) bool {
	size, _ := c.thickness(i)
	return c.young(i) > softSurface*c.gradient(i)*size
}

// thickness returns L (m) of deformable i and what L is, for messages.
func (c *checker) thickness(i int) (size float64, of string) {
	mesh := c.Model.Deformables[i].Mesh()
	if c.Model.Geometry.Deformables[i].Self != nil {
		return meanEdge(mesh), "the length of an element, about the thickness of its ribs"
	}
	return leastOf(mesh), "its least extent"
}

// canTouch reports whether a deformable has anything to touch.
func (c *checker) canTouch(g *geometry.Deformable) bool {
	if g.Self != nil {
		return true
	}
	m := c.Model.Geometry
	for i := range m.Geoms {
		if !c.filtered(g.Body, m.Geoms[i].Body) {
			return true
		}
	}
	for i := range m.Deformables {
		if o := m.Deformables[i].Body; o != g.Body && !c.filtered(g.Body, o) {
			return true
		}
	}
	return false
}
