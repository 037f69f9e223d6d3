package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The linearization error of a body: its difference from its linear model at the velocities
// that a step was solved for. The energy of a tet is that in its own rotation, R =
// polar(F(y)); its energy in the linear model is that in the rotation R_k of the last
// linearization. Bounds of their difference that need no rotation spare most steps the
// comparison: a rotation of a tet by δ changes F by ‖ΔF‖² = 2δ², and its false strain of δ²/2
// in a plane has the energy
//
//	B = ½ (μ + λ) V δ⁴,  |E − E_k| ≤ 2 √(E B) + B.                               (1)
//
// Tests go from cheap to dear, and most steps end at the first or second:
//
//	boundByVertices   one motion for the body, no loop over elements
//	boundErrors       (1) with E ≤ the energy of the step, one gradient a point; a few elements
//	                  suffice where they exceed the bound by themselves
//	boundDifferences  (1) with the energies E of the elements, where these cost less than a comparison
//	compareEnergies   both energies of each element, one polar decomposition a point
//
// Energies compare with those that the step exchanges anyway, so that a body at rest, which
// has none, needs a floor: see energyFloor.

// linearizationError returns the difference of the energies of body and linear model at the solved velocities over its
// tolerance, the larger of the two, with that difference, J; and whether body and vertices turn differently, so that y
// must leave out no rotation. Where a bound shows that the ratio is at most 1 both are 0.
func (d *Data) linearizationError(vNext []float64, touched bool, A, mom []float64, pool *workers.Pool) (ratio, energy float64, turns bool) {
	f, m := &d.free, d.model
	tol := freeTol
	if touched {
		tol = linearizationTol
	}
	// energies of the start, what a step exchanges at least, by a free fall, and round-off
	scale := f.moveTo(vNext) + d.StartEnergy() + 0.5*m.mass*f.h*f.h*f.gravity.Norm2() + energyFloor*(m.mu+m.lambda)*m.mass/m.spec.Density
	var e energyErrors
	if d.newton != nil {
		e.gain = d.newton.linearizationError(A, mom, vNext, pool)
		e.elastic = sum(d.newton.energy)
	} else {
		// where a bound passes, the step's cost is one loop over vertices or elements, without rotations
		// Σ 2 √(E B) + B ≤ t (scale + Σ E) where Σ B ≤ t²/(1 + t) scale: by vertices, then elements
		least := 0.5 * tol * tol * scale
		if f.boundByVertices() <= least {
			return 0, 0, false
		}
		if f.errors.isBelow(pool, least) {
			return 0, 0, false
		}
		// to compare elements with more nodes than four takes longer than to compute their energy
		if b := f.errors.run(pool, boundDifferences); b.apart <= tol*(scale+b.elastic) {
			return 0, 0, false
		}
		e = f.errors.run(pool, compareEnergies)
	}
	// energy at the end of the step, where y left out a rotation
	if !f.implicit && f.rotation.rotates {
		end := f.errors.run(pool, endEnergies).elastic
		turns = math.Abs(end-e.elastic) > rotationTol*(scale+min(end, e.elastic))
	}
	scale += e.elastic
	gained, apart := math.Abs(e.gain)/(tol*scale), e.apart/(distortionTol*scale)
	if apart > gained {
		return apart, e.apart, turns
	}
	return gained, math.Abs(e.gain), turns
}

// boundByVertices bounds the energy of false strain of the first pass by the largest motion u
// of a vertex relative to the mean: ‖ΔF‖ ≤ 2 u Σ_a |g_a|. It keeps the motion (in way).
func (f *freeMotion) boundByVertices() float64 {
	m := f.model
	// further passes have frames of their own, and a rotating body moves far without straining
	if f.pass > 0 || f.rotation.rotates {
		return math.Inf(1)
	}
	var mean r3.Vec
	for i := range f.way {
		f.way[i] = f.solved[i].Sub(f.pos[i])
		mean = mean.Add(f.way[i])
	}
	mean = mean.Scale(1 / float64(len(f.way)))
	u2 := 0.0
	for i := range f.way {
		u2 = max(u2, f.way[i].Sub(mean).Norm2())
	}
	n := 2 * u2 * m.steepest * m.steepest // ½‖ΔF‖²
	return 0.5 * (m.mu + m.lambda) * m.mass / m.spec.Density * n * n
}

// energyErrors compares the energies of some elements with those of the linear model, J.
type energyErrors struct {
	// gain is the sum of the differences E − E_k.
	gain float64
	// apart is the sum of their absolute values, or a bound.
	apart float64
	// elastic is the sum of the energies E.
	elastic float64
}

// add adds an element of energy E, and of energy inModel in the linear model.
func (e *energyErrors) add(E, inModel float64) {
	change := E - inModel
	e.elastic += E
	e.gain += change
	e.apart += math.Abs(change)
}

// errorPass is the parallel loop over elements that compares the body with its linear model.
type errorPass struct {
	*freeMotion
	what   int
	chunks []energyErrors // results
	part   int            // of the chunks, that the loop takes
	// known is what boundDifferences finds of elements with one frame, for compareEnergies.
	known []elementError
}

// elementError is the energy E of an element at y, and the bound of its difference from that of
// the linear model without the rotation that y leaves out, J.
type elementError struct{ energy, bound float64 }

// isNear reports whether the bound is so small that it takes the place of the difference.
func (e *elementError) isNear() bool { return e.bound <= 0.25*linearizationTol*e.energy }

// What errorPass computes.
const (
	// boundErrors: Σ B of (1) (apart).
	boundErrors = iota
	// boundDifferences: (1) for each element (apart), with its energy at y (elastic); +Inf where that costs no less
	// than to compare energies.
	boundDifferences
	// compareEnergies: the energy at y, and its difference from that of the linear model, after boundDifferences.
	compareEnergies
	// endEnergies: the energy at the end of the step, x + h v (elastic).
	endEnergies
)

// run returns the sums over all elements, in the order of chunks.
func (f *errorPass) run(pool *workers.Pool, what int) (e energyErrors) {
	f.what, f.part = what, allChunks
	pool.Run(len(f.chunks), f)
	for i := range f.chunks {
		c := &f.chunks[i]
		e.gain, e.apart, e.elastic = e.gain+c.gain, e.apart+c.apart, e.elastic+c.elastic
	}
	return e
}

// differenceBound returns the bound (1) of |E − E_k| for an energy E of either model.
func differenceBound(E, B float64) float64 { return B + 2*math.Sqrt(max(E, 0)*B) }

// isBelow reports whether Σ B of (1) is at most a bound. No B is negative, so that the chunks of
// a sample often show that a body which turns far is above: the others follow where they do not.
func (f *errorPass) isBelow(pool *workers.Pool, bound float64) bool {
	f.what = boundErrors
	n := chunks(len(f.chunks), sampleStride)
	f.part = sampled
	pool.Run(n, f)
	total := 0.0
	for i := range n {
		total += f.chunks[i*sampleStride].apart
	}
	if total > bound {
		return false
	}
	f.part = unsampled
	pool.Run(len(f.chunks)-n, f)
	for i := range len(f.chunks) - n {
		total += f.chunks[f.chunk(i)].apart
	}
	return total <= bound
}

// sampleStride is the distance of the chunks in a sample of them.
const sampleStride = 8

// Parts of the chunks that a loop takes.
const (
	allChunks = iota
	sampled   // each sampleStride-th, from the first on
	unsampled // the others
)

// chunk returns the number of chunk i of the part.
func (f *errorPass) chunk(i int) int {
	switch f.part {
	case sampled:
		return i * sampleStride
	case unsampled:
		return i + i/(sampleStride-1) + 1
	}
	return i
}

// Do implements workers.Task for one chunk of elements.
func (f *errorPass) Do(_, i int) {
	chunk := f.chunk(i)
	m, sums := f.model, &f.chunks[chunk]
	*sums = energyErrors{}
	// the square of the rotation that y leaves out, which turns the strain
	turned := 0.0
	if f.rotation.rotates && !f.implicit {
		turned = f.rotation.removed.Norm2()
	}
	m.set.compare(f, chunk*tetChunk, min((chunk+1)*tetChunk, m.set.len()), turned, sums)
}

// sum adds the numbers of all elements in their order.
func sum(x []float64) float64 {
	s := 0.0
	for _, y := range x {
		s += y
	}
	return s
}
