package sdf

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// hinged are links a and b that turn about z on c: about +z from c to a, and about −z of the
// joint's axis with b as the parent of c.
var hinged = twoLinks + link("c", "") + turns("ca", "c", "a", about) + turns("cb", "c", "b", "<axis><xyz>0 0 -1</xyz></axis>")

// gears returns a gearbox between a and b of a ratio, seen from c.
func gears(ratio string) string {
	return "<joint name='g' type='gearbox'><parent>a</parent><child>b</child><gearbox_ratio>" + ratio +
		"</gearbox_ratio><gearbox_reference_body>c</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>\n"
}

// A gearbox of ratio k turns its child by −k times the angle of its parent, both about +z. The
// hinge of the child has the axis −z, so that its position is +k times that of the parent's.
func TestGearboxIsAMimicWithTheSignsOfItsAxes(t *testing.T) {
	m := one(t, hinged+gears("0.04"))
	f := joint(t, m, "cb").Mimic
	if len(m.Joints) != 2 || f == nil || m.Joints[f.Joint].Name != "ca" || f.Multiplier != 0.04 || f.Offset != 0 {
		t.Errorf("%+v", f)
	}
	// the hinge of the parent in the other order of links: c is its child, and its angle is that of
	// c seen from a
	m = one(t, twoLinks+link("c", "")+turns("ac", "a", "c", about)+turns("cb", "c", "b", about)+gears("2"))
	if f := joint(t, m, "cb").Mimic; f == nil || m.Joints[f.Joint].Name != "ac" || f.Multiplier != 2 {
		t.Errorf("%+v", f)
	}
	// where the child's hinge mimics another already, the parent's follows it
	second := strings.Replace(gears("4"), "'g'", "'h'", 1)
	m = one(t, twoLinks+link("c", "")+link("d", "")+turns("ca", "c", "a", about)+turns("cb", "c", "b", about)+
		turns("cd", "c", "d", about)+gears("0.5")+strings.Replace(second, "<parent>a", "<parent>d", 1))
	if f, g := joint(t, m, "cb").Mimic, joint(t, m, "cd").Mimic; f == nil || g == nil || f.Multiplier != -0.5 || m.Joints[g.Joint].Name != "cb" || g.Multiplier != -0.25 {
		t.Errorf("%+v %+v", f, g)
	}
}

// A universal joint is two hinges; the second axis is that at zero, in the joint's frame, and the
// frames on parent and child are those of the joint.
func TestUniversalJointsAreTwoHinges(t *testing.T) {
	for _, kind := range []string{"universal", "revolute2"} {
		m := one(t, twoLinks+"<joint name='j' type='"+kind+"'><pose>1 2 3 0 0 0</pose><parent>a</parent><child>b</child>"+
			"<axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>2</upper></limit><dynamics><damping>0.1</damping></dynamics></axis>"+
			"<axis2><xyz>0 2 0</xyz><limit><effort>5</effort></limit></axis2></joint>"+
			link("c", "")+turns("k", "b", "c", "<axis><xyz>0 0 1</xyz><mimic joint='j' axis='axis2'><multiplier>3</multiplier></mimic></axis>"))
		first, second := joint(t, m, "j"), joint(t, m, "j_2")
		between := m.Links[first.Child]
		if between.Inertial != nil || between.Name != "j_link" || second.Parent != first.Child || m.Links[first.Parent].Name != "a" || m.Links[second.Child].Name != "b" {
			t.Errorf("%+v, %+v, %+v", first, second, between)
		}
		if first.Axis != (r3.Vec{1, 0, 0}) || second.Axis != (r3.Vec{0, 1, 0}) || first.Lower != -1 || first.Upper != 2 || first.Damping != 0.1 || second.EffortLimit != 5 || !math.IsInf(second.Upper, 1) {
			t.Errorf("%+v, %+v", first, second)
		}
		at := r3.Pose{R: r3.Identity(), P: r3.Vec{1, 2, 3}}
		if first.X_PF != at || second.X_CM != at || first.X_CM != r3.PoseIdentity() || second.X_PF != r3.PoseIdentity() {
			t.Errorf("frames %+v, %+v", first, second)
		}
		if f := joint(t, m, "k").Mimic; f == nil || m.Joints[f.Joint].Name != "j_2" || f.Multiplier != 3 {
			t.Errorf("%+v", f)
		}
	}
}

// Drake's planar joint slides along x and y of its parent's frame and turns about z.
func TestPlanarJointsAreTwoSlidesAndAHinge(t *testing.T) {
	m := one(t, twoLinks+"<frame name='f' attached_to='a'><pose>0 0 1 0 0 0</pose></frame><frame name='g' attached_to='b'><pose>0 3 0 0 0 0</pose></frame>"+
		"<drake:joint name='j' type='planar'><drake:parent>f</drake:parent><drake:child>g</drake:child><drake:damping>1 2 3</drake:damping></drake:joint>")
	x, y, z := joint(t, m, "j"), joint(t, m, "j_2"), joint(t, m, "j_3")
	if x.Type != robot.Prismatic || y.Type != robot.Prismatic || z.Type != robot.Continuous ||
		x.Axis != (r3.Vec{1, 0, 0}) || y.Axis != (r3.Vec{0, 1, 0}) || z.Axis != (r3.Vec{0, 0, 1}) || x.Damping != 1 || y.Damping != 2 || z.Damping != 3 {
		t.Errorf("%+v\n%+v\n%+v", x, y, z)
	}
	if x.X_PF.P != (r3.Vec{0, 0, 1}) || z.X_CM.P != (r3.Vec{0, 3, 0}) || m.Links[z.Child].Name != "b" {
		t.Errorf("%+v\n%+v", x, z)
	}
	// on the world
	m = one(t, link("a", "")+"<drake:joint name='j' type='planar'><drake:parent>world</drake:parent><drake:child>a</drake:child></drake:joint>")
	if len(m.Joints) != 3 || m.Links[m.Root].Name != "world" {
		t.Errorf("%+v", m.Joints)
	}
}
