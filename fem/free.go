package fem

import (
	"math"

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
// Per tet, with shape gradients g_a, volume V, F = Σ x_a g_aᵀ and R fixed,
//
//	f_a = −V R σ g_a,  σ = 2μ ε + λ tr ε I,  ε = sym(RᵀF) − I,             (3)
//	K_ab = λ w_a w_bᵀ + μ w_b w_aᵀ + μ V (g_a·g_b) I,  w_a = √V R g_a.     (4)
//
// Linearity saves work twice: positions y + ζ/h (y − Ex) in (3) add the damping, and in (4)
// the outer products of one block are summed over tets before λ and μ multiply them. The
// last term of (4) and the mass do not depend on R and are computed once. element_lanes.go
// computes eight tets at a time.
// Source of (3), (4): Müller and Gross, "Interactive Virtual Materials", 2004 (corotated
// elements); Sifakis and Barbič, "FEM Simulation of 3D Deformable Solids", 2012.
//
// Order of a step: Linearise writes A and P at the state; constraints are appended and the
// problem is solved by others; Relinearize (relinearize.go) compares body and linear model at
// the solution. ConvergeFreeMotion is for nonlinear laws without constraints alone.

// freeMotion is the scratch of free motion.
type freeMotion struct {
	model    *Model
	rotation rigidRotation

	// pos: x of all vertices, m.
	pos []r3.Vec
	// strain: y + ζ/h (y − Ex) for v = v0, the positions at which (3) is evaluated, m.
	strain []r3.Vec
	// vel: v0, zero where fixed, m/s.
	vel []r3.Vec
	// load: forces on all vertices from outside besides gravity, nil for none, N.
	load []r3.Vec
	// force is that of each tet on its vertices, slot 4·tet + a, or of each cell, cellNodes·cell
	// + a, N.
	force []padded
	// w are √V R g_a of (4), in the same slots.
	w []padded
	// stiff are the turned blocks of elements with one frame, N/m.
	stiff []r3.Mat
	// kept are matrices of elements where they were linearised last, as many each as the set
	// keeps: F at the centre of hexahedra and wedges, the frames R_q of ten-node tets.
	kept []r3.Mat
	// energy is the elastic energy at the start of the step of each chunk of elements, J.
	energy []float64

	elements elementPass
	columns  columnPass

	relinearized // of further passes of a step
}

const (
	tetChunk = 64 // elements of one work item
	// enough work for a thread to be worth waking, few enough that the threads end together
	columnChunk = 64 // block columns of one work item
)

func (f *freeMotion) init(m *Model) {
	// all vectors in one allocation each
	nv, nt := m.NumVerts(), m.numElements()
	f.model = m
	vecs := make([]r3.Vec, 6*nv)
	f.pos, f.strain, f.vel = vecs[:nv], vecs[nv:2*nv], vecs[2*nv:3*nv]
	f.frames, f.solved, f.way = vecs[3*nv:4*nv], vecs[4*nv:5*nv], vecs[5*nv:]
	f.whole = make([]float64, 3*nv)
	if m.set != nil {
		nodes, blocks := m.set.slots()
		f.force, f.stiff = make([]padded, nodes*nt), make([]r3.Mat, blocks*nt)
		f.kept, f.errors.known = make([]r3.Mat, m.set.keeps()*nt), make([]elementError, nt)
	} else {
		f.force, f.w = make([]padded, 4*nt), make([]padded, 4*nt)
	}
	f.elements.freeMotion, f.columns.freeMotion = f, f
	f.energy = make([]float64, chunks(nt, tetChunk))
	f.elements.law = m.kernelConstants()
	f.errors.freeMotion, f.errors.chunks = f, make([]energyErrors, chunks(nt, tetChunk))
}

// FreeMotion appends the body's clique for a step of h (s): A and, at the state x, v
// (3·NumVerts; m, m/s), V0 and P = A (v* − v0). gravity is in m/s². The pool may be nil. It
// allocates nothing and gives the same bits for any number of workers.
func (d *Data) FreeMotion(h float64, gravity r3.Vec, x, v []float64, pool *workers.Pool, p *cliques.Problem) {
	d.Linearise(h, gravity, x, v, pool, p)
	d.ConvergeFreeMotion(pool, p)
}

// Linearise appends the clique as FreeMotion does, but linearised at the velocities v of the
// start also where the law is nonlinear. That is FreeMotion for linear and corotated laws.
// Constraints move a body away from its free motion, so this is the better start of a step
// with constraints; Relinearize goes on from its solution.
func (d *Data) Linearise(h float64, gravity r3.Vec, x, v []float64, pool *workers.Pool, p *cliques.Problem) {
	first, A, v0, mom := p.AddSparse(&d.model.pattern)
	d.first, d.clique = first, len(p.Cliques)-1
	f := &d.free
	d.resting = false
	f.h, f.gravity = h, gravity
	f.pass, f.ways, f.implicit, f.share = 0, 0, false, 1
	// nonlinear laws: tangents at v0
	if d.newton != nil {
		f.predict(h, 0, x, v)
		for j, u := range d.model.vertex {
			copy(v0[3*j:3*j+3], f.vel[u][:])
		}
		clear(f.energy)
		for i := range f.model.numElements() {
			f.energy[i/tetChunk] += f.model.energyOf(i, f.pos)
		}
		d.newton.begin(pool, A, mom)
		return
	}
	// linear and corotated laws: forces and stiffness of all tets, then A and P by columns
	f.predict(h, d.model.spec.StiffnessDamping, x, v)
	f.assembleAll(pool, A, v0, mom)
}

// ConvergeFreeMotion replaces A and P of the clique that Linearise appended by those at the
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

// assembleAll computes all tets and writes A, V0 and P.
func (f *freeMotion) assembleAll(pool *workers.Pool, A, v0, mom []float64) {
	pool.Run(chunks(f.model.numElements(), tetChunk), &f.elements)
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

// elementPass is the parallel loop over tets that computes forces (3) and the vectors w of
// (4).
type elementPass struct {
	*freeMotion
	law kernelLaw
}

// Do implements workers.Task for one chunk of tets: eight at a time as far as kernels go.
func (f *elementPass) Do(_, chunk int) {
	if set := f.model.set; set != nil {
		if f.pass == 0 {
			f.energy[chunk] = 0
		}
		set.compute(f, chunk*tetChunk, min((chunk+1)*tetChunk, set.len()))
		return
	}
	t, end := chunk*tetChunk, min((chunk+1)*tetChunk, len(f.model.elements))
	if f.pass == 0 {
		f.energy[chunk] = 0
	}
	if haveKernels && f.model.class == Corotated && !f.rotation.unresolved && f.pass == 0 {
		var b elementLanes
		for ; t+8 <= end; t += 8 {
			f.computeLanes(&b, t)
		}
	}
	for ; t < end; t++ {
		f.tet(t)
	}
}

// tet computes one tet.
func (f *elementPass) tet(t int) {
	e := &f.model.elements[t]
	R, F := r3.Identity(), e.gradient(f.strain)
	if f.model.class == Corotated {
		R = f.frame(e)
	}
	switch {
	case f.pass == 0:
		f.energy[t/tetChunk] += f.startEnergy(e, &R)
		if f.rotation.unresolved && f.model.class == Corotated {
			R = f.rotation.excess.Mul(R)
		}
	case f.model.class == Corotated:
		f.addStrainRate(e, &R, &F)
	}
	// the three other vertices by (3) and (4), the first by the balance of forces
	T := f.model.piola(F, R, -e.volume)
	root := math.Sqrt(e.volume)
	w, force := (*[4]padded)(f.w[4*t:]), (*[4]padded)(f.force[4*t:])
	w[0], force[0] = padded{}, padded{}
	for a := range e.grad {
		g0, g1, g2 := e.grad[a][0], e.grad[a][1], e.grad[a][2]
		for i := range 3 {
			w[a+1][i] = root * (R[3*i]*g0 + R[3*i+1]*g1 + R[3*i+2]*g2)
			force[a+1][i] = T[3*i]*g0 + T[3*i+1]*g1 + T[3*i+2]*g2 // (3)
			w[0][i] -= w[a+1][i]
			force[0][i] -= force[a+1][i]
		}
	}
	if f.model.spec.MassDamping > 0 {
		f.addMassDamping(e, force)
	}
}

// piola returns s·R σ of (3) at the gradient F.
func (m *Model) piola(F, R r3.Mat, s float64) r3.Mat {
	mu, lambda := 2*s*m.mu, s*m.lambda
	// G = RᵀF
	xx := R[0]*F[0] + R[3]*F[3] + R[6]*F[6] - 1
	yy := R[1]*F[1] + R[4]*F[4] + R[7]*F[7] - 1
	zz := R[2]*F[2] + R[5]*F[5] + R[8]*F[8] - 1
	xy := 0.5 * (R[0]*F[1] + R[3]*F[4] + R[6]*F[7] + R[1]*F[0] + R[4]*F[3] + R[7]*F[6])
	xz := 0.5 * (R[0]*F[2] + R[3]*F[5] + R[6]*F[8] + R[2]*F[0] + R[5]*F[3] + R[8]*F[6])
	yz := 0.5 * (R[1]*F[2] + R[4]*F[5] + R[7]*F[8] + R[2]*F[1] + R[5]*F[4] + R[8]*F[7])
	// σ of (3)
	p := lambda * (xx + yy + zz)
	xx, yy, zz, xy, xz, yz = mu*xx+p, mu*yy+p, mu*zz+p, mu*xy, mu*xz, mu*yz
	// R σ
	return r3.Mat{
		R[0]*xx + R[1]*xy + R[2]*xz, R[0]*xy + R[1]*yy + R[2]*yz, R[0]*xz + R[1]*yz + R[2]*zz,
		R[3]*xx + R[4]*xy + R[5]*xz, R[3]*xy + R[4]*yy + R[5]*yz, R[3]*xz + R[4]*yz + R[5]*zz,
		R[6]*xx + R[7]*xy + R[8]*xz, R[6]*xy + R[7]*yy + R[8]*yz, R[6]*xz + R[7]*yz + R[8]*zz,
	}
}

// frame returns the rotation of an element where it was linearised last: in the first pass of
// a step that at its start, which the excess of the body's rotation turns further.
func (f *freeMotion) frame(e *element) r3.Mat {
	if f.pass > 0 {
		return r3.Polar(e.gradient(f.frames))
	}
	return r3.Polar(e.gradient(f.pos))
}

// addMassDamping adds −αM v0 of one tet.
func (f *freeMotion) addMassDamping(e *element, force *[4]padded) {
	c := f.model.spec.MassDamping * f.model.spec.Density * e.volume / 20
	var sum r3.Vec
	for _, v := range e.verts {
		sum = sum.Add(f.vel[v])
	}
	for a, v := range e.verts {
		x := force[a].vec()
		*x = x.AddScaled(-c, sum.Add(f.vel[v]))
	}
}

// columnPass is the parallel loop over block columns that assembles A, V0 and P of (2).
type columnPass struct {
	*freeMotion
	A, v0, mom []float64
}

// Do implements workers.Task for one chunk of columns.
func (f *columnPass) Do(_, chunk int) {
	m := f.model
	// the factors of M and K in A
	mass := 1 + f.h*m.spec.MassDamping
	stiff := f.h * (f.h + m.spec.StiffnessDamping)
	law := [3]float64{mass, stiff * m.mu, stiff * m.lambda}
	lo, hi := chunk*columnChunk, min((chunk+1)*columnChunk, m.pattern.N)
	var force [columnChunk]padded
	// blocks of the columns, and forces on their nodes
	switch {
	case m.set != nil && haveKernels:
		f.assembleSet(f.A, m.pattern.Ptr[lo], m.pattern.Ptr[hi], &[2]float64{mass, stiff})
		f.collect(&force, lo, hi-lo)
	case m.set != nil:
		for k := m.pattern.Ptr[lo]; k < m.pattern.Ptr[hi]; k++ {
			b := &m.blocks[k]
			f.gatherSet((*[9]float64)(f.A[9*k:]), m.pairs[b.first:m.blocks[k+1].first], stiff, mass*b.mass)
		}
		f.sumForces(&force, lo, hi)
	case haveKernels:
		f.assemble(f.A, m.pattern.Ptr[lo], m.pattern.Ptr[hi], &law)
		f.collect(&force, lo, hi-lo)
	default:
		for k := m.pattern.Ptr[lo]; k < m.pattern.Ptr[hi]; k++ {
			b := &m.blocks[k]
			f.gather((*[9]float64)(f.A[9*k:]), m.pairs[b.first:m.blocks[k+1].first], law[1], law[2], mass*b.mass+law[1]*b.dot)
		}
		f.sumForces(&force, lo, hi)
	}
	// V0 and P
	for j := lo; j < hi; j++ {
		f.vertex(j, force[j-lo].vec())
	}
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

// gather writes one block of A as the sum over its tets.
func (f *freeMotion) gather(A *[9]float64, pairs []pair, mu, lambda, diag float64) {
	var O r3.Mat // Σ w_a w_bᵀ
	for _, p := range pairs {
		a, b := &f.w[p.row], &f.w[p.col]
		O[0] += a[0] * b[0]
		O[1] += a[0] * b[1]
		O[2] += a[0] * b[2]
		O[3] += a[1] * b[0]
		O[4] += a[1] * b[1]
		O[5] += a[1] * b[2]
		O[6] += a[2] * b[0]
		O[7] += a[2] * b[1]
		O[8] += a[2] * b[2]
	}
	both := mu + lambda
	*A = [9]float64{ // (4)
		both*O[0] + diag, lambda*O[1] + mu*O[3], lambda*O[2] + mu*O[6],
		lambda*O[3] + mu*O[1], both*O[4] + diag, lambda*O[5] + mu*O[7],
		lambda*O[6] + mu*O[2], lambda*O[7] + mu*O[5], both*O[8] + diag,
	}
}

// vertex writes V0 and P of node j, on which its tets act with a force.
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
