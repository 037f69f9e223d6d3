package rigid

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Gimbal is the gimbal joint: rotations about three axes in sequence, each axis carried by the
// rotations before it,
//
//	R_FM = Exp(q₁ a₁) Exp(q₂ a₂) Exp(q₃ a₃)                                 (1)
//	ω = a₁ v₁ + Exp(q₁ a₁) a₂ v₂ + Exp(q₁ a₁) Exp(q₂ a₂) a₃ v₃              (2)
//
// q is the three Euler angles, rad, and v their rates, so that constraints may
// act on single angles. Where the second turn brings the three axes into one plane (q₂ = ±π/2 of
// axes at right angles, q₂ = 0 of a₁ = a₃) the joint has lost a direction and the mass
// matrix is singular, called gimbal lock: a Ball has no such configuration. Neighbouring axes that are not at right
// angles do not reach all rotations; the lock is then the boundary of those.
// Source: Seth et al., "Minimal formulation of joint motion for biomechanisms",
// Nonlinear Dynamics 2010 (Simbody's Gimbal).
type Gimbal struct {
	// Axes are a₁ in F, a₂ and a₃ as they lie in F at q = 0; unit, neighbours not
	// parallel. All zero: x, y, z, body-fixed Euler angles. (z, y, x) has q = (yaw, pitch,
	// roll) of extrinsic x-y-z angles.
	Axes [3]r3.Vec
}

var _ BiasedJoint = Gimbal{}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name: "gimbal",
	Doc:  "Turns about three axes, each carried by those before it: its positions are Euler angles.",
	About: "Axes z, y, x make the positions yaw, pitch and roll. The body moves as on a ball joint. Where the second angle brings the three axes into one plane " +
		"(±90° of axes at right angles) a direction of rotation is lost: motion passes near that, but a step that begins or ends there fails, unless dampers make the rates. " +
		"Axes that are not at right angles do not reach all rotations, and a step that would leave those fails: use a ball joint for bodies that may get there.",
	New: func() JointSpec {
		return &GimbalSpec{Axis: r3.Vec{1, 0, 0}, Axis2: r3.Vec{0, 1, 0}, Axis3: r3.Vec{0, 0, 1}}
	},
	Samples: func() []JointSpec {
		return []JointSpec{
			&GimbalSpec{r3.Vec{0, 0, 1}, r3.Vec{0, 1, 0}, r3.Vec{1, 0, 0}},
			&GimbalSpec{r3.Vec{0, 0, 1}, r3.Vec{2, 0, 0}, r3.Vec{0.3, 1, 0}},
		}
	},
})

// GimbalSpec are the parameters of a gimbal.
type GimbalSpec struct {
	// Axis is the first axis in the joint's frame F on the parent, of any length.
	Axis r3.Vec `key:"axis,required" doc:"first axis in the joint's frame, fixed to the parent, of any length"`
	// Axis2 is the second axis in F, as it lies at position 0.
	Axis2 r3.Vec `key:"axis2" doc:"second axis, as it lies at position 0; it turns with the first angle"`
	// Axis3 is the third axis in F, as it lies at position 0.
	Axis3 r3.Vec `key:"axis3" doc:"third axis, as it lies at position 0; it turns with the first two angles"`
}

// Make implements JointSpec.
func (s *GimbalSpec) Make() (Joint, error) {
	var j Gimbal
	var errs [3]error
	for i, a := range [3]r3.Vec{s.Axis, s.Axis2, s.Axis3} {
		j.Axes[i], errs[i] = direction([3]string{"axis", "axis2", "axis3"}[i], a)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return j, j.Check()
}

func (j Gimbal) axes() [3]r3.Vec {
	if j.Axes == ([3]r3.Vec{}) {
		return [3]r3.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	return j.Axes
}

// Size implements Joint.
func (Gimbal) Size() (nq, nv int) { return 3, 3 }

// Check implements Joint.
func (j Gimbal) Check() error {
	a := j.axes()
	return errors.Join(checkAxis(a[0]), checkAxis(a[1]), checkAxis(a[2]), checkNotParallel(a[0], a[1]), checkNotParallel(a[1], a[2]))
}

// Zero implements Joint.
func (Gimbal) Zero(q []float64) { clear(q) }

// Pose_FM implements Joint.
func (j Gimbal) Pose_FM(q []float64) r3.Pose {
	a := j.axes()
	return r3.Pose{R: nestedTurns(a[:], q)}
}

// Subspace_FM implements Joint.
func (j Gimbal) Subspace_FM(q []float64, k int) (w, v r3.Vec) {
	a := j.axes()
	return nestedAxis(a[:], q, k), r3.Vec{}
}

// AccelerationBias_FM implements BiasedJoint.
func (j Gimbal) AccelerationBias_FM(q, v []float64) (alpha, a r3.Vec) {
	axes := j.axes()
	return nestedBias(axes[:], q, v), r3.Vec{}
}

// Advance implements Joint.
func (Gimbal) Advance(h float64, q, v []float64) { advanceCoordinates(h, q, v) }

// The step of a gimbal, (1) of joint_stepped.go. R⁺ = Exp(h ω) R(q), the new angles are those of R⁺ next to q + h v,
// and with the axes b_k of nested.go, H = (b₁, b₂, b₃), and K = ∂(H v)/∂q at fixed v, the changes are
//
//	δω = H δv + K δq,   H⁺ δq⁺ = Exp(h ω) H δq + h J(h ω) δω,   H⁺ δv⁺ = δω − K⁺ δq⁺   (3)
//
// with J the left Jacobian of Exp, floating_body.go. Fast turns are followed in pieces, so that the angles count
// revolutions. In the lock itself, at rates that dampers make, the step is one along the angles, where that changes ω
// little.

const (
	leastGimbal  = 1e-6 // |det H| below which rates have lost the digits of ω: all but five
	lockedChange = 1e-3 // of ω relative to ω, to which a step along the angles is as right in a lock
	gimbalPiece  = 0.5  // rad
	gimbalPieces = 256
)

var _ SteppedJoint = Gimbal{}

// Step implements SteppedJoint.
func (j Gimbal) Step(h float64, q, v []float64) error {
	axes := j.axes()
	H := nestedSubspace(&axes, q)
	w := H.MulVec(r3.Vec(v[:3]))
	if w == (r3.Vec{}) && regular(&H) {
		clear(v[:3]) // rates that turn nothing
		return nil
	}
	angles, rates := r3.Vec(q[:3]), r3.Vec(v[:3])
	R := nestedTurns(axes[:], q)
	n := max(1, min(gimbalPieces, int(math.Ceil(math.Abs(h)*w.Norm()/gimbalPiece))))
	s := h / float64(n)
	reached := regular(&H)
	for k := 1; k <= n && reached; k++ {
		// angles cannot turn farther in a piece, but where they pass a lock
		most := math.Pi + math.Abs(s)*w.Norm()
		for i, x := range rates {
			angles[i] += max(-most, min(most, s*x))
		}
		turned := r3.RotExp(w.Scale(s * float64(k))).Mul(R)
		angles, reached = nestedAngles(&axes, &turned, angles)
		H = nestedSubspace(&axes, angles[:])
		switch inv, _ := H.Inv(); {
		case regular(&H):
			rates = inv.MulVec(w)
		case k == n:
			reached = false
		} // a lock at the end of another piece is passed
	}
	if reached {
		copy(q, angles[:])
		copy(v, rates[:])
		return nil
	}
	// in the lock
	advanceCoordinates(h, q, v)
	H = nestedSubspace(&axes, q)
	if change := H.MulVec(r3.Vec(v[:3])).Sub(w).Norm(); !(change <= lockedChange*w.Norm()) {
		return j.locked(q)
	}
	return nil
}

// CheckRegular implements SteppedJoint.
func (j Gimbal) CheckRegular(q []float64) error {
	axes := j.axes()
	if H := nestedSubspace(&axes, q); regular(&H) {
		return nil
	}
	return j.locked(q)
}

// Transfer implements SteppedJoint.
func (j Gimbal) Transfer(q, to, v []float64) error {
	axes := j.axes()
	from, H := nestedSubspace(&axes, q), nestedSubspace(&axes, to)
	if !regular(&H) {
		return j.locked(to)
	}
	inv, _ := H.Inv()
	rates := inv.MulVec(from.MulVec(r3.Vec(v[:3])))
	copy(v, rates[:])
	return nil
}

// locked returns the error of a gimbal lock at positions q.
func (j Gimbal) locked(q []float64) error {
	remedy := "use a ball joint, or axes that lie otherwise"
	if a := j.axes(); !(math.Abs(a[0].Dot(a[1]))+math.Abs(a[1].Dot(a[2])) <= unitTol) {
		remedy = "its axes are not at right angles and do not reach all rotations: set the second at right angles to the others, or use a ball joint"
	}
	return fmt.Errorf("the second angle of the gimbal, %.6g rad, brings its three axes into one plane (gimbal lock), where rates of angles do not describe rotations: %s", q[1], remedy)
}

// regular reports whether the motion subspace of three axes is regular to working precision.
func regular(H *r3.Mat) bool { return math.Abs(H.Det()) >= leastGimbal }

// StepTangent implements SteppedJoint.
func (j Gimbal) StepTangent(h float64, q, v, dst []float64) {
	axes := j.axes()
	end, next := [3]float64(q[:3]), [3]float64(v[:3])
	_ = j.Step(h, end[:], next[:])
	H0, H1 := nestedSubspace(&axes, q), nestedSubspace(&axes, end[:])
	K0, K1 := nestedChange(&H0, v), nestedChange(&H1, next[:])
	theta := H0.MulVec(r3.Vec(v[:3])).Scale(h)
	var D [2][2]r3.Mat
	if regular(&H0) && regular(&H1) {
		inv, _ := H1.Inv()
		E, J := r3.RotExp(theta), leftJacobian(theta).Scale(h)
		D[0][0] = inv.Mul(E.Mul(H0).Add(J.Mul(K0)))
		D[0][1] = inv.Mul(J.Mul(H0))
		D[1][0] = inv.Mul(K0.Sub(K1.Mul(D[0][0])))
		D[1][1] = inv.Mul(H0.Sub(K1.Mul(D[0][1])))
	} else { // in the lock
		one := r3.Identity()
		D = [2][2]r3.Mat{{one, one.Scale(h)}, {r3.Mat{}, one}}
	}
	for i := range 6 {
		for k := range 6 {
			dst[6*i+k] = D[i/3][k/3][3*(i%3)+k%3]
		}
	}
}
