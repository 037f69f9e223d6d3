package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Passes over ten-node tets, as those of elements with one frame in element_cell_pass.go: the
// start of a step and its further linearizations, and the comparison of the body with its linear
// model. The frames R_q of the four points take the place of the one frame there, and forces
// need no correction: at the positions where the frames are taken, R_q σ_q F_qᵀ is symmetric
// point by point, so that no point has a moment.

// compute implements elementSet.
func (s *tet10Set) compute(f *elementPass, i, end int) {
	for ; i < end; i++ {
		s.computeOne(f, i)
	}
}

// computeOne computes one element.
func (s *tet10Set) computeOne(f *elementPass, i int) {
	e := &s.tets[i]
	// frames are taken at one set of positions, strains at another: y with the damping
	at, y := e.at(f.modelPositions()), e.at(f.strain)
	var R [tet10Points]r3.Mat
	var start, eps tet10Strains
	for q := range R {
		F := e.gradient(q, &at)
		R[q] = s.rotation(F)
		// the energy of the start has the frames of the start, before the excess turns them
		start.set(q, &F, &R[q])
		if f.rotation.unresolved && f.pass == 0 && s.class == Corotated {
			R[q] = f.rotation.excess.Mul(R[q])
		}
		// kept for the comparison with the solved step
		f.kept[tet10Points*i+q] = R[q]
		G := e.gradient(q, &y)
		// in the first pass the positions y have the damping
		switch c := s.spec.StiffnessDamping / f.h; {
		case f.pass == 0:
		case f.step.Midpoint:
			x, end := e.at(f.pos), e.at(f.frames)
			f.addMeanStrain(tet10Points*i+q, e.gradient(q, &x), e.gradient(q, &end), F, &R[q], &G)
		case c > 0 && s.class == Corotated:
			x := e.at(f.pos)
			addStrainRate(c, e.gradient(q, &x), &R[q], &G)
		}
		eps.set(q, &G, &R[q])
	}
	if f.pass == 0 {
		f.energy[i/tetChunk] += s.energy(e, &start)
	}
	s.forces(f, i, &R, &eps)
	s.stiffness((*[tet10Blocks]r3.Mat)(f.stiff[tet10Blocks*i:]), e, &R)
}

// forces writes (2).
func (s *tet10Set) forces(f *elementPass, i int, R *[tet10Points]r3.Mat, eps *tet10Strains) {
	e := &s.tets[i]
	force := f.force[tet10Nodes*i : tet10Nodes*(i+1)]
	s.elementForces(force, e, R, eps)
	f.addSetMassDamping(i, force)
}

// elementForces writes (2) of one element.
func (s *tet10Set) elementForces(force []padded, e *tet10, R *[tet10Points]r3.Mat, eps *tet10Strains) {
	// the mean dilatation couples the points
	theta := 0.0
	for q := range eps {
		theta += eps[q].Trace() / tet10Points
	}
	clear(force)
	for q := range eps {
		p := s.pointLambda*eps[q].Trace() + s.meanLambda*theta
		sigma := eps[q].Scale(2 * s.mu)
		sigma[0], sigma[4], sigma[8] = sigma[0]+p, sigma[4]+p, sigma[8]+p
		// −W times the first Piola stress of the point, on the gradients of all ten nodes
		P := R[q].Mul(sigma).Scale(-e.weight())
		for a := range force {
			var v r3.Vec
			v.SetMul(&P, &e.grad[q][a])
			x := force[a].vec()
			*x = x.Add(v)
		}
	}
}

// stiffness writes the blocks (3), transposed where A has their transposes.
func (s *tet10Set) stiffness(K *[tet10Blocks]r3.Mat, e *tet10, R *[tet10Points]r3.Mat) {
	// √W w_qa and b_a
	root := math.Sqrt(e.weight())
	var w [tet10Nodes][tet10Points]r3.Vec
	var b [tet10Nodes]r3.Vec
	for a := range w {
		for q := range R {
			w[a][q].SetMul(&R[q], &e.grad[q][a])
			w[a][q] = w[a][q].Scale(root)
			b[a] = b[a].AddScaled(root, w[a][q])
		}
	}
	// what does not turn, μ Σ W g_a·g_b, is known from rest
	mean := s.meanLambda / e.volume
	k := 0
	for a := range tet10Nodes {
		for c := range a + 1 {
			// O = Σ w_a w_cᵀ of all points
			var O r3.Mat
			for q := range R {
				u, v := &w[a][q], &w[c][q]
				O[0] += u[0] * v[0]
				O[1] += u[0] * v[1]
				O[2] += u[0] * v[2]
				O[3] += u[1] * v[0]
				O[4] += u[1] * v[1]
				O[5] += u[1] * v[2]
				O[6] += u[2] * v[0]
				O[7] += u[2] * v[1]
				O[8] += u[2] * v[2]
			}
			// λ_c O + μ Oᵀ + the mean dilatation's b_a b_cᵀ + what does not turn
			diag := s.mu * e.dot[k]
			l, m := s.pointLambda, s.mu
			x := b[a].Scale(mean)
			v := &b[c]
			B := r3.Mat{
				(l+m)*O[0] + x[0]*v[0] + diag, l*O[1] + m*O[3] + x[0]*v[1], l*O[2] + m*O[6] + x[0]*v[2],
				l*O[3] + m*O[1] + x[1]*v[0], (l+m)*O[4] + x[1]*v[1] + diag, l*O[5] + m*O[7] + x[1]*v[2],
				l*O[6] + m*O[2] + x[2]*v[0], l*O[7] + m*O[5] + x[2]*v[1], (l+m)*O[8] + x[2]*v[2] + diag,
			}
			if e.upper>>k&1 != 0 {
				B = B.T()
			}
			K[k] = B
			k++
		}
	}
}

// compare implements elementSet. Of a linear law nothing is compared: it is its linear model.
func (s *tet10Set) compare(f *errorPass, i, end int, turned float64, sums *energyErrors) {
	for ; i < end; i++ {
		switch e := &s.tets[i]; f.what {
		case boundErrors:
			x := e.at(f.solved)
			sums.apart += s.turnBound(f, i, &x, turned)
		case boundDifferences, compareEnergies:
			s.compareOne(f, i, turned, sums)
		case endEnergies:
			sums.elastic += s.endEnergy(f, e)
		}
	}
}

// turnBound bounds the energy of the false strain of an element that turned since the last
// linearization, as (1) of linearization_error.go does, point by point.
func (s *tet10Set) turnBound(f *errorPass, i int, x *[tet10Nodes]r3.Vec, turned float64) float64 {
	e := &s.tets[i]
	at := e.at(f.modelPositions())
	sum := 0.0
	for q := range tet10Points {
		G := e.gradient(q, &at)
		// the model of the first pass is turned by the excess of the body's rotation
		if f.rotation.unresolved && f.pass == 0 {
			G = f.rotation.excess.Mul(G)
		}
		D := e.gradient(q, x).Sub(G)
		n := 0.5 * D.Norm2()
		sum += e.weight() * (s.mu + s.lambda) * n * (0.5*n + turned)
	}
	return sum
}

// compareOne adds the energy of an element at y and its difference from that of the linear
// model, or the bound of the difference. It spares the frames at y where that bound is small.
func (s *tet10Set) compareOne(f *errorPass, i int, turned float64, sums *energyErrors) {
	e := &s.tets[i]
	x := e.at(f.solved)
	var model, own tet10Strains
	var F [tet10Points]r3.Mat
	for q := range F {
		F[q] = e.gradient(q, &x)
		model.set(q, &F[q], &f.kept[tet10Points*i+q])
	}
	E := s.energy(e, &model)
	// the bound is valid with either energy in the root, since E and E_k are squares of norms of
	// strains that differ by √B at most:
	// |E − E_k| ≤ 2 √(E_k B) + B
	if f.what == boundDifferences {
		sums.elastic += E
		sums.apart += differenceBound(E, s.turnBound(f, i, &x, turned))
		return
	}
	if bound := differenceBound(E, s.turnBound(f, i, &x, 0)); bound <= 0.25*linearizationTol*E {
		sums.elastic += E
		sums.apart += bound
		return
	}
	// four polar decompositions, where the bound does not spare them
	for q := range F {
		R := r3.Polar(F[q])
		own.set(q, &F[q], &R)
	}
	change := s.energy(e, &own) - E
	sums.elastic += E + change
	sums.gain += change
	sums.apart += math.Abs(change)
}

// endEnergy returns the energy of an element at the end of the step, x + h v = y + removed (x − c).
func (s *tet10Set) endEnergy(f *errorPass, e *tet10) float64 {
	x := e.at(f.solved)
	// what y left out moves the nodes, too
	if f.rotation.rotates {
		start := e.at(f.pos)
		for a := range x {
			x[a] = x[a].Add(f.rotation.removed.MulVec(start[a].Sub(f.rotation.center)))
		}
	}
	return s.energyAt(e, &x)
}
