//go:build !purego

package constraints

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/supernodal"
)

// withVectors calls f with each set of instructions that this run may use.
func withVectors(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	widest := supernodal.Kernel()
	defer func() { vectors = widest }()
	for _, set := range []string{"portable", "avx2", "avx512"} {
		vectors = set
		t.Run(set, f)
		if set == widest {
			return
		}
	}
}

func TestContactSurfacesKeepTheirFactsOnAllMachines(t *testing.T) {
	withVectors(t, func(t *testing.T) {
		t.Run("contract", TestSurfaceLawsKeepTheContract)
		t.Run("plain", TestPlainFacesAreFaces)
		t.Run("faces", TestContactSurfacesAreTheirFaces)
		t.Run("flat", TestFlatContactSurfacesAreFaces)
		t.Run("impulses", TestImpulsesOfContactSurfacesDoNotDependOnHessians)
		t.Run("allocations", TestContactSurfacesAllocateNothing)
	})
}

// laneFacesOf returns the faces of a contact surface, prepared.
func laneFacesOf(r *rand.Rand, n int, exact, flat bool) *laneFaces {
	f := scene()
	p := new(cliques.Problem)
	f.begin(p, 0, 1./1024)
	own := pair
	pt := contactSurfaceOf(r, 0, 1, n)
	if flat {
		flatten(pt, r)
	}
	if exact { // numbers that no operation rounds, to meet kinks
		own.Dissipation = []float64{0, 16, 128}[r.IntN(3)]
		pt.Centroid_W = r3.Vec{}
		for i := range pt.Surface.Faces {
			a := &pt.Surface.Faces[i]
			a.Pos_W = r3.Vec{float64(r.IntN(5)-2) / 8, float64(r.IntN(5)-2) / 8, float64(r.IntN(3)-1) / 8}
			a.Normal_W = worldAxis(r.IntN(3))
			a.Phi = float64(r.IntN(9)-4) / (16 * 1024)
			if flat {
				a.Pos_W[2], a.Normal_W = 0, worldAxis(2)
			}
		}
	}
	h := AppendHydroelasticContact(Lagged{Sigma: 1e-3 * float64(r.IntN(2))}, pt, &own, f, p)
	l := p.Constraints[h].Law.(*surfaceLaw)
	l.Prepare(p.H, []float64{3, 4, 5, 1, 1.5, 2})
	if l.lanes.flat != flat && n > 1 {
		panic("flat or not")
	}
	return &l.lanes
}

// sumsOf are the sums of faces by a set of instructions.
func (q *laneFaces) sumsOf(set string, w, v r3.Vec) (s surfaceSums) {
	was := vectors
	vectors = set
	q.eval(w, v, &s, true)
	vectors = was
	return s
}

// scales returns sums that those of the faces err in proportion to: sizes of their
// terms where u is exact, else rounding of u passes through K, and that of t and x
// through K's own slope.
func (q *laneFaces) scales(w, v r3.Vec, exact bool) (s surfaceSums) {
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			one := faceBlock{faces: 1}
			for i := range one.eps {
				one.eps[i] = 1
			}
			for i := range 3 {
				one.n[i][0], one.r[i][0] = b.n[i][k], b.r[i][k]
			}
			one.A[0], one.B[0], one.v[0], one.bound[0], one.eps[0] = b.A[k], b.B[k], b.v[k], b.bound[k], b.eps[k]
			var x surfaceSums
			x.evalPortable(&one, w, v.Add(q.surfaceVelocity), true)
			arm := one.arm(0).Norm()
			u := 0.0
			if !exact {
				u = v.Add(q.surfaceVelocity).Norm() + w.Norm()*arm + math.Abs(b.v[k])
			}
			K := (x.ll[0]+x.ll[3]+x.ll[5])*(1+u/b.eps[k]) + b.B[k]*u
			f := x.force.Norm() + K*u
			s.cost += x.cost + f*u
			for i := range 3 {
				s.force[i] += f
				s.moment[i] += f * arm
			}
			for i := range s.ll {
				s.ll[i] += K
				s.aa[i] += K * arm * arm
			}
			for i := range s.al {
				s.al[i] += K * arm
			}
		}
	}
	return s
}

func TestVectorsEvaluateAsGoDoes(t *testing.T) {
	if supernodal.Kernel() == "portable" {
		t.Skip("no others")
	}
	r := rand.New(rand.NewPCG(9, 1))
	worst, kinks := 0.0, 0
	for n := 1; n <= 70; n++ {
		for trial := range 24 {
			exact, flat := trial%2 == 0, trial >= 12
			q := laneFacesOf(r, n, exact, flat)
			var w, v r3.Vec
			switch {
			case trial%12 == 0: // no slip at all
			case exact: // kinks: v̂ is a multiple of 1/16, or 1/16, 1/128
				v = r3.Vec{float64(r.IntN(9)-4) / 128, float64(r.IntN(9)-4) / 16, float64(r.IntN(9)-4) / 16}
				w = r3.Vec{float64(r.IntN(3)-1) / 2, 0, float64(r.IntN(3)-1) / 2}
			default:
				size := math.Pow(10, -5*r.Float64())
				for i := range 3 {
					w[i], v[i] = size*r.NormFloat64(), size*r.NormFloat64()
				}
			}
			for b := q.first; exact && b != nil; b = b.next {
				for k := range b.faces {
					u := v.Add(q.surfaceVelocity).Add(w.Cross(b.arm(k)))
					if b.v[k] == b.normal(k).Dot(u) {
						kinks++
					}
				}
			}
			scale := q.scales(w, v, exact)
			got := q.sumsOf(supernodal.Kernel(), w, v)
			if narrow := q.sumsOf("avx2", w, v); got != narrow {
				t.Fatalf("%d faces: %+v, with AVX2 %+v", n, got, narrow)
			}
			var want surfaceSums
			want.evalPortable(q.first, w, v.Add(q.surfaceVelocity), true) // also of flat ones
			for _, s := range []surfaceSums{got, q.sumsOf("portable", w, v)} {
				x, y, z := s.all(), want.all(), scale.all()
				for i := range x {
					if e := math.Abs(x[i] - y[i]); e > 1e-13*z[i] {
						t.Fatalf("%d faces, trial %d: sum %d is %g, in Go %g: off by %g of %g", n, trial, i, x[i], y[i], e/z[i], z[i])
					} else if e > 0 {
						worst = math.Max(worst, e/z[i])
					}
				}
			}
		}
	}
	if t.Logf("worst %.1g, %d faces at kinks", worst, kinks); kinks < 1000 {
		t.Error("few faces at kinks")
	}
}
