package scene

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/scene/robot"
)

// mimic becomes a coupler once dofs are numbered: joint a = ratio · b + offset.
type mimic struct {
	a, b          int // links
	ratio, offset float64
}

// openBeside returns a function that reads the files that a robot file names. It calls
// also with the content of each.
func openBeside(path string, also func(text []byte)) robot.Open {
	return func(name string) ([]byte, error) {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		text, err := readInput(name)
		also(text)
		return text, err
	}
}

// robot adds the links of a robot file as bodies "name.link".
func (b *builder) robot(name string, s *Robot) {
	path := b.rel(s.File)
	if s.File == "" {
		b.fail(s.Pos, "robots.%s: file is wanted, one of %s", name, strings.Join(robot.Formats.Names(), ", "))
		return
	}
	if s.Floating != nil && *s.Floating && b.prescribed[name] != nil {
		b.fail(s.Pos, "robots.%s: a drive moves its base, so it is not floating: leave out one of the two", name)
		return
	}
	text, err := readInput(path)
	if err != nil {
		b.fail(s.Pos, "robots.%s.file: %v", name, err)
		return
	}
	b.digest(text)
	model, warnings, err := robot.Parse(path, text, openBeside(path, b.digest))
	if err != nil {
		b.errs = append(b.errs, err)
		return
	}
	for _, w := range warnings {
		file, line := model.Where(path, w.Line)
		b.warn("%s:%d: %s", file, line, w.Text)
	}
	if g := model.Gravity; g != nil && *g != r3.Vec(b.f.Gravity) {
		b.warn("%s is meant for a gravity of %v m/s²: the scene's, %v, holds", path, *g, b.f.Gravity)
	}
	if root := &model.Links[model.Root]; s.Floating != nil && *s.Floating && root.Name == "world" && root.Inertial == nil {
		b.fail(s.Pos, "robots.%s: %s hangs it on the world, so it is not floating: leave out floating, or the joint to the world", name, path)
		return
	}
	r := robotBuilder{b: b, name: name, spec: s, model: model, dir: filepath.Dir(path), file: path,
		links: make([]int, len(model.Links)), starts: make([]int, len(model.Joints))}
	r.build()
}

type robotBuilder struct {
	b      *builder
	name   string
	spec   *Robot
	model  *robot.Robot
	dir    string
	file   string
	links  []int // rigid link of each of the robot's
	starts []int // of each joint: where its start is among the builder's
}

func (r *robotBuilder) build() {
	b := r.b
	root := r.model.Root
	spec := r.link(root)
	X_WF := b.pose(&r.spec.Pose) // the frame of the file, which a drive moves
	X_WB := X_WF.Mul(r.model.X_FR)
	spec.Parent, spec.X_PF, spec.X_BM = rigid.World, X_WF, r.model.X_FR.Inv()
	floating := r.model.Floating // unless the scene says otherwise
	if r.spec.Floating != nil {
		floating = *r.spec.Floating
	}
	spec.Joint = b.baseJoint(r.name, floating)
	st := start{}
	if _, free := spec.Joint.(rigid.Floating); free {
		spec.X_PF, spec.X_BM = r3.PoseIdentity(), r3.PoseIdentity()
		st.q = freePosition(X_WB)
	}
	b.X_W0[spec.Name] = X_WB
	if !r.add(root, spec, st) {
		return
	}
	var movable []string
	for _, i := range r.model.Order() {
		j := &r.model.Joints[i]
		r.starts[i] = len(b.starts)
		if !r.joint(j) {
			return
		}
		if _, ok := b.dofs[r.name+"."+j.Name]; ok {
			movable = append(movable, j.Name)
		}
	}
	r.mimics()
	for _, joint := range r.spec.Joints.Keys {
		if !slices.Contains(movable, joint) {
			b.fail(r.spec.Pos, "robots.%s.joints: no joint with one degree of freedom is called %q%s", r.name, joint, kinds.Suggest(joint, movable))
		}
	}
	r.shapes()
	if r.spec.SelfContact == nil || !*r.spec.SelfContact {
		for i := range r.links {
			for j := range i {
				b.skip = append(b.skip, [2]int{r.links[j], r.links[i]})
			}
		}
		return
	}
	if r.model.AdjacentContact {
		for _, link := range r.links {
			b.adjacent[link] = true
		}
	}
	for _, p := range r.model.ExcludedPairs {
		b.skip = append(b.skip, [2]int{r.links[p[0]], r.links[p[1]]})
	}
}

// mimics couples the joints that follow others, and starts them where they
// belong unless the scene says otherwise.
func (r *robotBuilder) mimics() {
	b := r.b
	joints := r.model.Joints
	position := func(i int) []float64 { return b.starts[r.starts[i]].q }
	var follow func(i, depth int) bool
	follow = func(i, depth int) bool {
		m := joints[i].Mimic
		if m == nil {
			return true
		}
		if depth > len(joints) || len(position(i)) != 1 || len(position(m.Joint)) != 1 {
			return false
		}
		if !follow(m.Joint, depth+1) {
			return false
		}
		if r.spec.Joints.Get(joints[i].Name) == nil {
			position(i)[0] = m.Multiplier*position(m.Joint)[0] + m.Offset
		}
		return true
	}
	for i := range joints {
		j := &joints[i]
		if j.Mimic == nil {
			continue
		}
		if !follow(i, 0) {
			r.fail(j.Line, "joint %q: mimic wants two joints of one degree of freedom, and not in a circle", j.Name)
			return
		}
		lead := position(j.Mimic.Joint)[0]
		if q, want := position(i)[0], j.Mimic.Multiplier*lead+j.Mimic.Offset; math.Abs(q-want) > 1e-9 {
			b.warn("robots.%s.joints.%s starts at %g, but it mimics %s and belongs at %g: it will jump there", r.name, j.Name, q, joints[j.Mimic.Joint].Name, want)
		}
		b.mimicked = append(b.mimicked, mimic{r.links[j.Child], r.links[joints[j.Mimic.Joint].Child], j.Mimic.Multiplier, j.Mimic.Offset})
	}
}

// fail notes a fault of the robot file at a line.
func (r *robotBuilder) fail(line int, format string, args ...any) {
	file, line := r.model.Where(r.file, line)
	r.b.errs = append(r.b.errs, &Error{File: file, Pos: Pos{Line: line, Col: 1}, Msg: fmt.Sprintf(format, args...)})
}

// where names a line of the robot file, or of one that it includes.
func (r *robotBuilder) where(line int) string {
	file, line := r.model.Where(r.file, line)
	return fmt.Sprintf("%s:%d", file, line)
}

// warn notes what is doubtful at a line.
func (r *robotBuilder) warn(line int, format string, args ...any) {
	r.b.warn("%s: %s", r.where(line), fmt.Sprintf(format, args...))
}

// link returns the inertia of one of the robot's links.
func (r *robotBuilder) link(i int) rigid.LinkSpec {
	l := &r.model.Links[i]
	s := rigid.LinkSpec{Name: r.name + "." + l.Name}
	if in := l.Inertial; in != nil {
		s.Mass, s.Com_B, s.Inertia_B = in.Mass, in.Com, in.Inertia
	}
	return s
}

func (r *robotBuilder) add(i int, spec rigid.LinkSpec, st start) bool {
	link, err := r.b.trees.Add(spec)
	if err != nil {
		r.fail(r.model.Links[i].Line, "%v", err)
		return false
	}
	r.links[i] = link
	r.b.links[spec.Name] = link
	st.link = link
	r.b.starts = append(r.b.starts, st)
	return true
}

// manyTurns is the limit of a joint, rad, from which it is doubted: 4 turns.
const manyTurns = 8 * math.Pi

func (r *robotBuilder) joint(j *robot.Joint) bool {
	spec := r.link(j.Child)
	spec.Parent, spec.X_PF, spec.X_BM = r.links[j.Parent], j.X_PF, j.X_CM
	spec.Damping, spec.Stiffness, spec.Rest, spec.RotorInertia = j.Damping, j.Stiffness, j.RestPosition, j.RotorInertia
	X_W0 := r.b.X_W0[r.name+"."+r.model.Links[j.Parent].Name].Mul(j.X_PF).Mul(j.X_CM.Inv())
	r.b.X_W0[spec.Name] = X_W0
	one := true
	switch j.Type {
	case robot.Revolute, robot.Continuous:
		spec.Joint = rigid.Revolute{Axis: j.Axis}
	case robot.Prismatic:
		spec.Joint = rigid.Prismatic{Axis: j.Axis}
	case robot.Screw:
		spec.Joint = rigid.Screw{Axis: j.Axis, Pitch: j.Pitch}
	case robot.Floating:
		spec.Joint, one = rigid.Floating{}, false
	case robot.Ball:
		spec.Joint, one = rigid.Ball{}, false
	default:
		spec.Joint, one = rigid.Weld{}, false
		spec.Damping, spec.Stiffness, spec.RotorInertia = 0, 0, 0
	}
	if most := max(math.Abs(j.Lower), math.Abs(j.Upper)); j.Type == robot.Revolute && most > manyTurns && most <= 720 {
		r.warn(j.Line, "joint %q: its limits, %g to %g rad, are more than %d turns: are these degrees?", j.Name, j.Lower, j.Upper, int(most/(2*math.Pi)))
	}
	st := start{}
	if one {
		q := j.StartPosition
		if x := r.spec.Joints.Get(j.Name); x != nil {
			q = *x
			if q < j.Lower-1e-9 || q > j.Upper+1e-9 {
				r.b.warn("robots.%s.joints.%s: %g lies outside the joint's limits %g to %g", r.name, j.Name, q, j.Lower, j.Upper)
			}
		} else {
			q = min(max(q, j.Lower), j.Upper)
		}
		st.q = []float64{q}
	}
	if !r.add(j.Child, spec, st) {
		return false
	}
	if one {
		link := r.links[j.Child]
		r.b.dofs[r.name+"."+j.Name] = dof{link}
		r.b.limits = append(r.b.limits, jointLimit{link, j.Lower, j.Upper, j.Friction})
		if !math.IsInf(j.EffortLimit, 1) {
			r.b.efforts[r.name+"."+j.Name] = j.EffortLimit
		}
		r.b.speeds[r.name+"."+j.Name] = j.VelocityLimit
	}
	return true
}

// couplers adds the mimic joints, once dofs are numbered.
func (b *builder) couplers() {
	for _, m := range b.mimicked {
		b.model.Constraints = append(b.model.Constraints, &constraints.Coupler{
			A: b.model.Rigid.VStart(m.a), B: b.model.Rigid.VStart(m.b), Ratio: m.ratio, Offset: m.offset,
		})
	}
}
