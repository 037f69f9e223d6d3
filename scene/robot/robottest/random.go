package robottest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Features are what a format can say besides trees of links with inertias, boxes,
// spheres, cylinders, capsules and ellipsoids, limits, efforts, damping, friction,
// rotors and mimics.
// Formats are tested by writing and reading: a writer of few lines in the tests of each format makes a
// file of a random robot, and what is read must be that robot again. The writer says only what the
// format can say, which Features list.
type Features struct {
	Types      []robot.JointType // of joints
	Springs    bool              // Stiffness and RestPosition
	Velocities bool              // VelocityLimit
	Properties bool              // all of ContactMaterial; else friction alone, static as dynamic
	Pairs      bool              // ExcludedPairs
}

// Random returns a robot with these features. Links and joints are in depth-first order,
// the order in which formats that nest write them: joint i moves link i+1. Children get fewer with
// depth, and links are twelve at most, so that files of failures can be read.
func Random(rng *rand.Rand, f Features) *robot.Robot {
	m := &robot.Robot{Name: "random", X_FR: r3.PoseIdentity()}
	var grow func(parent, depth int)
	grow = func(parent, depth int) {
		i := len(m.Links)
		m.Links = append(m.Links, randomLink(rng, f, fmt.Sprintf("l%d", i)))
		// the root has no joint: it stands at the origin
		if i > 0 {
			m.Joints = append(m.Joints, randomJoint(rng, f, m, parent, i))
		}
		for range rng.IntN(4 - min(3, depth)) {
			if len(m.Links) < 12 {
				grow(i, depth+1)
			}
		}
	}
	grow(-1, 0)
	// after all joints are there, which they refer to
	randomMimics(rng, m)
	for i := range m.Links {
		// the lower link first, as pairs are listed
		for j := range i {
			// one pair in five: enough to sort, few enough to read
			if f.Pairs && rng.IntN(5) == 0 {
				m.ExcludedPairs = append(m.ExcludedPairs, [2]int{j, i})
			}
		}
	}
	// as readers return them
	slices.SortFunc(m.ExcludedPairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return m
}

// between returns a number of three digits between bounds, so that the files of failures can be read
// by people.
func between(rng *rand.Rand, lower, upper float64) float64 {
	return math.Round(1000*(lower+(upper-lower)*rng.Float64())) / 1000
}

// randomVec has three coordinates of up to size.
func randomVec(rng *rand.Rand, size float64) r3.Vec {
	return r3.Vec{between(rng, -size, size), between(rng, -size, size), between(rng, -size, size)}
}

// randomPose keeps pitch away from ±π/2, where roll and yaw are not unique.
func randomPose(rng *rand.Rand) r3.Pose {
	return r3.Pose{R: r3.RotRPY(between(rng, -3, 3), between(rng, -1.5, 1.5), between(rng, -3, 3)), P: randomVec(rng, 1)}
}

// randomLink returns a link with a positive definite inertia and up to two shapes each
// to see and to touch.
// Shapes to see and to touch are drawn apart, since formats keep them in lists of their own.
func randomLink(rng *rand.Rand, f Features, name string) robot.Link {
	// principal axes of any direction; moments between 1 and 2 keep the triangle inequality
	R := randomPose(rng).R
	l := robot.Link{Name: name, Inertial: &robot.Inertial{
		Mass: between(rng, 0.1, 5), Com: randomVec(rng, 0.1),
		Inertia: R.Mul(r3.Diag(r3.Vec{between(rng, 1, 2), between(rng, 1, 2), between(rng, 1, 2)})).Mul(R.T()),
	}}
	for range rng.IntN(3) {
		g := randomShape(rng)
		// fifths are whole numbers of 255, so that they survive two digits
		g.Color = robot.HexColor([3]float64{float64(rng.IntN(6)) / 5, float64(rng.IntN(6)) / 5, float64(rng.IntN(6)) / 5})
		l.Visuals = append(l.Visuals, g)
	}
	for range rng.IntN(3) {
		g := randomShape(rng)
		// formats with one coefficient cannot distinguish static from dynamic friction
		if s := &g.Material; !f.Properties {
			s.Friction = new(between(rng, 0, 1))
			s.StaticFriction = s.Friction
		} else {
			for _, x := range s.Properties() {
				// each property may be missing by itself
				if rng.IntN(2) == 0 {
					*x = new(between(rng, 0.1, 9))
				}
			}
		}
		// materials belong to shapes that touch; colours to those that are seen
		l.Collisions = append(l.Collisions, g)
	}
	return l
}

// randomShape returns a primitive of any kind at any pose: meshes need files of their own.
func randomShape(rng *rand.Rand) robot.Geometry {
	g := robot.Geometry{X_LG: randomPose(rng)}
	size := r3.Vec{between(rng, 0.1, 1), between(rng, 0.1, 1), between(rng, 0.1, 1)}
	// cylinder and capsule share radius and length
	round := &robot.Round{Radius: size[0], Length: size[1]}
	// each as often as the others
	switch rng.IntN(5) {
	case 0:
		g.Box = &size
	case 1:
		g.Sphere = size[0]
	case 2:
		g.Cylinder = round
	case 3:
		g.Capsule = round
	case 4:
		g.Ellipsoid = &size
	}
	return g
}

// randomJoint returns a joint from a parent to a child. Fixed ones are called
// PARENT_CHILD, as the reader of MJCF calls them. Axes are never zero and not along a coordinate;
// limits lie on both sides of zero, where the robot starts.
// What a type does not have stays at the values of package robot for not given.
func randomJoint(rng *rand.Rand, f Features, m *robot.Robot, parent, child int) robot.Joint {
	inf := math.Inf(1)
	j := robot.Joint{
		Name: fmt.Sprintf("j%d", child), Type: f.Types[rng.IntN(len(f.Types))], Parent: parent, Child: child,
		X_PF: randomPose(rng), X_CM: r3.PoseIdentity(), Axis: r3.Vec{1, 0, 0}, Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf,
	}
	// formats without joints for fixed links make the name up
	if j.Type == robot.Fixed {
		j.Name = m.Links[parent].Name + "_" + m.Links[child].Name
	}
	// fixed, floating and ball joints have no axis, limits or efforts
	if !j.Type.OneDOF() {
		return j
	}
	j.Axis = randomVec(rng, 1).Add(r3.Vec{0, 0, 2}).Unit()
	if j.Type != robot.Continuous {
		j.Lower, j.Upper = between(rng, -2, 0)-1e-3, between(rng, 0, 2)+1e-3
	}
	if j.EffortLimit = between(rng, 1, 9); f.Velocities {
		j.VelocityLimit = between(rng, 1, 9)
	}
	j.Damping, j.Friction, j.RotorInertia = between(rng, 0, 1), between(rng, 0, 1), between(rng, 0, 1)
	// most formats have no springs in joints
	if f.Springs {
		j.Stiffness, j.RestPosition = between(rng, 0, 9), between(rng, -1, 1)
	}
	// advance per turn, m; only screws have one
	if j.Type == robot.Screw {
		j.Pitch = between(rng, 0.001, 0.1)
	}
	return j
}

// randomMimics lets some joints follow others of lower number, which excludes cycles.
// A leader may itself follow: readers have to resolve such chains.
// About a quarter of the joints follow, but none whose limits would leave its leader no motion.
func randomMimics(rng *rand.Rand, m *robot.Robot) {
	for i := range m.Joints {
		if i == 0 || rng.IntN(4) > 0 {
			continue
		}
		// a lower joint leads: no cycle can arise
		if k := rng.IntN(i); m.Joints[i].Type.OneDOF() && m.Joints[k].Type.OneDOF() {
			m.Joints[i].Mimic = &robot.Mimic{Joint: k, Multiplier: between(rng, -2, 2), Offset: between(rng, -1, 1)}
		}
		tried, r := robot.Robot{Joints: slices.Clone(m.Joints)}, robot.Reader{}
		if r.MendMimicLimits(&tried); len(r.Warnings) > 0 {
			m.Joints[i].Mimic = nil
		}
	}
}

// RPY returns roll, pitch and yaw of a rotation, rad. Writers of the tests need it; readers have
// their own code, which it checks.
func RPY(R r3.Mat) r3.Vec {
	// R = Rz(yaw) Ry(pitch) Rx(roll); its last row is (−sin p, cos p sin r, cos p cos r)
	return r3.Vec{math.Atan2(R[7], R[8]), math.Atan2(-R[6], math.Hypot(R[0], R[3])), math.Atan2(R[3], R[0])}
}

// Numbers writes numbers such that reading them gives the same bits, with a space between, as all
// XML formats of robots have them.
func Numbers(x ...float64) string {
	s := ""
	// no space at either end: attributes are compared as texts in some tests
	for i, v := range x {
		if i > 0 {
			s += " "
		}
		// 17 digits name a float64 uniquely
		s += fmt.Sprintf("%.17g", v)
	}
	return s
}

// Rewritten reads what a format's writer makes of random robots and reports where the
// robot that is read differs from the one that was written.
// The seed is new in each run: over time many robots are read, and a failure names its own.
func Rewritten(t interface {
	Helper()
	Fatalf(string, ...any)
}, f Features, parse func(text string) (*robot.Robot, []robot.Warning, error), write func(*robot.Robot) string) {
	t.Helper()
	// a new seed in each run, which failures print
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	// some hundred joints, of every type
	for range 60 {
		want := Random(rng, f)
		text := write(want)
		got, warnings, err := parse(text)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("seed %d: %v, %v in\n%s", seed, err, warnings, text)
		}
		// rotations pass through angles or quaternions, which round
		if d := Differences(*got, *want, 1e-13); len(d) > 0 {
			t.Fatalf("seed %d: %q in\n%s", seed, d, text)
		}
	}
}
