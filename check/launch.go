package check

// Laws that act ahead of touch, such as barriers, push bodies apart that start within their range,
// however gently they were placed: what belongs in a state of rest at the gap of its weight starts
// with the energy of a smaller gap. How fast the pair leaves follows from its motion along the
// normal, by the implicit steps that the run will take. With the gaps φ_i of its contacts, the
// force f of the law, the reduced mass μ and the acceleration a with which gravity presses,
//
//	μ (v⁺ − v) = h [Σ f(φ_i + x⁺) − μ a],  x⁺ = x + h v⁺                     (1)
//	1/μ = 1/m_A + 1/m_B                                                     (2)
//
// until x leaves the range, or comes to rest within it. Rotation is left out: contacts of a face
// push evenly.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

const (
	// launchSpeed is the speed of a pair that leaves the range, m/s, from which it is launched.
	launchSpeed = 0.01
	// launchSteps bounds the steps that a pair is followed for.
	launchSteps = 1000
)

// pressed is a pair of bodies within the range of the law at the start.
type pressed struct {
	gaps, stiffness []float64 // m, N/m; of each contact
	least           float64   // smallest gap, m
	normal          r3.Vec    // of the contact with the smallest gap, from A to B, world axes
}

// launches warns of rigid bodies that start so far within the range of the contact law that it
// throws them apart.
func (c *checker) launches(st *sim.Stepper) {
	law := c.Model.Contact.Facts().Normal
	if law.Range() == 0 {
		return
	}
	pairs := map[[2]int]*pressed{}
	var order [][2]int
	for _, k := range st.ContactsAt(&c.Model.Start, c.Step) {
		pair, err := c.Model.ContactMaterials.Pair(&k)
		if err != nil || k.Area > 0 || k.Phi >= law.Range() {
			continue
		}
		key := [2]int{k.A.Body, k.B.Body}
		p := pairs[key]
		if p == nil {
			p = &pressed{least: math.Inf(1)}
			pairs[key], order = p, append(order, key)
		}
		p.gaps, p.stiffness = append(p.gaps, k.Phi), append(p.stiffness, pair.Stiffness)
		if k.Phi < p.least {
			p.least, p.normal = k.Phi, k.Normal_W
		}
	}
	for _, k := range order {
		p := pairs[k]
		mass, pressing := c.relative(k[0], k[1], p.normal)
		if v := p.launch(law, c.Step, mass, pressing); v > launchSpeed {
			c.warn(Launch, c.paths(k[0], k[1]), "start them farther apart, or lower solver."+keyRange,
				"they start %s apart, within the range of %s in which the contact law pushes: it throws them apart at about %.2g m/s",
				metres(p.least), metres(law.Range()), v)
		}
	}
}

// relative returns the reduced mass (2) of two bodies, kg, 0 where neither moves, and the
// acceleration with which gravity presses them together along a normal from the first to the
// second, m/s².
func (c *checker) relative(a, b int, normal r3.Vec) (mass, pressing float64) {
	inverse := 0.0
	for i, body := range [2]int{a, b} {
		m := c.mass(&geometry.Geom{Body: body})
		if m == 0 {
			continue
		}
		inverse += 1 / m
		// the first body is pressed along the normal, the second against it
		toward := normal
		if i == 1 {
			toward = normal.Neg()
		}
		pressing += c.Model.Gravity.Dot(toward)
	}
	if inverse == 0 {
		return 0, 0
	}
	return 1 / inverse, pressing
}

// launch returns the speed (m/s) at which the pair leaves the range of the law, by (1); 0 where it
// does not.
func (p *pressed) launch(law constraints.NormalFacts, h, mass, pressing float64) float64 {
	if mass == 0 {
		return 0
	}
	x, v := 0.0, 0.0
	for range launchSteps {
		// μ (w − v) − h [Σ f(φ_i + x + h w) − μ a] rises with w
		lo, hi := v-h*math.Abs(pressing), v+h*math.Abs(pressing)+h*p.force(law, x-h*h*math.Abs(pressing)+math.Min(0, h*v))/mass
		for range 100 {
			w := 0.5 * (lo + hi)
			if mass*(w-v) > h*(p.force(law, x+h*w)-mass*pressing) {
				hi = w
			} else {
				lo = w
			}
		}
		v = 0.5 * (lo + hi)
		x += h * v
		switch {
		case v <= 0:
			return 0 // its weight keeps it, or presses it in
		case p.least+x >= law.Range():
			return v
		}
	}
	return 0
}

// force returns Σ f(φ_i + x), N.
func (p *pressed) force(law constraints.NormalFacts, x float64) float64 {
	sum := 0.0
	for i, phi := range p.gaps {
		f, _ := law.StaticForce(p.stiffness[i], -(phi + x))
		sum += f
	}
	return sum
}
