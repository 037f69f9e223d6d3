package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
)

// ContactAdvice is what to expect of contact between two materials: the heaviest
// body that bears it, resting on the other.
type ContactAdvice struct {
	Materials   [2]string `json:"materials"`
	Kind        string    `json:"kind"` // points, or pressure
	Body        string    `json:"body"`
	Mass        float64   `json:"mass_kg"`
	Stiffness   float64   `json:"stiffness_N_m"` // of a point; of a patch, flat on the body's smallest side, or where a round one rests
	Dissipation float64   `json:"dissipation_s_m"`
	Friction    float64   `json:"friction"`
	Sink        float64   `json:"sink_m"`   // under the body's weight, on one point or the patch
	Period      float64   `json:"period_s"` // of bouncing on it without dissipation
	Note        string    `json:"note,omitempty"`
	Doubts      []string  `json:"doubts"`

	where string  // the stiffness of a patch is meant
	power float64 // of the stiffness that the material's key grows with
}

func (a *ContactAdvice) String() string {
	s := fmt.Sprintf("%s on %s, at points", a.Materials[0], a.Materials[1])
	if a.Note != "" {
		s += " (" + a.Note + ")"
	}
	s += fmt.Sprintf(": %.3g N/m", a.Stiffness)
	if a.Kind == "pressure" {
		s = fmt.Sprintf("%s on %s, by pressure: %.3g N/m %s", a.Materials[0], a.Materials[1], a.Stiffness, a.where)
	}
	s += fmt.Sprintf(", dissipation %.3g s/m, friction %.3g", a.Dissipation, a.Friction)
	if a.Sink > 0 {
		s += fmt.Sprintf("; %s (%.3g kg) sinks by %s", a.Body, a.Mass, metres(a.Sink))
	}
	return s + fmt.Sprintf(", period %.2g ms", 1e3*a.Period)
}

func metres(x float64) string {
	unit := " mm"
	switch {
	case x < 1e-6:
		x, unit = 1e9*x, " nm"
	case x < 1e-3:
		x, unit = 1e6*x, " µm"
	default:
		x *= 1e3
	}
	if x >= 99.5 && x < 1e6 { // where %.2g writes powers
		return fmt.Sprintf("%.0f", x) + unit
	}
	return fmt.Sprintf("%.2g", x) + unit
}

// Bounds of what a step carries.
const (
	deepSink = 0.05 // of a body's least extent
	// A stiffness k moves a mass m in a step of h by h² k/m times what rounding a
	// velocity does: beyond this the solver cannot reach its tolerance.
	stiffestStep = 1e-5 / 2.2e-16
)

// atPoints says why rigid bodies touch at points where others do by pressure.
const atPoints = "neither material has a hydroelastic_modulus"

// advise returns what to expect of contact for every pair of materials of rigid
// bodies that can meet.
func (b *builder) advise() []ContactAdvice {
	names := b.materialNames()
	g := b.model.Geometry
	skip := map[[2]int]bool{}
	for _, p := range g.ExcludedPairs {
		skip[p], skip[[2]int{p[1], p[0]}] = true, true
	}
	// the heaviest of a pair of materials speaks for it
	found := map[[2]int]ContactAdvice{}
	for i := range g.Geoms {
		for j := range g.Geoms {
			p, q := &g.Geoms[i], &g.Geoms[j]
			key := [2]int{b.bases[p.Material], b.bases[q.Material]}
			mass := b.weight(p)
			if p.Body == q.Body || mass <= found[key].Mass || mass < b.weight(q) || skip[[2]int{p.Body, q.Body}] || !b.canMeet(p, q) {
				continue
			}
			if a, ok := b.advice(p, q); ok {
				a.Materials = [2]string{names[p.Material], names[q.Material]}
				found[key] = a
			}
		}
	}
	var all []ContactAdvice
	for key, a := range found {
		if other, both := found[[2]int{key[1], key[0]}]; both && (other.Mass > a.Mass || other.Mass == a.Mass && key[0] > key[1]) {
			continue
		}
		all = append(all, a)
	}
	slices.SortFunc(all, func(x, y ContactAdvice) int { return slices.Compare(x.Materials[:], y.Materials[:]) })
	return all
}

// materialNames returns of each material the name of the one that it is made of.
func (b *builder) materialNames() []string {
	names := make([]string, len(b.bases))
	for i, base := range b.bases {
		for name, k := range b.materials {
			if k == base {
				names[i] = name
			}
		}
	}
	return names
}

// weight returns the mass that a geom's body brings to a contact, 0 of what does
// not move.
func (b *builder) weight(g *geometry.Geom) float64 {
	if g.Body == geometry.World || b.model.Rigid.IsKinematic(g.Body) {
		return 0
	}
	return b.model.Rigid.Link(g.Body).Mass
}

// advice returns what to expect of p resting on q.
func (b *builder) advice(p, q *geometry.Geom) (a ContactAdvice, ok bool) {
	a.Mass = b.weight(p)
	a.Kind, a.Body, a.Doubts = "points", b.model.Rigid.LinkName(p.Body), []string{}
	pair, slope, err := b.combined(p, q)
	if err != nil {
		return a, false // said when they touch
	}
	a.Stiffness, a.Dissipation, a.Friction = pair.Stiffness, pair.Dissipation, pair.Friction
	d := p.Shape.Bounds().Size()
	least := min(d[0], d[1], d[2])
	if slope == 0 && p.Field != nil && q.Field != nil {
		a.Note = atPoints
	}
	weight := a.Mass * b.model.Gravity.Norm()
	if slope > 0 {
		a.Kind = "pressure"
		restByPressure(&a, p, q, slope, weight)
	} else {
		b.restAtPoint(&a, weight)
	}
	h := b.f.Time.Step
	a.Period = 2 * math.Pi * math.Sqrt(a.Mass/a.Stiffness)
	if a.Sink > deepSink*least {
		a.Doubts = append(a.Doubts, fmt.Sprintf("%s sinks by %s, %.3g %% of its least extent: raise the %s", a.Body, metres(a.Sink), 100*a.Sink/least, stiffnessKey(a.Kind)))
	}
	if h*h*a.Stiffness/a.Mass > stiffestStep {
		a.Doubts = append(a.Doubts, fmt.Sprintf("%s is too stiff for steps of %g s: round-off keeps the solver from its tolerance; lower the %s below %.2g times this", a.Body, h, stiffnessKey(a.Kind), math.Pow(stiffestStep*a.Mass/(h*h*a.Stiffness), a.power)))
	}
	return a, true
}

func stiffnessKey(kind string) string {
	if kind == "pressure" {
		return "hydroelastic_modulus"
	}
	return "stiffness"
}

// combined returns the parameters of two geoms, and the slope of the pressure
// (Pa/m) where they touch by pressure.
func (b *builder) combined(p, q *geometry.Geom) (constraints.Pair, float64, error) {
	mat := [2]int{p.Material, q.Material}
	if p.Field != nil && q.Field != nil && (p.Field.Compliant() || q.Field.Compliant()) {
		pair, err := b.surfaces.HydroelasticPair(&geometry.HydroelasticContact{A: p.Body, B: q.Body, Materials: mat})
		return pair, constraints.CombineStiffness(b.slope(p), b.slope(q)), err
	}
	pair, err := b.surfaces.Pair(&geometry.Contact{A: geometry.MaterialPoint{Body: p.Body}, B: geometry.MaterialPoint{Body: q.Body}, Materials: mat})
	return pair, 0, err
}

// slope returns how steeply the pressure of a geom's field grows, Pa/m.
func (b *builder) slope(g *geometry.Geom) float64 {
	modulus := b.mats[g.Material].HydroelasticModulus
	switch f := g.Field.(type) {
	case *hydroelastic.Compliant:
		return modulus / f.Depth()
	case *hydroelastic.HalfSpace:
		if f.Compliant() {
			return f.PressureGradient()
		}
	}
	return math.Inf(1)
}
