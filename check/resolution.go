package check

// Pressure fields of round shapes have flat facets, inside of the surface if the user gave
// the resolution, else across it: the force differs from that of the round surface, the
// more the shallower contact is. Where a body rests
// under its weight the relative error of the force is known from geometry.Facets.
//
// A body that carries others rests deeper than under its own weight; the error is then smaller.

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/sim"
)

// errorSlack is by how much the default resolution may exceed its error by rounding.
const errorSlack = 1.01

// mostFacets is about the largest number of facets that the remedy may require.
const mostFacets = 200_000

// resolutions warns of round pressure fields whose facets soften the contact at rest by
// more than sim.ForceError. Bodies on joints are left out: what they carry is not known.
func (c *checker) resolutions() {
	for i := range c.Model.Geometry.Geoms {
		g := &c.Model.Geometry.Geoms[i]
		round, isRound := g.Shape.(geometry.Round)
		field, isCompliant := g.Field.(*hydroelastic.Compliant)
		if !isRound || !isCompliant || c.mass(g) > 0 && !c.Model.IsFree(g.Body) || !c.meetsField(g) {
			continue
		}
		weight := c.Model.SupportedWeight(g.Body)
		if weight == 0 {
			continue
		}
		// a harder partner: the softer of two fields is the deeper
		facets := round.Facets()
		depth := facets.RestDepth(c.slope(g), weight)
		hint := facets.Hint(sim.ForceError, depth, false)
		if size := g.Shape.Bounds().Size(); size[0]*size[1]+size[1]*size[2]+size[2]*size[0] > mostFacets*hint*hint {
			continue // nothing would help: so stiff a contact is deeper than that wherever it matters
		}
		if e := facets.Error(field.ResolutionHint(), depth, field.EqualVolume()); e > errorSlack*sim.ForceError {
			c.warn(Resolution, []string{c.path(g.Body)}, fmt.Sprintf("a %s of %.2g m keeps it below %.3g %%; deeper contact needs less", keyHint, hint, 100*sim.ForceError),
				"the facets of the pressure field of %s, %.2g m long, change its contact force by up to %.2g %% where a weight of %.3g N presses it in by %s",
				g.Name, field.ResolutionHint(), 100*e, weight, metres(depth))
		}
	}
}

// meetsField reports whether a geom can meet another one by pressure.
func (c *checker) meetsField(g *geometry.Geom) bool {
	for j := range c.Model.Geometry.Geoms {
		q := &c.Model.Geometry.Geoms[j]
		if q.Body != g.Body && q.Field != nil && !c.filtered(g.Body, q.Body) && c.canMeet(g, q) {
			return true
		}
	}
	return false
}
