// Package geometry knows shapes and where they are: signed distances, bounds,
// the placed scene of one step, and the contacts found in it.
package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// Shape is a solid in its own frame G. Distances are negative inside.
type Shape interface {
	// Bounds returns the bounds in G; a half-space answers with a huge box.
	Bounds() r3.Box
	// SignedDistance returns the distance (m) from p_G to the surface, negative
	// inside, and its unit gradient.
	SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec)
	// Surface returns a closed triangle mesh of the surface, for pictures and
	// for generic contact; curved surfaces are facetted.
	SurfaceMesh() *meshes.Tri
}

// World is the body that never moves.
const World = -1

// Geom is a shape fixed to a rigid body: immutable.
type Geom struct {
	Name     string
	Body     int     // rigid body, or World
	X_BG     r3.Pose // pose of the shape on the body
	Shape    Shape
	Field    hydroelastic.Geometry // of contact by pressure; nil: it touches at points
	Material int                   // index into the model's materials
}

// Deformable is the surface of a deformable body: immutable.
type Deformable struct {
	Name     string
	Body     int        // scene body of the deformable, numbered after the rigid bodies
	NumVerts int        // number of vertices of the body's mesh
	Tris     [][3]int32 // boundary triangles, outward, indices into those vertices
	Tets     []int32    // the tet that owns each triangle, or nil
	Material int
	Self     *SelfContact // nil: its parts pass through each other
}

// Model is what the scene consists of: immutable once built, shared by any
// number of Scenes.
type Model struct {
	NumRigid      int          // number of rigid bodies, scene bodies 0..Rigid−1
	Geoms         []Geom       //
	Deformables   []Deformable // deformable i is scene body Rigid+i
	ExcludedPairs [][2]int     // pairs of scene bodies (World allowed) that never touch each other
}

// MaterialPoint is a material point of a scene body. On a rigid body it is Pos_W alone
// (N = 0); on a deformable it is Σ W[i]·vertex Vert[i], i < N.
type MaterialPoint struct {
	Body  int // scene body or World
	N     int
	Vert  [4]int32
	W     [4]float64
	Pos_W r3.Vec // world position, m
}

// Contact is one contact point, on overlap or ahead of it. Signs: Phi < 0
// overlaps; Normal_W points from A to B; γ acts on B, −γ on A. A is the lower
// scene body, World the lowest.
//
// Between rigid bodies A.Pos_W and B.Pos_W are the points of the two surfaces,
// Phi·Normal_W apart. The force acts on both at Pos_W, lest they gain angular
// momentum: midway, but on what touches a still body at its own surface point, so
// that its lever arm is its own however far ahead the contact is.
// On a deformable the contact is a part of one face, at its centroid: against a
// rigid body that is A.Pos_W, B.Pos_W and Pos_W at once, so that the forces on
// both sides are in one line; against a deformable the other side is the closest
// point of its surface, and each of the two surfaces brings half the area. Contact
// of a deformable with itself is like that, both bodies being the same; in overlap
// the other side is the point of the tet that the face has come into.
type Contact struct {
	A, B             MaterialPoint
	Materials        [2]int // materials of A's and B's surface
	Pos_W            r3.Vec // where the force acts, m
	Normal_W         r3.Vec // unit
	Phi              float64
	PressureGradient float64  // Pa/m, of the pressure field of A along the normal, in series with the materials; 0: its surface does not yield
	Area             float64  // m², of the clipped face for deformable contact; 0 for a point
	Elem             [2]int32 // geom (rigid) or triangle (deformable) on each side: identity for ordering and reports
}

// Data is a Model placed in the world: the scratch of one stepper.
type Data struct {
	Model                         *Model
	X_WB                          []r3.Pose     // pose of each rigid body
	PredictedTranslation          []r3.Vec      // how each scene body is about to move as a whole in this step, m (Rigid+len(Soft))
	MotionBound                   []float64     // bound on how far any of its points moves besides, m (Rigid+len(Soft))
	Pool                          *workers.Pool // workers that Collide and Redetect run on; nil: the caller alone. It never changes a bit of the result
	SpeculativeFactor             float64       // factor on how far bodies approach, for contact laws that act farther ahead; 0: 1
	SpeculativeDistance           float64       // contacts of any two rigid bodies up to this gap are reported, m
	DeformableSpeculativeDistance float64       // and of any pair with a deformable, m
	X_W                           [][]r3.Vec    // current vertex positions of each deformable, m
	Kinematic                     []bool        // rigid bodies that forces do not move, fixed or of prescribed motion
	PredictedDeformation          [][][]r3.Vec  // per deformable with Self: motions foreseen of its vertices in this step besides that of the body as a rigid whole, m; none: it is rigid

	// Live tells of each deformable which triangles make contact: those whose tet is
	// inside out make none. It is asked for few of them, by any worker; nil: all do.
	ActiveTriangle []func(tri int32) bool

	scratch
}
