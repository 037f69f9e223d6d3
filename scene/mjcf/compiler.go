package mjcf

// Settings that the meaning of the whole file depends on.
//
//	attribute              default   meaning
//	angle                  degree    unit of all angles: degree or radian
//	eulerseq               xyz       axes of euler in their order; lower case: axes that move
//	autolimits             true      a range limits where its flag is auto
//	meshdir, assetdir      none      folder of mesh files, relative to the robot's file
//	strippath              false     folders in names of files are dropped
//	inertiafromgeom        auto      masses follow from geoms: always, never or without <inertial>
//	inertiagrouprange      0 5       first and last group of geoms that have mass
//	boundmass              0         least mass of a body, kg
//	boundinertia           0         least principal moment of a body, kg m²
//	settotalmass           none      mass of the robot, to which all bodies are scaled, kg
//	fitaabb                false     primitives are fitted to the box around a mesh, see fit.go
//	coordinate             local     poses in the parent; global is a fault

import (
	"math"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// compiler are the settings that the rest of the file depends on.
type compiler struct {
	radians    bool   // angles are in rad; else in degrees
	degrees    bool   // the file states that they are in degrees
	autolimits bool   // a range limits a joint without limited="true"
	eulerseq   string // axes of Euler angles, upper case where they are fixed
	meshdir    string // folder of mesh files
	strippath  bool   // folders in the names of mesh files are dropped
	fitAABB    bool   // primitives are fitted to the box around a mesh

	fromGeoms   string     // whether inertias follow from shapes: true, false, auto
	groups      [2]float64 // first and last group of geoms that have mass
	leastMass   float64    // of a body, kg; 0: none
	leastMoment float64    // principal moment of inertia of a body, kg m²; 0: none
	totalMass   float64    // of the robot, kg; 0: the sum of the bodies
}

// compile reads the settings. Where several elements give one, the last counts.
func (r *reader) compile(root *robot.Element) {
	// MuJoCo's defaults
	r.compiler = compiler{autolimits: true, eulerseq: "xyz", fromGeoms: "auto", groups: [2]float64{0, 5}}
	c := &r.compiler
	for _, e := range root.All("compiler") {
		r.compileAngles(e, c)
		// Poses are local: relative to the body around.
		if s, ok := e.Attr("coordinate"); ok && r.choice(e, "coordinate", s, "local", "global") == "global" {
			r.Fail(e.Line, "<compiler coordinate=%q>: poses in the world are not read, nor by MuJoCo since 2.3.4: save the file with an older one, which writes local ones", s)
		}
		// autolimits: a range limits its joint unless the joint says otherwise.
		if s, ok := e.Attr("autolimits"); ok {
			c.autolimits = r.choice(e, "autolimits", s, "true", "false") == "true"
		}
		if s, ok := e.Attr("strippath"); ok {
			c.strippath = r.choice(e, "strippath", s, "true", "false") == "true"
		}
		if s, ok := e.Attr("fitaabb"); ok {
			c.fitAABB = r.choice(e, "fitaabb", s, "true", "false") == "true"
		}
		// Masses from shapes: always, never, or where a body has no <inertial>.
		if s, ok := e.Attr("inertiafromgeom"); ok {
			c.fromGeoms = r.choice(e, "inertiafromgeom", s, "auto", "true", "false")
		}
		for _, name := range []string{"assetdir", "meshdir"} { // the latter counts
			if s, ok := e.Attr(name); ok {
				c.meshdir = s
			}
		}
		// Shapes of other groups, such as those for pictures, have no mass.
		if x := r.numbers(e, "inertiagrouprange", 2, 2); x != nil {
			c.groups = [2]float64(x)
		}
		// Bounds in kg and kg m², and the total mass in kg.
		c.leastMass, c.leastMoment = r.Number(e, "boundmass", c.leastMass), r.Number(e, "boundinertia", c.leastMoment)
		c.totalMass = r.Number(e, "settotalmass", c.totalMass)
		// These change nothing that is read here.
		for _, name := range []string{"texturedir", "usethread", "fusestatic", "discardvisual", "convexhull", "exactmeshinertia", "alignfree", "saveinertial"} {
			e.Attr(name)
		}
	}
}

// compileAngles reads how angles are written.
func (r *reader) compileAngles(e *robot.Element, c *compiler) {
	// Degrees are MuJoCo's default; whether the file says so decides a warning.
	if s, ok := e.Attr("angle"); ok {
		c.radians = r.choice(e, "angle", s, "degree", "radian") == "radian"
		c.degrees = !c.radians
	}
	// The sequence has three axes, upper case for fixed ones.
	if s, ok := e.Attr("eulerseq"); ok {
		if len(s) != 3 || strings.Trim(s, "xyzXYZ") != "" {
			r.Fail(e.Line, "<compiler eulerseq=%q>: three of x, y, z, X, Y, Z are required, such as xyz", s)
			s = "xyz"
		}
		c.eulerseq = s
	}
}

// angle converts an angle as the file writes it to rad.
func (r *reader) angle(x float64) float64 {
	if r.compiler.radians {
		return x
	}
	return x * (math.Pi / 180)
}

// turn returns the rotation by an angle, as the file writes it, about a unit axis.
func (r *reader) turn(axis r3.Vec, x float64) r3.Mat {
	if r.compiler.radians {
		return r3.RotExp(axis.Scale(math.Remainder(x, 2*math.Pi)))
	}
	return r3.RotExp(axis.Scale(math.Remainder(x, 360) * (math.Pi / 180)))
}
