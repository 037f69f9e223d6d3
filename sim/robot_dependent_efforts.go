package sim

// Efforts of drives that carry what moves with their joints, by virtual work over the motions of robot_dependents.go.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// ledEfforts writes to effort (NumV) the efforts (2) to (4) of planned accelerations a of the controller's joints, and
// of velocities v unless nil. Where freeze is true the points of support and the stops are those of the last call.
func (at *robotSetpoint) ledEfforts(s *Stepper, c *robotControl, x *State, v, a []float64, freeze bool, effort []float64) {
	d, w := c.dependents, at.dependents
	floats := d.led > d.driven
	for {
		if floats {
			w.factorBase(d)
		}
		clear(w.v)
		clear(w.a)
		for k, i := range d.ownColumns {
			w.a[i] = a[k]
		}
		if v != nil {
			for k, i := range d.ownColumns {
				w.v[i] = v[k]
			}
			for i := d.driven; i < d.led; i++ {
				w.v[i] = x.V[d.dofs[i]]
			}
			w.follow(d, w.v, w.rate)
			w.bend(s, c, x)
			w.follow(d, w.a, w.curve)
		} else {
			w.follow(d, w.a, nil)
		}
		w.write(d, at)
		at.planFriction(s, c, at.vAll, at.aAll)
		at.dependentEfforts(s, c, w.b)
		if floats {
			at.freeBases(s, c, w)
		}
		copy(w.needed, w.b)
		w.reduce(d, w.b)
		if floats { // (4)
			w.base.forces(w.b[d.driven:d.led], w.lambdaC[:len(w.acts)])
		}
		if freeze || !(floats && w.support.release(w)) && !w.releaseStop(s, c) {
			break
		}
	}
	if floats {
		for i, row := range w.acts {
			addScaled(w.b[:d.led], -w.lambdaC[i], w.C[row*d.led:(row+1)*d.led])
		}
	}
	for k, i := range d.ownColumns {
		effort[c.dofs[k]] = w.b[i]
	}
	// scratch that others read is zero but for the controller's joints
	for _, dof := range d.dofs {
		at.vAll[dof], at.aAll[dof] = 0, 0
	}
}

// write writes the velocities and accelerations of all columns.
func (w *dependentMotion) write(d *dependents, at *robotSetpoint) {
	for i, dof := range d.dofs {
		at.vAll[dof], at.aAll[dof] = w.v[i], w.a[i]
	}
}

// dependentEfforts writes the efforts b that all columns need at their velocities and accelerations.
func (at *robotSetpoint) dependentEfforts(s *Stepper, c *robotControl, b []float64) {
	d, w := c.dependents, at.dependents
	w.write(d, at)
	for _, tree := range d.trees {
		s.rigid.PlannedEfforts(tree, c.known, s.Model.Gravity, at.vAll, at.aAll, c.payload, at.all)
	}
	at.addFriction(c, 1, at.all)
	for i, dof := range d.dofs {
		b[i] = at.all[dof]
	}
}

// freeBases adds the motion N y of (3) to the accelerations, and what it takes to the efforts b.
func (at *robotSetpoint) freeBases(s *Stepper, c *robotControl, w *dependentMotion) {
	d := c.dependents
	k := 0
	for j := range d.led - d.driven {
		if !w.base.isNull(j) {
			continue
		}
		unit, by := w.units[k], w.byUnit[k]
		clear(unit)
		copy(unit[d.driven:d.led], w.base.v(j))
		w.followJoints(d, unit, nil)
		addScaled(w.a, 1, unit)
		at.dependentEfforts(s, c, by)
		addScaled(w.a, -1, unit)
		addScaled(by, -1, w.b)
		k++
	}
	if k == 0 {
		return
	}
	// Nᵀ M N y = −Nᵀ b, with the motions scaled to a mass of 1
	w.mass.resize(k, k)
	power, y := w.power[:k], w.y[:k]
	clear(y)
	for i, unit := range w.units[:k] {
		size := dot(unit, w.byUnit[i])
		if !(size > 0) { // nothing that is known moves
			clear(unit)
			clear(w.byUnit[i])
			continue
		}
		for q := range unit {
			unit[q] /= math.Sqrt(size)
			w.byUnit[i][q] /= math.Sqrt(size)
		}
	}
	for i, unit := range w.units[:k] {
		power[i] = dot(unit, w.b)
		for j, by := range w.byUnit[:k] {
			w.mass.col(j)[i] = dot(unit, by)
		}
	}
	w.mass.decompose()
	w.mass.subtractSolution(power, y)
	for i, u := range y {
		addScaled(w.a, u, w.units[i])
		addScaled(w.b, u, w.byUnit[i])
	}
}

// expectDependents writes the efforts with which drives and constraints together hold the joints of the last
// ledEfforts: those that they need, less those that nothing carries. effort are those of the controller.
func (w *dependentMotion) expectDependents(c *robotControl, effort, expected []float64) {
	d := c.dependents
	n, led := len(d.dofs), d.led
	uncarried := w.b[led:]
	if led > d.driven {
		// points of support act on followers too
		x := w.scratch[:n-led]
		clear(x)
		for i, row := range w.acts {
			if row >= w.ties {
				addScaled(x, w.lambdaC[i], w.J[row*n+led:(row+1)*n])
			}
		}
		w.loops.forces(x, w.lambda)
		for i, f := range w.lambda {
			addScaled(x, -f, w.J[i*n+led:(i+1)*n])
		}
		addScaled(uncarried, -1, x)
	}
	for i := d.driven; i < n; i++ {
		expected[d.dofs[i]] = w.needed[i]
		if i >= led {
			expected[d.dofs[i]] -= uncarried[i-led]
		}
	}
	for k, i := range d.ownColumns {
		dof, most := c.dofs[k], c.effort[k]
		expected[dof] += w.needed[i] - effort[dof] + min(max(effort[dof], -most), most)
	}
}

// target writes the positions and velocities of all joints of the model where those of the controller are at their
// targets and the others follow, to first order from where they are.
func (w *dependentMotion) target(m *rigid.Model, c *robotControl, at *robotSetpoint) {
	d := c.dependents
	clear(w.v)
	clear(w.a)
	for k, i := range d.ownColumns {
		w.v[i], w.a[i] = at.q[k]-at.qAll[m.QStart(m.LinkOfDof(c.dofs[k]))], at.v[k]
	}
	w.followJoints(d, w.v, nil)
	w.followJoints(d, w.a, nil)
	clear(w.delta)
	clear(at.vAll)
	for i, dof := range d.dofs {
		w.delta[dof], at.vAll[dof] = w.v[i], w.a[i]
	}
	m.Displace(at.qAll, w.delta)
}

// frameJacobian writes the Jacobian J (6×n) of a frame by the joints of the controller, with those that follow them.
func (w *dependentMotion) frameJacobian(s *Stepper, c *robotControl, link int, p_W r3.Vec, J []float64) {
	d := c.dependents
	n, all := len(c.dofs), len(d.dofs)
	s.rigid.Jacobian(link, p_W, w.columns, all, w.frame)
	for row := range 6 {
		x := w.frame[row*all : (row+1)*all]
		w.reduce(d, x) // rows are efforts of unit forces
		for k, i := range d.ownColumns {
			J[row*n+k] = x[i]
		}
	}
}
