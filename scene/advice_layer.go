package scene

// What a pressure p does where a deformable bears on something: the contact layers of
// both sides in series, of k Pa/m, give way by δ, by Hertz's law with k at the overlap
// δ_k by (2), and the outermost elements, of length e and Young's modulus E, by about δ_e,
//
//	δ = p/k                                                               (1)
//	δ = (p √δ_k/k)^{2/3}                                                  (2)
//	δ_e = p Σ e/E                                                         (3)
//
// over the sides that are deformable.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/geometry"
)

// LayerAdvice is what to expect of contact between a deformable and something else, or
// itself: of all of a pair of materials, that of the shortest elements.
type LayerAdvice struct {
	Materials   [2]string `json:"materials"` // the deformable's first
	Bodies      [2]string `json:"bodies"`
	Layer       float64   `json:"layer_Pa_m"` // of both sides in series
	Dissipation float64   `json:"dissipation_s_m"`
	Friction    float64   `json:"friction"`
	Pressure    float64   `json:"pressure_Pa"`      // of the next two
	Sink        float64   `json:"sink_m,omitempty"` // of the layer; none where barriers keep bodies apart
	Squeeze     float64   `json:"squeeze_m"`        // of the outermost elements
	Element     float64   `json:"element_m"`        // their mean length, of the first body
	Thickness   float64   `json:"least_extent_m"`   // of the first body
	Doubts      []string  `json:"doubts"`
}

func (a *LayerAdvice) String() string {
	s := fmt.Sprintf("%s on %s, by contact layers: %.3g Pa/m, dissipation %.3g s/m, friction %.3g; ",
		a.Materials[0], a.Materials[1], a.Layer, a.Dissipation, a.Friction)
	if a.Sink == 0 {
		return s + fmt.Sprintf("barriers keep them apart; elements of %s are %s long", a.Bodies[0], metres(a.Element))
	}
	return s + fmt.Sprintf("%.3g kPa sink in by %s and squeeze the outermost elements (of %s, %s) by %s",
		1e-3*a.Pressure, metres(a.Sink), a.Bodies[0], metres(a.Element), metres(a.Squeeze))
}

const (
	// gripPressure is one that soft grips work at, Pa; of bodies that it would squeeze
	// by more, that which squeezes them by squeezeMost.
	gripPressure = 1e4
	squeezeMost  = 0.1
	// A layer that gives way by more than deepLayer of a body's least extent lets thin
	// bodies pass through each other, one by more than softSkin times what the outermost
	// elements do decides where contact is, whatever the mesh.
	deepLayer = 0.2
	softSkin  = 20
)

// adviseLayers returns what to expect of every pair of materials of which one is a
// deformable's, where it can meet the other.
func (b *builder) adviseLayers() []LayerAdvice {
	names, m := b.materialNames(), b.model.Geometry
	found := map[[2]int]LayerAdvice{}
	add := func(i, other, material int, name string, c geometry.Contact, second int) {
		g := &m.Deformables[i]
		if other != g.Body && (b.skips(g.Body, other) || b.skips(other, g.Body)) {
			return
		}
		key := [2]int{b.bases[g.Material], b.bases[material]}
		a, ok := b.layerAdvice(i, second, c)
		if old, known := found[key]; !ok || known && old.Squeeze <= a.Squeeze {
			return
		}
		a.Materials, a.Bodies = [2]string{names[g.Material], names[material]}, [2]string{g.Name, name}
		found[key] = a
	}
	for i := range m.Deformables {
		s := &m.Deformables[i]
		soft := geometry.MaterialPoint{Body: s.Body, N: 3}
		for k := range m.Geoms {
			g := &m.Geoms[k]
			c := geometry.Contact{A: geometry.MaterialPoint{Body: g.Body}, B: soft, Materials: [2]int{g.Material, s.Material}, Area: 1}
			if slope := b.slope(g); !math.IsInf(slope, 1) {
				c.PressureGradient = slope
			}
			name := "the world"
			if g.Body != geometry.World {
				name = b.model.Rigid.LinkName(g.Body)
			}
			add(i, g.Body, g.Material, name, c, -1)
		}
		for k := range i + 1 {
			o := &m.Deformables[k]
			if k == i && s.Self == nil {
				continue
			}
			add(i, o.Body, o.Material, o.Name,
				geometry.Contact{A: geometry.MaterialPoint{Body: o.Body, N: 3}, B: soft, Materials: [2]int{o.Material, s.Material}, Area: 1}, k)
		}
	}
	var all []LayerAdvice
	for key, a := range found {
		if other, both := found[[2]int{key[1], key[0]}]; both && (other.Squeeze < a.Squeeze || other.Squeeze == a.Squeeze && key[0] > key[1]) {
			continue
		}
		all = append(all, a)
	}
	slices.SortFunc(all, func(x, y LayerAdvice) int { return slices.Compare(x.Materials[:], y.Materials[:]) })
	return all
}

func (b *builder) skips(i, j int) bool {
	return slices.Contains(b.model.Geometry.ExcludedPairs, [2]int{i, j})
}

// layerAdvice returns what to expect of a contact of deformable i, with deformable
// second if that is ≥ 0.
func (b *builder) layerAdvice(i, second int, c geometry.Contact) (a LayerAdvice, ok bool) {
	pair, err := b.surfaces.Pair(&c)
	if err != nil {
		return a, false // said when they touch
	}
	mesh := b.model.Deformables[i].Mesh()
	a = LayerAdvice{
		Layer: pair.Stiffness, Dissipation: pair.Dissipation, Friction: pair.Friction,
		Element: meanEdge(mesh), Thickness: least(mesh), Doubts: []string{},
	}
	young := b.young(i)
	skin := a.Element / young // (3)
	if second >= 0 {
		other := b.model.Deformables[second].Mesh()
		skin += meanEdge(other) / b.young(second)
		young, a.Thickness = min(young, b.young(second)), min(a.Thickness, least(other))
	}
	a.Pressure = min(gripPressure, squeezeMost*young)
	a.Squeeze = a.Pressure * skin
	switch s := &b.f.Solver; {
	case s.Contact == "sap" || s.NormalLaw == "" || s.NormalLaw == "hunt_crossley":
		a.Sink = a.Pressure / a.Layer // (1)
	case s.NormalLaw == "hertz":
		a.Sink = math.Pow(a.Pressure*math.Sqrt(s.HertzOverlap)/a.Layer, 2.0/3) // (2)
	}
	b.doubtLayer(&a, i, second, c.PressureGradient > 0)
	return a, true
}

// doubtLayer adds what is doubtful, unless the other side is a pressure field that is
// meant to give way, or the layer was doubted by itself.
func (b *builder) doubtLayer(a *LayerAdvice, i, second int, field bool) {
	doubt := func(format string, args ...any) { a.Doubts = append(a.Doubts, fmt.Sprintf(format, args...)) }
	h, spec := b.f.Time.Step, b.materialSpec(b.softSpecs[i].Material)
	// of an outermost element of length e: of contact h² k e², against ρ e³ + h² E e
	inert := value(spec.Density, defaultDensity)*a.Element*a.Element + h*h*b.young(i)
	if ratio := h * h * a.Layer * a.Element / inert; ratio > stiffestStep {
		doubt("the contact layer of %.3g Pa/m is too stiff for steps of %g s: round-off keeps the solver from its tolerance; lower contact_layer below %.2g times this", a.Layer, h, stiffestStep/ratio)
	}
	if field || b.layerDoubted(i) || second >= 0 && b.layerDoubted(second) {
		return
	}
	switch {
	case a.Sink > deepLayer*a.Thickness:
		doubt("%.3g kPa sink %s into the contact layer, %.0f %% of the least extent of the thinner body: raise contact_layer", 1e-3*a.Pressure, metres(a.Sink), 100*a.Sink/a.Thickness)
	case a.Sink > softSkin*a.Squeeze:
		doubt("the contact layer gives way %.2g times as much as the outermost elements: it, not the body, decides where they touch; raise contact_layer", a.Sink/a.Squeeze)
	}
}

func (b *builder) young(i int) float64 {
	return value(b.materialSpec(b.softSpecs[i].Material).YoungsModulus, defaultYoungs)
}
