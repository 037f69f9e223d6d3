package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/supernodal"
	"github.com/curlfree/curlfree/workers"
)

// The free motion of a body whose law is not quadratic: minimize over w = v − v0
// the incremental potential
//
//	Φ(w) = ½ wᵀB w + c·w + Σ V Ψ(F(y0 + h w)),  B = (1 + hα)M + hζK(x),    (1)
//	c = h [αM v0 + ζK(x)(v0 − u) − f_ext],  y0 = y(v0), u of rigid_rotation.go,
//	∇Φ = B w + c − h f_el,  ∇²Φ = A = B + h²K(y),                          (2)
//
// by Newton's method with a backtracking line search. Where A is not positive definite, K is
// assembled from tangents projected to positive semi-definite ones, so that every direction
// descends. The problem gets A at the last iterate and P = A w: a solver without constraints
// recovers w exactly. Φ is bounded from below, A is at least the mass matrix where it is
// projected, and each step lowers Φ by a share of the predicted decrease: the method always
// ends at a point of balance. Blocks turned inside out at random take up to 250 iterations.
// Beyond maxNewtonIterations the last iterate, which has the lowest Φ, is used, and
// InterruptIf has free motions that take iterations ask whether to end: where the function is true, as it is from then
// on, the free motion is none, and the step is to be given up. nil: never. The function is called from several
// goroutines.
func (d *Data) InterruptIf(interrupted func() bool) {
	if d.newton != nil {
		d.newton.chol.Interrupted = interrupted
	}
}

// Err returns why free motions cannot be computed: a lack of memory; nil where they can.
func (d *Data) Err() error {
	if d.newton == nil {
		return nil
	}
	return d.newton.chol.Err()
}

// FreeMotionConverged reports it: that of a law whose tangent is not that of its stress.
// Source: Gast et al., "Optimization Integrator for Large Time Steps", 2015; Nocedal and
// Wright, Numerical Optimization, 3.1 and 3.4.
//
// One iteration at the positions strain = y0 + h w:
//
//	assemble   P and ∂P/∂F of each tet, then A by columns     newton_tangent.go
//	factor     A; where that fails, A from projected tangents
//	solve      A dir = −∇Φ
//	search     w ← w + step dir, step = 1, ½, ¼, …
//
// Velocities w are those of nodes: fixed vertices have none, but are part of y0 and strain,
// which fix all vertices.

// newton is the scratch of the minimization (1).
type newton struct {
	*freeMotion
	// base is B of (1), 9 numbers a block.
	base []float64
	// c is that of (1).
	c []float64
	// w and dir are the iterate and the Newton direction.
	w, dir []float64
	// Bw and Bd are B w and B dir.
	Bw, Bd []float64
	// grad is ∇Φ of (2).
	grad    []float64
	scratch []float64
	// y0 is y(v0) of all vertices, m.
	y0 []r3.Vec
	// energy is that of each element, V Ψ of a linear tet, J.
	energy []float64
	// energyBefore are the energies before a trial of the line search.
	energyBefore []float64
	// work is the tangent of each worker.
	work [][81]float64

	// held keeps what reactions of fixed vertices need.
	held heldElements

	// graph and matrix have the pattern of A, chol its factor: the pattern is that of the mesh,
	// analysed once for all steps.
	graph  supernodal.Graph
	matrix supernodal.Matrix
	chol   supernodal.Cholesky
	// tets and cols are the parallel loops of newton_tangent.go.
	tets tangentPass
	cols stiffnessPass
	// iterations counts the Newton steps of the last run.
	iterations int
	// converged reports that w is the minimum.
	converged bool
}

const (
	maxNewtonIterations = 2000  // 2 to 6 are usual
	newtonRelTol        = 1e-5  // step relative to w; after it the error is about its square
	newtonStrainTol     = 1e-11 // step, of the body's size per step: below any strain that matters
	armijo              = 1e-4  // share of the predicted decrease that a step must reach
	maxHalvings         = 40    // of a line search
	energyRoundoff      = 1e-13 // of the energies, below which a decrease is round-off
)

// init allocates the scratch and orders the pattern of A for factorization.
func (n *newton) init(f *freeMotion) {
	m := f.model
	n.freeMotion = f
	dofs, blocks, tets := m.Dofs(), len(m.pattern.Row), m.set.len()
	n.base = make([]float64, 9*blocks)
	// all vectors in one allocation
	vecs := make([]float64, 7*dofs+2*tets)
	cut := func(k int) (s []float64) { s, vecs = vecs[:k:k], vecs[k:]; return s }
	n.c, n.w, n.dir, n.Bw, n.Bd, n.grad, n.scratch = cut(dofs), cut(dofs), cut(dofs), cut(dofs), cut(dofs), cut(dofs), cut(dofs)
	n.energy, n.energyBefore = cut(tets), cut(tets)
	n.y0 = make([]r3.Vec, m.NumVerts())
	f.needBlocks()
	n.tets.newton, n.cols.newton = n, n
	n.held.init(m)

	// a node has the three velocities of a vertex; edges of the mesh connect nodes
	// the graph of A, and its symbolic factorization
	for range m.pattern.N {
		n.graph.AddNode(3, 0)
	}
	for j := range m.pattern.N {
		for _, i := range m.pattern.Row[m.pattern.Ptr[j]:m.pattern.Ptr[j+1]] {
			n.graph.AddEdge(int(i), j)
		}
	}
	n.graph.Pack()
	n.matrix.Reset(&n.graph)
	n.chol.Analyze(&n.graph)
}

// begin writes A and mom linearized where the body is at the start, turned as the step's
// frame is: v0 may strain it much, by motion that the step will not have.
func (n *newton) begin(pool *workers.Pool, A, mom []float64) {
	if len(n.work) < pool.Size() {
		n.work = make([][81]float64, pool.Size())
	}
	n.chol.Pool = pool
	n.start(pool)
	n.converged = true
	n.startFrames()
	n.iterateAtFrames()
	n.relinearize(pool, A, mom)
}

// relinearize writes A at the iterate w, from projected tangents, and mom = A w − ∇Φ.
func (n *newton) relinearize(pool *workers.Pool, A, mom []float64) {
	n.place(0)
	n.assemble(pool, A, true)
	n.held.keepModel(n)
	n.model.multiply(mom, A, n.w)
	for i := range mom {
		n.grad[i] = n.Bw[i] + n.c[i] - n.h*n.scratch[i] // (2)
		// so that the linear model A w − mom has the slope ∇Φ at the iterate
		mom[i] -= n.grad[i]
	}
}

// run minimizes (1) and writes A at the minimum and mom = A w.
func (n *newton) run(pool *workers.Pool, A, mom []float64) {
	n.converged = false
	clear(n.w)
	clear(n.Bw)
	n.place(0)
	// the minimum for the last w would be a better guess, but would make steps depend on history
	for n.iterations = 1; ; n.iterations++ {
		// A as it is, else from projected tangents
		ok := n.linearize(pool, A, false) || n.linearize(pool, A, true)
		// a projected A is no less than M: only numbers that are not finite end here
		if !ok || n.iterations > maxNewtonIterations || n.chol.Interrupted != nil && n.chol.Interrupted() {
			break
		}
		// the Newton direction −A⁻¹∇Φ
		for i := range n.grad {
			n.grad[i] = n.Bw[i] + n.c[i] - n.h*n.scratch[i] // (2)
			n.dir[i] = -n.grad[i]
		}
		n.chol.Solve(n.dir)
		if !n.search(pool) {
			n.converged = true
			break
		}
	}
	n.held.linear = false
	n.model.multiply(mom, A, n.w)
}

// linearize computes A and the elastic forces (to scratch) at the positions strain and
// factors A. It returns false where A is not positive definite.
func (n *newton) linearize(pool *workers.Pool, A []float64, project bool) bool {
	n.assemble(pool, A, project)
	copy(n.matrix.Val, A)
	return n.chol.Factor(&n.matrix) == nil
}

// assemble computes A and the elastic forces (to scratch) at the positions strain.
func (n *newton) assemble(pool *workers.Pool, A []float64, project bool) {
	n.tets.project = project
	n.evaluate(pool, tangents)
	n.cols.A, n.cols.h2 = A, n.h*n.h
	pool.Run(chunks(n.model.pattern.N, columnChunk), &n.cols)
}

// start computes B and c of (1) and y0.
func (n *newton) start(pool *workers.Pool) {
	m, h := n.model, n.h
	alpha, zeta := m.spec.MassDamping, m.spec.StiffnessDamping
	copy(n.y0, n.strain)
	clear(n.c)
	clear(n.base)
	if zeta > 0 {
		// ζK(x): the stiffness at the start, in the frame of the step
		for i, p := range n.pos {
			n.strain[i] = n.rotation.excess.MulVec(p)
		}
		n.tets.project = true // an indefinite damping would add energy
		n.evaluate(pool, tangents)
		n.held.keepDamping(n)
		n.cols.A, n.cols.h2 = n.base, h*zeta
		pool.Run(chunks(m.pattern.N, columnChunk), &n.cols)
		// ζK(x)(v0 − u)
		for j, v := range m.vertex {
			u := n.vel[v]
			if n.rotation.rotates {
				u = u.AddScaled(-1/h, n.rotation.full.MulVec(n.pos[v].Sub(n.rotation.center)))
			}
			copy(n.scratch[3*j:], u[:])
		}
		m.multiply(n.c, n.base, n.scratch)
		copy(n.strain, n.y0)
	}
	// (1 + hα)M, hαM v0, the weight and other loads
	for j := range m.pattern.N {
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			mass, i := m.blocks[k].mass, m.pattern.Row[k]
			b := n.base[9*k : 9*k+9]
			for a := range 3 {
				b[4*a] += (1 + h*alpha) * mass
				n.c[3*int(i)+a] += h * alpha * mass * n.vel[m.vertex[j]][a]
				if int(i) != j {
					n.c[3*j+a] += h * alpha * mass * n.vel[m.vertex[i]][a]
				}
			}
		}
		for a := range 3 {
			n.c[3*j+a] -= h * m.nodalMass[m.vertex[j]] * n.gravity[a]
			if n.load != nil {
				n.c[3*j+a] -= h * n.load[m.vertex[j]][a]
			}
		}
	}
}

// search moves w along dir by a backtracking line search. It returns false when w is the
// minimum: after a step so small that the next would be round-off, or where no step
// lowers the energy by more than round-off.
func (n *newton) search(pool *workers.Pool) bool {
	n.model.multiply(n.Bd, n.base, n.dir)
	// Φ along dir: slope at 0, and the quadratic part
	slope, linear, square, total := 0.0, 0.0, 0.0, 0.0
	for i, d := range n.dir {
		slope += n.grad[i] * d
		linear += (n.Bw[i] + n.c[i]) * d
		square += n.Bd[i] * d
	}
	copy(n.energyBefore, n.energy)
	// round-off of Φ is that of the largest of its terms, not that of their sum
	for _, e := range n.energyBefore {
		total += math.Abs(e)
	}
	// halve the step until Φ falls by a share of the predicted decrease (Armijo)
	// Φ is not convex: the full Newton step may turn elements inside out, where energies jump
	step := 1.0
	for range maxHalvings {
		n.place(step)
		n.evaluate(pool, energies)
		change := step*linear + 0.5*step*step*square
		for t, e := range n.energy {
			change += e - n.energyBefore[t]
		}
		if change <= armijo*step*slope+energyRoundoff*(total+math.Abs(step*linear)) {
			n.accept(step)
			return !n.small()
		}
		step /= 2
	}
	n.place(0)
	return false
}

// place moves the body to y0 + h (w + step·dir).
func (n *newton) place(step float64) {
	for j, v := range n.model.vertex {
		for k := range 3 {
			n.strain[v][k] = n.y0[v][k] + n.h*(n.w[3*j+k]+step*n.dir[3*j+k])
		}
	}
}

// accept moves w by a step along dir.
func (n *newton) accept(step float64) {
	for i, d := range n.dir {
		n.w[i] += step * d
		n.Bw[i] += step * n.Bd[i]
	}
}

// moveToFrames moves the iterate to where frames are, and takes B and c again where no
// rotation is left out of y any more.
func (n *newton) moveToFrames() {
	if n.implicit {
		// damping resists the motion beyond the mean rotation that was solved
		R := n.meanRotation()
		n.rotation.full, n.rotation.excess, n.rotation.rotates = R.Sub(r3.Identity()), R, true
		n.start(n.chol.Pool)
	}
	n.iterateAtFrames()
}

// iterateAtFrames sets the iterate to the motion to the positions frames.
func (n *newton) iterateAtFrames() {
	for j, i := range n.model.vertex {
		for k := range 3 {
			n.w[3*j+k] = (n.frames[i][k] - n.y0[i][k]) / n.h
		}
	}
	n.model.multiply(n.Bw, n.base, n.w)
}

// setVelocities moves the iterate to the velocities v.
func (n *newton) setVelocities(v []float64) {
	for j, i := range n.model.vertex {
		for k := range 3 {
			n.w[3*j+k] = v[3*j+k] - n.vel[i][k]
		}
	}
	n.model.multiply(n.Bw, n.base, n.w)
}

// meanRotation returns the rotation that moves the vertices nearest to frames.
func (n *newton) meanRotation() r3.Mat {
	// S = Σ m (y − ȳ)(x − x̄)ᵀ; its polar factor minimizes Σ m |(y − ȳ) − R (x − x̄)|²
	// (Kabsch 1976; Horn 1987)
	var S r3.Mat
	var c, d r3.Vec
	for i, mass := range n.model.nodalMass {
		c, d = c.AddScaled(mass/n.model.mass, n.pos[i]), d.AddScaled(mass/n.model.mass, n.frames[i])
	}
	for i, mass := range n.model.nodalMass {
		S = S.Add(r3.Outer(n.frames[i].Sub(d), n.pos[i].Sub(c)).Scale(mass))
	}
	return r3.Polar(S)
}

// linearizationError returns the work of the difference of true and linear force over the
// motion since the last linearization, J: twice the difference of their energies, or three
// times where it is of third order.
func (n *newton) linearizationError(A, mom, v []float64, pool *workers.Pool) float64 {
	// the iterate of the last linearization; then the solved one
	copy(n.dir, n.w)
	n.setVelocities(v)
	n.place(0)
	n.evaluate(pool, forces)
	n.gatherForces()
	n.model.multiply(n.Bd, A, n.w)
	// the work of the force that the linear model lacks, over the way from there to here
	work := 0.0
	for i := range n.grad {
		model := n.Bd[i] - mom[i]
		n.grad[i] = n.Bw[i] + n.c[i] - n.h*n.scratch[i] // (2)
		work += (n.grad[i] - model) * (n.w[i] - n.dir[i])
	}
	return math.Abs(work)
}

// gatherForces adds the elastic forces of all elements on the nodes (to scratch).
func (n *newton) gatherForces() {
	m := n.model
	for j := range m.pattern.N {
		var f r3.Vec
		k := m.pattern.Ptr[j]
		for _, p := range m.pairs[m.blocks[k].first:m.blocks[k+1].first] {
			f = f.Add(*n.force[p.row].vec())
		}
		copy(n.scratch[3*j:3*j+3], f[:])
	}
}

// small reports whether the last direction was within the tolerance of the minimum. The
// step taken does not matter: at such lengths only round-off shortens it.
func (n *newton) small() bool {
	// the absolute tolerance is that of one velocity, so that it grows as √n for the norm
	size, whole := 0.0, 0.0
	for i, d := range n.dir {
		size += d * d
		whole += n.w[i] * n.w[i]
	}
	size, whole = math.Sqrt(size), math.Sqrt(whole)
	return size <= newtonRelTol*whole+newtonStrainTol*n.model.size/n.h*math.Sqrt(float64(len(n.dir)))
}

// FreeMotionConverged reports whether the last free motion is the minimum of (1) of
// newton.go. That of linear and corotated laws always is.
func (d *Data) FreeMotionConverged() bool { return d.newton == nil || d.newton.converged }
