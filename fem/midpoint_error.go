package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The linearization error of a body under the midpoint rule: how far s of (2) of midpoint.go at the solved end x⁺ is
// from that of the linear model. The body is linearized again where
//
//	|s − s_k| > strainTol ε,   ε² = max |½ (ε0 + ε1)|² + (U0 + 1e-4 T)/(μ V) + round-off,      (1)
//	|ε|² = ε:ε + λ/(2μ) tr²ε,                                                (2)
//
// the norm of the elastic energy μ |ε|² per volume: of nearly incompressible bodies, a false strain of volume has far
// more energy than one of shape. U0 is the elastic energy of the start, T the kinetic energy and what a fall of the
// step gains, and V the volume: ε is the largest strain, but at least what matters to the energy of the step. With F1 at x⁺
// and F1_k at x⁺_k
//
//	√((s − s_k):(s − s_k)) ≤ ⅜ |F1_k − F0| |F1 − F1_k| + 3/16 |F1 − F1_k|²,      (3)
//
// because s is of second order in F1 − F0, and spares most steps the rotations. Tests go from cheap to dear: (3) with
// the largest motion of a vertex, one loop over vertices; (3) of each element; (1).
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
	bound  float64 // largest (3)
	shift  float64 // largest |s − s_k|²
	strain float64 // largest |½ (ε0 + ε1)|²
	energy float64 // Σ V μ |s − s_k| (2 |½ (ε0 + ε1)| + |s − s_k|), a bound of the energy of false strain, J
}

// strainPass is the parallel loop over elements of (1), or of (3) where it bounds.
type strainPass struct {
	*freeMotion
	bounds bool
	chunks []strainErrors // results
}

// volumeShare returns λ/(2μ) of (2).
func (m *Model) volumeShare() float64 { return 0.5 * max(m.lambda, 0) / m.mu }

// strainError returns the defect of (1) at the solved displacement velocities w over its tolerance, 0 where a bound
// shows that it is at most 1, and a bound on the energy of false strain, J.
func (d *Data) strainError(w []float64, pool *workers.Pool) (ratio, energy float64) {
	f, m := &d.free, d.model
	kinetic := f.moveToEnds(w) + 0.5*m.mass*f.h*f.h*f.gravity.Norm2()
	least2 := (d.StartEnergy()+kineticShare*kinetic)/(m.mu*m.mass/m.spec.Density) + strainFloor*strainFloor
	// tr²ε ≤ 3 ε:ε
	tol := strainTol * math.Sqrt(least2/(1+3*m.volumeShare()))
	if f.shiftByVertices() <= tol {
		return 0, 0
	}
	if f.strains.run(pool, true).bound <= tol {
		return 0, 0
	}
	e := f.strains.run(pool, false)
	return math.Sqrt(e.shift/(e.strain+least2)) / strainTol, e.energy
}

// shiftByVertices bounds (3) of the first pass by the largest motion u of a vertex relative to the mean, |ΔF| ≤ 2 u Σ_a
// |g_a|.
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
	for i, x := range f.pos {
		f.half[i] = x.Lerp(f.solved[i], 0.5)
	}
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
	set.strainErrors(f, chunk*tetChunk, min((chunk+1)*tetChunk, set.len()), sums)
}

// strainErrorsOf adds the errors of the elements i … end − 1.
func (f *strainPass) strainErrorsOf(i, end int, sums *strainErrors) {
	set := f.model.set
	for n := set.frames(); i < end; i++ {
		for q := range n {
			F0, F1 := set.gradientAt(i, q, f.pos), set.gradientAt(i, q, f.solved)
			if f.bounds {
				sums.bound = max(sums.bound, f.shiftBound(i, q, &F0, &F1))
				continue
			}
			Fm := F0.Add(F1).Scale(0.5)
			R0, R1, Rm := r3.Polar(F0), r3.Polar(F1), r3.Polar(Fm)
			start, end, middle := strainIn(&R0, &F0), strainIn(&R1, &F1), strainIn(&Rm, &Fm)
			k := f.modelShift(n*i+q, &R0, &F0)
			sums.add(&start, &end, &middle, &k, f.model, set.volumeAt(i))
		}
	}
}

// shiftBound returns (3) of a frame of element i, with its gradients at the start and at the solved end.
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

// modelShift returns s_k of a frame of the linear model, with the rotation and gradient of the start.
func (f *freeMotion) modelShift(frame int, R0, F0 *r3.Mat) (s strain6) {
	switch {
	case f.pass > 0:
		return f.shift[frame]
	case f.turn.turns: // R0ᵀ (I − S) F0
		G := F0.Sub(f.turn.shrink.Mul(*F0))
		return symmetricIn(R0, &G)
	}
	return s
}

// add adds the errors of a frame of a volume (m³) with the strains of start, end and middle and s_k.
func (e *strainErrors) add(start, end, middle, k *strain6, m *Model, volume float64) {
	var off, mean strain6
	for c := range k {
		mean[c] = 0.5 * (start[c] + end[c])
		off[c] = mean[c] - middle[c] - k[c]
	}
	shift2, strain2 := off.norm2(m.volumeShare()), mean.norm2(m.volumeShare())
	e.shift, e.strain = max(e.shift, shift2), max(e.strain, strain2)
	shift := math.Sqrt(shift2)
	e.energy += volume * m.mu * shift * (2*math.Sqrt(strain2) + shift)
}

// norm2 returns (2) with λ/(2μ).
func (e *strain6) norm2(volumeShare float64) (sum float64) {
	for _, x := range e {
		sum += x * x
	}
	trace := e[0] + e[1] + e[2]
	return sum + volumeShare*trace*trace
}

// addMeanStrain adds R½ s of (2) of midpoint.go to the gradient F at which stress is evaluated, with the gradients at
// the start, end and middle and the frame R½. It keeps s of the frame.
func (f *freeMotion) addMeanStrain(frame int, F0, F1, Fm r3.Mat, R, F *r3.Mat) {
	R0, R1 := r3.Polar(F0), r3.Polar(F1)
	start, end, middle, s := strainIn(&R0, &F0), strainIn(&R1, &F1), strainIn(R, &Fm), &f.shift[frame]
	for c := range s {
		s[c] = 0.5*(start[c]+end[c]) - middle[c]
	}
	s.addIn(R, F)
}
