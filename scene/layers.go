package scene

// The contact layer of a deformable, of k Pa/m, gives way by p/k under a pressure p,
// its body of Young's modulus E and size L by about p L/E. The layer stands for a thin
// skin: where it gives way more than the body, bodies sink into each other before they
// bend or are squeezed,
//
//	E > 2 k L                                                             (1)
//
// L is the least extent of the body; of one that touches itself the length of its
// elements, of which ribs are made.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
)

const (
	softLayer   = 2    // how much more than the body a layer may give way
	squeezeOnly = 0.02 // strain at which warnings tell how deep the layer sinks
)

// doubtLayers warns of contact layers that are far too soft for their body (1).
func (b *builder) doubtLayers() {
	for i := range b.softGeoms {
		g, spec := &b.softGeoms[i], b.materialSpec(b.softSpecs[i].Material)
		if !b.touches(g) {
			continue
		}
		if size, of := b.layerSize(i); b.layerDoubted(i) {
			layer, young := value(spec.ContactLayer, constraints.DefaultPressureGradient), b.young(i)
			b.warn("deformable %s: its contact layer of %.3g Pa/m gives way before the body does: a pressure that squeezes the body by %g %% sinks in by %s, %.2g %% of %s; give its material contact_layer: %.1g or more",
				g.Name, layer, 100*squeezeOnly, metres(squeezeOnly*young/layer), 100*squeezeOnly*young/layer/size, of, young/size)
		}
	}
}

// layerDoubted reports whether the contact layer of deformable i meets (1).
func (b *builder) layerDoubted(i int) bool {
	size, _ := b.layerSize(i)
	layer := value(b.materialSpec(b.softSpecs[i].Material).ContactLayer, constraints.DefaultPressureGradient)
	return b.young(i) > softLayer*layer*size
}

// layerSize returns L of deformable i and what it is.
func (b *builder) layerSize(i int) (size float64, of string) {
	mesh := b.model.Deformables[i].Mesh()
	if b.softGeoms[i].Self != nil {
		return meanEdge(mesh), "an element, of which ribs are made"
	}
	return least(mesh), "its least extent"
}

// touches reports whether a deformable has anything to touch.
func (b *builder) touches(g *geometry.Deformable) bool {
	m := b.model.Geometry
	other := func(body int) bool {
		return body != g.Body && !slices.Contains(m.ExcludedPairs, [2]int{g.Body, body}) && !slices.Contains(m.ExcludedPairs, [2]int{body, g.Body})
	}
	return g.Self != nil || slices.ContainsFunc(m.Geoms, func(o geometry.Geom) bool { return other(o.Body) }) ||
		slices.ContainsFunc(m.Deformables, func(o geometry.Deformable) bool { return other(o.Body) })
}

// least returns the least extent of a mesh, m.
func least(m *meshes.Tet) float64 {
	d := m.Bounds().Size()
	return min(d[0], d[1], d[2])
}

// meanEdge returns the mean length of the edges of a mesh, m.
func meanEdge(m *meshes.Tet) float64 {
	sum, n := 0.0, 0
	for _, t := range m.Tets {
		for i := range 4 {
			for j := range i {
				sum += m.Verts[t[i]].Sub(m.Verts[t[j]]).Norm()
				n++
			}
		}
	}
	return sum / math.Max(1, float64(n))
}
