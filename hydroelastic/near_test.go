package hydroelastic

import (
	"cmp"
	"math"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// exhaustive returns the body as one for which nothing can be ruled out by where cells
// are and what pressures they have: all pairs are cut.
func exhaustive(b Geometry) Geometry {
	everywhere := func(n int) *bvh.Tree {
		boxes := make([]r3.Box, n)
		for i := range boxes {
			boxes[i] = r3.Box{Min: r3.Vec{-10, -10, -10}, Max: r3.Vec{10, 10, 10}}
		}
		return bvh.Build(boxes)
	}
	switch b := b.(type) {
	case *Compliant:
		c := *b
		c.tree, c.steepest = everywhere(len(c.cells)), 1e100
		c.pressure = slices.Clone(c.pressure)
		for i := range c.pressure {
			c.pressure[i].lo, c.pressure[i].hi = math.Inf(-1), math.Inf(1)
		}
		return &c
	case *Rigid:
		r := *b
		r.tree = everywhere(len(r.tris))
		return &r
	}
	return b
}

// What is ruled out has no face: along a random motion with jumps every pair of kinds
// has the faces, to the bit, that cutting all pairs of elements has, whether a query
// has other pairs and poses or not.
func TestNoFaceIsRuledOut(t *testing.T) {
	opt := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.04, Margin: 1e-3}
	stiff := Options{HydroelasticModulus: 3e7, ResolutionHint: 0.03, Margin: 5e-4}
	teeth := gear(0.04, 0.006, 0.02, 7, 42)
	all := []Geometry{
		must[*Compliant](t)(NewSphere(0.05, opt)),
		must[*Compliant](t)(NewBox(r3.Vec{0.1, 0.08, 0.06}, stiff)),
		must[*Compliant](t)(NewCylinder(0.02, 0.1, opt)),
		must[*Compliant](t)(NewFromSurface(teeth, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02, Margin: 5e-4})),
		must[*Rigid](t)(NewRigid(teeth, 0.04)),
	}
	var reused Query
	var s, want ContactSurface
	r := rand.New(rand.NewSource(11))
	var X r3.Pose
	faces, touching := 0, 0
	for step := range 60 {
		if step%6 == 0 { // a jump
			X = randomPose(r, 0.03+0.06*r.Float64())
		}
		X.P = X.P.AddScaled(2e-3, r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		X.R = r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.02)).Mul(X.R)
		for a, A := range all {
			for _, B := range all[a:] {
				if !A.Compliant() && !B.Compliant() {
					continue
				}
				reused.Contact(A, B, r3.PoseIdentity(), X, &s)
				if step%10 == 0 {
					var fresh Query
					fresh.Contact(A, B, r3.PoseIdentity(), X, &want)
					if !reflect.DeepEqual(s, want) {
						t.Fatalf("step %d: %T on %T: a query that was used finds another surface", step, A, B)
					}
				}
				if (step+a)%5 != 0 {
					continue
				}
				var q Query
				q.Contact(exhaustive(A), exhaustive(B), r3.PoseIdentity(), X, &want)
				if got, want := inOrder(&s), inOrder(&want); !reflect.DeepEqual(got, want) {
					t.Fatalf("step %d: %T on %T: %d faces, of all pairs %d", step, A, B, len(got), len(want))
				}
				if faces += len(s.Faces); len(s.Faces) > 0 {
					touching++
				}
			}
		}
	}
	if faces < 1000 || touching < 50 {
		t.Errorf("only %d faces in %d contacts", faces, touching)
	}
}

// inOrder returns the faces and their corners in the order of the elements.
func inOrder(s *ContactSurface) (all []faceCorners) {
	for _, f := range s.Faces {
		g := faceCorners{f, slices.Clone(s.Verts_W[f.Lo:f.Hi]), slices.Clone(s.Pressures[f.Lo:f.Hi])}
		g.Lo, g.Hi = 0, 0
		all = append(all, g)
	}
	slices.SortStableFunc(all, func(f, g faceCorners) int {
		return cmp.Or(cmp.Compare(f.Elem[0], g.Elem[0]), cmp.Compare(f.Elem[1], g.Elem[1]))
	})
	return all
}

type faceCorners struct {
	Face
	x []r3.Vec
	p []float64
}
