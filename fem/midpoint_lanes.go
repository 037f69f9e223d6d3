package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The midpoint rule for eight tets at once: kernels compute the rotations of their ends and their middle, which are
// most of the work. The scalar code takes tets whose rotation Newton's iteration does not find, and the rest of a
// number of tets that eight does not divide. Results equal those of the scalar code to round-off.

// stretches computes the strains U − I of the tets t … t + 7 at the positions x of the vertices, with their gradients.
// A set bit of the result marks a tet whose rotation was not found.
func (f *freeMotion) stretches(b *elementLanes, t int, x []r3.Vec, F *[8]r3.Mat, e *[8]strain6) int {
	for lane := range 8 {
		tet := &f.model.elements[t+lane]
		packEdges(&b.pos, x, &tet.verts, lane)
		F[lane] = tet.gradient(x)
	}
	bad := elements(b, &f.model.restTets[t/8], &f.elements.law)
	for lane := range 8 {
		R := b.rotation(lane)
		e[lane] = strainIn(&R, &F[lane])
	}
	return bad
}

// rotation returns R of one tet.
func (b *elementLanes) rotation(lane int) (R r3.Mat) {
	lane &= 7
	for k := range R {
		R[k] = b.R[k][lane]
	}
	return R
}

// strainIn returns sym(RᵀF) − I. Written in scalars, which stay in registers.
func strainIn(R, F *r3.Mat) strain6 {
	const half = 1 / math.Sqrt2
	return strain6{
		R[0]*F[0] + R[3]*F[3] + R[6]*F[6] - 1,
		R[1]*F[1] + R[4]*F[4] + R[7]*F[7] - 1,
		R[2]*F[2] + R[5]*F[5] + R[8]*F[8] - 1,
		half * (R[1]*F[2] + R[4]*F[5] + R[7]*F[8] + R[2]*F[1] + R[5]*F[4] + R[8]*F[7]),
		half * (R[0]*F[2] + R[3]*F[5] + R[6]*F[8] + R[2]*F[0] + R[5]*F[3] + R[8]*F[6]),
		half * (R[0]*F[1] + R[3]*F[4] + R[6]*F[7] + R[1]*F[0] + R[4]*F[3] + R[7]*F[6]),
	}
}

// symmetricIn returns sym(RᵀG).
func symmetricIn(R, G *r3.Mat) strain6 {
	e := strainIn(R, G)
	e[0], e[1], e[2] = e[0]+1, e[1]+1, e[2]+1
	return e
}

// middleLanes is tet for the tets t … t + 7 in further passes.
func (f *elementPass) middleLanes(b *elementLanes, t int) {
	var F [8]r3.Mat
	var start, end, middle [8]strain6
	bad := f.stretches(b, t, f.pos, &F, &start)
	bad |= f.stretches(b, t, f.frames, &F, &end)
	bad |= f.stretches(b, t, f.middle, &F, &middle)
	for lane := range 8 {
		if bad>>lane&1 != 0 {
			f.tet(t + lane)
			continue
		}
		s := &f.shift[t+lane]
		for c := range s {
			s[c] = 0.5*(start[lane][c]+end[lane][c]) - middle[lane][c]
		}
		e, R := &f.model.elements[t+lane], b.rotation(lane)
		strain := e.gradient(f.strain)
		s.addIn(&R, &strain)
		T := f.model.piola(strain, R, -e.volume)
		scatter((*[4]padded)(f.w[4*(t+lane):]), &b.w, lane)
		e.spread((*[tet4Nodes]padded)(f.force[4*(t+lane):]), &T, 1)
		f.addMassDamping(e, (*[4]padded)(f.force[4*(t+lane):]))
	}
}

// addIn adds R s to F.
func (s *strain6) addIn(R, F *r3.Mat) {
	const half = 1 / math.Sqrt2
	yz, xz, xy := half*s[3], half*s[4], half*s[5]
	for i := 0; i < 9; i += 3 {
		F[i] += R[i]*s[0] + R[i+1]*xy + R[i+2]*xz
		F[i+1] += R[i]*xy + R[i+1]*s[1] + R[i+2]*yz
		F[i+2] += R[i]*xz + R[i+1]*yz + R[i+2]*s[2]
	}
}

// strainErrors implements elementSet.
func (s tet4Set) strainErrors(f *strainPass, i, end int, sums *strainErrors) {
	if f.bounds {
		for ; i < end; i++ {
			e := &s.elements[i]
			F0, F1 := e.gradient(f.pos), e.gradient(f.solved)
			sums.bound = max(sums.bound, f.shiftBound(i, 0, &F0, &F1))
		}
		return
	}
	if haveKernels {
		var b elementLanes
		for ; i+8 <= end; i += 8 {
			f.strainLanes(&b, i, sums)
		}
	}
	f.strainErrorsOf(i, end, sums)
}

// strainLanes is add for the tets t … t + 7.
func (f *strainPass) strainLanes(b *elementLanes, t int, sums *strainErrors) {
	var F, Fm [8]r3.Mat
	var start, end, middle [8]strain6
	bad := f.stretches(b, t, f.half, &Fm, &middle)
	bad |= f.stretches(b, t, f.solved, &F, &end)
	bad |= f.stretches(b, t, f.pos, &F, &start)
	for lane := range 8 {
		if bad>>lane&1 != 0 {
			f.strainErrorsOf(t+lane, t+lane+1, sums)
			continue
		}
		R := b.rotation(lane)
		k := f.modelShift(t+lane, &R, &F[lane])
		sums.add(&start[lane], &end[lane], &middle[lane], &k, f.model, f.model.elements[t+lane].volume)
	}
}
