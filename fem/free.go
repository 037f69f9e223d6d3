package fem

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// One step of a deformable body without constraints. With the unknown v = v⁺,
// end positions x⁺ = x + θh v + (1 − θ)h v0 and D = αM + ζK the balance
//
//	M (v − v0) = h [f_ext + f_el(x⁺) − D v]                              (1)
//
// is, for forces linear in x at fixed element rotations R, exactly
//
//	A (v − v0) = h [f_ext + f_el(x + h v0) − D v0],  A = M + hD + θh²K.    (2)
//
// θ = 1 (backward Euler): contact predicts gaps at the end of the step from the
// end velocity, φ = φ0 + h vn, which is where the vertices go only for θ = 1. With
// the midpoint rule θ = ½ they would stop half a step short at every impact.
//
// The mean rigid rotation of a body is subtracted from the motion that strains it: y of
// rigid_rotation.go stands for x + h v, and ζ damps the strain rate (ε(y) − ε(x))/h.
//
// The damped midpoint rule is in midpoint.go.
//
// Linearity saves work: positions y + ζ/h (y − Ex), at which elements take their forces, add the damping.
//
// Order of a step: Linearize writes A and P at the state; constraints are appended and the
// problem is solved by others; Relinearize (relinearize.go) compares body and linear model at
// the solution. ConvergeFreeMotion is for nonlinear laws without constraints alone.

// freeMotion is the scratch of free motion.
type freeMotion struct {
	model    *Model
	rotation rigidRotation

	// pos: x of all vertices, m.
	pos []r3.Vec
	// strain: y + ζ/h (y − Ex) for v = v0, the positions at which elements take their forces, m.
	strain []r3.Vec
	// vel: v0, zero where fixed, m/s.
	vel []r3.Vec
	// load: forces on all vertices from outside besides gravity, nil for none, N.
	load []r3.Vec
	// force is that of each element on its nodes, in its slots, N.
	force []padded
	// w are √V R g_a of (2) of element_tet4.go, in the same slots; of linear tets alone.
	w []padded
	// stiff are the blocks of elements, in their slots, N/m. Linear tets have them where derive or rest writes them.
	stiff []r3.Mat
	// kept are matrices of elements where they were linearized last, as many each as the set
	// keeps: F at the centre of hexahedra and wedges, the frames R_q of ten-node tets.
	kept []r3.Mat
	// energy is the elastic energy at the start of the step of each chunk of elements, J.
	energy []float64

	elements elementPass
	columns  columnPass

	relinearized // of further passes of a step
	midpoint     // of the midpoint rule
}

const (
	tetChunk = 64 // elements of one work item
	// enough work for a thread to be worth waking, few enough that the threads end together
	columnChunk = 64 // block columns of one work item
)

func (f *freeMotion) init(m *Model) {
	// all vectors in one allocation each
	nv, nt := m.NumVerts(), m.set.len()
	f.model = m
	vecs := make([]r3.Vec, 6*nv)
	f.pos, f.strain, f.vel = vecs[:nv], vecs[nv:2*nv], vecs[2*nv:3*nv]
	f.frames, f.solved, f.way = vecs[3*nv:4*nv], vecs[4*nv:5*nv], vecs[5*nv:]
	f.whole = make([]float64, 3*nv)
	nodes, _ := m.set.slots()
	f.force = make([]padded, nodes*nt)
	m.set.scratch(f)
	f.elements.freeMotion, f.columns.freeMotion = f, f
	f.energy = make([]float64, chunks(nt, tetChunk))
	f.elements.law = m.kernelConstants()
	f.errors.freeMotion, f.errors.chunks = f, make([]energyErrors, chunks(nt, tetChunk))
}

// needBlocks makes room for the blocks of elements.
func (f *freeMotion) needBlocks() {
	if _, blocks := f.model.set.slots(); f.stiff == nil {
		f.stiff = make([]r3.Mat, blocks*f.model.set.len())
	}
}

// FreeMotion appends the body's clique for a step of h (s): A and, at the state x, v
// (3·NumVerts; m, m/s), V0 and P = A (v* − v0). gravity is in m/s². The pool may be nil. It
// allocates nothing and gives the same bits for any number of workers.
func (d *Data) FreeMotion(h float64, gravity r3.Vec, x, v []float64, pool *workers.Pool, p *cliques.Problem) {
	d.Linearize(h, gravity, x, v, pool, p)
	d.ConvergeFreeMotion(pool, p)
}

// Linearize appends the clique as FreeMotion does, but linearized at the velocities v of the
// start also where the law is nonlinear. That is FreeMotion for linear and corotated laws.
// Constraints move a body away from its free motion, so this is the better start of a step
// with constraints; Relinearize continues from its solution.
func (d *Data) Linearize(h float64, gravity r3.Vec, x, v []float64, pool *workers.Pool, p *cliques.Problem) {
	first, A, v0, mom := p.AddSparse(&d.model.pattern)
	d.first, d.clique = first, len(p.Cliques)-1
	f := &d.free
	d.resting = false
	f.h, f.gravity, f.step = h, gravity, d.step
	f.pass, f.ways, f.implicit, f.share = 0, 0, false, 1
	if f.step.Midpoint {
		f.predictMiddle(x, v)
		f.assembleAll(pool, A, v0, mom)
		return
	}
	// nonlinear laws: tangents at v0
	if d.newton != nil {
		f.predict(h, 0, x, v)
		for j, u := range d.model.vertex {
			copy(v0[3*j:3*j+3], f.vel[u][:])
		}
		clear(f.energy)
		for i := range f.model.set.len() {
			f.energy[i/tetChunk] += f.model.set.energyOf(i, f.pos)
		}
		d.newton.begin(pool, A, mom)
		return
	}
	// linear and corotated laws: forces and stiffness of all elements, then A and P by columns
	f.predict(h, d.model.spec.StiffnessDamping, x, v)
	f.assembleAll(pool, A, v0, mom)
}

// ConvergeFreeMotion replaces A and P of the clique that Linearize appended by those at the
// free motion of a nonlinear law, which Newton's method finds.
func (d *Data) ConvergeFreeMotion(pool *workers.Pool, p *cliques.Problem) {
	if d.newton != nil {
		A, _, mom := d.part(p)
		d.newton.run(pool, A, mom)
	}
}

// part returns A, V0 and P of the body's clique.
func (d *Data) part(p *cliques.Problem) (A, v0, mom []float64) {
	c := &p.Cliques[d.clique]
	return c.A, p.V0[c.Offset : c.Offset+c.Size], p.P[c.Offset : c.Offset+c.Size]
}

// assembleAll computes all elements and writes A, V0 and P.
func (f *freeMotion) assembleAll(pool *workers.Pool, A, v0, mom []float64) {
	pool.Run(chunks(f.model.set.len(), tetChunk), &f.elements)
	f.columns.A, f.columns.v0, f.columns.mom = A, v0, mom
	pool.Run(chunks(f.model.pattern.N, columnChunk), &f.columns)
}

// chunks returns the number of work items of n.
func chunks(n, size int) int { return (n + size - 1) / size }

// predict reads the state and computes the positions strain: the state extrapolated by
// the step h, and by zeta more for the damping.
func (f *freeMotion) predict(h, zeta float64, x, v []float64) {
	f.rotation = f.model.meanRotation(h, x, v)
	// subtract (Q − E)(x − c), and the same share of the damping, of rigid_rotation.go
	S, o := f.rotation.removed.Add(f.rotation.full.Scale(zeta/h)), f.rotation.center
	ahead := h + zeta
	for i, n := range f.model.node {
		p, u := (*[3]float64)(x[3*i:]), &f.vel[i]
		*u = r3.Vec{}
		if n >= 0 {
			*u = r3.Vec(v[3*i : 3*i+3])
		}
		f.pos[i] = *p
		y := &f.strain[i]
		y[0], y[1], y[2] = p[0]+ahead*u[0], p[1]+ahead*u[1], p[2]+ahead*u[2]
		if f.rotation.rotates {
			d0, d1, d2 := p[0]-o[0], p[1]-o[1], p[2]-o[2]
			y[0] -= S[0]*d0 + S[1]*d1 + S[2]*d2
			y[1] -= S[3]*d0 + S[4]*d1 + S[5]*d2
			y[2] -= S[6]*d0 + S[7]*d1 + S[8]*d2
		}
	}
}

// elementPass is the parallel loop over elements that computes forces and stiffness.
type elementPass struct {
	*freeMotion
	law kernelLaw
}

// Do implements workers.Task for one chunk of elements.
func (f *elementPass) Do(_, chunk int) {
	if f.pass == 0 {
		f.energy[chunk] = 0
	}
	f.model.set.compute(f, chunk*tetChunk, min((chunk+1)*tetChunk, f.model.set.len()))
}

// columnPass is the parallel loop over block columns that assembles A, V0 and P of (2).
type columnPass struct {
	*freeMotion
	A, v0, mom []float64
}

// Do implements workers.Task for one chunk of columns.
func (f *columnPass) Do(_, chunk int) {
	m := f.model
	mass, stiff := f.factors()
	lo, hi := chunk*columnChunk, min((chunk+1)*columnChunk, m.pattern.N)
	m.set.assemble(f, m.pattern.Ptr[lo], m.pattern.Ptr[hi], mass, stiff)
	// forces on the nodes of the columns
	var force [columnChunk]padded
	if haveKernels {
		f.collect(&force, lo, hi-lo)
	} else {
		f.sumForces(&force, lo, hi)
	}
	// V0 and P
	for j := lo; j < hi; j++ {
		f.vertex(j, force[j-lo].vec())
	}
}

// factors returns those of M and K (s²) in A of (2); Euler has θ = κ = 1 of package timestep.
func (f *freeMotion) factors() (mass, stiff float64) {
	spec := &f.model.spec
	return 1/f.step.Theta + f.h*spec.MassDamping, f.h * (f.step.Kappa*f.h + spec.StiffnessDamping)
}

// sumForces adds the forces of the elements around the nodes lo … hi − 1.
func (f *freeMotion) sumForces(force *[columnChunk]padded, lo, hi int) {
	m := f.model
	for j := lo; j < hi; j++ {
		for _, p := range m.pairs[m.blocks[m.pattern.Ptr[j]].first:m.blocks[m.pattern.Ptr[j]+1].first] {
			sum, x := force[j-lo].vec(), f.force[p.row].vec()
			*sum = sum.Add(*x)
		}
	}
}

// vertex writes V0 and P of node j, on which its elements act with a force.
func (f *columnPass) vertex(j int, force *r3.Vec) {
	v := f.model.vertex[j]
	mass, vel := f.model.nodalMass[v], &f.vel[v]
	v0, mom := (*[3]float64)(f.v0[3*j:]), (*[3]float64)(f.mom[3*j:])
	if f.load != nil {
		*force = force.Add(f.load[v])
	}
	for i := range 3 {
		v0[i] = vel[i]
		mom[i] = f.h * (mass*f.gravity[i] + force[i])
	}
}
