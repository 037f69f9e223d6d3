package geometry

import (
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Two pads of 20 mm that turn with the part between them by 0.2 rad, 0.3 m from the axis, move far in
// the world but not apart. Where a pad slips by a tenth of its thickness, a third of its edge by the
// measure of walls, they do, and where pads or part stay behind. The same is true without a part.
func TestBodiesThatTurnTogetherDoNotMoveApart(t *testing.T) {
	const edge = 0.02
	box := must(NewBox(r3.Vec{edge, edge, edge}))
	pad := box.SurfaceMesh()
	left, right := &meshes.Tri{Tris: pad.Tris}, &meshes.Tri{Tris: pad.Tris}
	left.Verts, right.Verts = moved(pad, shift(0.3, -edge, 0)), moved(pad, shift(0.3, edge, 0))
	at, rest, turn := shift(0.3, 0, 0), r3.PoseIdentity(), r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.2})}
	for name, test := range map[string]struct {
		part, left, right r3.Pose
		slip              float64 // of the left pad, m
		apart, alone      bool    // with the part, and the pads alone
	}{
		"together":      {turn, turn, turn, 0, false, false},
		"slip":          {turn, turn, turn, 0.1 * edge / 3, true, true},
		"part rests":    {rest, turn, turn, 0, true, false},
		"a pad rests":   {turn, rest, turn, 0, true, true},
		"nothing turns": {rest, rest, rest, 0, false, false},
	} {
		for _, held := range []bool{true, false} {
			var shape Shape
			want := test.alone
			if held {
				shape, want = box, test.apart
			}
			s := deformableData(shape, left, right)
			s.X_WB[0] = at
			// the bound of a prediction that includes no rotation
			s.PredictedTranslation, s.MotionBound = make([]r3.Vec, 3), []float64{0.06, 0.06, 0.06}
			s.Collide()
			if !s.DeformablesMoveFar() {
				t.Fatal("no pair moves far in the world")
			}
			end := [][]r3.Vec{moved(left, test.left), moved(right, test.right)}
			for i := range end[0] {
				end[0][i][2] += test.slip
			}
			if apart := s.DeformablesMoveApart([]RigidMotion{{X0: at, X1: test.part.Mul(at)}}, end); apart != want {
				t.Errorf("%s, with a part %v: apart is %v", name, held, apart)
			}
		}
	}
}
