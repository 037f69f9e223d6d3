package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Eight tets at once, one in each lane of vector registers. Vector kernels compute (1) and
// w of element_tet4.go for them, rotations included, and assemble A from padded vectors; package
// supernodal decides which kernels run. Results equal those of the scalar code to
// round-off. The scalar code computes tets whose rotation Newton's iteration does not
// find, steps with unresolved rotation, other laws, and the rest of a number of tets that
// eight does not divide.

// elementLanes is the memory of a kernel's call: each row has one number of eight tets.
type elementLanes struct {
	// pos: edges x_a − x_0, 3i + a.
	pos [9][8]float64
	// strain are the same edges of the positions freeMotion.strain.
	strain [9][8]float64
	R      [9][8]float64
	// F is scratch.
	F [9][8]float64
	// w: √V R g_a of the vertices 1…3, 3a + i.
	w [9][8]float64
	// force is that on these vertices, N.
	force [9][8]float64
	// energy is the elastic energy, J; model is that of a linear model.
	energy, model [8]float64
}

// restLanes are the constants of eight tets at rest.
type restLanes struct {
	grad  [9][8]float64 // g_a, 3a + j
	root  [8]float64    // √V
	minus [8]float64    // −V
}

// padded is a vector that fills a register.
type padded [4]float64

func (v *padded) vec() *r3.Vec { return (*r3.Vec)(v[:3]) }

// Bounds of Newton's iteration for R, as in r3.Polar.
const (
	polarSteps     = 12   // largest number of iterations; 3 are usual
	polarLeast     = 1e-7 // det F/‖F‖³ below which it leaves F to the scalar code
	polarConverged = 1e-8 // change of R whose square is below round-off
	polarNear      = 0.1  // | ‖F‖² − 3 | within which scaling gains nothing
)

// kernelLaw are the constants of kernels.
type kernelLaw [10]float64

// kernelConstants returns the constants of a kernel's call.
func (m *Model) kernelConstants() kernelLaw {
	return kernelLaw{
		2 * m.mu, m.lambda, 0.5, 1, 3, polarNear * polarNear, polarLeast * polarLeast, polarConverged * polarConverged,
		math.Float64frombits(polarSteps), // read as an integer
		flatCell,
	}
}

// packLanes prepares the kernels' copy of the tets.
func (m *Model) packLanes() {
	m.restTets = make([]restLanes, len(m.elements)/8)
	for i := range m.restTets {
		r := &m.restTets[i]
		for lane, e := range m.elements[8*i : 8*i+8] {
			for k := range 9 {
				r.grad[k][lane] = e.grad[k/3][k%3]
			}
			r.root[lane], r.minus[lane] = math.Sqrt(e.volume), -e.volume
		}
	}
}

// computeLanes computes the tets t … t + 7.
func (f *elementPass) computeLanes(b *elementLanes, t int) {
	// edges of each tet to its lane
	at := f.modelPositions()
	for lane, e := range f.model.elements[t : t+8] {
		packEdges(&b.pos, at, &e.verts, lane)
		packEdges(&b.strain, f.strain, &e.verts, lane)
	}
	bad := elements(b, &f.model.restTets[t/8], &f.law)
	f.energy[t/tetChunk] += f.lanesEnergy(b, t, int(bad))
	// results of each lane; failed ones by the scalar code
	for lane := range 8 {
		if bad>>lane&1 != 0 {
			f.tet(t + lane)
			continue
		}
		scatter((*[4]padded)(f.w[4*(t+lane):]), &b.w, lane)
		scatter((*[4]padded)(f.force[4*(t+lane):]), &b.force, lane)
		f.addMassDamping(&f.model.elements[t+lane], (*[4]padded)(f.force[4*(t+lane):]))
	}
}

// lanesEnergy returns the elastic energy of the tets t … t + 7 but those of the set bad. With the
// edges e_a from the first vertex, the shape gradients g_a of the others, and the vectors
// w_a = √V R g_a of the stiffness,
//
//	S = F Rᵀ − I = Σ_a e_a w_aᵀ/√V − I                                      (1)
//	Ψ = μ |sym S|² + ½ λ (tr S)²                                            (2)
//
// is the corotated energy density, since S = R (RᵀF − I) Rᵀ. S is small before it is squared:
// the energy of a body at rest is the square of round-off. From |F|² − 2 R:F + 3 it would be
// round-off itself, of either sign and, in tets of a sheet that are a hundred times as wide as
// thick, ten thousand times larger.
func (f *freeMotion) lanesEnergy(b *elementLanes, t, bad int) float64 {
	sum := 0.0
	laneEnergies(&b.energy, &b.pos, &b.w, &f.model.restTets[t/8], &f.elements.law)
	for l, E := range &b.energy {
		if bad>>l&1 == 0 {
			sum += E
		}
	}
	return sum
}

// packEdges writes the edges of one tet from its first vertex to a lane.
func packEdges(dst *[9][8]float64, x []r3.Vec, verts *[4]int32, lane int) {
	o, a, b, c := &x[verts[0]], &x[verts[1]], &x[verts[2]], &x[verts[3]]
	lane &= 7
	dst[0][lane], dst[1][lane], dst[2][lane] = a[0]-o[0], b[0]-o[0], c[0]-o[0]
	dst[3][lane], dst[4][lane], dst[5][lane] = a[1]-o[1], b[1]-o[1], c[1]-o[1]
	dst[6][lane], dst[7][lane], dst[8][lane] = a[2]-o[2], b[2]-o[2], c[2]-o[2]
}

// scatter writes the vectors of one tet's vertices from a lane; that of the first is minus
// the sum of the others.
func scatter(dst *[4]padded, src *[9][8]float64, lane int) {
	lane &= 7
	a0, a1, a2 := src[0][lane], src[1][lane], src[2][lane]
	b0, b1, b2 := src[3][lane], src[4][lane], src[5][lane]
	c0, c1, c2 := src[6][lane], src[7][lane], src[8][lane]
	dst[0] = padded{-(a0 + b0 + c0), -(a1 + b1 + c1), -(a2 + b2 + c2)}
	dst[1] = padded{a0, a1, a2}
	dst[2] = padded{b0, b1, b2}
	dst[3] = padded{c0, c1, c2}
}

// gather writes the vectors of one tet's vertices but the first to a lane.
func gather(dst *[9][8]float64, src *[4]padded, lane int) {
	lane &= 7
	a, b, c := &src[1], &src[2], &src[3]
	dst[0][lane], dst[1][lane], dst[2][lane] = a[0], a[1], a[2]
	dst[3][lane], dst[4][lane], dst[5][lane] = b[0], b[1], b[2]
	dst[6][lane], dst[7][lane], dst[8][lane] = c[0], c[1], c[2]
}
