package geometry

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// Collision detection of a step. Geoms and deformables are the items. Each item has world
// bounds, grown by how far its body may move within the step; items whose bounds overlap
// are pairs (sweep along x), and each pair is searched for contacts on its own. With t
// the predicted translations, m the bounds of further motion, s the speculative factor and u
// the motion of surfaces along their bodies, the bodies of a pair approach by at most
//
//	d = |t_A − t_B| + m_A + m_B,  contacts are sought up to φ = max(d, s (d + u))   (1)
//
// so that bodies that translate alike make no contacts ahead of touching. Contacts with
// φ > 0 are speculative contacts: they take the place of continuous collision detection.
//
// slackShare times the least size of the model is added to the distance of (1): bodies that merely touch are found
// whatever the round-off of their positions. It is far below the size of any feature.
const slackShare = 1e-5

// scratch is the working memory of a Data. Items are the geoms, then the deformables.
type scratch struct {
	halt halt
	// least size of the model, and slack of (1), m
	size, slack float64
	// bound in place of those of halt.go, for tests; 0: none
	manyItems int
	// placed geoms and deformable surfaces, in the order of the model
	geoms       []placedGeom
	deformables []deformableSurface
	// Model.ExcludedPairs, each pair ascending, sorted
	skip [][2]int32
	// no two items may touch, and no deformable touches itself
	cannotTouch bool

	// world bounds of the items
	boxes []r3.Box
	// d of (1) for the current pair, with a deformable, m
	moving float64
	// bounds grown by the motion of their bodies
	grown []r3.Box
	// items in the order of their bounds along x
	order []int32
	// pairs of items that may touch, in the order of the contacts; those of the detection
	// before serve Redetect
	pairs, formerPairs       []itemPair
	contacts, formerContacts []Contact
	// of pairs of two geoms that touch at points
	searches, formerSearches []pairSearch
	// contacts of two geoms, for Nearest
	near []Contact
	// pairs of geoms in hydroelastic contact, those of the present placement first
	hydroelasticPairs []hydroelasticPair
	// their number
	numSurfaces int
	// the last Redetect found other contact surfaces
	surfacesChanged bool
	// those of them that have faces
	hydroelasticContacts []HydroelasticContact
	// one of each worker
	queries []hydroelastic.Query
	// pairs and motions of FindSurfacesAtEnd
	endPairs   []int
	endMotions []RigidMotion
	// MoveToMiddle: its pairs, its arguments, and memory of each worker
	middlePairs    []int
	middlePoses    []r3.Pose
	middleContacts []Contact
	middles        []middleScratch
	// contact surface of a field and a deformable
	pressure hydroelastic.ContactSurface

	// clipping of the triangles of deformables, and the fields that they are clipped by
	clipper        clipper
	samples        vertexSamples
	shape          shapeField
	deformableDist deformableField
	// surfaces of deformables that have to be refitted
	surfaces []*deformableSurface
	// runs of pairs of geoms
	chunks []pairChunk
	// one of each worker
	mesh []meshScratch
	// paths of vertices through shapes
	sweep sweep

	// of deformables with Self, else nil
	selves    []*selfQuery
	selfField selfField
}

// placedGeom is a geom in the world, with facts about its shape.
type placedGeom struct {
	X_WG  r3.Pose
	shape Shape
	// bounds of the shape
	bounds_G r3.Box
	// bounds of the shape and of its pressure field
	extent_G r3.Box
	// the world bounds may overflow
	endless bool
	// vertices and edges of the shape, if any shape of the model is not convex; nil: those of a mesh
	own *features
	// least extent of the shape, and its size by least_size.go, m
	thickness, size float64
	// radius of the shape about the origin of its body, and of its rolling, m
	radius, rolling float64
}

// features returns the vertices and edges of the shape.
func (g *placedGeom) features() *features {
	if m, ok := g.shape.(*Mesh); ok {
		return m.features()
	}
	return g.own
}

// itemPair is a pair of items; a belongs to the body of the lower number.
type itemPair struct {
	bodyA, bodyB int32
	a, b         int32
	// of Data.hydroelasticPairs, −1 for pairs that do not touch by pressure
	surface int32
	// its contacts in the list of all, and those of the detection before that serve again;
	// −1: none do
	first, count, former int32
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
		Motion:               make([]LinearMotion, m.NumRigid),
		PredictedDeformation: make([][][]r3.Vec, len(m.Deformables)),
		ActiveTriangle:       make([]func(int32) bool, len(m.Deformables)),
		Kinematic:            make([]bool, m.NumRigid),
	}
	// All bodies at the origin.
	for i := range s.X_WB {
		s.X_WB[i] = r3.PoseIdentity()
	}
	s.size = m.LeastSize()
	s.slack = slackShare * s.size
	// Items and their trees are built once.
	s.prepare()
	// Scratch of fixed size.
	n := len(m.Geoms) + len(m.Deformables)
	s.boxes, s.grown = make([]r3.Box, n), make([]r3.Box, n)
	for i := range n {
		s.order = append(s.order, int32(i))
	}
	// Excluded pairs are searched by bisection.
	for _, p := range m.ExcludedPairs {
		s.skip = append(s.skip, [2]int32{int32(min(p[0], p[1])), int32(max(p[0], p[1]))})
	}
	slices.SortFunc(s.skip, comparePairs)
	s.cannotTouch = s.nothingTouches()
	s.clipper.halt = &s.halt
	for _, q := range s.selves {
		if q != nil {
			q.halt, q.facing.halt, q.inside.halt = &s.halt, &s.halt, &s.halt
		}
	}
	s.mesh = make([]meshScratch, 1)
	return s
}

// nothingTouches reports whether no pair of items may touch and no deformable touches
// itself.
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

// CanTouch reports whether any two bodies of the model may touch, in whatever poses.
// Otherwise Collide returns at once.
func (s *Data) CanTouch() bool { return !s.cannotTouch }

// prepare checks the model and makes its items.
func (s *Data) prepare() {
	m := s.Model
	general := slices.ContainsFunc(m.Geoms, func(g Geom) bool { return isGeneral(g.Shape) })
	// Geoms, with bounds that contain their pressure fields.
	for i, g := range m.Geoms {
		if g.Body < World || g.Body >= m.NumRigid {
			panic(fmt.Sprintf("geometry: geom %d %q is on body %d of %d", i, g.Name, g.Body, m.NumRigid))
		}
		p := placedGeom{shape: g.Shape, bounds_G: g.Shape.Bounds()}
		p.thickness, p.size = thickness(p.bounds_G), SizeOf(p.bounds_G)
		if p.extent_G = p.bounds_G; g.Field != nil {
			// The margin of the field is in contact before the shape is.
			p.extent_G = p.extent_G.Union(g.Field.Bounds())
		}
		p.endless = !(p.extent_G.Size().Norm() < maxExtent)
		p.radius, p.rolling = radiusAbout(&g), rollingRadius(g.Shape)
		if _, mesh := g.Shape.(*Mesh); general && !mesh {
			p.own = featuresOf(g.Shape)
		}
		s.geoms = append(s.geoms, p)
	}
	// Deformables follow the rigid bodies.
	for i := range m.Deformables {
		if f := &m.Deformables[i]; f.Body != m.NumRigid+i {
			panic(fmt.Sprintf("geometry: deformable %d %q is body %d, must be %d", i, f.Name, f.Body, m.NumRigid+i))
		}
		s.deformables = append(s.deformables, deformableSurface{spec: &m.Deformables[i], body: m.NumRigid + i})
	}
	// Deformables that may touch themselves.
	s.selves = make([]*selfQuery, len(m.Deformables))
	for i := range s.deformables {
		if f := &m.Deformables[i]; f.Self != nil {
			s.selves[i] = newSelfQuery(&s.deformables[i])
		}
	}
}

// isGeneral reports whether contacts of a shape are found from its features and its
// distance field, as those of meshes are, and not from a convex core.
func isGeneral(s Shape) bool {
	_, convex := s.(SupportMap)
	return !convex && !isHalfSpace(s)
}

// Collide returns all contacts of the bodies as they are placed: those that overlap, and
// those that may come to overlap within the step by (1). Hydroelastic contacts are apart,
// see HydroelasticContacts.
//
// Contacts are sorted by the pair of bodies (A, B), then by the geoms or triangles
// (Elem). They depend on the placement and the predicted motion alone, bit for bit, not
// on former calls or on the number of workers. The slice is valid until the next Collide,
// or the Redetect after the next one. Err says whether the detection ended early.
func (s *Data) Collide() []Contact {
	if s.cannotTouch {
		return nil
	}
	s.begin()
	s.place()
	s.findPairs()
	s.findHydroelasticContacts()
	s.formerPairs = s.formerPairs[:0] // of another placement
	return s.findContacts()
}

// Redetect repeats the detection of contacts for the same placement and another
// predicted motion (PredictedTranslation, MotionBound and PredictedDeformation): it
// returns what Collide would return, without placing the geoms again. Pairs of geoms whose
// bodies approach each other as before keep their contacts, others what is known of their distance.
func (s *Data) Redetect() []Contact {
	if s.cannotTouch {
		return nil
	}
	s.begin()
	s.pairs, s.formerPairs = s.formerPairs, s.pairs
	s.contacts, s.formerContacts = s.formerContacts, s.contacts
	s.searches, s.formerSearches = s.formerSearches, s.searches
	s.findPairs()
	s.surfacesChanged = s.refindHydroelasticContacts()
	return s.findContacts()
}

// SurfacesChanged reports whether the last Redetect changed hydroelastic contacts.
func (s *Data) SurfacesChanged() bool { return s.surfacesChanged }

// SurfacesDeviate reports whether Motion has changed so much since hydroelastic contacts were
// found that Redetect would find others.
func (s *Data) SurfacesDeviate() bool {
	for i := range s.numSurfaces {
		if s.deviates(&s.hydroelasticPairs[i]) {
			return true
		}
	}
	return false
}

// growMesh provides working memory of meshes for each worker.
func (s *Data) growMesh() {
	if size := s.Pool.Size(); len(s.mesh) < size {
		s.mesh = make([]meshScratch, size)
	}
}

// findContacts finds the contacts of all pairs. Pairs of geoms are found chunk by chunk,
// by all workers where there are enough chunks; other pairs one by one, each by all
// workers.
func (s *Data) findContacts() []Contact {
	s.contacts = s.contacts[:0]
	s.findFormer()
	// Pairs of geoms that do not depend on each other are found first.
	n := s.chunkPairs()
	s.growMesh()
	shared := s.Pool != nil && n >= sharedFrom
	if shared {
		s.Pool.Run(n, (*pairFinder)(s))
	}
	// Contacts are joined in the order of the pairs.
	for i, k := 0, 0; i < len(s.pairs) && !s.halt.ends(); {
		first := len(s.contacts)
		// A pair with a deformable.
		if k == n || i != s.chunks[k].lo {
			s.deformableContacts(&s.pairs[i])
			s.pairs[i].first, s.pairs[i].count = int32(first), int32(len(s.contacts)-first)
			i++
			continue
		}
		c := &s.chunks[k]
		if shared {
			s.contacts = append(s.contacts, c.contacts...)
		} else {
			s.contacts = s.geomContacts(0, c, s.contacts)
		}
		s.halt.add(len(s.contacts) - first)
		most := int32(-1)
		for ; i < c.hi; i++ {
			p := &s.pairs[i]
			if p.count > most {
				most, s.halt.pair = p.count, [2]int{int(p.bodyA), int(p.bodyB)}
			}
			p.first = int32(first)
			first += int(s.pairs[i].count)
		}
		k++
	}
	return s.contacts
}

// deformableContacts appends the contacts of a pair with at least one deformable.
func (s *Data) deformableContacts(p *itemPair) {
	s.moving = s.approach(p)
	s.halt.pair = [2]int{int(p.bodyA), int(p.bodyB)}
	// Itself, a geom and a deformable, or two deformables.
	switch geoms := int32(len(s.geoms)); {
	case p.a == p.b:
		s.selfContacts(int(p.a - geoms))
	case p.a < geoms:
		s.rigidDeformableContacts(int(p.a), int(p.b-geoms), s.DeformableSpeculativeDistance+s.moving)
	default:
		s.deformablePairContacts(int(p.a-geoms), int(p.b-geoms), s.DeformableSpeculativeDistance+s.moving)
	}
}
