package check

// Bodies that overlap at the start begin the run with the force of that overlap, which
// throws them apart. The overlap of point contacts is given. By pressure, a contact surface of
// largest pressure p between fields of gradients g_A and g_B lies at the depth
//
//	δ = p (1/g_A + 1/g_B)                                                 (1)
//
// A body wholly within the field of another has no contact surface with it, and nothing
// pushes it out.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/sim"
)

// overlapTolerance is the overlap at the start up to which there is no warning, m.
const overlapTolerance = 1e-4

// startApart is how to repair an overlap.
const startApart = "start them apart, or name one in the other's no_contact"

// overlaps warns of bodies that overlap at the start: the run begins with the forces
// of that overlap.
func (c *checker) overlaps(st *sim.Stepper) {
	// a box on a plane overlaps at four points, which is one fault
	// the deepest point contact of each pair of bodies, in the order of the contacts
	deepest := map[[2]int]float64{}
	var order [][2]int
	for _, k := range st.ContactsAt(&c.Model.Start, c.Step) {
		key := [2]int{k.A.Body, k.B.Body}
		if k.Phi < -overlapTolerance {
			if _, seen := deepest[key]; !seen {
				order = append(order, key)
			}
			deepest[key] = math.Min(deepest[key], k.Phi)
		}
	}
	for _, k := range order {
		c.warn(Overlap, c.paths(k[0], k[1]), startApart, "they overlap by %.3g mm at the start, and contact will push them apart", -1e3*deepest[k])
	}
	touching := c.deepFields(st)
	c.enclosed(touching)
}

// deepFields warns of bodies whose pressure fields overlap deeper at the start than
// resting bodies sink. It returns the pairs of geoms whose fields touch.
func (c *checker) deepFields(st *sim.Stepper) (touching map[[2]int]bool) {
	geoms := c.Model.Geometry.Geoms
	// of each pair of bodies, the deepest in relation to its size
	share := map[[2]int]float64{} // of bodies: the deepest, over the least extent
	depth := map[[2]int]float64{} // m
	var order [][2]int
	touching = map[[2]int]bool{}
	for _, p := range st.Geometry.HydroelasticContacts() {
		i, j := int(p.Elem[0]), int(p.Elem[1])
		touching[[2]int{i, j}] = p.Surface.Area > 0
		// pressures of faces are those at centroids: the deepest point has a little more
		// (1)
		d := p.Surface.MaxPressure / constraints.CombineStiffness(c.slope(&geoms[i]), c.slope(&geoms[j]))
		key := [2]int{p.A, p.B}
		if s := d / math.Min(leastExtent(&geoms[i]), leastExtent(&geoms[j])); s > deepRest && s > share[key] {
			if share[key] == 0 {
				order = append(order, key)
			}
			share[key], depth[key] = s, d
		}
	}
	for _, k := range order {
		c.warn(Overlap, c.paths(k[0], k[1]), "start them apart, or raise the "+keyModulus+" of the softer one",
			"they press %.3g mm deep into each other at the start, %.0f %% of the thinner one's extent, and contact will push them apart",
			1e3*depth[k], 100*share[k])
	}
	return touching
}

// enclosed warns of bodies that lie wholly within the pressure field of another at the
// start; touching are the pairs of geoms that are not.
func (c *checker) enclosed(touching map[[2]int]bool) {
	geoms := c.Model.Geometry.Geoms
	for i := range geoms {
		for j := range geoms {
			p, q := &geoms[i], &geoms[j]
			if i == j || touching[[2]int{i, j}] || touching[[2]int{j, i}] || !c.byPressure(p, q) || !c.within(p, q) {
				continue
			}
			touching[[2]int{i, j}] = true // of two that coincide either is within the other
			c.warn(Overlap, c.paths(p.Body, q.Body), startApart,
				"the first is wholly within the second at the start, where pressure fields do not push it out")
		}
	}
}

// byPressure reports whether contact of two shapes would be by pressure.
func (c *checker) byPressure(p, q *geometry.Geom) bool {
	if p.Body == q.Body || p.Field == nil || q.Field == nil || !p.Field.Compliant() && !q.Field.Compliant() || c.mass(p) == 0 && c.mass(q) == 0 {
		return false
	}
	return !c.filtered(p.Body, q.Body)
}

// within reports whether all vertices of a shape's surface lie within another shape,
// to a millionth of its extent.
func (c *checker) within(p, q *geometry.Geom) bool {
	if _, endless := p.Shape.(geometry.HalfSpace); endless {
		return false
	}
	slack := 1e-6 * leastExtent(p)
	X_QP := c.pose(q.Body).Mul(q.X_BG).Inv().Mul(c.pose(p.Body).Mul(p.X_BG))
	outside := func(x [3]float64) bool {
		phi, _ := q.Shape.SignedDistance(X_QP.Point(x))
		return phi > slack
	}
	// Test one point before all.
	if outside(p.Shape.Bounds().Center()) { // most pairs are apart
		return false
	}
	for _, x := range p.Shape.SurfaceMesh().Verts {
		if outside(x) {
			return false
		}
	}
	return true
}
