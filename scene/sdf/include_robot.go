package sdf

// Included files of other formats, such as URDF. They are read by their own format, and the robot
// becomes a model of the outer one: its links and joints get frames, placed in each other with all
// joints at zero, so that the outer model refers to them as to those of SDFormat.

import (
	"errors"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// includedRobot reads a file of another format into a model; a fault is reported at its line.
func (r *reader) includedRobot(m *modelNode, file string, text []byte) {
	// lines of all parts are numbered in one row, so that messages name file and line
	first := r.parts.Add(file, text)
	p, warnings, err := robot.Parse(file, text, r.open)
	var fault *robot.Error
	if errors.As(err, &fault) {
		r.Fail(first-1+fault.Line, "%s", fault.Msg)
	}
	if err != nil {
		return
	}
	// whose lines would have to be distinguished as well
	if len(p.Includes) > 0 {
		r.Fail(m.at.Line, "<include> of %s: it includes others itself: write them into it", file)
		return
	}
	for _, w := range warnings {
		w.Line += first - 1
		r.Warnings = append(r.Warnings, w)
	}
	// lines of the file, and names of meshes from its folder
	for i := range p.Links {
		l := &p.Links[i]
		l.Line += first - 1
		for _, shapes := range [][]robot.Geometry{l.Visuals, l.Collisions} {
			for k := range shapes {
				shapes[k].Line += first - 1
				if mesh := shapes[k].Mesh; mesh != nil && mesh.File != "" {
					mesh.File = joined(m.dir, mesh.File)
				}
			}
		}
	}
	for i := range p.Joints {
		p.Joints[i].Line += first - 1
	}
	// the name that <include> gives counts before that of the file
	if m.given == "" {
		m.given = p.Name
	}
	// an empty model stands for it where elements are read
	m.parsed = p
	m.e = &robot.Element{Name: "model", Line: m.at.Line}
}

// declareRobot declares the frames of a robot of another format.
func (r *reader) declareRobot(m *modelNode, all []*frame) []*frame {
	p := m.parsed
	// frames of one model share their names with those of SDFormat
	declare := func(f *frame) {
		if first := r.frames[f.name]; first != nil {
			r.Fail(f.line, "a second <%s> is called %q (the first, a %s, is in line %d): names of links, joints and frames must differ", f.tag, f.name, first.tag, first.line)
		}
		r.frames[f.name] = f
		all = append(all, f)
	}
	// the root is placed in the model, every other link in its parent by the joint between them
	root := &p.Links[p.Root]
	declare(&frame{tag: "link", name: r.full(root.Name), line: root.Line, up: named{name: m.frame.name, line: root.Line}, X_UF: p.X_FR})
	for _, i := range p.Order() {
		j := &p.Joints[i]
		// X_PF X_MC is the pose of the child in the parent with the joint at zero
		up := named{name: r.full(p.Links[j.Parent].Name), line: j.Line}
		child := &p.Links[j.Child]
		declare(&frame{tag: "link", name: r.full(child.Name), line: child.Line, up: up, X_UF: j.X_PF.Mul(j.X_CM.Inv())})
		declare(&frame{tag: "joint", name: r.full(j.Name), line: j.Line, up: up, X_UF: j.X_PF, on: named{name: r.full(child.Name), line: j.Line}})
	}
	return all
}

// graftLinks adds the links of a robot of another format.
func (r *reader) graftLinks(n *modelNode, m *robot.Robot, links map[string]int) {
	// under their full names, by which joints and pairs of the outer model find them
	for _, l := range n.parsed.Links {
		// a copy, for a file that is included twice is parsed twice
		l.Name = r.full(l.Name)
		links[l.Name] = len(m.Links)
		m.Links = append(m.Links, l)
	}
	// pairs of links that do not touch, by their numbers in the whole
	for _, p := range n.parsed.ExcludedPairs {
		a, b := links[r.full(n.parsed.Links[p[0]].Name)], links[r.full(n.parsed.Links[p[1]].Name)]
		m.ExcludedPairs = append(m.ExcludedPairs, [2]int{min(a, b), max(a, b)})
	}
}

// graftJoints adds the joints and loops of a robot of another format.
func (r *reader) graftJoints(n *modelNode, m *robot.Robot, links, numbers map[string]int) {
	// numbers of joints in the file begin here
	first := len(m.Joints)
	for _, j := range n.parsed.Joints {
		j.Parent, j.Child = links[r.full(n.parsed.Links[j.Parent].Name)], links[r.full(n.parsed.Links[j.Child].Name)]
		j.Name = r.full(j.Name)
		// a static model has no motion; mimics name joints by their numbers in the whole
		switch {
		case n.static:
			j.Type, j.Mimic = robot.Fixed, nil
		case j.Mimic != nil:
			f := *j.Mimic
			f.Joint += first
			j.Mimic = &f
		}
		numbers[j.Name] = len(m.Joints)
		m.Joints = append(m.Joints, j)
	}
	for _, l := range n.parsed.Loops {
		// a side on the world is in the frame of the included file
		side := func(link int, X r3.Pose) (int, r3.Pose) {
			if link < 0 {
				return link, r.X_WM.Mul(relative(r.models[0].frame, n.frame)).Mul(X)
			}
			return links[r.full(n.parsed.Links[link].Name)], X
		}
		// both sides of a loop refer to links by their numbers in the whole model
		l.A, l.X_AP = side(l.A, l.X_AP)
		l.B, l.X_BQ = side(l.B, l.X_BQ)
		l.Name = r.full(l.Name)
		// links of a static model do not move against each other
		if !n.static {
			m.Loops = append(m.Loops, l)
		}
	}
	// an SDFormat model has no drives of its own that could keep them
	if k := len(n.parsed.Actuators) + len(n.parsed.Couplings); k > 0 {
		r.Warn(n.at.Line, "%d actuators and couplings of the included file are left out: give the scene the file itself, or drives", k)
	}
}
