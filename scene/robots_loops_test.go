package scene

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// sdfLink is a link with a box's inertia at p, its centre of mass at com.
func sdfLink(name string, p, com r3.Vec) string {
	return fmt.Sprintf("<link name='%s'><pose>%g %g %g 0 0 0</pose><inertial><pose>%g %g %g 0 0 0</pose><mass>1</mass><inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>\n",
		name, p[0], p[1], p[2], com[0], com[1], com[2])
}

// sdfJoint is a joint about y, or a ball, at p in the frame of the child.
func sdfJoint(name, kind, parent, child string, p r3.Vec) string {
	axis := "<axis><xyz>0 1 0</xyz></axis>"
	if kind == "ball" {
		axis = ""
	}
	return fmt.Sprintf("<joint name='%s' type='%s'><pose>%g %g %g 0 0 0</pose><parent>%s</parent><child>%s</child>%s</joint>\n", name, kind, p[0], p[1], p[2], parent, child, axis)
}

// A four-bar linkage of an SDFormat file, four hinges of which the last closes the loop, falls from
// where the file has it. At each crank angle the rocker is where two circles meet: about the crank's
// tip A with the coupler's length, about the rocker's pivot D with its own.
func TestFourBarLinkageMovesAsCirclesMeet(t *testing.T) {
	A0, B0, D := [2]float64{0, 0.3}, [2]float64{1.1, 0.7}, [2]float64{1, 0} // x, z
	text := "<sdf version='1.9'><model name='m'>\n" +
		sdfLink("crank", r3.Vec{}, r3.Vec{0, 0, 0.15}) + sdfLink("coupler", r3.Vec{A0[0], 0, A0[1]}, r3.Vec{0.55, 0, 0.2}) + sdfLink("rocker", r3.Vec{D[0], 0, D[1]}, r3.Vec{0.05, 0, 0.35}) +
		sdfJoint("a", "revolute", "world", "crank", r3.Vec{}) + sdfJoint("b", "revolute", "crank", "coupler", r3.Vec{}) +
		sdfJoint("d", "revolute", "world", "rocker", r3.Vec{}) + sdfJoint("c", "revolute", "coupler", "rocker", r3.Vec{B0[0] - D[0], 0, B0[1] - D[1]}) + "</model></sdf>"
	sc := mustLoad(t, folder(t, map[string]string{"bars.sdf": text}), "time: {step: 0.001, duration: 1}\nrobots: {r: {file: bars.sdf}}\n")
	if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, `bars.sdf:8: joint "c" closes a loop`) {
		t.Errorf("warnings %q", sc.Warnings)
	}
	fallAsCirclesMeet(t, sc, A0, B0, D)
}

// The same linkage of a URDF file, whose loop Drake's ball constraint closes: in the plane of the
// hinges a ball is a hinge.
func TestFourBarLinkageOfURDFMovesAsCirclesMeet(t *testing.T) {
	A0, B0, D := [2]float64{0, 0.3}, [2]float64{1.1, 0.7}, [2]float64{1, 0} // x, z
	link := func(name string, com r3.Vec) string {
		return fmt.Sprintf("<link name='%s'><inertial><origin xyz='%g %g %g'/><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>\n", name, com[0], com[1], com[2])
	}
	hinge := func(name, parent, child string, p [2]float64) string {
		return fmt.Sprintf("<joint name='%s' type='continuous'><parent link='%s'/><child link='%s'/><origin xyz='%g 0 %g'/><axis xyz='0 1 0'/></joint>\n", name, parent, child, p[0], p[1])
	}
	const tag = "drake:ball_constraint"
	text := "<robot name='m'>\n<link name='base'/>" + link("crank", r3.Vec{0, 0, 0.15}) + link("coupler", r3.Vec{0.55, 0, 0.2}) + link("rocker", r3.Vec{0.05, 0, 0.35}) +
		hinge("a", "base", "crank", [2]float64{}) + hinge("b", "crank", "coupler", A0) + hinge("d", "base", "rocker", D) +
		fmt.Sprintf("<%[1]s><%[1]s_body_A name='coupler'/><%[1]s_body_B name='rocker'/><%[1]s_p_AP value='%[2]g 0 %[3]g'/><%[1]s_p_BQ value='%[4]g 0 %[5]g'/></%[1]s></robot>",
			tag, B0[0]-A0[0], B0[1]-A0[1], B0[0]-D[0], B0[1]-D[1])
	sc := mustLoad(t, folder(t, map[string]string{"bars.urdf": text}), "time: {step: 0.001, duration: 1}\nrobots: {r: {file: bars.urdf}}\n")
	if len(sc.Warnings) > 0 {
		t.Errorf("warnings %q", sc.Warnings)
	}
	fallAsCirclesMeet(t, sc, A0, B0, D)
}

// fallAsCirclesMeet steps a four-bar linkage with the joints r.a of its crank and r.d of its rocker,
// which begins with the crank's tip at A0 and the rocker's at B0 and has the rocker's pivot at D.
func fallAsCirclesMeet(t *testing.T, sc *Scene, A0, B0, D [2]float64) {
	t.Helper()
	b2, c2 := square(B0, A0), square(B0, D)
	crank, rocker := sc.Model.Joint("r.a"), sc.Model.Joint("r.d")
	phi0 := math.Atan2(B0[0]-D[0], B0[1]-D[1]) // from z towards x, as a positive turn about y goes
	q, _ := path(t, sc, 1500)
	turned, worst := 0.0, 0.0
	for i := range q {
		sin, cos := math.Sincos(q[i][crank])
		A := [2]float64{A0[1] * sin, A0[1] * cos}
		// B on the line of equal powers, right of A → D
		e := [2]float64{D[0] - A[0], D[1] - A[1]}
		l2 := e[0]*e[0] + e[1]*e[1]
		along := (b2 - c2 + l2) / (2 * l2)
		across := math.Sqrt(b2/l2 - along*along)
		B := [2]float64{A[0] + along*e[0] - across*e[1], A[1] + along*e[1] + across*e[0]}
		phi := math.Atan2(B[0]-D[0], B[1]-D[1]) - phi0
		worst = max(worst, math.Abs(phi-q[i][rocker]))
		turned = max(turned, math.Abs(q[i][crank]))
	}
	t.Logf("the crank turns by %.3g rad, the rocker is off by %.2g rad at most", turned, worst)
	if worst > 1e-4 || turned < 2 {
		t.Errorf("the crank turns by %.3g rad, the rocker is off by %.2g rad", turned, worst)
	}
}

// square is the square of a distance.
func square(p, q [2]float64) float64 { return (p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) }

// A ball in the tree with a hinge that closes a loop at the same point is a hinge: under a weight that
// pulls across its axis, too, the link moves as with the hinge alone. With the ball alone it leaves
// the plane.
func TestHingeThatClosesALoopKeepsItsAxis(t *testing.T) {
	link := sdfLink("l", r3.Vec{0, 0, 1}, r3.Vec{0.3, 0, -0.1})
	run := func(joints string) []float64 {
		text := "<sdf version='1.9'><model name='m'>\n" + link + joints + "</model></sdf>"
		sc := mustLoad(t, folder(t, map[string]string{"l.sdf": text}), "time: {step: 0.001, duration: 1}\ngravity: [1, 4, -9]\nrobots: {r: {file: l.sdf}}\n")
		q, v := path(t, sc, 600)
		m := sc.Model.Rigid
		d := m.NewData()
		d.Place(0, 0.001, q[len(q)-1], v[len(v)-1])
		X := d.Pose(sc.Model.Body("r.l"))
		return append(append([]float64{}, X.P[:]...), X.R[:]...)
	}
	ball, hinge := sdfJoint("ball", "ball", "world", "l", r3.Vec{}), sdfJoint("hinge", "revolute", "world", "l", r3.Vec{})
	want := run(hinge)
	for i, x := range run(ball + hinge) {
		near(t, fmt.Sprintf("number %d of the pose", i), x, want[i], 1e-4)
	}
	if free := run(ball); math.Abs(free[3+1]) < 0.1 && math.Abs(free[3+7]) < 0.1 {
		t.Errorf("the ball alone stays in the plane: %v", free)
	}
}
