package mjcf

import (
	"math"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// compiler is how the file is to be read.
type compiler struct {
	radians    bool
	degrees    bool // the file says so
	autolimits bool
	eulerseq   string // axes, upper case where they are fixed
	meshdir    string
	strippath  bool

	fromGeoms              string     // inertia: true, false, auto
	groups                 [2]float64 // of geoms that weigh
	least, moment, settled float64    // bounds of masses and moments, mass of all; 0: none
}

// compile reads the settings; what is written last counts.
func (r *reader) compile(root *robot.Element) {
	c := compiler{autolimits: true, eulerseq: "xyz", fromGeoms: "auto", groups: [2]float64{0, 5}}
	for _, e := range root.All("compiler") {
		if s, ok := e.Attr("angle"); ok {
			c.radians = r.choice(e, "angle", s, "degree", "radian") == "radian"
			c.degrees = !c.radians
		}
		if s, ok := e.Attr("coordinate"); ok && r.choice(e, "coordinate", s, "local", "global") == "global" {
			r.Fail(e.Line, "<compiler coordinate=%q>: poses in the world are not read, nor by MuJoCo since 2.3.4: save the file with an older one, which writes local ones", s)
		}
		if s, ok := e.Attr("autolimits"); ok {
			c.autolimits = r.choice(e, "autolimits", s, "true", "false") == "true"
		}
		if s, ok := e.Attr("strippath"); ok {
			c.strippath = r.choice(e, "strippath", s, "true", "false") == "true"
		}
		if s, ok := e.Attr("inertiafromgeom"); ok {
			c.fromGeoms = r.choice(e, "inertiafromgeom", s, "auto", "true", "false")
		}
		if s, ok := e.Attr("eulerseq"); ok {
			if len(s) != 3 || strings.Trim(s, "xyzXYZ") != "" {
				r.Fail(e.Line, "<compiler eulerseq=%q>: three of x, y, z, X, Y, Z are wanted, such as xyz", s)
				s = "xyz"
			}
			c.eulerseq = s
		}
		if s, ok := e.Attr("assetdir"); ok {
			c.meshdir = s
		}
		if s, ok := e.Attr("meshdir"); ok {
			c.meshdir = s
		}
		if x := r.numbers(e, "inertiagrouprange", 2, 2); x != nil {
			c.groups = [2]float64(x)
		}
		c.least, c.moment = r.Number(e, "boundmass", c.least), r.Number(e, "boundinertia", c.moment)
		c.settled = r.Number(e, "settotalmass", c.settled)
		for _, name := range []string{"texturedir", "usethread", "fusestatic", "discardvisual", "fitaabb", "convexhull", "exactmeshinertia", "alignfree", "saveinertial"} {
			e.Attr(name) // no matter to what is read
		}
	}
	r.compiler = c
}

// angle returns an angle of the file in rad.
func (r *reader) angle(x float64) float64 {
	if r.compiler.radians {
		return x
	}
	return x * (math.Pi / 180)
}

// turn returns the rotation by an angle of the file about an axis.
func (r *reader) turn(axis r3.Vec, x float64) r3.Mat {
	if r.compiler.radians {
		return r3.RotExp(axis.Scale(math.Remainder(x, 2*math.Pi)))
	}
	return r3.RotExp(axis.Scale(math.Remainder(x, 360) * (math.Pi / 180)))
}
