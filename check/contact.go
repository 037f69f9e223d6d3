package check

// Contact of rigid bodies. For each pair of materials whose bodies can meet, the heaviest
// body of one is taken to rest on a body of the other, at points or by pressure as in a step.
// With k the stiffness where it rests and m its mass, it bounces with the period
//
// 	T = 2π √(m/k)                                                         (1)
//
// A step of h can resolve k if
//
// 	h² k/m < tolerance/ε                                                  (2)
//
// with ε the unit round-off: the contact impulse of round-off in the velocity, h² k ε v,
// must stay below the tolerance of the solver, relative to the momentum m v.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
)

// ContactEstimate is the estimated behaviour of contact between two materials of
// rigid bodies: that of the heaviest body of one material that can rest on a body of
// the other.
type ContactEstimate struct {
	// Materials are the names of the materials, that of Body first.
	Materials [2]string `json:"materials"`
	// Kind is the kind of contact: at "points" (point contact), or by "pressure" fields
	// (hydroelastic contact).
	Kind string `json:"kind"`
	// Body is the name of the resting body.
	Body string `json:"body"`
	// Mass is the mass of Body, kg.
	Mass float64 `json:"mass_kg"`
	// Stiffness is the contact stiffness df/dδ under the weight of Body, N/m: of
	// one point in point contact; in hydroelastic contact of Body flat on its
	// smallest side, or where a round body rests.
	Stiffness float64 `json:"stiffness_N_m"`
	// Dissipation is Hunt and Crossley's d of the pair, s/m.
	Dissipation float64 `json:"dissipation_s_m"`
	// Friction is the dynamic coefficient of the pair.
	Friction float64 `json:"friction"`
	// Depth is the static penetration of Body under its weight, m; 0 without gravity,
	// and for laws that carry the weight across a gap.
	Depth float64 `json:"depth_m"`
	// Period is the period of the undamped oscillation of Body on Stiffness, s.
	Period float64 `json:"period_s"`
	// Note gives the reason why these bodies have point contact where others have hydroelastic
	// contact.
	Note string `json:"note,omitempty"`

	where string  // what Stiffness is the stiffness of, by pressure
	power float64 // exponent of Stiffness that the parameter stiffnessKey is proportional to
}

// String returns the estimate as one line.
func (a *ContactEstimate) String() string {
	s := fmt.Sprintf("%s on %s, at points", a.Materials[0], a.Materials[1])
	if a.Note != "" {
		s += " (" + a.Note + ")"
	}
	s += fmt.Sprintf(": %.3g N/m", a.Stiffness)
	if a.Kind == "pressure" {
		s = fmt.Sprintf("%s on %s, by pressure: %.3g N/m %s", a.Materials[0], a.Materials[1], a.Stiffness, a.where)
	}
	s += fmt.Sprintf(", dissipation %.3g s/m, friction %.3g", a.Dissipation, a.Friction)
	if a.Depth > 0 {
		s += fmt.Sprintf("; %s (%.3g kg) sinks by %s", a.Body, a.Mass, metres(a.Depth))
	}
	return s + fmt.Sprintf(", period %.2g ms", 1e3*a.Period)
}

// stiffnessKey returns the scene key that the stiffness of a contact follows from.
func (a *ContactEstimate) stiffnessKey() string {
	if a.Kind == "pressure" {
		return keyModulus
	}
	return keyStiffness
}

const (
	// deepRest is the depth over a body's least extent from which it is too deep.
	deepRest = 0.05
	// stiffestStep bounds h² k/m by (2), for a relative tolerance of 1e-5.
	stiffestStep = 1e-5 / 2.2e-16
)

// noModulus gives the reason why rigid bodies touch at points where others do by pressure.
const noModulus = "neither material has a " + keyModulus

// foundContact is an estimate with the least extent of its body, m.
type foundContact struct {
	ContactEstimate
	least float64
}

// contacts returns an estimate for every pair of materials of rigid bodies that can
// meet, and warns where it is doubtful.
func (c *checker) contacts() (all []ContactEstimate) {
	heaviest := c.heaviestContacts()
	// Of A on B and B on A keep the one with the heavier body.
	var kept []foundContact
	for key, a := range heaviest {
		other, both := heaviest[[2]int{key[1], key[0]}]
		if both && (other.Mass > a.Mass || other.Mass == a.Mass && key[0] > key[1]) {
			continue
		}
		kept = append(kept, a)
	}
	slices.SortFunc(kept, func(x, y foundContact) int { return slices.Compare(x.Materials[:], y.Materials[:]) })
	for i := range kept {
		c.judgeContact(&kept[i].ContactEstimate, kept[i].least)
		all = append(all, kept[i].ContactEstimate)
	}
	return all
}

// heaviestContacts returns the estimate of the heaviest body for each ordered pair of
// materials, by the indices of their bases.
func (c *checker) heaviestContacts() map[[2]int]foundContact {
	geoms := c.Model.Geometry.Geoms
	heaviest := map[[2]int]foundContact{}
	for i := range geoms {
		for j := range geoms {
			p, q := &geoms[i], &geoms[j]
			key := [2]int{c.Materials[p.Material].Base, c.Materials[q.Material].Base}
			mass := c.mass(p)
			// The heavier of two bodies rests on the lighter; fixed bodies have no mass.
			if p.Body == q.Body || mass <= heaviest[key].Mass || mass < c.mass(q) || c.filtered(p.Body, q.Body) || !c.canMeet(p, q) {
				continue
			}
			if a, ok := c.contact(p, q); ok {
				heaviest[key] = foundContact{a, leastExtent(p)}
			}
		}
	}
	return heaviest
}

// contact returns the estimate of p resting on q.
func (c *checker) contact(p, q *geometry.Geom) (a ContactEstimate, ok bool) {
	// The parameters of the pair, and the pressure gradient if contact is by pressure.
	pair, slope, err := c.combined(p, q)
	if err != nil {
		return a, false // the step that they touch in says so
	}
	a = ContactEstimate{
		Materials: [2]string{c.Materials[p.Material].Name, c.Materials[q.Material].Name},
		Kind:      "points", Body: c.name(p.Body), Mass: c.mass(p),
		Stiffness: pair.Stiffness, Dissipation: pair.Dissipation, Friction: pair.Friction,
	}
	// How it rests under its weight.
	weight := math.Max(0, c.Model.Rigid.Link(p.Body).WeightMass()) * c.Model.Gravity.Norm()
	if slope > 0 {
		a.Kind = "pressure"
		restByPressure(&a, p, q, slope, weight)
	} else {
		if p.Field != nil && q.Field != nil {
			a.Note = noModulus
		}
		c.restAtPoint(&a, weight)
	}
	a.Period = 2 * math.Pi * math.Sqrt(a.Mass/a.Stiffness) // (1)
	return a, true
}

// judgeContact warns of an estimate that is doubtful; least is the least extent of
// its body, m.
func (c *checker) judgeContact(a *ContactEstimate, least float64) {
	where, h := []string{"materials." + a.Materials[0], "materials." + a.Materials[1]}, c.Step
	if exceeds(a.Depth, deepRest*least) {
		c.warn(ContactLoad, where, "raise the "+a.stiffnessKey(),
			"%s sinks by %s, %.3g %% of its least extent, under its own weight", a.Body, metres(a.Depth), 100*a.Depth/least)
	}
	if ratio := h * h * a.Stiffness / a.Mass; exceeds(ratio, stiffestStep) { // (2)
		c.warn(ContactTooStiff, where, fmt.Sprintf("lower the %s below %.2g times this", a.stiffnessKey(), math.Pow(stiffestStep/ratio, a.power)),
			"the contact of %s is too stiff for steps of %g s: round-off keeps the solver from its tolerance", a.Body, h)
	}
}

// combined returns the parameters of two geoms, and the pressure gradient of both
// fields in series (Pa/m) where they touch by pressure, else 0.
func (c *checker) combined(p, q *geometry.Geom) (constraints.Pair, float64, error) {
	mat := [2]int{p.Material, q.Material}
	if p.Field != nil && q.Field != nil && (p.Field.Compliant() || q.Field.Compliant()) {
		pair, err := c.Model.ContactMaterials.HydroelasticPair(&geometry.HydroelasticContact{A: p.Body, B: q.Body, Materials: mat})
		return pair, constraints.CombineStiffness(c.slope(p), c.slope(q)), err
	}
	pair, err := c.Model.ContactMaterials.Pair(&geometry.Contact{A: geometry.MaterialPoint{Body: p.Body}, B: geometry.MaterialPoint{Body: q.Body}, Materials: mat})
	return pair, 0, err
}

// slope returns the pressure gradient of a geom's field, Pa/m: its modulus over its
// depth. It is +Inf where the surface is rigid.
func (c *checker) slope(g *geometry.Geom) float64 {
	switch f := g.Field.(type) {
	case *hydroelastic.Compliant:
		return f.HydroelasticModulus() / f.Depth()
	case *hydroelastic.HalfSpace:
		if f.Compliant() {
			return f.PressureGradient()
		}
	}
	return math.Inf(1)
}
