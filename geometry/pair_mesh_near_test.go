package geometry

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// The vertices found near a mesh are all those with φ < reach, with their exact
// place in its field: wherever the two stand, apart, crossing or one in the other.
func TestNearVerticesAreThoseOfTheWholeList(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	fields := []Shape{
		mustMesh(t, torusMesh(0.1, 0.04, 24, 12)), mustMesh(t, gridBox(r3.Vec{0.1, 0.2, 0.15}, 5)),
		mustMesh(t, gridBox(r3.Vec{0.1, 0.2, 0.15}, 1)), &Box{Half: r3.Vec{0.1, 0.2, 0.15}},
	}
	shapes := []Shape{
		mustMesh(t, torusMesh(0.05, 0.02, 20, 10)), mustMesh(t, gridBox(r3.Vec{0.02, 0.03, 0.01}, 3)),
		mustMesh(t, torusMesh(0.3, 0.05, 16, 8)), &Capsule{Radius: 0.01, HalfLength: 0.05}, &Sphere{Radius: 0.02},
	}
	var q nearSearch
	outside, inside := 0, 0
	for range 3000 {
		field, shape := fields[r.Intn(len(fields))], shapes[r.Intn(len(shapes))]
		v := func(s float64) r3.Vec { return r3.Vec{s * r.NormFloat64(), s * r.NormFloat64(), s * r.NormFloat64()} }
		o := side{newDistanceQuery(field), featuresOf(field), r3.PoseIdentity()}
		s := side{newDistanceQuery(shape), featuresOf(shape), r3.Pose{R: r3.RotExp(v(1)), P: v(0.1)}}
		reach := math.Pow(10, -6+5*r.Float64())
		found := map[int32]nearVertex{}
		last := int32(-1)
		for _, n := range q.run(&s, &o, s.X_AS, reach) {
			if n.v <= last {
				t.Fatalf("vertex %d after %d", n.v, last)
			}
			last = n.v
			found[n.v] = n
		}
		for i, x := range s.feat.verts {
			p := s.X_AS.Point(x)
			phi, g := field.SignedDistance(p)
			switch n, ok := found[int32(i)]; {
			case ok && (n.p != p || n.phi != phi || n.g != g):
				t.Fatalf("vertex %d: φ = %v, ∇φ = %v, want %v, %v", i, n.phi, n.g, phi, g)
			case !ok && phi < reach:
				t.Fatalf("vertex %d of %T in %T with φ = %g < %g was not found", i, shape, field, phi, reach)
			case !ok:
				outside++
			case phi < -reach:
				inside++
			}
		}
	}
	if outside < 100000 || inside < 10000 {
		t.Errorf("only %d vertices were left out, %d found deep inside", outside, inside)
	}
}

// Most vertices of two meshes that nearly touch are separated by boxes alone.
func TestFewDistancesAreSearchedForNearVertices(t *testing.T) {
	field, shape := mustMesh(t, torusMesh(0.1, 0.04, 60, 30)), mustMesh(t, torusMesh(0.1, 0.04, 60, 30))
	o := side{newDistanceQuery(field), featuresOf(field), r3.PoseIdentity()}
	s := side{newDistanceQuery(shape), featuresOf(shape), r3.Pose{R: r3.RotExp(r3.Vec{1.5, 0.1, 0}), P: r3.Vec{0.1, 0, 0.042}}}
	var q nearSearch
	near := len(q.run(&s, &o, s.X_AS, 1e-3))
	if near == 0 || near > len(s.feat.verts)/5 || len(q.known) > len(s.feat.verts)/20 {
		t.Errorf("%d of %d vertices are near, %d distances show sides", near, len(s.feat.verts), len(q.known))
	}
	if n := alloctest.PerRun(5, func() { q.run(&s, &o, s.X_AS, 1e-3) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Two fine meshes of which one may move by more than itself in a step are not looked
// at edge against edge, and still meet where and when they do: at the nearest of their
// vertices, to within what facets are off.
func TestFineMeshesThatMoveFarLookAtFewEdges(t *testing.T) {
	ring := mustMesh(t, torusMesh(0.1, 0.04, 60, 30))
	model := &Model{NumRigid: 2, Geoms: []Geom{
		{Body: 0, X_BG: r3.PoseIdentity(), Shape: ring}, {Body: 1, X_BG: r3.PoseIdentity(), Shape: ring},
	}}
	s := NewData(model)
	const gap = 0.01
	s.X_WB[0], s.X_WB[1] = r3.PoseIdentity(), r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.02}), P: r3.Vec{0.28 + gap, 0, 0}}
	s.MotionBound[0] = 10
	least := math.Inf(1)
	for _, c := range s.Collide() {
		least = math.Min(least, c.Phi)
	}
	if sagitta := 0.14 * (1 - math.Cos(math.Pi/60)); math.Abs(least-gap) > sagitta {
		t.Errorf("they are %g m apart, want %g", least, gap)
	}
	edges := len(ring.features().edges)
	if n := cap(s.mesh[0].pairs); n > edges*edges/20 {
		t.Errorf("%d pairs of %d edges looked at", n, edges)
	}
}
