package sdf

// Links. Where mass, moments or the whole inertial are left out they are 1 kg and 1 kg m², as
// the format defines; each such case is warned of, because models rarely mean it.
//
// Moments are given about the centre of mass, in the axes of the inertial's pose X_LI; they are
// turned into the link's axes by
//
//		I_L = R_LI I R_LIᵀ.                                                  (1)
//
// Of the friction of a collision only Coulomb's coefficients are read. SDFormat gives two, along
// two directions of the surface; this program has a static and a dynamic one without direction.

import (
	"errors"
	"strings"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// link reads a link with its inertia and shapes.
func (r *reader) link(e *robot.Element) robot.Link {
	l := robot.Link{Name: r.full(r.RequiredText(e, "name")), Line: e.Line}
	// flags of the simulator; other values than the default are listed as ignored
	if !r.flagOr(e, "gravity", true) {
		l.WeightCompensation = 1
	}
	r.defaultOnly(e, "kinematic", "self_collide", "enable_wind", "must_be_base_link")
	// Shapes are placed in the link or in another frame.
	f := r.frames[l.Name]
	// Visuals are shapes with a colour; one of unknown shape is not shown.
	for _, v := range e.All("visual") {
		if g, ok := r.visual(v, f); ok { // otherwise it is listed as ignored
			l.Visuals = append(l.Visuals, g)
		}
	}
	// Collisions are shapes with contact parameters; one of unknown shape is left out.
	var collisions []*robot.Element
	for _, c := range e.All("collision") {
		c.Attr("name")
		r.defaultOnly(c, "laser_retro")
		if g, ok := r.geometry(c, f); ok {
			g.Material = r.surface(c)
			l.Collisions = append(l.Collisions, g)
			collisions = append(collisions, c)
		}
	}
	// from 1.11 on inertias may follow from the shapes
	if i := r.One(e, "inertial"); shapesWeigh(i) {
		l.Inertial = r.weighed(i, &l, collisions)
	} else {
		l.Inertial = r.inertial(e, l.Name)
	}
	return l
}

// visual reads a shape that pictures show. One that is faulty is left out with a warning, for it has
// no part in the mechanics; false: there is none.
func (r *reader) visual(e *robot.Element, link *frame) (g robot.Geometry, ok bool) {
	if r.Err != nil {
		return g, false
	}
	e.Attr("name")
	r.defaultOnly(e, "transparency")
	if g, ok = r.geometry(e, link); ok {
		g.Color = r.color(e)
	}
	var fault *robot.Error
	if errors.As(r.Err, &fault) {
		r.Repair(fault.Line, "link %q: a <visual> is left out: %s", link.name, fault.Msg)
		e.MarkRead()
		r.Err, ok = nil, false
	}
	return g, ok
}

// inertial reads a link's mass and inertia. Mass and moments that are left out are 1, as
// the format defines. The pose of an inertial is the centre of mass and turns the axes
// that the moments are given in; they are returned in the link's.
func (r *reader) inertial(link *robot.Element, name string) *robot.Inertial {
	e := r.One(link, "inertial")
	// The format's default is a mass of 1 kg with unit moments, also for a link without an inertial.
	if e == nil {
		if !r.now.static {
			r.Warn(link.Line, "link %q has no <inertial>: its mass is 1 kg and its moments 1 kg m², as the format says", name)
		}
		return &robot.Inertial{Mass: 1, Inertia: r3.Identity()}
	}
	// The pose of an inertial is X_LI: the centre of mass, and the axes of the moments.
	X, relativeTo, line := r.pose(e)
	if relativeTo != "" && r.full(relativeTo) != name {
		r.Fail(line, "link %q: the pose of an <inertial> is measured from its link: leave out relative_to", name)
	}
	in := &robot.Inertial{Mass: r.number(e, "mass", 1), Com: X.P}
	if r.One(e, "mass") == nil {
		r.Warn(e.Line, "link %q: its <inertial> has no <mass>: 1 kg, as the format says", name)
	}
	if in.Mass < 0 {
		r.Fail(e.Line, "link %q: its mass is %g kg: it must not be negative", name, in.Mass)
	}
	// from the axes of the inertial to those of the link: R I Rᵀ
	in.Inertia = X.R.Mul(r.moments(e, name)).Mul(X.R.T())
	return in
}

// moments reads the inertia matrix of an inertial in its own axes, kg m².
func (r *reader) moments(e *robot.Element, name string) r3.Mat {
	i := r.One(e, "inertia")
	if i == nil {
		i = &robot.Element{Name: "inertia"}
		r.Warn(e.Line, "link %q: its <inertial> has no <inertia>: moments of 1 kg m², as the format says", name)
	}
	// diagonal, then products of inertia as entries of the matrix
	xx, yy, zz := r.number(i, "ixx", 1), r.number(i, "iyy", 1), r.number(i, "izz", 1)
	xy, xz, yz := r.number(i, "ixy", 0), r.number(i, "ixz", 0), r.number(i, "iyz", 0)
	return r3.Mat{xx, xy, xz, xy, yy, yz, xz, yz, zz}
}

// color returns the diffuse colour of a visual as #rrggbb, empty where it has none.
func (r *reader) color(visual *robot.Element) string {
	// A visual's colour is its material's diffuse colour; other parts of the material have no use here.
	m := r.One(visual, "material")
	if m == nil {
		return ""
	}
	d := r.One(m, "diffuse")
	if d == nil {
		return ""
	}
	// red, green, blue and perhaps alpha, each from 0 to 1; alpha is not used
	f := strings.Fields(d.Content())
	if len(f) != 3 && len(f) != 4 {
		r.Fail(d.Line, "<diffuse> %.40q: red, green, blue and alpha are required", d.Content())
		return ""
	}
	var c [3]float64
	for i := range c {
		c[i] = r.scalar(d, f[i])
	}
	return robot.HexColor(c)
}

// stuck is a coefficient of friction against which nothing slides.
const stuck = 1e6

// unlimited returns a coefficient of friction, of which Gazebo takes a negative one for infinite.
func unlimited(mu float64) float64 {
	if mu < 0 {
		return stuck
	}
	return mu
}

// surface reads drake:proximity_properties. Where these give no friction, it reads that
// of <surface><friction><ode>, whose two directions are taken as static and dynamic.
func (r *reader) surface(e *robot.Element) robot.ContactMaterial {
	s := r.ProximityProperties(e, r.number)
	o := e
	// Bullet's and other engines' parameters stand beside <ode> and are listed as ignored.
	for _, name := range []string{"surface", "friction", "ode"} {
		if o = r.One(o, name); o == nil {
			return s
		}
	}
	// Drake's friction counts where both are given.
	if s.StaticFriction != nil || s.Friction != nil {
		o.MarkUnread()
		return s
	}
	// Where one of mu and mu2 is left out, the other applies to both.
	first, second := r.One(o, "mu"), r.One(o, "mu2")
	mu := r.number(o, "mu", 1)
	mu2 := r.number(o, "mu2", mu)
	if first == nil {
		mu = mu2
	}
	if mu < 0 || mu2 < 0 {
		r.Repair(o.Line, "<mu> %g and <mu2> %g: negative friction stands for friction without a limit in Gazebo: %g is taken", mu, mu2, stuck)
		mu, mu2 = unlimited(mu), unlimited(mu2)
	}
	switch {
	case first == nil && second == nil:
		return s
	case mu != mu2:
		r.Warn(o.Line, "<mu> %g and <mu2> %g differ: friction has no direction here: the greater is taken as static, the lesser as dynamic", mu, mu2)
	}
	s.StaticFriction, s.Friction = new(max(mu, mu2)), new(min(mu, mu2))
	return s
}
