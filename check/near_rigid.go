package check

// A contact law may limit the stiffness of its contacts to what a step resolves of the masses
// that meet, so that no stiffness conditions the problem badly. The lighter body determines
// that limit, and a heavy body on a light one sinks far deeper than the stiffness of its
// material implies. With the weight W = m_p g on q, the inverse effective mass w and the
// limit K (see constraints.ContactFacts.NearRigid),
//
// 	w = 1/m_p + 1/m_q   (1/m_q = 0 where q cannot move)                    (1)
// 	δ = W/K(w)                                                            (2)
//
// SAP has K = 4π²/(β² w h (h + τ)), so that δ = g (1 + m_p/m_q) h (h + τ) β²/(4π²): at a step of
// 10 ms, τ = 20 ms and a mass ratio of 10⁶ 75 mm, whatever the stiffness. (1) is that of one
// contact between the centres of mass, or of the four corners of a cube.
//
// The remedy names the factor by which β would have to fall: the depth grows as β².

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/rigid"
)

// nearRigidRest is the depth (2), over the least extent of the two bodies, from which it is
// too deep: a law's artefact must be less than what a soft material may do, see deepRest.
const nearRigidRest = 0.01

// nearRigid is a body that sinks because of the limit of its contact law.
type nearRigid struct {
	p, q            *geometry.Geom
	depth, material float64 // m, by (2) and by the stiffness of the materials
	least           float64 // m
}

// nearRigids warns, for each pair of materials, of the body that sinks deepest, in relation to
// its size, because its contact law limits the stiffness.
func (c *checker) nearRigids() {
	limit := c.Model.Contact.Facts().NearRigid
	if limit == nil {
		return
	}
	geoms := c.Model.Geometry.Geoms
	worst := map[[2]int]nearRigid{}
	var order [][2]int
	for i := range geoms {
		for j := range geoms {
			p, q := &geoms[i], &geoms[j]
			key := [2]int{c.Materials[p.Material].Base, c.Materials[q.Material].Base}
			n, ok := c.sinks(p, q, limit)
			w, seen := worst[key]
			if !ok || seen && n.depth*w.least <= w.depth*n.least || c.filtered(p.Body, q.Body) || !c.canMeet(p, q) {
				continue
			}
			if !seen {
				order = append(order, key)
			}
			worst[key] = n
		}
	}
	for _, key := range order {
		n := worst[key]
		how := fmt.Sprintf("by about %s into %s", metres(n.depth), c.name(n.q.Body))
		if n.depth > n.least {
			how = "through " + c.name(n.q.Body)
		}
		c.warn(NearRigid, c.paths(n.p.Body, n.q.Body),
			fmt.Sprintf("set solver.contact: %s, which has no such limit, or lower solver.%s to %.2g times its value", constraints.DefaultContactModel, keyBeta, 0.95*math.Sqrt(nearRigidRest*n.least/n.depth)),
			"%s (%.3g kg) sinks %s under its own weight, where their material gives %s: the contact law limits the stiffness by the mass of the lighter body and the step",
			c.name(n.p.Body), c.mass(n.p), how, metres(n.material))
	}
}

// sinks returns how deep p, free to fall, sinks into q, which is lighter or fixed; false where
// that is little, or what the stiffness of the materials says.
func (c *checker) sinks(p, q *geometry.Geom, limit func(h float64, pair *constraints.Pair, w float64) float64) (n nearRigid, ok bool) {
	m, light := c.mass(p), c.mass(q)
	if p.Body == q.Body || m == 0 || m < light {
		return n, false
	}
	if _, free := c.Model.Rigid.Link(p.Body).Joint.(rigid.Floating); !free {
		return n, false // a joint may carry its weight
	}
	pair, slope, err := c.combined(p, q)
	if err != nil || slope > 0 {
		return n, false // by pressure, many faces share the load
	}
	// the effective mass is that of the lighter body where the masses differ much
	w := 1 / m // (1)
	if light > 0 {
		w += 1 / light
	}
	weight := math.Max(0, c.Model.Rigid.Link(p.Body).WeightMass()) * c.Model.Gravity.Norm()
	n = nearRigid{p: p, q: q, least: math.Min(leastExtent(p), leastExtent(q))}
	n.depth = weight / limit(c.Step, &pair, w) // (2)
	n.material = c.Model.Contact.Facts().Normal.StaticDepth(pair.Stiffness, weight)
	return n, n.depth > nearRigidRest*n.least && n.depth > n.material
}
