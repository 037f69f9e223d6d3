package geometry

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// slack is added to every pair's margin, m: things that merely touch are found
// whatever the round-off of their positions. It is far below any feature.
const slack = 1e-6

// scratch is what a Scene works with between and during calls. Items are the
// geoms, then the deformables.
type scratch struct {
	geoms       []placedGeom
	deformables []deformableSurface
	skip        [][2]int32 // Model.Skip, each pair ascending, sorted
	cannotTouch bool       // no two items may touch, and none itself

	boxes                []r3.Box // world bounds of the items
	moving               float64  // how far the current pair, with a deformable, may approach in the step, m
	grown                []r3.Box // grown by the reach of their bodies
	order                []int32  // items along the sweep axis
	pairs                []itemPair
	contacts             []Contact
	near                 []Contact          // of two geoms, for Nearest
	hydroelasticPairs    []hydroelasticPair // first those of the present placement
	hydroelasticContacts []HydroelasticContact
	queries              []hydroelastic.Query        // of each worker
	pressure             hydroelastic.ContactSurface // of a field and a deformable

	clipper        clipper
	samples        vertexSamples
	shape          shapeField
	deformableDist deformableField
	surfaces       []*deformableSurface // to be refitted
	chunks         []pairChunk          // of the pairs of geoms
	mesh           []meshScratch        // of each worker

	selves    []*selfQuery // of deformables that touch themselves, else nil
	selfField selfField
}

// placedGeom is a geom's pose in the world and what is known of its shape.
type placedGeom struct {
	X_WG     r3.Pose
	shape    Shape
	bounds_G r3.Box    // of the shape
	extent_G r3.Box    // of the shape and its pressure field
	endless  bool      // its bounds may overflow
	features *features // where the model has general shapes, else nil
}

// itemPair is a pair of items near each other, a of the lower body.
type itemPair struct {
	bodyA, bodyB int32
	a, b         int32
}

// NewData returns the data of a model with all bodies at the origin. In every step
// set X_WB, PredictedTranslation, MotionBound, X_W and ActiveTriangle, then call
// Collide. It panics when the model contradicts itself.
func NewData(m *Model) *Data {
	s := &Data{
		Model:                m,
		X_WB:                 make([]r3.Pose, m.NumRigid),
		PredictedTranslation: make([]r3.Vec, m.NumRigid+len(m.Deformables)),
		MotionBound:          make([]float64, m.NumRigid+len(m.Deformables)),
		X_W:                  make([][]r3.Vec, len(m.Deformables)),
		PredictedDeformation: make([][][]r3.Vec, len(m.Deformables)),
		ActiveTriangle:       make([]func(int32) bool, len(m.Deformables)),
		Kinematic:            make([]bool, m.NumRigid),
	}
	for i := range s.X_WB {
		s.X_WB[i] = r3.PoseIdentity()
	}
	s.prepare()
	n := len(m.Geoms) + len(m.Deformables)
	s.boxes, s.grown = make([]r3.Box, n), make([]r3.Box, n)
	for i := range n {
		s.order = append(s.order, int32(i))
	}
	for _, p := range m.ExcludedPairs {
		s.skip = append(s.skip, [2]int32{int32(min(p[0], p[1])), int32(max(p[0], p[1]))})
	}
	slices.SortFunc(s.skip, comparePairs)
	s.cannotTouch = s.nothingTouches()
	s.mesh = make([]meshScratch, 1)
	return s
}

// allAlone reports whether no pair of items may touch and nothing touches itself.
func (s *Data) nothingTouches() bool {
	for _, q := range s.selves {
		if q != nil {
			return false
		}
	}
	for i := range int32(len(s.boxes)) {
		for j := range i {
			if _, ok := s.pairOf(i, j); ok {
				return false
			}
		}
	}
	return true
}

// CanTouch reports whether anything in the scene may touch anything, wherever it
// gets. Where nothing may, Collide costs nothing.
func (s *Data) CanTouch() bool { return !s.cannotTouch }

// placeNowhere prepares the items.
func (s *Data) prepare() {
	m := s.Model
	general := slices.ContainsFunc(m.Geoms, func(g Geom) bool { return isGeneral(g.Shape) })
	for i, g := range m.Geoms {
		if g.Body < World || g.Body >= m.NumRigid {
			panic(fmt.Sprintf("geometry: geom %d %q is on body %d of %d", i, g.Name, g.Body, m.NumRigid))
		}
		p := placedGeom{shape: g.Shape, bounds_G: g.Shape.Bounds()}
		if p.extent_G = p.bounds_G; g.Field != nil {
			p.extent_G = p.extent_G.Union(g.Field.Bounds()) // skirts press ahead of contact
		}
		p.endless = !(p.extent_G.Size().Norm() < maxExtent)
		if general {
			p.features = featuresOf(g.Shape)
		}
		s.geoms = append(s.geoms, p)
	}
	for i := range m.Deformables {
		if f := &m.Deformables[i]; f.Body != m.NumRigid+i {
			panic(fmt.Sprintf("geometry: deformable %d %q is body %d, must be %d", i, f.Name, f.Body, m.NumRigid+i))
		}
		s.deformables = append(s.deformables, deformableSurface{spec: &m.Deformables[i], body: m.NumRigid + i})
	}
	s.selves = make([]*selfQuery, len(m.Deformables))
	for i := range s.deformables {
		if f := &m.Deformables[i]; f.Self != nil {
			s.selves[i] = newSelfQuery(&s.deformables[i])
		}
	}
}

// isGeneral reports whether a shape collides through its surface and distance,
// as meshes do, and not through a convex core.
func isGeneral(s Shape) bool {
	_, convex := s.(SupportMap)
	return !convex && !isHalfSpace(s)
}

func comparePairs(p, q [2]int32) int {
	if p[0] != q[0] {
		return int(p[0]) - int(q[0])
	}
	return int(p[1]) - int(q[1])
}

// Collide returns all contacts of the placed scene: what overlaps, and what may
// come to overlap when every body drifts as said and no point moves farther than
// its Reach besides; what moves together stays out. They are
// in ascending order of the pair of bodies (A, B), then of the geoms or triangles
// (Elem), and the same bits for the same placement whatever was asked before.
// The slice is valid until the next call.
func (s *Data) Collide() []Contact {
	if s.cannotTouch {
		return nil
	}
	s.place()
	s.findPairs()
	s.findHydroelasticContacts()
	return s.findContacts()
}

// CollideFarther returns what Collide does, for the same placement and another motion:
// Drift, Reach and Flex. Nothing is placed anew, and patches, which do not depend on
// motion, stay.
func (s *Data) Redetect() []Contact {
	if s.cannotTouch {
		return nil
	}
	s.findPairs()
	return s.findContacts()
}

// findContacts finds the contacts of all pairs: those of geoms chunk by chunk, by all
// workers if that pays, the others pair by pair, with all workers for each.
func (s *Data) findContacts() []Contact {
	n := s.chunkPairs()
	if size := s.Pool.Size(); len(s.mesh) < size {
		s.mesh = make([]meshScratch, size)
	}
	shared := s.Pool != nil && n >= sharedFrom
	if shared {
		s.Pool.Run(n, (*pairFinder)(s))
	}
	s.contacts = s.contacts[:0]
	for i, k := 0, 0; i < len(s.pairs); {
		if k == n || i != s.chunks[k].lo {
			s.deformableContacts(&s.pairs[i])
			i++
			continue
		}
		c := &s.chunks[k]
		if shared {
			s.contacts = append(s.contacts, c.contacts...)
		} else {
			s.contacts = s.geomContacts(0, c, s.contacts)
		}
		i, k = c.hi, k+1
	}
	return s.contacts
}

// softContacts appends the contacts of a pair of which one at least is a deformable.
func (s *Data) deformableContacts(p *itemPair) {
	s.moving = s.approach(p)
	switch geoms := int32(len(s.geoms)); {
	case p.a == p.b:
		s.selfContacts(int(p.a - geoms))
	case p.a < geoms:
		s.rigidDeformableContacts(int(p.a), int(p.b-geoms), s.DeformableSpeculativeDistance+s.moving)
	default:
		s.deformablePairContacts(int(p.a-geoms), int(p.b-geoms), s.DeformableSpeculativeDistance+s.moving)
	}
}

// drift returns how a body moves as a whole; the world stays.
func (s *Data) translation(body int) *r3.Vec {
	if body == World || s.PredictedTranslation == nil {
		return &unmoved
	}
	return &s.PredictedTranslation[body]
}

var unmoved r3.Vec // is read only

// growth returns by how much a body's bounds grow, so that bounds of two bodies
// overlap whenever the pair's margin could matter.
func (s *Data) boundsMargin(body int) float64 {
	d := s.translation(body)
	return (max(s.SpeculativeDistance, s.DeformableSpeculativeDistance)+slack)/2 + s.speculative(math.Sqrt(d.DotOf(d))+s.motionBound(body))
}

// stretched returns how far ahead a contact may act between bodies that approach
// by d.
func (s *Data) speculative(d float64) float64 {
	return max(d, min(d*s.SpeculativeFactor, maxSpeculativeDistance))
}

// farthestStretched bounds what Stretch makes of an approach, m: the distance up
// to which the source of those laws considers contacts at all.
const maxSpeculativeDistance = 0.1

// reach returns how far any point of a body moves besides its drift.
func (s *Data) motionBound(body int) float64 {
	if body == World || s.MotionBound == nil {
		return 0
	}
	return s.MotionBound[body]
}

// place computes where the items are and their bounds.
func (s *Data) place() {
	s.placeGeoms()
	for i := range s.geoms {
		g, b := &s.geoms[i], &s.boxes[i]
		b.SetTransform(&g.X_WG, &g.extent_G)
		if g.endless {
			*b = infiniteIfOverflowed(*b)
		}
	}
	for i := range s.deformables {
		f := &s.deformables[i]
		f.place(s.X_W[i])
		if f.active = nil; i < len(s.ActiveTriangle) {
			f.active = s.ActiveTriangle[i]
		}
		s.boxes[len(s.geoms)+i] = boundsOf(f.x_W)
	}
}

// placeGeoms computes where the geoms are.
func (s *Data) placeGeoms() {
	for i := range s.geoms {
		spec := &s.Model.Geoms[i]
		s.geoms[i].X_WG = spec.X_BG
		if spec.Body != World {
			s.geoms[i].X_WG.SetMul(&s.X_WB[spec.Body], &spec.X_BG)
		}
	}
}

// farthest is the size, m, below which bounds do not overflow wherever they are.
const maxExtent = 1e100

// everywhereIfUndefined replaces bounds that overflowed, of a shape without end.
func infiniteIfOverflowed(b r3.Box) r3.Box {
	if b.Min.IsFinite() && b.Max.IsFinite() {
		return b
	}
	const big = math.MaxFloat64 / 4
	return r3.Box{Min: r3.Vec{-big, -big, -big}, Max: r3.Vec{big, big, big}}
}

// findPairs sweeps the items along x and lists the pairs whose bounds meet and
// whose bodies may touch, in the order of the contacts; surfaces of deformables in
// pairs are then where their vertices are.
func (s *Data) findPairs() {
	for i := range s.boxes {
		s.grown[i].SetInflate(&s.boxes[i], s.boundsMargin(int(s.bodyOf(int32(i)))))
	}
	slices.SortFunc(s.order, func(i, j int32) int {
		switch a, b := s.grown[i].Min[0], s.grown[j].Min[0]; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return int(i - j)
	})
	s.pairs = s.pairs[:0]
	for k, i := range s.order {
		box := &s.grown[i]
		for _, j := range s.order[k+1:] {
			if s.grown[j].Min[0] > box.Max[0] {
				break
			}
			if overlap(box, &s.grown[j]) {
				if p, ok := s.pairOf(i, j); ok {
					s.pairs = append(s.pairs, p)
				}
			}
		}
	}
	for i, q := range s.selves {
		if q != nil {
			body, item := int32(s.deformables[i].body), int32(len(s.geoms)+i)
			s.pairs = append(s.pairs, itemPair{body, body, item, item})
		}
	}
	slices.SortFunc(s.pairs, func(p, q itemPair) int {
		switch {
		case p.bodyA != q.bodyA:
			return int(p.bodyA - q.bodyA)
		case p.bodyB != q.bodyB:
			return int(p.bodyB - q.bodyB)
		case p.a != q.a:
			return int(p.a - q.a)
		}
		return int(p.b - q.b)
	})
	s.refitSurfaces()
}

// overlap is b.Overlaps(c), which is asked for every two items near each other along x.
func overlap(b, c *r3.Box) bool {
	return b.Min[1] <= c.Max[1] && c.Min[1] <= b.Max[1] &&
		b.Min[2] <= c.Max[2] && c.Min[2] <= b.Max[2] &&
		b.Min[0] <= c.Max[0] && c.Min[0] <= b.Max[0]
}

// pairOf returns two items as a pair; false if their bodies may not touch.
func (s *Data) pairOf(i, j int32) (p itemPair, ok bool) {
	p = itemPair{s.bodyOf(i), s.bodyOf(j), i, j}
	if p.bodyA > p.bodyB {
		p = itemPair{p.bodyB, p.bodyA, j, i}
	}
	if p.bodyA == p.bodyB {
		return p, false
	}
	if len(s.skip) == 0 {
		return p, true
	}
	_, skipped := slices.BinarySearchFunc(s.skip, [2]int32{p.bodyA, p.bodyB}, comparePairs)
	return p, !skipped
}

func (s *Data) bodyOf(item int32) int32 {
	if n := int32(len(s.geoms)); item >= n {
		return int32(s.deformables[item-n].body)
	}
	return int32(s.Model.Geoms[item].Body)
}
