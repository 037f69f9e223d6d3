package rigid

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// World is the parent number of links that a joint connects to the world.
const World = -1

// LinkSpec describes a link and the joint to its parent.
type LinkSpec struct {
	// Name is used in error messages and reports.
	Name string
	// Parent is an earlier link, or World.
	Parent int
	// Joint is the joint between frame F on the parent and frame M on the link.
	Joint Joint
	// X_PF is the pose of the joint frame F in the parent's frame P.
	X_PF r3.Pose
	// X_BM is the pose of the joint frame M in the link's frame B.
	X_BM r3.Pose
	// Mass in kg; 0 for links without inertia between joints.
	Mass float64
	// Com_B is the position of the centre of mass in the link's frame, m.
	Com_B r3.Vec
	// Inertia_B is the rotational inertia about the centre of mass, in the link's axes, kg m².
	Inertia_B r3.Mat
	// WeightCompensation is the share c of the link's weight that is carried: gravity acts on (1 − c) of its mass. 0:
	// all weight acts; 1: none does; beyond 1 it is driven up.
	WeightCompensation float64

	// The drivetrain acts along each velocity of the joint, implicitly in the step.
	// Damping is viscous, N s/m or N m s/rad.
	Damping float64
	// Stiffness is the stiffness of a spring on a joint with one degree of freedom, N/m or N
	// m/rad.
	Stiffness float64
	// Rest is the position at which the spring is slack, m or rad.
	Rest float64
	// RotorInertia is the reflected inertia (armature) of a motor behind a gear: the rotor's
	// inertia times the square of the gear ratio, kg or kg m².
	RotorInertia float64
}

// Tolerances of numbers that files round, of inertias relative to the largest principal
// moment.
const (
	symmetryTol = 1e-9 // a tensor written by its six numbers is symmetric exactly
	definiteTol = 1e-6 // negative principal moments of thin rods
	triangleTol = 1e-3 // plates, whose moments add up exactly, to three digits
	rotationTol = 1e-6 // joint frames
)

// check returns an error about the link's own parameters, or nil.
func (s *LinkSpec) check() error {
	if s.Joint == nil {
		return errors.New("it has no joint: give one, or Weld{}")
	}
	if err := s.Joint.Check(); err != nil {
		return err
	}
	if err := checkPose("X_PF", s.X_PF); err != nil {
		return err
	}
	if err := checkPose("X_BM", s.X_BM); err != nil {
		return err
	}
	if err := s.checkInertia(); err != nil {
		return err
	}
	if c := s.WeightCompensation; math.IsNaN(c) || math.IsInf(c, 0) {
		return fmt.Errorf("its weight compensation is %g: a finite share of its weight is required, 1 for all of it", c)
	}
	return s.checkDrivetrain()
}

func checkPose(name string, x r3.Pose) error {
	e := x.R.Mul(x.R.T()).Sub(r3.Identity()).Norm2()
	if !(e < rotationTol*rotationTol) || !(x.R.Det() > 0) || !x.P.IsFinite() {
		return fmt.Errorf("its joint frame %s is no pose: give a rotation and a finite position, r3.PoseIdentity() at least", name)
	}
	return nil
}

// checkDrivetrain checks damper, spring and rotor.
func (s *LinkSpec) checkDrivetrain() error {
	for _, x := range []struct {
		name  string
		value float64
	}{{"damping", s.Damping}, {"stiffness", s.Stiffness}, {"rotor inertia", s.RotorInertia}} {
		if !(x.value >= 0) || math.IsInf(x.value, 0) {
			return fmt.Errorf("the joint's %s is %g: it must be finite and not negative", x.name, x.value)
		}
	}
	if _, nv := s.Joint.Size(); s.Stiffness > 0 && nv != 1 {
		return errors.New("only joints with one velocity have a spring: leave out the stiffness")
	}
	if math.IsNaN(s.Rest) || math.IsInf(s.Rest, 0) {
		return fmt.Errorf("the joint's spring is slack at %g: a finite position is required", s.Rest)
	}
	return nil
}

// checkInertia returns an error unless a body with this mass and inertia can exist.
func (s *LinkSpec) checkInertia() error {
	if !(s.Mass >= 0) || math.IsInf(s.Mass, 0) {
		return fmt.Errorf("its mass is %g kg: it must be finite and not negative", s.Mass)
	}
	i := s.Inertia_B
	if n := i.Norm2(); !s.Com_B.IsFinite() || math.IsNaN(n) || math.IsInf(n, 0) {
		return errors.New("its centre of mass and inertia must be finite")
	}
	// symmetric
	scale := math.Abs(i[0]) + math.Abs(i[4]) + math.Abs(i[8])
	for _, k := range [][2]int{{1, 3}, {2, 6}, {5, 7}} {
		if math.Abs(i[k[0]]-i[k[1]]) > symmetryTol*scale {
			return errors.New("its inertia is not symmetric: give the same product of inertia on both sides of the diagonal")
		}
	}
	if i.Norm2() == 0 {
		return nil // a point mass
	}
	if s.Mass == 0 {
		return errors.New("it has inertia but no mass: give a mass")
	}
	// positive principal moments that keep the triangle inequality
	_, w := r3.SymEigen(i)
	p := w[:]
	slices.Sort(p)
	switch {
	case p[0] < -definiteTol*p[2] || p[2] <= 0:
		return fmt.Errorf("its inertia is not positive definite (principal moments %.4g, %.4g, %.4g kg m²): check signs and units", p[0], p[1], p[2])
	case p[0]+p[1] < p[2]*(1-triangleTol):
		return fmt.Errorf("its principal moments %.4g, %.4g, %.4g kg m² cannot belong to a body: the two smaller must add up to the largest at least", p[0], p[1], p[2])
	}
	return nil
}
