package shapetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// margin is the gap up to which CheckPair finds contacts, m: twice that of its placements, so that
// shapes which nearly touch have contacts.
const margin = 2e-3

// CheckPair tests the contacts of two shapes at random poses, some of them parallel.
// Each contact has a unit normal that leads from one surface point to the other over
// the gap φ; with the bodies swapped there are as many contacts, at the same places.
func CheckPair(t testing.TB, a, b geometry.Shape) {
	t.Helper()
	r := rand.New(rand.NewPCG(20261122, 3))
	touching := 0
	for i := range pairs {
		// Every third placement has parallel axes.
		X_WA, X_WB := place(r, a, b, i%3 == 0)
		ab, ba := collide(a, b, X_WA, X_WB), collide(b, a, X_WB, X_WA)
		if len(ab) > 0 {
			touching++
		}
		// Surface points lie φ apart along the normal.
		for _, c := range ab {
			gap := c.B.Pos_W.Sub(c.A.Pos_W)
			if math.Abs(c.Normal_W.Norm()-1) > 1e-9 || gap.Sub(c.Normal_W.Scale(c.Phi)).Norm() > 1e-9 || !(c.Phi < margin+1e-5) {
				t.Errorf("pair: normal %v, φ = %g, surface points %v apart", c.Normal_W, c.Phi, gap)
				return
			}
		}
		// Swapping the bodies turns the normals and changes nothing else.
		if !mirrored(ab, ba) {
			t.Errorf("order: at %v and %v there are %d contacts, with the bodies swapped %d, or at other places", X_WA, X_WB, len(ab), len(ba))
			return
		}
	}
	// placements that never touch would pass whatever the contacts are
	if touching == 0 && a != b {
		t.Errorf("pair: none of %d placements touches", pairs)
	}
}

// place returns random poses at which the shapes nearly touch or overlap: a point of B's
// surface lies on a point of A's or up to 1 mm above it.
func place(r *rand.Rand, a, b geometry.Shape, parallel bool) (X_WA, X_WB r3.Pose) {
	v := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	X_WA = r3.Pose{R: r3.RotExp(v()), P: v()}
	// parallel axes meet faces, edges and axes of symmetry exactly
	X_WB = X_WA
	if !parallel {
		X_WB.R = r3.RotExp(v())
	}
	// A point of B's surface is put on a point of A's, up to 1 mm along the normal.
	p, n := surfacePoint(r, a)
	q, _ := surfacePoint(r, b)
	X_WB.P = X_WA.Point(p.AddScaled(1e-3*r.Float64(), n)).Sub(X_WB.R.MulVec(q))
	return X_WA, X_WB
}

// surfacePoint returns a point near the surface of a shape and the normal there.
func surfacePoint(r *rand.Rand, s geometry.Shape) (p, n r3.Vec) {
	b := s.Bounds()
	for i := range p {
		// A shape without end is sampled near its origin.
		lo, hi := max(b.Min[i], -0.5), min(b.Max[i], 0.5)
		p[i] = lo + (hi-lo)*r.Float64()
	}
	// Walk to the surface along the gradient.
	phi, n := s.SignedDistance(p)
	return p.AddScaled(-phi, n), n
}

// collide returns the contacts of shape a on body 0 with shape b on body 1.
func collide(a, b geometry.Shape, X_WA, X_WB r3.Pose) []geometry.Contact {
	d := geometry.NewData(&geometry.Model{NumRigid: 2, Geoms: []geometry.Geom{
		{Name: "a", Body: 0, X_BG: r3.PoseIdentity(), Shape: a},
		{Name: "b", Body: 1, X_BG: r3.PoseIdentity(), Shape: b},
	}})
	// No motion: contacts up to the margin, which a step would predict from velocities.
	d.X_WB[0], d.X_WB[1] = X_WA, X_WB
	d.SpeculativeDistance = margin
	return d.Collide()
}

// mirrored reports whether the contacts of a swapped pair are the same but for the
// direction of the normals.
func mirrored(ab, ba []geometry.Contact) bool {
	if len(ab) != len(ba) {
		return false
	}
	for i := range ab {
		// Contacts of both orders are in the same order.
		x, y := &ab[i], &ba[i]
		if math.Abs(x.Phi-y.Phi) > 1e-12 || x.Normal_W.Add(y.Normal_W).Norm() > 1e-9 || x.Pos_W.Sub(y.Pos_W).Norm() > 1e-9 {
			return false
		}
	}
	return true
}
