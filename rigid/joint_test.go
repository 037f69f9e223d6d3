package rigid

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// The twist that Subspace_FM gives is that of differenced poses; so the power of
// any force on M is that of its efforts along the velocities.
func TestSubspaceIsTheDifferencedPose(t *testing.T) {
	const h = 1e-5
	r := newRand(1)
	for i := range 100 {
		j := randJoint(r, floating)
		if err := j.Check(); err != nil {
			t.Fatal(err)
		}
		nq, nv := j.Size()
		q, v := make([]float64, nq), make([]float64, nv)
		j.Zero(q)
		if X := j.Pose_FM(q); X != r3.PoseIdentity() {
			t.Fatalf("%T is not at home at zero: %v", j, X)
		}
		for k := range v {
			v[k] = r.NormFloat64()
		}
		j.Advance(0.7, q, v)
		for k := range v {
			v[k] = r.NormFloat64()
		}
		force := spatial{randVec(r), randVec(r)}
		power := 0.0
		var twist spatial
		for k := range v {
			w, u := j.Subspace_FM(q, k)
			twist = twist.addScaled(v[k], spatial{w, u})
			power += v[k] * force.dot(spatial{w, u})
		}
		pose := func(h float64) r3.Pose {
			x := append([]float64(nil), q...)
			j.Advance(h, x, v)
			return j.Pose_FM(x)
		}
		X1, X0 := pose(h), pose(-h)
		want := spatial{X1.R.Mul(X0.R.T()).Quat().Log(), X1.P.Sub(X0.P)}.scale(0.5 / h)
		if e := twist.sub(want); largest(e.w[:]...)+largest(e.v[:]...) > 1e-9 {
			t.Fatalf("sample %d: %T moves with %v, by differences %v", i, j, twist, want)
		}
		if math.Abs(power-force.dot(want)) > 1e-8 {
			t.Fatalf("sample %d: %T: power %g at the joint, %g at M", i, j, power, force.dot(want))
		}
	}
}

func TestScrewAdvancesItsPitchATurn(t *testing.T) {
	j := Screw{Axis: r3.Vec{0, 0.6, 0.8}, Pitch: 0.004}
	for _, turns := range []float64{1, -3, 250} {
		X := j.Pose_FM([]float64{2 * math.Pi * turns})
		if e := X.P.Sub(j.Axis.Scale(0.004 * turns)).Norm(); e > 1e-12 {
			t.Errorf("%g turns: off by %g m", turns, e)
		}
		if e := X.R.Sub(r3.Identity()).Norm2(); e > 1e-24 {
			t.Errorf("%g turns: turned by %g", turns, math.Sqrt(e))
		}
	}
}

// Exp(h ω) turns by h |ω| exactly and stays a rotation for ever.
func TestAMillionUpdatesKeepTheRotation(t *testing.T) {
	q, v := make([]float64, 7), []float64{3, -2, 7, 1e-3, 0, 0}
	Floating{}.Zero(q)
	const n, h = 1_000_000, 1e-3
	for range n {
		Floating{}.Advance(h, q, v)
	}
	if e := math.Sqrt(q[0]*q[0]+q[1]*q[1]+q[2]*q[2]+q[3]*q[3]) - 1; math.Abs(e) > 1e-15 {
		t.Errorf("|q| − 1 = %g", e)
	}
	want := r3.RotExp(r3.Vec(v[:3]).Scale(n * h))
	if e := (Floating{}).Pose_FM(q).R.Sub(want).Norm2(); e > 1e-18 {
		t.Errorf("the rotation is off by %g", math.Sqrt(e))
	}
	if math.Abs(q[4]-1) > 1e-9 {
		t.Errorf("x = %g, want 1", q[4])
	}
}

// A prescribed joint's velocity over a step leads from where it is to where it
// will be, also beyond half a turn.
func TestPrescribedVelocityLeadsToTheNextPose(t *testing.T) {
	spin, err := motion.NewPiecewise([]float64{0, 1}, []float64{0, 5}, false)
	if err != nil {
		t.Fatal(err)
	}
	j := Prescribed{Translation: [3]motion.Motion{nil, motion.Sine{Amplitude: 1, Frequency: 1}, motion.Constant(2)}, Axis: r3.Vec{0, 0, 3}, Angle: spin}
	X0, X1 := j.PoseAt(0), j.PoseAt(0.9)
	V := j.velocity(0, 0.9)
	if e := V.v.Scale(0.9).Add(X0.P).Sub(X1.P).Norm(); e > 1e-15 {
		t.Errorf("arrives %g m off", e)
	}
	if e := r3.RotExp(V.w.Scale(0.9)).Mul(X0.R).Sub(X1.R).Norm2(); e > 1e-28 || math.Abs(V.w[2]-5) > 1e-14 {
		t.Errorf("turns with %v", V.w)
	}
}

func TestJointsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		joint Joint
		want  string
	}{
		{Revolute{}, "length 0"},
		{Prismatic{Axis: r3.Vec{0, 0, 2}}, "length 2"},
		{Revolute{Axis: r3.Vec{math.NaN(), 0, 0}}, "unit vector"},
		{Screw{Axis: r3.Vec{1, 0, 0}, Pitch: math.Inf(1)}, "pitch"},
		{Prescribed{Angle: motion.Constant(1)}, "no axis"},
		{Prescribed{Translation: [3]motion.Motion{nil, motion.Sine{Phase: math.NaN()}}}, "phase is NaN"},
		{Prescribed{Angle: motion.Constant(1), Axis: r3.Vec{math.NaN()}}, "no axis"},
	} {
		if err := c.joint.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: error %v, want %q", c.joint, err, c.want)
		}
	}
}
