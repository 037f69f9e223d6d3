package examples_test

import (
	"math"
	"strings"
	"testing"
)

// Contact takes energy or stores it: the sum of kinetic energy, potential energy
// and k φ²/2 of each overlap never grows, in any step; so that kinetic and
// potential energy never exceed those of the start and what overlap then stored.
// With its near-rigid limit (β > 0) SAP stores less than k says: there only the
// latter has to meet.
func TestContactNeverAddsEnergy(t *testing.T) {
	const elastic = "materials.default.dissipation=0"
	cases := [][]string{
		{"falling-sphere"},
		{"falling-sphere", "pairs.0.dissipation=0", "pairs.0.relaxation_time=0"},
		{"falling-sphere", "pairs.0.friction={static: 0.7, dynamic: 0.3}"},
		{"incline"},
		{"incline", "pairs.1.friction=0.1"},
		{"thrown-box"},
		{"thrown-box", elastic, "materials.default.relaxation_time=0"},
		{"thrown-box", elastic, "materials.default.relaxation_time=0", "materials.default.stiffness=1e4", "time.step=5e-3"},
		{"bounce", "pairs.0.dissipation=0", "time.step=2e-5", "time.duration=0.06"},
		{"sliding-rod", "time.step=2e-5"},
	}
	for _, c := range cases {
		for _, law := range []string{"lagged", "lagged_regularized", "similar", "sap", "sap, β = 0"} {
			law, unlimited := strings.CutSuffix(law, ", β = 0")
			set := append([]string{"solver.contact=" + law}, c[1:]...)
			if unlimited {
				set = append(set, "solver.beta=0")
			}
			r := begin(t, c[0]+"/scene.yaml", set...)
			budget := r.last("energy_J") + r.stored()
			before := budget
			for range int(math.Ceil(r.sc.File.Time.Duration/r.h - 1e-6)) {
				r.next()
				e := r.last("energy_J")
				now := e + r.stored()
				if e > budget*(1+1e-12) {
					t.Errorf("%s %v: %g J at %g s, more than the %g of the start", c[0], set, e, r.x.Time, budget)
					break
				}
				if (law != "sap" || unlimited) && now > before+1e-12*budget {
					t.Errorf("%s %v: %g J are gained in the step to %g s", c[0], set, now-before, r.x.Time)
					break
				}
				before = now
			}
		}
	}
}

// stored is the energy in the springs of overlaps, J.
func (r *trial) stored() float64 {
	e := 0.0
	for _, c := range r.step.ContactsAt(r.x, r.h) {
		p, err := r.sc.Model.ContactMaterials.Pair(&c)
		if err != nil {
			r.t.Fatal(err)
		}
		x := math.Max(0, -c.Phi)
		e += 0.5 * p.Stiffness * x * x
	}
	return e
}
