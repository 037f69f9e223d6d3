package geometry

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func randomVec(r *rand.Rand) r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

// freeMotion is the motion of a body whose centre of mass, at com from its origin, moves by
// move while it turns by turn.
func freeMotion(X0 r3.Pose, com, move, turn r3.Vec) RigidMotion {
	R := r3.RotExp(turn).Mul(X0.R)
	c1 := X0.P.Add(com).Add(move)
	// the velocity of the origin at the start, with the lever −com
	return RigidMotion{X0: X0, X1: r3.Pose{R: R, P: c1.Sub(r3.RotExp(turn).MulVec(com))}, Translation: move.Sub(turn.Cross(com)), Rotation: turn}
}

// The linear model at the mean lever gives the true displacement of a point of a free body,
// whatever its rotation and wherever the origin of its frame.
func TestMeanLeversAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		X0 := r3.Pose{R: r3.RotExp(randomVec(r)), P: randomVec(r)}
		turn := randomVec(r).Scale(4 * r.Float64())
		m := freeMotion(X0, randomVec(r), randomVec(r), turn)
		p := randomVec(r)
		want := m.X1.Point(m.X0.InvPoint(p)).Sub(p)
		got := m.linear(m.lever(p))
		// along the axis of rotation no lever can differ, and none has to
		if got.Sub(want).Norm() > 1e-12*(1+want.Norm()) {
			t.Fatalf("turn %v: the point moves by %v, the lever by %v", turn, want, got)
		}
	}
}

// Poses between the ends turn at a constant rate and meet both ends.
func TestMotionsMeetTheirEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		m := freeMotion(r3.Pose{R: r3.RotExp(randomVec(r)), P: randomVec(r)}, randomVec(r), randomVec(r), randomVec(r).Scale(3*r.Float64()))
		m.Rotation = m.Rotation.Scale(1 + 0.1*r.Float64()) // as of a link of a chain
		for _, c := range []struct {
			t    float64
			want r3.Pose
		}{{0, m.X0}, {1, m.X1}, {1e-9, m.X0}, {1 - 1e-9, m.X1}} {
			if d := m.At(c.t).R.Sub(c.want.R).Norm2(); d > 1e-15 || m.At(c.t).P.Sub(c.want.P).Norm() > 1e-7 {
				t.Errorf("at %g: %v, want %v", c.t, m.At(c.t), c.want)
			}
		}
	}
}

// At the time of impact shapes are between half and all of the gap asked for apart, at none
// of many poses before it are they closer, and without one at none at all.
func TestTimeOfImpactMatchesFineSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	shapes := []Shape{
		must(NewSphere(0.1)), must(NewBox(r3.Vec{0.3, 0.2, 0.05})), must(NewCapsule(0.05, 0.3)), must(NewCylinder(0.1, 0.2)),
		&Ellipsoid{r3.Vec{0.2, 0.1, 0.02}}, HalfSpace{}, must(NewMesh(must(NewBox(r3.Vec{0.3, 0.1, 0.2})).SurfaceMesh())),
	}
	hits := 0
	for range 60 {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes)-2)]
		data := NewData(&Model{NumRigid: 2, Geoms: []Geom{{Body: 0, Shape: a, X_BG: r3.PoseIdentity()}, {Body: 1, Shape: b, X_BG: r3.PoseIdentity()}}})
		away := randomVec(r).Unit()
		if isHalfSpace(a) {
			away = r3.Vec{0, 0, 1}
		}
		A := freeMotion(r3.PoseIdentity(), r3.Vec{}, randomVec(r).Scale(0.1), r3.Vec{})
		if !isHalfSpace(a) {
			A = freeMotion(r3.PoseIdentity(), r3.Vec{}, randomVec(r).Scale(0.1), randomVec(r))
		}
		B := freeMotion(r3.Pose{R: r3.RotExp(randomVec(r)), P: away.Scale(0.6)}, r3.Vec{}, away.Scale(-1.2).Add(randomVec(r).Scale(0.1)), randomVec(r))
		const near = 1e-3
		at, _, ok := data.TimeOfImpact(0, 0, 1, &A, &B, near)
		if !ok {
			at = 1
		} else {
			hits++
		}
		const steps = 500
		for i := range steps + 1 {
			u := at * float64(i) / steps
			X_A, X_B := A.At(u), B.At(u)
			phi, _, found := data.gap(0, 0, 1, &X_A, &X_B, 10, false)
			if found && phi < near/2-1e-12 && u > 0 {
				t.Errorf("%T %T: impact at %g (%v), but at %g the gap is %g m", a, b, at, ok, u, phi)
				break
			}
			if i == steps && ok && (!found || phi > near) {
				t.Errorf("%T %T: at the impact, %g, the gap is %g m", a, b, at, phi)
			}
		}
	}
	if hits < 20 {
		t.Errorf("only %d pairs meet", hits)
	}
}
