package scene

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// overlapTolerance is how deep bodies may rest in each other at the start
// without a word, m.
const overlapTolerance = 1e-4

// overlapsAtStart warns of bodies that overlap at the start: the run begins with
// the forces of that overlap.
func (b *builder) overlapsAtStart() error {
	st, err := sim.NewStepper(b.model, sim.Options{Threads: 1})
	if err != nil {
		return err
	}
	deepest := map[[2]int]float64{}
	var order [][2]int
	for _, c := range st.ContactsAt(&b.model.Start, b.f.Time.Step) {
		key := [2]int{c.A.Body, c.B.Body}
		if c.Phi < -overlapTolerance {
			if _, seen := deepest[key]; !seen {
				order = append(order, key)
			}
			deepest[key] = math.Min(deepest[key], c.Phi)
		}
	}
	for _, k := range order {
		b.warn("%s and %s overlap by %.3g mm at the start: contact will push them apart; start them apart, or name one in the other's no_contact", st.BodyName(k[0]), st.BodyName(k[1]), -1e3*deepest[k])
	}
	b.deepFields(st)
	return nil
}

// deepFields warns of bodies whose pressure fields overlap so deep at the start that
// the forces are not what one means: deeper than resting bodies sink, or wholly.
func (b *builder) deepFields(st *sim.Stepper) {
	geoms := b.model.Geometry.Geoms
	share := map[[2]int]float64{} // of bodies: the deepest, of the extent
	depth := map[[2]int]float64{}
	var order [][2]int
	touching := map[[2]int]bool{}
	for _, p := range st.Geometry.HydroelasticContacts() {
		i, j := int(p.Elem[0]), int(p.Elem[1])
		touching[[2]int{i, j}] = p.Surface.Area > 0
		d := p.Surface.MaxPressure / constraints.CombineStiffness(b.slope(&geoms[i]), b.slope(&geoms[j]))
		key := [2]int{p.A, p.B}
		if s := d / math.Min(leastExtent(&geoms[i]), leastExtent(&geoms[j])); s > deepSink && s > share[key] {
			if share[key] == 0 {
				order = append(order, key)
			}
			share[key], depth[key] = s, d
		}
	}
	for _, k := range order {
		b.warn("%s and %s press %.3g mm deep into each other at the start, %.0f %% of the thinner one's extent: contact will push them apart; start them apart, or raise the hydroelastic_modulus of what sinks so deep",
			st.BodyName(k[0]), st.BodyName(k[1]), 1e3*depth[k], 100*share[k])
	}
	poseOf := b.placed()
	for i := range geoms {
		for j := range geoms {
			if p, q := &geoms[i], &geoms[j]; i != j && !touching[[2]int{i, j}] && !touching[[2]int{j, i}] && b.press(p, q) && within(p, q, poseOf) {
				touching[[2]int{i, j}] = true // of two that coincide either is within the other
				b.warn("%s is wholly within %s at the start: pressure fields that deep do not push it out; start them apart, or name one in the other's no_contact",
					st.BodyName(p.Body), st.BodyName(q.Body))
			}
		}
	}
}

// press reports whether two shapes touch by pressure, if they do.
func (b *builder) press(p, q *geometry.Geom) bool {
	if p.Body == q.Body || p.Field == nil || q.Field == nil || !p.Field.Compliant() && !q.Field.Compliant() || b.weight(p) == 0 && b.weight(q) == 0 {
		return false
	}
	return !b.filtered(p, q)
}

// filtered reports whether the bodies of two shapes never touch.
func (b *builder) filtered(p, q *geometry.Geom) bool {
	return slices.ContainsFunc(b.model.Geometry.ExcludedPairs, func(s [2]int) bool {
		return s == [2]int{p.Body, q.Body} || s == [2]int{q.Body, p.Body}
	})
}

// within reports whether a shape lies wholly within another, or as good as.
func within(p, q *geometry.Geom, poseOf func(body int) r3.Pose) bool {
	if _, endless := p.Shape.(geometry.HalfSpace); endless {
		return false
	}
	slack := 1e-6 * leastExtent(p)
	X_QP := poseOf(q.Body).Mul(q.X_BG).Inv().Mul(poseOf(p.Body).Mul(p.X_BG))
	outside := func(x r3.Vec) bool {
		phi, _ := q.Shape.SignedDistance(X_QP.Point(x))
		return phi > slack
	}
	if outside(p.Shape.Bounds().Center()) { // most pairs are apart
		return false
	}
	return !slices.ContainsFunc(p.Shape.SurfaceMesh().Verts, outside)
}

// leastExtent returns the least extent of a shape, m; that of a half-space has no
// bound.
func leastExtent(g *geometry.Geom) float64 {
	if _, endless := g.Shape.(geometry.HalfSpace); endless {
		return math.Inf(1)
	}
	d := g.Shape.Bounds().Size()
	return min(d[0], d[1], d[2])
}
