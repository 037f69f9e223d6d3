package fem

// The body at rest: forces f(x) and their true tangent K = −∂f/∂x, with frames that turn with the vertices.
// Steps in time leave the turn of frames out of A (free.go), which keeps it positive definite; a search for the
// state at rest by Newton's method needs it, for it is the geometric stiffness by which a sheet under
// tension carries load and a column buckles. The pseudo-step of h from rest is
//
//	(M + h² K) v = h f(x).                                                       (1)
//
// A point with the frame R of F = R U has δR = R [ω]× with (tr U I − U) ω = 2 w, w the axial vector of the
// skew part of Rᵀ δF. The energy μ |ε|² + ½ λ tr²ε has in the frozen frame no stiffness against w; with the
// frame that turns, and with the pressure p = λ tr ε (of the element, where a mean dilatation couples points)
//
//	δ²E = … + w·B w,   B = 4 μ I + 4 (p − 2μ) (tr U I − U)⁻¹,                    (2)
//	K_ab += ¼ W [g̃_a]×ᵀ R B Rᵀ [g̃_b]×,   g̃ = R g.                               (3)
//
// The rest of the stiffness, and that of w, are orthogonal: without the negative eigenvalues of B the
// tangent is the nearest one that is positive semi-definite.
//
// An element with one frame (element_cell.go) has the energy ½ uᵀK0u, u = y − X, y_a = Rᵀ(x_a − x̄). With
// δ_a = Rᵀδx_a, D = tr U I − U, ω = D⁻¹ Σ g_a × δ_a, k = K0 u, m = Σ y_a × k_a, q = D⁻¹ m and Y: ω → ω × y_a
//
//	δ²E = (δ − Yω)ᵀK0(δ − Yω) + Σ k_a·(ω×(ω×y_a)) − 2 Σ k_a·(ω×δ_a)
//	      + Σ (q×g_a)·(ω×δ_a) + tr(U') q·ω − q·U'ω,   U' = sym(Σ δ_a g_aᵀ) − sym([ω]×U)       (4)
//	    = δᵀK0δ + 2 ωᵀ Σ L_a δ_a + ωᵀN ω.
//
// Source: (2) by the eigenvalues of Smith, de Goes and Kim, "Analytic eigensystems for isotropic distortion
// energies", 2019; (4) is this program's, as corotated frames of Crisfield and Moita 1996 have it for beams.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
	"github.com/curlfree/curlfree/workers"
)

// restPass is the parallel loop over elements and columns that evaluates (1).
type restPass struct {
	*freeMotion
	newton  *newton
	project bool
	at      []float64 // positions at which the elements are computed, m
	inner   []float64 // Σ |f|² of the nodes of each chunk of elements, N²
	columns bool
	A, mom  []float64
	skew    []skewBlock // of pressures that follow their faces
	held    []float64   // A of HoldTangent
}

// LinearizeAtRest appends the body's clique for a pseudo-step (1) of h (s) from the positions x (3·NumVerts, m),
// without velocity and damping: A, V0 = 0 and P. With project the tangents of points are the nearest positive
// semi-definite ones, and so A is positive definite; else it need not be. It gives the same bits for any number of
// workers.
func (d *Data) LinearizeAtRest(h float64, gravity r3.Vec, x, v []float64, project bool, pool *workers.Pool, p *cliques.Problem) {
	first, A, _, mom := p.AddSparse(&d.model.pattern)
	d.first, d.clique = first, len(p.Cliques)-1
	f := &d.free
	f.h, f.gravity = h, gravity
	f.pass, f.ways, f.implicit, f.share = 0, 0, false, 1
	f.step = timestep.Euler(h)
	f.predict(h, 0, x, v)
	if d.atRest == nil {
		d.atRest = d.newRestPass()
	}
	r := d.atRest
	if n := d.newton; n != nil {
		if len(n.work) < pool.Size() {
			n.work = make([][81]float64, pool.Size())
		}
		n.tets.order, n.tets.project = tangents, project
	}
	// elements do not depend on h
	known := d.resting && r.project == project && slices.Equal(r.at, x)
	r.project, r.A, r.mom = project, A, mom
	if !project {
		r.skew, r.held = r.skew[:0], r.held[:0]
	}
	d.resting = true
	if !known {
		r.at = append(r.at[:0], x...)
		r.columns = false
		pool.Run(chunks(d.model.set.len(), tetChunk), r)
	}
	r.columns = true
	pool.Run(chunks(d.model.pattern.N, columnChunk), r)
}

// newRestPass makes the working memory.
func (d *Data) newRestPass() *restPass {
	m := d.model
	d.free.needBlocks()
	return &restPass{freeMotion: &d.free, newton: d.newton, inner: make([]float64, chunks(m.set.len(), tetChunk))}
}

// ElementForces returns √Σ |f|² over the nodes of all elements at the last LinearizeAtRest, N: the size of the
// forces that balance in the body.
func (d *Data) ElementForces() float64 {
	if d.atRest == nil {
		return 0
	}
	return math.Sqrt(sum(d.atRest.inner))
}

// ForceRoundoff returns what the last digit of the positions makes of the forces at the last LinearizeAtRest, N: with
// the entries K_ii of the stiffness √Σ (K_ii ε |x_i|)².
func (d *Data) ForceRoundoff() float64 {
	r, m := d.atRest, d.model
	sum := 0.0
	for j := range m.pattern.N {
		k := m.pattern.Ptr[j]
		x := &r.pos[m.vertex[j]]
		for i := range 3 {
			f := math.Abs(r.A[9*int(k)+4*i]-m.blocks[k].mass) / (r.h * r.h) * x[i] * 0x1p-53
			sum += f * f
		}
	}
	return math.Sqrt(sum)
}

// StiffnessToMass returns the largest K_ii over the mass of its node at the last LinearizeAtRest, 1/s².
func (d *Data) StiffnessToMass() float64 {
	r, m := d.atRest, d.model
	most := 0.0
	for j := range m.pattern.N {
		k := m.pattern.Ptr[j]
		for i := range 3 {
			most = math.Max(most, (r.A[9*int(k)+4*i]-m.blocks[k].mass)/m.lumped[m.vertex[j]])
		}
	}
	return most / (r.h * r.h)
}

// react adds (1) of reactions.go of element i, which has fixed vertices.
func (r *restPass) react(i int, vNext []float64, dst []r3.Vec) {
	m := r.model
	nodes, blocks := m.set.slots()
	verts, stiff := m.set.nodesOf(i), r.stiff[blocks*i:blocks*(i+1)]
	for a, va := range verts {
		if m.node[va] >= 0 {
			continue
		}
		f := r.force[nodes*i+a].vec().Scale(-r.h)
		for b, vb := range verts {
			if u := r.change(vNext, vb); u != (r3.Vec{}) { // blocks of pairs that are not in A are never transposed
				f = f.AddScaled(r.h*r.h, blockOf(stiff, a, b).MulVec(u)).AddScaled(m.set.massOf(i, a, b), u)
			}
		}
		dst[va] = dst[va].Add(f)
	}
}

// Do implements workers.Task.
func (r *restPass) Do(worker, chunk int) {
	if r.columns {
		r.assembleColumns(chunk)
		return
	}
	m := r.model
	i, end := chunk*tetChunk, min((chunk+1)*tetChunk, m.set.len())
	r.energy[chunk] = 0
	switch {
	case r.newton != nil:
		r.newton.derive(worker, i, end)
		for k := i; k < end; k++ {
			r.energy[chunk] += r.newton.energy[k]
		}
		if !r.project {
			m.set.turnNonlinear(r, i, end)
		}
	default:
		m.set.rest(r, chunk, i, end)
	}
	nodes, _ := m.set.slots()
	sum := 0.0
	for k := i; k < end; k++ {
		for a := range m.set.nodesOf(k) {
			sum += r.force[nodes*k+a].vec().Norm2()
		}
	}
	r.inner[chunk] = sum
}

// derive computes elements under a nonlinear law at the positions of the start.
func (n *newton) derive(worker, i, end int) { n.tets.derive(worker, i, end) }

// assembleColumns writes A and P of a chunk of columns.
func (r *restPass) assembleColumns(chunk int) {
	m, h := r.model, r.h
	lo, hi := chunk*columnChunk, min((chunk+1)*columnChunk, m.pattern.N)
	var force [columnChunk]padded
	r.sumForces(&force, lo, hi)
	for j := lo; j < hi; j++ {
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			b := &m.blocks[k]
			sum := m.set.sumBlock(r.stiff, m.pairs[b.first:m.blocks[k+1].first])
			setBlock(r.A, k, &sum, h*h, b.mass)
		}
		v := m.vertex[j]
		f, mom := force[j-lo].vec(), (*[3]float64)(r.mom[3*j:])
		if r.load != nil {
			*f = f.Add(r.load[v])
		}
		for i := range 3 {
			mom[i] = h * (m.nodalMass[v]*r.gravity[i] + f[i])
		}
	}
}

// turning returns g̃, R B Rᵀ of (2) times ¼ W, for the gradient F with the frame R and a pressure p.
func (m *Model) turnStiffness(F, R *r3.Mat, p, W float64, project bool) r3.Mat {
	inverse, _, ok := turning(F, R)
	if !ok {
		return r3.Mat{} // flat or inside out: the frozen frame is all there is
	}
	B := inverse.Scale(p - 2*m.mu).Add(r3.Diag(r3.Vec{m.mu, m.mu, m.mu})).Scale(W)
	B = sym(B)
	if project {
		Q, w := r3.SymEigen(B)
		for i := range w {
			w[i] = math.Max(w[i], 0)
		}
		B = Q.Mul(r3.Diag(w)).Mul(Q.T())
	}
	return R.Mul(B).Mul(R.T())
}

// addTurn adds (3) to the blocks of an element, in the order of triangle, given g̃ of its nodes and ¼ W R B Rᵀ, with
// the transposes of those in upper (bits).
func addTurn(K []r3.Mat, g []r3.Vec, B *r3.Mat, upper uint64) {
	var T [cellNodes + 2]r3.Mat // B [g̃_b]×
	for b := range g {
		G := r3.Skew(g[b])
		T[b].SetMul(B, &G)
	}
	k := 0
	for a := range g {
		x, y, z := g[a][0], g[a][1], g[a][2]
		for b := range a + 1 {
			// [g̃_a]×ᵀ T: column by column −g̃_a × t
			t := &T[b]
			d := r3.Mat{
				z*t[3] - y*t[6], z*t[4] - y*t[7], z*t[5] - y*t[8],
				x*t[6] - z*t[0], x*t[7] - z*t[1], x*t[8] - z*t[2],
				y*t[0] - x*t[3], y*t[1] - x*t[4], y*t[2] - x*t[5],
			}
			D := &K[k]
			if upper>>k&1 != 0 {
				d = d.T()
			}
			for i := range d {
				D[i] += d[i]
			}
			k++
		}
	}
}

// turnNonlinear implements elementSet: energies of tets under a nonlinear law have no frames.
func (tet4Set) turnNonlinear(*restPass, int, int) {}

// rest implements elementSet.
func (s tet4Set) rest(r *restPass, chunk, i, end int) {
	for ; i < end; i++ {
		r.tet(chunk, i)
	}
}

// tet computes a linear tet.
func (r *restPass) tet(chunk, t int) {
	m, e := r.model, &r.model.elements[t]
	F := e.gradient(r.pos)
	R := m.rotation(F)
	T := m.piola(F, R, -e.volume)
	e.spread((*[tet4Nodes]padded)(r.force[tet4Nodes*t:]), &T, 1)
	r.energy[chunk] += e.volume * m.spec.Law.Energy(F, R)
	// frozen: V [λ w_a w_bᵀ + μ w_b w_aᵀ + μ g_a·g_b I]
	K := r.stiff[tet4Blocks*t : tet4Blocks*(t+1)]
	var w [4]r3.Vec
	for a := range w {
		w[a] = R.MulVec(e.shape(a))
	}
	k := 0
	for a := range w {
		for b := range a + 1 {
			O := r3.Outer(w[a], w[b])
			d := m.mu * w[a].Dot(w[b])
			K[k] = O.Scale(m.lambda).Add(O.T().Scale(m.mu)).Add(r3.Diag(r3.Vec{d, d, d})).Scale(e.volume)
			k++
		}
	}
	if m.class != Corotated {
		return
	}
	G := R.T().Mul(F)
	B := m.turnStiffness(&F, &R, m.lambda*(G.Trace()-3), e.volume, r.project)
	addTurn(K, w[:], &B, 0)
}

// turnNonlinear implements elementSet: energies of tets under a nonlinear law have no frames.
func (*tet10Set) turnNonlinear(*restPass, int, int) {}

// rest implements elementSet.
func (s *tet10Set) rest(r *restPass, chunk, i, end int) {
	for ; i < end; i++ {
		e := &s.tets[i]
		x := e.at(r.pos)
		var R, F [tet10Points]r3.Mat
		var eps tet10Strains
		theta := 0.0
		for q := range R {
			F[q] = e.gradient(q, &x)
			R[q] = s.rotation(F[q])
			eps.set(q, &F[q], &R[q])
			theta += eps[q].Trace() / tet10Points
		}
		r.energy[chunk] += s.energy(e, &eps)
		s.elementForces(r.force[tet10Nodes*i:tet10Nodes*(i+1)], e, &R, &eps)
		K := (*[tet10Blocks]r3.Mat)(r.stiff[tet10Blocks*i:])
		s.stiffness(K, e, &R)
		if s.class != Corotated {
			continue
		}
		for q := range R {
			p := s.pointLambda*eps[q].Trace() + s.meanLambda*theta
			B := s.turnStiffness(&F[q], &R[q], p, e.weight(), r.project)
			var g [tet10Nodes]r3.Vec
			for a := range g {
				g[a].SetMul(&R[q], &e.grad[q][a])
			}
			addTurn(K[:], g[:], &B, e.upper)
		}
	}
}

// rest implements elementSet.
func (s cellSet) rest(r *restPass, chunk, i, end int) {
	for ; i < end; i++ {
		c := &s.cells[i]
		x := c.at(r.pos)
		R, F := r3.Identity(), c.gradient(&x)
		if s.class == Corotated {
			R = r3.Polar(F)
		}
		K := (*[cellBlocks]r3.Mat)(r.stiff[cellBlocks*i:])
		c.turnBlocks(K, &R)
		t := turnedCell{c: c}
		t.place(&x, &F, &R, s.class == Corotated)
		r.energy[chunk] += t.energy
		for a := range c.n {
			v := t.q.Cross(c.grad[a]).Sub(t.k[a])
			r.force[cellNodes*i+a].vec().SetMul(&R, &v)
		}
		if s.class == Corotated && !r.project && t.ok {
			t.addTo(K, &R, 1)
		}
	}
}
