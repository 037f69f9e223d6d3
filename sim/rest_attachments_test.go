package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A bar is clamped at one end; a hub on a hinge, without stiffness of its own, holds the other and is turned by a
// moment M. The hub turns by
//
//	θ = M L/(4 EI),
//
// as the end of a beam that is clamped and pinned does, whatever its inertia and the modulus of the bar, in some
// pseudo-steps: what holds a deformable is stiff compared with it at any length of these. Source: Timoshenko, Strength
// of Materials, for the beam.
func TestFreeHubsTurnBarsAsBeams(t *testing.T) {
	for _, E := range []float64{1e5, 1e8, 2e11} {
		for _, inertia := range []float64{1e-6, 1e-2} {
			w := newScaffold(t)
			w.Gravity = r3.Vec{}
			size := r3.Vec{0.4, 0.012, 0.01}
			mesh := meshOf(must(meshes.BoxTets(size, [3]int{24, 1, 1})), fem.Hex12)
			end := func(sign float64) []int32 {
				b := r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, 1}}
				if sign < 0 {
					b.Max[0] = -0.4999 * size[0]
				} else {
					b.Min[0] = 0.4999 * size[0]
				}
				return VertsWithin(mesh, b)
			}
			w.AddBody("hub", BodySpec{Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{inertia, 0, 0, 0, inertia, 0, 0, 0, inertia}, Pose: at(size[0]/2, 0, 0), Joint: &JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}}})
			w.AddDeformable("bar", DeformableSpec{
				Mesh: mesh, Law: must(fem.NewCorotational(E, 0)), Elements: fem.Hex12,
				Attach: []AttachSpec{{Verts: end(-1)}, {Body: "hub", Verts: end(1)}},
			})
			EI := E * size[2] * math.Pow(size[1], 3) / 12
			M := 0.004 * 4 * EI / size[0]
			w.AddDrive("moment", &JointDrive{Joint: "hub", FeedForward: motion.Constant(M)})
			s, x := w.build()
			rest(t, s, x, 1)
			near(t, "turn", jointAngle(s, x, "hub"), 0.004, 0.004*0.02)
			if n := s.Report.PseudoSteps; n > 15 {
				t.Errorf("E = %g Pa, inertia %g kg m²: %d pseudo-steps", E, inertia, n)
			}
		}
	}
}

// jointAngle returns the position of a joint.
func jointAngle(s *Stepper, x *State, joint string) float64 {
	return JointPosition{Dof: s.Model.Joint(joint)}.Value(s, x)
}
