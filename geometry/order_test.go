package geometry

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Contacts of a pair are the same whichever body comes first: as many, and equal to
// round-off. The tests below place two shapes on bodies 0 and 1, then on 1 and 0.

// orderSeeds returns the seeds of an order test: one that is fixed, or in the long mode
// (CURLFREE_LONG=1) a fresh one, which it logs, and the number of pairs for each.
func orderSeeds(t *testing.T, short, long int) (seed uint64, pairs int) {
	if os.Getenv("CURLFREE_LONG") == "" {
		return 1, short
	}
	seed = rand.Uint64()
	if text := os.Getenv("CURLFREE_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatalf("CURLFREE_SEED: %v", err)
		}
	}
	t.Logf("seed %d, %d pairs", seed, long)
	return seed, long
}

// orderShapes returns a random shape of each kind that touches at convex points.
var orderShapes = []struct {
	name string
	make func(r *rand.Rand) SupportMap
}{
	{"sphere", func(r *rand.Rand) SupportMap { return must(NewSphere(length(r))) }},
	{"box", func(r *rand.Rand) SupportMap { return must(NewBox(r3.Vec{length(r), length(r), length(r)})) }},
	{"capsule", func(r *rand.Rand) SupportMap { return must(NewCapsule(length(r), length(r))) }},
	{"cylinder", func(r *rand.Rand) SupportMap { return must(NewCylinder(length(r), length(r))) }},
	{"disc", func(r *rand.Rand) SupportMap { return must(NewCylinder(length(r), 0.1*length(r))) }},
	{"ellipsoid", func(r *rand.Rand) SupportMap { return must(NewEllipsoid(r3.Vec{length(r), length(r), length(r)})) }},
	{"hull", func(r *rand.Rand) SupportMap { return randomHull(r, 6+r.IntN(60), length(r)) }},
	{"block", func(r *rand.Rand) SupportMap {
		return must(NewConvex(cornersOf(must(NewBox(r3.Vec{length(r), length(r), length(r)})))))
	}},
}

// length returns a random length of 0.03 m to 0.3 m.
func length(r *rand.Rand) float64 { return 0.03 * math.Pow(10, r.Float64()) }

// orderPlaces are ways to place a pair of shapes.
var orderPlaces = []string{"any", "parallel", "flush", "nested", "concentric"}

// placeOrdered returns random poses of two shapes.
func placeOrdered(r *rand.Rand, A, B SupportMap, place string) (X_WA, X_WB r3.Pose) {
	X_WA = randomPose(r, 0.05)
	X_WB = randomPose(r, 0.2)
	if place == "any" {
		return apart(r, A, B, X_WA, X_WB, -5e-3+7e-3*r.Float64())
	}
	turn := r3.Identity() // one of the turns of a cube, or one about z
	for range r.IntN(3) {
		var axis r3.Vec
		axis[r.IntN(3)] = math.Pi / 2
		turn = turn.Mul(r3.RotExp(axis))
	}
	if r.IntN(4) == 0 {
		turn = turn.Mul(r3.RotExp(r3.Vec{0, 0, r.Float64()}))
	}
	for i, x := range turn {
		if math.Abs(x-math.Round(x)) < 1e-15 {
			turn[i] = math.Round(x)
		}
	}
	X_WB.R = X_WA.R.Mul(turn)
	var offset r3.Vec
	switch place {
	case "parallel":
		return apart(r, A, B, X_WA, X_WB, -5e-3+7e-3*r.Float64())
	case "flush": // face to face, with centres in line or sides in one plane
		i := r.IntN(3)
		a, b := A.Bounds().Max, B.Bounds().Max
		var side r3.Vec
		side[i] = 1
		up := turn.TMulVec(side)
		offset[i] = a[i] + B.Bounds().Max.Dot(r3.Vec{math.Abs(up[0]), math.Abs(up[1]), math.Abs(up[2])}) - 1e-3*float64(r.IntN(3))
		if j := (i + 1) % 3; r.IntN(2) == 0 {
			offset[j] = a[j] - b[j]
		}
	case "nested":
		offset = gauss(r).Scale(0.01)
	}
	X_WB.P = X_WA.Point(offset)
	return X_WA, X_WB
}

// apart moves B along the line of its closest points to A until the gap is as given.
func apart(r *rand.Rand, A, B SupportMap, X_WA, X_WB r3.Pose, gap float64) (Y_WA, Y_WB r3.Pose) {
	k := newCores(A, B, X_WA, X_WB)
	c, _ := k.closest(math.Inf(1))
	X_WB.P = X_WB.P.AddScaled(gap-(c.s-A.Rounding()-B.Rounding()), X_WA.R.MulVec(c.n))
	return X_WA, X_WB
}

// orderTally counts pairs whose contacts depend on the order.
type orderTally struct {
	pairs, touching, number, value int
	example                        string
}

// compare counts a pair with its contacts in one order and in the other, which it
// mirrors.
func (o *orderTally) compare(ab, ba []Contact, tol float64, what func() string) {
	o.pairs++
	if len(ab)+len(ba) > 0 {
		o.touching++
	}
	for i := range ba {
		ba[i].mirror()
	}
	switch {
	case len(ab) != len(ba):
		o.number++
	case !sameContacts(ab, ba, tol):
		o.value++
	default:
		return
	}
	if o.example == "" {
		o.example = what() + fmt.Sprintf("\n%v\n%v", brief(ab), brief(ba))
	}
}

// interchangeable reports whether one motion takes A to B and B to A: no motion at all or
// a half turn, X_AB X_AB = 1.
func interchangeable(X_WA, X_WB r3.Pose) bool {
	X_AB := X_WA.Inv().Mul(X_WB)
	twice := X_AB.Mul(X_AB)
	off := twice.P.Norm()
	for i, x := range r3.Identity() {
		off = max(off, math.Abs(twice.R[i]-x))
	}
	return off < 1e-12
}

// coincident makes contacts of equal shapes comparable whose poses are interchangeable:
// of two equally deep directions, images of each other, nothing but the order of the
// bodies decides in which they part, so that only the number of contacts and the depth
// are the same.
func coincident(ab, ba []Contact) (x, y []Contact) {
	if len(ab) != len(ba) || math.Abs(leastPhi(ab)-leastPhi(ba)) > 1e-12 {
		return ab, ba
	}
	return nil, nil
}

func TestOrderOfConvexPairsDoesNotMatter(t *testing.T) {
	seed, pairs := orderSeeds(t, 100, 200000)
	for i, a := range orderShapes {
		for _, b := range orderShapes[i:] {
			r := rand.New(rand.NewPCG(seed, 0))
			var as, bs []SupportMap
			for range 8 {
				as, bs = append(as, a.make(r)), append(bs, b.make(r))
			}
			var whole orderTally
			for _, place := range orderPlaces {
				var o orderTally
				for range pairs / len(orderPlaces) {
					A, B := as[r.IntN(len(as))], bs[r.IntN(len(bs))]
					twins := a.name == b.name && r.IntN(2) == 0
					if twins {
						B = A
					}
					X_WA, X_WB := placeOrdered(r, A, B, place)
					ga, gb := &Geom{Body: 0, Shape: A}, &Geom{Body: 1, Shape: B}
					ab := pairContacts(ga, gb, X_WA, X_WB, 1e-3, nil, nil)
					ga.Body, gb.Body = 1, 0
					ba := pairContacts(gb, ga, X_WB, X_WA, 1e-3, nil, nil)
					if twins && interchangeable(X_WA, X_WB) {
						ab, ba = coincident(ab, ba)
					}
					o.compare(ab, ba, 1e-7, func() string { return fmt.Sprintf("%+v %+v %v %v", A, B, X_WA, X_WB) })
				}
				o.report(t, a.name+" "+b.name+" "+place)
				whole.add(&o)
			}
			t.Logf("%s %s: of %d pairs %d touch, %d differ in number, %d in value", a.name, b.name, whole.pairs, whole.touching, whole.number, whole.value)
		}
	}
}

// add adds the counts of p.
func (o *orderTally) add(p *orderTally) {
	o.pairs, o.touching, o.number, o.value = o.pairs+p.pairs, o.touching+p.touching, o.number+p.number, o.value+p.value
}

// report fails the test if a pair depends on the order.
func (o *orderTally) report(t *testing.T, name string) {
	t.Helper()
	if o.number+o.value == 0 {
		return
	}
	t.Errorf("%s: of %d pairs %d touch, %d differ in number, %d in value", name, o.pairs, o.touching, o.number, o.value)
	if len(o.example) < 4000 {
		t.Log(o.example)
	}
}

// Meshes, whose contacts are searched feature by feature, against each other and
// against convex shapes.
func TestOrderOfMeshPairsDoesNotMatter(t *testing.T) {
	seed, pairs := orderSeeds(t, 300, 20000)
	r := rand.New(rand.NewPCG(seed, 0))
	var shapes []Shape
	for range 6 {
		shapes = append(shapes,
			mustMesh(t, gridBox(r3.Vec{length(r), length(r), length(r)}, 1+r.IntN(3))),
			mustMesh(t, torusMesh(0.1+length(r), 0.05, 12, 6)))
		for _, s := range orderShapes {
			shapes = append(shapes, s.make(r))
		}
	}
	var o orderTally
	for o.pairs < pairs {
		A, B := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		if r.IntN(4) == 0 {
			B = A
		}
		if !isGeneral(A) && !isGeneral(B) {
			continue
		}
		X_WA, X_WB := randomPose(r, 0.05), randomPose(r, 0.15)
		if r.IntN(2) == 0 { // parallel, in part flush
			X_WB.R = X_WA.R
			X_WB.P = X_WA.Point(r3.Vec{A.Bounds().Max[0] + B.Bounds().Max[0] - 1e-3*float64(r.IntN(2)), 0.01 * float64(r.IntN(3)), 0})
		}
		ab := two(A, B, X_WA, X_WB, 1e-3)
		ba := two(B, A, X_WB, X_WA, 1e-3)
		o.compare(ab, ba, 1e-7, func() string { return fmt.Sprintf("%T %T %v %v", A, B, X_WA, X_WB) })
	}
	o.report(t, "meshes")
}

// Deformables: the faces of both are clipped, each by the other's field, so that their
// order decides nothing but the order of the contacts.
func TestOrderOfDeformablesDoesNotMatter(t *testing.T) {
	seed, pairs := orderSeeds(t, 15, 2000)
	r := rand.New(rand.NewPCG(seed, 0))
	var o orderTally
	for range pairs {
		x, y := gridBox(r3.Vec{length(r), length(r), length(r)}, 3), torusMesh(0.1+length(r), 0.05, 12, 6)
		if r.IntN(2) == 0 {
			y = gridBox(r3.Vec{length(r), length(r), length(r)}, 2)
		}
		X, Y := randomPose(r, 0.05), randomPose(r, 0.1)
		if r.IntN(2) == 0 {
			Y.R = X.R
		}
		ab, ba := deformableData(nil, x, y), deformableData(nil, y, x)
		ab.X_W[0], ab.X_W[1] = moved(x, X), moved(y, Y)
		ba.X_W[0], ba.X_W[1] = moved(y, Y), moved(x, X)
		o.compare(slices.Clone(ab.Collide()), slices.Clone(ba.Collide()), 1e-9, func() string { return fmt.Sprint(X, Y) })
	}
	o.report(t, "deformables")
}
