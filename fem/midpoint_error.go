package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The linearisation error of a body under the midpoint rule: how far s of (2) of midpoint.go at the solved end x⁺ is from
// that of the linear model. The body is linearised again where
//
//	|s − s_k| > strainTol ε,   ε² = max |½ (ε0 + ε1)|² + (U0 + 1e-4 T)/((μ + 3/2 λ) V) + round-off,      (1)
//
// with the elastic energy U0 of the start, T the kinetic energy and what a fall of the step gains, and the volume V: the
// largest strain, but at least what matters to the energy of the step. With F1 at x⁺ and F1_k at x⁺_k
//
//	|s − s_k| ≤ ⅜ |F1_k − F0| |F1 − F1_k| + 3/16 |F1 − F1_k|²,               (2)
//
// because s is of second order in F1 − F0, and spares most steps the rotations. Tests go from cheap to dear: (2) with the
// largest motion of a vertex, one loop over vertices; (2) of each element; (1).
// Source: this program's.

const (
	// strainTol is the tolerance (1): with it, undamped bars spin and bend within 1 % of their energy.
	strainTol = 1e-2
	// kineticShare is the factor of T in (1).
	kineticShare = 1e-4
	// strainFloor is the strain ε of round-off in (1).
	strainFloor = 1e-9
)

// strainErrors are those of some elements.
type strainErrors struct {
	bound  float64 // largest (2)
	shift  float64 // largest |s − s_k|²
	strain float64 // largest |½ (ε0 + ε1)|²
	energy float64 // Σ V (μ + 3/2 λ) |s − s_k| (2 |½ (ε0 + ε1)| + |s − s_k|), a bound of the energy of false strain, J
}

// strainPass is the parallel loop over elements of (1), or of (2) where it bounds.
type strainPass struct {
	*freeMotion
	bounds bool
	chunks []strainErrors // results
}

// stiffest returns μ + 3/2 λ, Pa: Ψ ≤ (μ + 3/2 λ) |ε|².
func (m *Model) stiffest() float64 { return m.mu + 1.5*max(m.lambda, 0) }

// strainError returns the defect of (1) at the solved displacement velocities w over its tolerance, 0 where a bound shows that
// it is at most 1, and a bound on the energy of false strain, J.
func (d *Data) strainError(w []float64, pool *workers.Pool) (ratio, energy float64) {
	f, m := &d.free, d.model
	kinetic := f.moveToEnds(w) + 0.5*m.mass*f.h*f.h*f.gravity.Norm2()
	least2 := (d.StartEnergy()+kineticShare*kinetic)/(m.stiffest()*m.mass/m.spec.Density) + strainFloor*strainFloor
	tol := strainTol * math.Sqrt(least2)
	if f.shiftByVertices() <= tol {
		return 0, 0
	}
	if f.strains.run(pool, true).bound <= tol {
		return 0, 0
	}
	e := f.strains.run(pool, false)
	return math.Sqrt(e.shift/(e.strain+least2)) / strainTol, e.energy
}

// shiftByVertices bounds (2) of the first pass by the largest motion u of a vertex relative to the mean, |ΔF| ≤ 2 u Σ_a |g_a|.
func (f *freeMotion) shiftByVertices() float64 {
	// further passes have ends of their own, and a rotating body moves far without straining
	if f.pass > 0 || f.turn.turns {
		return math.Inf(1)
	}
	var mean r3.Vec
	for i := range f.pos {
		mean = mean.Add(f.solved[i].Sub(f.pos[i]))
	}
	mean = mean.Scale(1 / float64(len(f.pos)))
	u2 := 0.0
	for i := range f.pos {
		u2 = max(u2, f.solved[i].Sub(f.pos[i]).Sub(mean).Norm2())
	}
	return 0.75 * u2 * f.model.steepest * f.model.steepest
}

// run returns the results of all elements, in the order of chunks.
func (f *strainPass) run(pool *workers.Pool, bounds bool) (e strainErrors) {
	f.bounds = bounds
	pool.Run(len(f.chunks), f)
	for i := range f.chunks {
		c := &f.chunks[i]
		e.bound, e.shift, e.strain, e.energy = max(e.bound, c.bound), max(e.shift, c.shift), max(e.strain, c.strain), e.energy+c.energy
	}
	return e
}

// Do implements workers.Task for one chunk of elements.
func (f *strainPass) Do(_, chunk int) {
	set, sums := f.model.set, &f.chunks[chunk]
	*sums = strainErrors{}
	n := set.frames()
	for i := chunk * tetChunk; i < min((chunk+1)*tetChunk, set.len()); i++ {
		for q := range n {
			F0, F1 := set.gradientAt(i, q, f.pos), set.gradientAt(i, q, f.solved)
			if f.bounds {
				sums.bound = max(sums.bound, f.shiftBound(i, q, &F0, &F1))
				continue
			}
			f.add(sums, i, q, &F0, &F1)
		}
	}
}

// shiftBound returns (2) of a frame of element i, with its gradients at the start and at the solved end.
func (f *strainPass) shiftBound(i, q int, F0, F1 *r3.Mat) float64 {
	var k r3.Mat
	switch {
	case f.pass > 0:
		k = f.model.set.gradientAt(i, q, f.frames)
	case f.turn.turns:
		k = f.turn.full.Mul(*F0)
	default:
		k = *F0
	}
	D, turned := F1.Sub(k).Norm2(), k.Sub(*F0).Norm2()
	return 0.375*math.Sqrt(turned*D) + 0.1875*D
}

// add adds the errors of a frame of element i.
func (f *strainPass) add(sums *strainErrors, i, q int, F0, F1 *r3.Mat) {
	Fm := F0.Add(*F1).Scale(0.5)
	U0, U1, Um := stretchOf(F0), stretchOf(F1), stretchOf(&Fm)
	var strain, shift strain6
	var k strain6
	switch {
	case f.pass > 0:
		k = f.shift[f.model.set.frames()*i+q]
	case f.turn.turns:
		k = f.firstShift(F0)
	}
	s2, e2 := 0.0, 0.0
	for c := range strain {
		strain[c] = 0.5 * (U0[c] + U1[c])
		shift[c] = strain[c] - Um[c] - k[c]
		s2, e2 = s2+shift[c]*shift[c], e2+strain[c]*strain[c]
	}
	sums.shift, sums.strain = max(sums.shift, s2), max(sums.strain, e2)
	s, e := math.Sqrt(s2), math.Sqrt(e2)
	sums.energy += f.model.set.volumeAt(i) * f.model.stiffest() * s * (2*e + s)
}

// firstShift returns s = R0ᵀ (1 − S) F0 of the first pass.
func (f *freeMotion) firstShift(F0 *r3.Mat) strain6 {
	R := r3.Polar(*F0)
	S := f.turn.half.Add(f.turn.half.T()).Scale(0.5)
	G := R.T().Mul(F0.Sub(S.Mul(*F0)))
	return symmetricPart(&G)
}

// stretchOf returns ε = U − I of a gradient F = R U.
func stretchOf(F *r3.Mat) strain6 {
	R := r3.Polar(*F)
	var G r3.Mat
	G.SetTMul(&R, F)
	e := symmetricPart(&G)
	e[0], e[1], e[2] = e[0]-1, e[1]-1, e[2]-1
	return e
}

// symmetricPart returns sym G.
func symmetricPart(G *r3.Mat) strain6 {
	return strain6{G[0], G[4], G[8], (G[5] + G[7]) / math.Sqrt2, (G[2] + G[6]) / math.Sqrt2, (G[1] + G[3]) / math.Sqrt2}
}

// addMeanStrain adds R½ s of (2) of midpoint.go to the gradient F at which stress is evaluated, with the gradients at the
// start, end and middle and the frame R½. It keeps s of frame k.
func (f *freeMotion) addMeanStrain(k int, F0, F1, Fm r3.Mat, R, F *r3.Mat) {
	R0, R1 := r3.Polar(F0), r3.Polar(F1)
	var s, G r3.Mat
	s.SetTMul(&R0, &F0)
	G.SetTMul(&R1, &F1)
	s = s.Add(G).Scale(0.5)
	G.SetTMul(R, &Fm)
	s = s.Sub(G)
	f.shift[k] = symmetricPart(&s)
	G.SetMul(R, &s)
	*F = F.Add(G)
}
