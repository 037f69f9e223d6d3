// Package geometry is collision detection: shapes with their signed distances, the
// placement of shapes and deformable surfaces in the world (broad phase), and the
// contacts of all pairs (narrow phase).
//
// A Model is the immutable set of shapes and surfaces. A Data places them for one step:
// the caller writes the poses of rigid bodies, the vertices of deformables and a bound
// on how far each moves, and Collide returns the contacts:
//
//	convex against convex     points of the two faces that meet    (manifold.go)
//	mesh against any shape    vertices in distance fields, and
//	                          edges across edges                   (pair_mesh.go)
//	pressure field, rigid     faces of equal pressure              (hydroelastic_contact.go)
//	deformable against any    clipped parts of its triangles       (deformable_clip.go)
//
// Frames: W is the world, B a body, G a shape. Lengths are in m, signed distances are
// negative inside.
package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Shape is a solid in its own frame G. Methods may be called by several goroutines at the
// same time. Package shapetest is the conformance suite of implementations.
type Shape interface {
	// Bounds returns the axis-aligned bounds in G, m. An unbounded shape returns bounds
	// that are far larger than any scene.
	Bounds() r3.Box
	// SignedDistance returns the distance (m) from the point p_G to the surface, negative
	// inside, and its gradient, a unit vector even where the nearest point of the surface
	// is not unique.
	SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec)
	// SurfaceMesh returns a closed triangle mesh of the surface, outward, for pictures
	// and for contact of shapes without closed forms. Curved surfaces are approximated by
	// facets whose corners lie on them.
	SurfaceMesh() *meshes.Tri
}

// World is the number of the body that never moves. It is lower than the number of any
// other body.
const World = -1

// Geom is a shape that is fixed to a rigid body, with a material: immutable.
type Geom struct {
	// Name is used in messages.
	Name string
	// Body is the rigid body, or World.
	Body int
	// X_BG is the pose of the shape on the body.
	X_BG r3.Pose
	// Shape is the solid, in the frame G.
	Shape Shape
	// Field is the pressure field of hydroelastic contact, or the rigid surface that
	// pressure fields act on. Where it is nil the geom has point contact.
	Field hydroelastic.Geometry
	// Material is the index of the contact material in the table of the whole model.
	Material int
}

// Deformable is the surface of a deformable body: immutable.
type Deformable struct {
	// Name is used in messages.
	Name string
	// Body is the number of the body, which follows those of the rigid bodies.
	Body int
	// NumVerts is the number of vertices of the body's mesh, interior ones included.
	NumVerts int
	// Tris are the boundary triangles, outward: indices of the mesh's vertices.
	Tris [][3]int32
	// Tets are the tetrahedra that own the triangles, or nil.
	Tets []int32
	// Apexes are the fourth vertices of these tetrahedra, or nil.
	Apexes []int32
	// Fixed reports whether a vertex does not move; nil: all do.
	Fixed func(vert int32) bool
	// Parents are, for each triangle, the face of an element of which it is a part; nil where
	// all triangles are faces of elements.
	Parents []meshes.ParentFace
	// Size is SizeOf its bounds at rest, m; 0: unknown.
	Size float64
	// Material is the index of the contact material in the table of the whole model.
	Material int
	// Self enables self-contact of the body; nil: its parts pass through each
	// other.
	Self *SelfContact
}

// Model is the set of shapes and surfaces that may touch: immutable once built, shared by any
// number of Data.
type Model struct {
	// NumRigid is the number of rigid bodies. Their numbers are 0..NumRigid−1.
	NumRigid int
	// Geoms are the shapes of rigid bodies and of the world.
	Geoms []Geom
	// Deformables are the surfaces of deformable bodies; number i is body NumRigid+i.
	Deformables []Deformable
	// ExcludedPairs are the pairs of bodies, World allowed, that never touch each other.
	ExcludedPairs [][2]int
	// ExcludedGroups are collision filter groups: lists with a group number for each body, rigid ones
	// first. Bodies with the same number in one of the lists never touch each other; −1: in no group. A
	// group of n bodies needs n numbers instead of n²/2 excluded pairs.
	ExcludedGroups [][]int32
}

// InExcludedGroup reports whether two bodies, World allowed, are in one group of ExcludedGroups.
func (m *Model) InExcludedGroup(a, b int) bool {
	if a < 0 || b < 0 {
		return false
	}
	for _, g := range m.ExcludedGroups {
		if g[a] >= 0 && g[a] == g[b] {
			return true
		}
	}
	return false
}

// MaterialPoint is a point that moves with a body. On a rigid body it is given by Pos_W
// alone (N = 0), on a deformable by weights of its vertices:
//
//	Pos_W = Σ W[i]·x(Vert[i]),  i < N,  Σ W[i] = 1
type MaterialPoint struct {
	// Body is the number of the body, or World.
	Body int
	// N is the number of vertices, 0 on a rigid body.
	N int
	// Vert are vertices of the deformable's mesh.
	Vert [6]int32
	// W are the weights of these vertices.
	W [6]float64
	// Pos_W is the position in the world, m.
	Pos_W r3.Vec
}

// Contact is one contact point, or one part of a face of a deformable, of two bodies that
// overlap or that may come to overlap within the step. The normal points from A to B, the
// impulse γ acts on B and −γ on A. A is the body of the lower number.
//
// Between rigid bodies A.Pos_W and B.Pos_W are points of the two surfaces, Phi·Normal_W
// apart. The force acts on both bodies at the one point Pos_W, so that it changes no
// angular momentum: midway between the two, or at the moving body's own surface point
// when the other body is fixed or moves as prescribed. Friction acts at FrictionOffset_W from it, on both likewise. The
// lever arm of that body is then exact at any gap of a speculative contact.
//
// On a deformable the contact is a part of one triangle, at the centroid of the part, or of a part of a
// face of four or six vertices, all of which carry it (deformable_parent.go). Against a rigid body
// A.Pos_W, B.Pos_W and Pos_W are that point, so that the forces on both sides are in one line. Against
// a deformable the point of the other side is the same position, expressed in (extrapolated)
// barycentric coordinates of the tetrahedron behind the closest point of the other surface; each of the
// two surfaces contributes half of the area. Self-contact of a deformable is treated likewise, with
// both bodies the same; where it overlaps itself, the point of the other side is the point of the
// tetrahedron that the face has entered.
type Contact struct {
	// A and B are the points of the two bodies.
	A, B MaterialPoint
	// Materials are the indices of the contact materials of A and B.
	Materials [2]int
	// Pos_W is the point at which the force acts, m.
	Pos_W r3.Vec
	// FrictionOffset_W leads from Pos_W to the point at which friction acts on both bodies, m, at right angles to the
	// normal. It follows from the loads of the points of a face, see constraints.SpreadFriction.
	FrictionOffset_W r3.Vec
	// Face numbers the faces among the contacts of two geoms, whose points follow each other; 0: the point is of no
	// face. FrictionShare and FrictionTurn are α and τ_i of face_friction.go.
	Face                        int32
	FrictionShare, FrictionTurn float64
	// Normal_W is the unit normal, from A to B.
	Normal_W r3.Vec
	// Phi is the gap along the normal, m, negative where the bodies overlap.
	Phi float64
	// PressureGradient is the gradient of A's pressure field along the normal, Pa/m,
	// which acts in series with the materials; 0 where A has no such field.
	PressureGradient float64
	// Weight is the share of the stiffness of the materials that a point of rigid bodies
	// has, see contact_weights.go; 0 stands for 1. Of a point of a deformable at a core it is how many
	// times as stiff it is, see deformable_sweep.go.
	Weight float64
	// Area is the area of the part of a deformable's triangle, m²; 0 for a point of rigid
	// bodies.
	Area float64
	// Core marks a point contact of the cores of two bodies with pressure fields, or of one with a
	// deformable: Phi is the gap of the bodies without the outer layer in which the pressure fields act.
	Core bool
	// Middle marks a contact whose points and normal are those of the middle of the step, of MoveToMiddle; Phi is the
	// gap of its start all the same.
	Middle bool
	// Elem are the geom (rigid) or triangle (deformable) of each side. They identify the
	// contact in orderings and reports.
	Elem [2]int32
}

// Data is a Model placed in the world for one step: the poses that the caller writes, and
// the working memory of Collide (collision detection). One goroutine at a time may use
// it.
type Data struct {
	// Model is the model that is placed.
	Model *Model
	// X_WB are the poses of the rigid bodies (NumRigid).
	X_WB []r3.Pose
	// Middle says that rows of contacts are taken in the middle of the step, as under the midpoint rule: contact
	// surfaces of pairs that turn are found there.
	Middle bool
	// PredictedTranslation is the predicted translation of each body as a whole within
	// the step, m (NumRigid + number of deformables). Bodies that translate alike do not
	// approach each other.
	PredictedTranslation []r3.Vec
	// MotionBound is, for each body, an upper bound of the motion of any of its
	// points beyond PredictedTranslation, m (NumRigid + number of deformables).
	MotionBound []float64
	// Motion is the predicted motion of each rigid body within the step (NumRigid), from
	// which hydroelastic contacts ahead of touch are found. Zeros stand for bodies at
	// rest.
	Motion []LinearMotion
	// Pool are the workers on which Collide and Redetect run; nil stands for the caller
	// alone. It never changes a bit of the result.
	Pool *workers.Pool
	// Interrupted is asked while contacts are detected; where it is true, as it is from then on, the detection ends
	// early, see Err. nil: never. It is called by any worker.
	Interrupted func() bool
	// SpeculativeFactor multiplies the distance by which bodies approach within the
	// step, for contact laws that act at larger gaps; 0 stands for 1.
	SpeculativeFactor float64
	// SurfaceMotion is the largest distance by which the surface velocities of two bodies
	// (conveyor belts) move their surfaces past each other within the step, m: it is added
	// to the approach that SpeculativeFactor multiplies.
	SurfaceMotion float64
	// SpeculativeDistance is the gap up to which contacts of two rigid bodies at
	// rest are reported, m.
	SpeculativeDistance float64
	// DeformableSpeculativeDistance is the same for pairs with a deformable, m.
	DeformableSpeculativeDistance float64
	// ContactRange is the gap up to which contacts transmit force, m: 0 but for barriers.
	ContactRange float64
	// X_W are the vertex positions of each deformable, m.
	X_W [][]r3.Vec
	// Kinematic marks the rigid bodies that forces do not move: fixed ones and those of
	// prescribed motion (NumRigid).
	Kinematic []bool
	// PredictedDeformation are, for each deformable with Self, motions predicted for its
	// vertices within the step beyond the motion of the body as a rigid whole, m. None
	// stands for a body that moves as a rigid whole.
	PredictedDeformation [][][]r3.Vec

	// ActiveTriangle reports whether a triangle of a deformable takes part in
	// contact: triangles of inverted tetrahedra do not. It is called for few
	// triangles, by any worker; nil stands for all triangles.
	ActiveTriangle []func(tri int32) bool

	scratch
}
