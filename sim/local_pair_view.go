package sim

// The kinematics of a pair of bodies by itself, for local_pair.go.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// pairView is constraints.Kinematics of a problem whose one node is the motion of B relative to A: ω, then the velocity
// at the centre.
type pairView struct {
	body       [2]int
	X_W        [2]r3.Pose
	center_W   r3.Vec
	start, end [6]float64 // V⁰ and V⁺
	node       cliques.Node
}

// Pose implements constraints.Kinematics.
func (k *pairView) Pose(body int) r3.Pose {
	if body == k.body[1] {
		return k.X_W[1]
	}
	return k.X_W[0]
}

// Vertex implements constraints.Kinematics; the bodies have none.
func (k *pairView) Vertex(int, int32) r3.Vec { return r3.Vec{} }

// AtEnd implements constraints.Kinematics; constraints that ask are no pairs (jointView).
func (k *pairView) AtEnd() constraints.Kinematics { return nil }

// Lever implements constraints.Kinematics.
func (k *pairView) Lever(_ int, p_W r3.Vec) r3.Vec { return p_W }

// Rate implements constraints.Kinematics.
func (k *pairView) Rate(*cliques.Problem, int) float64 { return 0 }

// PointRow implements constraints.Kinematics.
func (k *pairView) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	if f.Body != k.body[1] {
		return
	}
	J := p.Block(k.node)[6*row : 6*row+6]
	moment := f.Pos_W.Sub(k.center_W).Cross(dir_W)
	for i := range 3 {
		J[i] += s * moment[i]
		J[3+i] += s * dir_W[i]
	}
}

// PointRows implements constraints.Kinematics.
func (k *pairView) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	at := *f
	at.Pos_W.IncScale(1, tangent_W)
	for row, point := range [3]*geometry.MaterialPoint{&at, &at, f} {
		k.PointRow(p, row, point, R_WC.Col(row), s)
	}
}

// AngularRow implements constraints.Kinematics.
func (k *pairView) AngularRow(p *cliques.Problem, row int, body int, dir_W r3.Vec, s float64) {
	if body != k.body[1] {
		return
	}
	J := p.Block(k.node)[6*row : 6*row+6]
	for i := range 3 {
		J[i] += s * dir_W[i]
	}
}

// DofRow and Dof implement constraints.Kinematics; terms of pairs have no joints.
func (k *pairView) DofRow(*cliques.Problem, int, int, float64) {}
func (k *pairView) Dof(int) (q, v float64)                     { return 0, 0 }

// SlipTolerances implements constraints.Kinematics; terms of pairs have no joints.
func (k *pairView) SlipTolerances() (stiction, sliding float64) {
	return constraints.SlipTolerances(nil)
}
