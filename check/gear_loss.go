package check

// Gears lose power to the step: contact is linear in a step while teeth turn on. With n steps in
// the time in which a tooth passes, a mesh of spur gears without friction loses about the share
//
//	a/n² + b/n                                                            (1)
//
// of its power: a = 0.9, b = 0 for pressure fields, a = 50, b = 1.3 for contact points. That was
// measured in trains of 3 and 10 gears of 20 teeth with 10 to 200 steps a tooth, less what
// dissipation takes; points scatter by a third. With less than 10 steps long trains jam.
//
// Losses of a row of meshes add up. Rows start from the gear of a train that turns fastest, as
// far as known: by velocities at the start, prescribed motions and targets of controllers. The
// others turn as their teeth say.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
)

const (
	fieldLoss                  = 0.9 // a of pressure fields
	pointLoss, pointLinearLoss = 50, 1.3
	// mostGearLoss is the loss of a row of meshes from which it is reported.
	mostGearLoss = 0.02
	// leastToothSteps is the number of steps a tooth below which trains jam.
	leastToothSteps = 10
)

// gearMesh is a pair of spur gears that mesh.
type gearMesh struct {
	body   [2]int
	teeth  [2]int
	fields bool // they touch by pressure fields
}

// gearRow is a row of meshes from the driven gear of a train to a body.
type gearRow struct {
	body, meshes int
	speed        float64 // of the body, rad/s
	fastest      float64 // teeth a second
	a, b         float64 // loss a h² + b h in steps of h, s² and s
}

// loss returns (1), summed over the row, in steps of h.
func (r *gearRow) loss(h float64) float64 { return h * (r.a*h + r.b) }

// step returns the longest step (s) in which the row loses no more than mostGearLoss and no
// tooth passes in fewer than leastToothSteps.
func (r *gearRow) step() float64 {
	h := 2 * mostGearLoss / (r.b + math.Sqrt(r.b*r.b+4*r.a*mostGearLoss))
	return math.Min(h, 1/(leastToothSteps*r.fastest))
}

// cross returns the row that continues through a mesh, from its gear i.
func (r gearRow) cross(m *gearMesh, i int) gearRow {
	rate := r.speed * float64(m.teeth[i]) / (2 * math.Pi) // teeth a second
	r.body, r.speed = m.body[1-i], r.speed*float64(m.teeth[i])/float64(m.teeth[1-i])
	r.meshes++
	r.fastest = math.Max(r.fastest, rate)
	if m.fields {
		r.a += fieldLoss * rate * rate
	} else {
		r.a, r.b = r.a+pointLoss*rate*rate, r.b+pointLinearLoss*rate
	}
	return r
}

// gearLosses warns, for each train of spur gears, of the row of meshes that loses most power to
// the step.
func (c *checker) gearLosses(meshes []gearMesh) {
	if len(meshes) == 0 || c.Model.Rule.Midpoint { // (1) was measured with steps of Euler
		return
	}
	motions, done := c.fastestMotions(), map[int]bool{}
	for {
		// the gear that turns fastest, of trains that are left
		first, speed := geometry.World, 0.0
		for i := range meshes {
			for _, body := range meshes[i].body {
				if w := motions[body].w.Norm(); w > speed && !done[body] {
					first, speed = body, w
				}
			}
		}
		if first == geometry.World {
			return
		}
		rows := gearRows(meshes, gearRow{body: first, speed: speed}, done)
		worst := rows[0]
		for _, r := range rows {
			if r.loss(c.Step) > worst.loss(c.Step) {
				worst = r
			}
		}
		if h := worst.step(); worst.meshes > 0 && h < c.Step {
			between := "the mesh"
			if worst.meshes > 1 {
				between = fmt.Sprintf("the %d meshes", worst.meshes)
			}
			c.warn(Gears, c.paths(first, worst.body), fmt.Sprintf("with time.step: %.2g it loses less than %.0f %%", floor2(h), 100*mostGearLoss),
				"a tooth passes in %.3g steps, so that time discretization loses about %.2g %% of the power in %s between them",
				1/(worst.fastest*c.Step), 100*math.Min(1, worst.loss(c.Step)), between)
		}
	}
}

// gearRows returns the shortest rows from a driven gear to all of its train, which it adds to
// done.
func gearRows(meshes []gearMesh, first gearRow, done map[int]bool) []gearRow {
	rows := []gearRow{first}
	done[first.body] = true
	for k := 0; k < len(rows); k++ { // rows grow
		for i := range meshes {
			for side, body := range meshes[i].body {
				if far := meshes[i].body[1-side]; body == rows[k].body && !done[far] {
					done[far] = true
					rows = append(rows, rows[k].cross(&meshes[i], side))
				}
			}
		}
	}
	return rows
}

// floor2 returns a positive number rounded down to two digits.
func floor2(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Floor(x/unit*(1+1e-12)) * unit
}
