package fem

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// The shares of a curved triangle's vertices are integrals over its surface, which a sum over a
// hundred thousand small triangles gives.
func TestFacesWithMidpointsAreIntegratedExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 15))
	x := make([]r3.Vec, 6)
	for i, p := range []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}} {
		x[i] = p.Add(r3.Vec{0.2 * r.NormFloat64(), 0.2 * r.NormFloat64(), 0.2 * r.NormFloat64()})
	}
	shape := func(u, v float64) [6]float64 {
		w := 1 - u - v
		return [6]float64{w * (2*w - 1), u * (2*u - 1), v * (2*v - 1), 4 * w * u, 4 * u * v, 4 * v * w}
	}
	at := func(u, v float64) (p r3.Vec) {
		for a, N := range shape(u, v) {
			p = p.AddScaled(N, x[a])
		}
		return p
	}
	sum := func(n int) (S [6]r3.Vec) {
		d := 1 / float64(n)
		for i := range n {
			for j := range n - i {
				for half := range 2 {
					u, v := float64(i)*d, float64(j)*d
					corners := [3][2]float64{{u, v}, {u + d, v}, {u, v + d}}
					if half == 1 {
						if j == n-i-1 {
							continue
						}
						corners = [3][2]float64{{u + d, v}, {u + d, v + d}, {u, v + d}}
					}
					a, b, c := at(corners[0][0], corners[0][1]), at(corners[1][0], corners[1][1]), at(corners[2][0], corners[2][1])
					N := shape((corners[0][0]+corners[1][0]+corners[2][0])/3, (corners[0][1]+corners[1][1]+corners[2][1])/3)
					for k := range S {
						S[k] = S[k].AddScaled(N[k]/2, b.Sub(a).Cross(c.Sub(a)))
					}
				}
			}
		}
		return S
	}
	f := Face{6, [6]int32{0, 1, 2, 3, 4, 5}}
	got, fine, coarse := f.VectorAreas(x), sum(200), sum(100)
	for a := range got {
		want := fine[a].Scale(4./3).AddScaled(-1./3, coarse[a]) // errors fall with the square
		if d := got[a].Sub(want).Norm(); !(d < 1e-7) || math.IsNaN(d) {
			t.Errorf("share %d is %v, want %v", a, got[a], want)
		}
	}
}
