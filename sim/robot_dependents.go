package sim

// What moves with the joints that a controller drives: joints that couplers tie to them, links of loops that
// constraints close, and the base of a robot that floats or stands. With the velocities v_D of driven joints, v_F of
// floating bases, v_R of all other joints, and the rows of constraints that take motions away, J v + r = 0 with the
// rates r of prescribed bodies, the others follow as
//
//	v_R = −J_R⁺ (J_D v_D + J_F v_F + r)                                              (1)
//
// where ⁺ is the pseudoinverse: of redundant rows it takes the mean, and what the rows leave free stays at rest.
// Accelerations follow likewise, with J̇ v + ṙ in place of r. By the principle of virtual work the efforts b that all
// joints need, rigid.PlannedEfforts and friction (robot_friction.go), reach the driven ones by the forces λ of the
// constraints,
//
//	λ = (J_R⁺)ᵀ b_R,   τ_D = b_D − J_Dᵀ λ                                           (2)
//
// Mimic joints of one tree are no followers in this sense: package rigid has their motion, rows and efforts in those of
// their leaders, and their own are zero. Limits that joints without a drive rest on are rows, too (robot_stops.go).
// What no constraint brings to a driven joint, as the weight of a joint that is free, is carried by none. A joint that
// is driven needs its own effort and no other, so that robots whose joints are all driven have τ = b.
//
// A base has no drive. It is supported by the rows that are left of J_F, (1 − J_R J_R⁺) J_F, and by the points at which
// links that follow it touch the ground (robot_support.go), rows C together. Along the motions N that they leave free
// it has the velocity that it has, and the acceleration that follows from what the robot weighs and does,
//
//	a_F = −C_F⁺ (C_D a_D + Ċ v) + N y,   Nᵀ b_F(a_F) = 0                              (3)
//	λ_C = (C_F⁺)ᵀ b_F,   τ_D −= C_Dᵀ λ_C                                             (4)
//
// with b_F reduced by (2). In free flight C is empty and (3) is the partition of the mass matrix. (3) and (4) are
// efforts at which the accelerations of driven joints are those planned, Gauss's principle of least constraint.
//
// J̇ v is differenced along the planned motion. Source: Murray, Li, Sastry, "A Mathematical Introduction to Robotic
// Manipulation", 1994, chapter 6 (constraints and virtual work); Featherstone, "Rigid Body Dynamics Algorithms", 2008,
// section 9.3 (floating bases) and chapter 8 (loops).

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/rigid"
)

// dependents are the joints and bases that move with those of a controller: immutable, of the model.
type dependents struct {
	trees  []int // that constraints join to those of the controller
	member []bool
	// columns are velocities: the driven ones first, then those of bases, then all others
	dofs        []int // of the model
	driven, led int   // numbers of columns that are driven, and of those driven or of bases
	column      []int // of each velocity of the trees, in their order
	ties        []constraints.Constraint
	stops       []constraints.Stop
	curved      bool // rows change with the motion
	floats      []bool
	ownColumns  []int // of the joints of the controller
}

// dependents returns what moves with the joints of a controller; nil for nothing beside its links.
func (p *tieProbe) dependents(c *robotControl, driven []bool) (*dependents, error) {
	m := p.m.Rigid
	d := &dependents{member: make([]bool, m.Trees()), floats: make([]bool, m.Trees())}
	p.join(c, d)
	bases, others := d.sort(m, c, driven)
	if err := p.checkUnknown(c, others); err != nil {
		return nil, err
	}
	var join, ropes bool
	d.stops, join, ropes = p.stopsOf(c, d.member, others)
	d.curved = d.curved || ropes
	if len(bases) == 0 && (len(others) == 0 || len(d.ties) == 0 && !join) {
		return nil, nil
	}
	d.driven, d.led = len(d.dofs), len(d.dofs)+len(bases)
	d.dofs = append(append(d.dofs, bases...), others...)
	for _, t := range d.trees {
		for dof, end := m.DofsOfTree(t); dof < end; dof++ {
			d.column = append(d.column, slices.Index(d.dofs, dof))
		}
	}
	for _, dof := range c.dofs {
		d.ownColumns = append(d.ownColumns, slices.Index(d.dofs, dof))
	}
	return d, nil
}

// join finds the trees that constraints join to those of a controller, and the ties among them.
func (p *tieProbe) join(c *robotControl, d *dependents) {
	for _, t := range c.trees {
		d.member[t] = true
	}
	taken := make([]bool, len(p.ties))
	for more := true; more; {
		more = false
		for i, trees := range p.trees {
			if taken[i] || !slices.ContainsFunc(trees, func(t int) bool { return d.member[t] }) {
				continue
			}
			taken[i], more = true, true
			for _, t := range trees {
				d.member[t] = true
			}
		}
		more = p.joinByStops(c, d.member) || more
	}
	for i, tie := range p.ties {
		if taken[i] {
			d.ties, d.curved = append(d.ties, tie), d.curved || p.curved[i]
		}
	}
}

// sort lists the trees of members and their driven velocities, and returns those of bases and all others.
func (d *dependents) sort(m *rigid.Model, c *robotControl, driven []bool) (bases, others []int) {
	for t, in := range d.member {
		if !in {
			continue
		}
		d.trees = append(d.trees, t)
		first, end := m.DofsOfTree(t)
		// a base that the controller does not include carries and supports it as the ground does
		from, to := m.FloatingBase(t)
		d.floats[t] = to > from && c.known[m.LinkOfDof(from)]
		for dof := first; dof < end; dof++ {
			switch {
			case driven[dof]:
				d.dofs = append(d.dofs, dof)
			case d.floats[t] && from <= dof && dof < to:
				bases = append(bases, dof)
			default:
				others = append(others, dof)
			}
		}
	}
	return bases, others
}

var _ constraints.Kinematics = rowKinematics{}

// dependentMotion is scratch of a stepper for the dependents of a controller, in one step. All rows J come with those
// of ties first, then those of support.
type dependentMotion struct {
	problem         cliques.Problem
	now, moved      constraints.Kinematics // of the placed links, and of links displaced along the plan
	displaced       *rigid.Data
	q, delta        []float64 // of the displaced links, and the way there
	ties            int       // rows of ties
	J               []float64 // rows × columns
	rate, curve     []float64 // r and J̇ v + ṙ (rows)
	keptJ, keptRate []float64
	scale           []float64 // of each row of ties, by which it is divided
	support         support
	stops           stops // their rows are the last ones of ties
	// J_R, and C_F with the rows of support that act
	loops, base pseudoinverse
	C           []float64 // rows × columns that are driven or of bases
	offset      []float64 // of C: r or its change
	acts        []int     // rows of C that act
	// velocities, accelerations and efforts of columns, the latter before (2) too, and forces of rows
	v, a, b, needed []float64
	lambda, lambdaC []float64
	// motions N, with the joints that follow, and the efforts (columns each) that they take beside those of the plan
	units, byUnit [][]float64
	power, y      []float64 // of N
	mass          pseudoinverse
	scratch       []float64 // columns
	// of a controller with a frame: its Jacobian (6 × columns), and the column of each velocity of the model, or −1
	frame   []float64
	columns []int
}

// newDependentMotion returns scratch for the dependents of a controller.
func newDependentMotion(s *Stepper, c *robotControl) *dependentMotion {
	m, d := s.Model.Rigid, c.dependents
	n := len(d.dofs)
	w := &dependentMotion{displaced: m.NewData(), q: make([]float64, m.NumQ()), delta: make([]float64, m.NumV())}
	w.now, w.moved = rowKinematics{s.kin, s.Model, s.rigid.Data}, rowKinematics{s.kin, s.Model, w.displaced}
	for _, x := range []*[]float64{&w.v, &w.a, &w.b, &w.needed, &w.scratch} {
		*x = make([]float64, n)
	}
	most := d.led - d.driven
	for range most {
		w.units, w.byUnit = append(w.units, make([]float64, n)), append(w.byUnit, make([]float64, n))
	}
	w.power, w.y = make([]float64, most), make([]float64, most)
	if d.led > d.driven {
		w.support.carried = make([]bool, m.NumLinks()+len(s.Model.Deformables))
	}
	if c.frame != nil {
		w.frame, w.columns = make([]float64, 6*n), make([]int, m.NumV())
		for dof := range w.columns {
			w.columns[dof] = slices.Index(d.dofs, dof)
		}
	}
	return w
}

// placeDependents finds the rows at the placed state, and decomposes those of joints that follow.
func (w *dependentMotion) placeDependents(s *Stepper, c *robotControl) {
	w.support.find(s, c)
	w.stops.list = w.stops.list[:0]
	w.readPlaced(s, c)
	w.decomposeLoops(c.dependents)
	w.findStops(s, c)
	w.placeBase(c.dependents)
}

// readPlaced reads the rows at the placed state.
func (w *dependentMotion) readPlaced(s *Stepper, c *robotControl) {
	s.rigid.AddNodes(c.dependents.trees, w.resetRows(s))
	w.readRows(c.dependents, w.now, true)
	rows := len(w.rate)
	w.curve = sized(w.curve, rows)
	w.lambda, w.lambdaC, w.offset = sized(w.lambda, w.ties), sized(w.lambdaC, rows), sized(w.offset, rows)
}

// decomposeLoops decomposes the rows of ties and stops.
func (w *dependentMotion) decomposeLoops(d *dependents) {
	n := len(d.dofs)
	followers := n - d.led
	w.loops.resize(w.ties, followers)
	for j := range followers {
		col := w.loops.col(j)
		for i := range col {
			col[i] = w.J[i*n+d.led+j]
		}
	}
	w.loops.decompose()
}

// resetRows empties the problem of rows.
func (w *dependentMotion) resetRows(s *Stepper) *cliques.Problem {
	w.problem.Reset(s.Problem.Time, s.Problem.H)
	return &w.problem
}

// readRows appends ties, stops and points of support, and writes their rows J and rates r. Rows of a tie are divided by
// the largest norm of its rows, which takes their unit away.
func (w *dependentMotion) readRows(d *dependents, k constraints.Kinematics, first bool) {
	p := &w.problem
	for _, tie := range d.ties {
		tie.Append(k, p)
	}
	for _, i := range w.stops.list {
		d.stops[i].Append(k, p)
	}
	ties := p.Rows()
	w.support.append(k, p)
	n, rows := len(d.dofs), p.Rows()
	w.J, w.rate = sized(w.J, rows*n), sized(w.rate, rows)
	clear(w.J)
	copy(w.rate, p.Bias)
	for h := range p.Constraints {
		at := p.Constraints[h].Row
		for _, b := range p.Blocks(cliques.Handle(h)) {
			size, offset := p.NodeSize[b.Node], p.NodeOffset[b.Node]
			for e, x := range b.J {
				w.J[(at+e/size)*n+d.column[offset+e%size]] += x
			}
		}
	}
	if first {
		w.ties, w.scale = ties, sized(w.scale, ties)
		for h := range p.Constraints {
			e := &p.Constraints[h]
			if e.Row >= ties {
				break
			}
			// a weld has angles, then ways
			for from := e.Row; from < e.Row+e.Dim; from += 3 {
				to := min(from+3, e.Row+e.Dim)
				most := 0.0
				for i := from; i < to; i++ {
					most = max(most, dot(w.J[i*n:(i+1)*n], w.J[i*n:(i+1)*n]))
				}
				for i := from; i < to; i++ {
					if w.scale[i] = 1; most > 0 {
						w.scale[i] = 1 / math.Sqrt(most)
					}
				}
			}
		}
	}
	for i, x := range w.scale {
		w.rate[i] *= x
		for j := range n {
			w.J[i*n+j] *= x
		}
	}
}

// placeBase writes C: what ties leave to support bases, and rows of support with the joints that follow.
func (w *dependentMotion) placeBase(d *dependents) {
	if d.led == d.driven {
		return
	}
	n, led, rows := len(d.dofs), d.led, len(w.rate)
	w.C = sized(w.C, rows*led)
	for i := range rows {
		copy(w.C[i*led:(i+1)*led], w.J[i*n:])
	}
	w.reduceRows(d, w.C, led)
	w.acts = w.acts[:0]
	for i := range rows {
		w.acts = append(w.acts, i)
	}
}

// reduceRows replaces columns of rows (rows × width), of ties and of support, by what is left of them where the other
// joints follow by (1).
func (w *dependentMotion) reduceRows(d *dependents, C []float64, width int) {
	n, rows := len(d.dofs), len(w.rate)
	x, y := w.lambda[:w.ties], w.scratch[:n-d.led]
	for j := range width {
		for i := range x {
			x[i] = C[i*width+j]
		}
		// the motion of followers by column j
		clear(y)
		w.loops.subtractSolution(x, y)
		w.loops.takeOut(x)
		for i, u := range x {
			C[i*width+j] = u
		}
		for i := w.ties; i < rows; i++ {
			C[i*width+j] += dot(w.J[i*n+d.led:(i+1)*n], y)
		}
	}
}

// factorBase decomposes C_F of the rows that act.
func (w *dependentMotion) factorBase(d *dependents) {
	led := d.led
	w.base.resize(len(w.acts), led-d.driven)
	for j := range led - d.driven {
		col := w.base.col(j)
		for i, row := range w.acts {
			col[i] = w.C[row*led+d.driven+j]
		}
	}
	w.base.decompose()
}

// follow completes a motion x of driven joints by (1), and by the first part of (3), with the offset r of all rows.
// nil: none. Bases keep what they have of the motions that rows leave free.
func (w *dependentMotion) follow(d *dependents, x, offset []float64) {
	led := d.led
	if led > d.driven {
		base := x[d.driven:led]
		// what they have along N
		y := w.y[:len(base)]
		for j := range y {
			y[j] = 0
			if w.base.isNull(j) {
				y[j] = dot(w.base.v(j), base)
			}
		}
		clear(base)
		for j, u := range y {
			addScaled(base, u, w.base.v(j))
		}
		rows := w.offset[:len(w.rate)]
		clear(rows)
		if offset != nil {
			copy(rows, offset)
			w.reduceRows(d, rows, 1)
		}
		demand := w.lambdaC[:len(w.acts)]
		for i, row := range w.acts {
			demand[i] = rows[row] + dot(w.C[row*led:row*led+d.driven], x[:d.driven])
		}
		w.base.subtractSolution(demand, base)
	}
	w.followJoints(d, x, offset)
}

// followJoints completes a motion x of driven joints and bases by (1), with the offset r of the rows of ties; nil:
// none.
func (w *dependentMotion) followJoints(d *dependents, x, offset []float64) {
	n, led := len(d.dofs), d.led
	demand := w.lambda
	for i := range demand {
		demand[i] = dot(w.J[i*n:i*n+led], x[:led])
		if offset != nil {
			demand[i] += offset[i]
		}
	}
	clear(x[led:])
	w.loops.subtractSolution(demand, x[led:])
}

// reduce takes the efforts of joints that follow to those driven and to bases, (2). Those of the former become what no
// row carries.
func (w *dependentMotion) reduce(d *dependents, b []float64) {
	n, led := len(d.dofs), d.led
	w.loops.forces(b[led:], w.lambda)
	for i, f := range w.lambda {
		addScaled(b, -f, w.J[i*n:(i+1)*n])
	}
}

// bend writes J̇ v + ṙ at the velocities v, by differences of fourth order along the motion.
func (w *dependentMotion) bend(s *Stepper, c *robotControl, x *State) {
	d := c.dependents
	clear(w.curve)
	fastest := 0.0
	for _, v := range w.v {
		fastest = max(fastest, math.Abs(v))
	}
	if !d.curved && w.support.points() == 0 || fastest == 0 {
		return
	}
	// rows of the placed state come back afterwards
	w.keptJ, w.keptRate = append(w.keptJ[:0], w.J...), append(w.keptRate[:0], w.rate...)
	n := len(d.dofs)
	width := bendWidth / max(1, fastest)
	for _, e := range [4][2]float64{{1, 8}, {-1, -8}, {2, -1}, {-2, 1}} {
		at := e[0] * width
		clear(w.delta)
		for i, dof := range d.dofs {
			w.delta[dof] = at * w.v[i]
		}
		copy(w.q, x.Q)
		s.Model.Rigid.Displace(w.q, w.delta)
		w.displaced.Hold = s.rigid.Hold
		w.displaced.Place(x.Time+at, s.Problem.H, w.q, w.delta)
		w.displaced.AddNodes(d.trees, w.resetRows(s))
		w.readRows(d, w.moved, false)
		for i := range w.curve {
			w.curve[i] += e[1] / (12 * width) * (w.rate[i] + dot(w.J[i*n:(i+1)*n], w.v))
		}
	}
	copy(w.J, w.keptJ)
	copy(w.rate, w.keptRate)
}

// bendWidth is the way, rad or m, of the differences of bend.
const bendWidth = 1e-4
