package mjcf

// Copies of elements: <replicate count="n" offset="…" euler="…" sep="-"> holds elements of which n
// copies are made, the k-th in a frame at
//
//	X_0 = 1,   X_k = X_{k−1} T,   T = (euler, offset)
//
// with the suffix sep and k at its names, k with as many digits as n. They are made before bodies are
// read. Names that copies refer to, such as those of classes and meshes, have no suffix.

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// maxReplicas bounds the elements that copies are made of, with all in them.
const maxReplicas = 1 << 16

// replicate puts copies in the place of each <replicate> in an element. It returns the number of
// elements in it.
func (r *reader) replicate(e *robot.Element) (size int) {
	var children []*robot.Element
	for _, c := range e.Children {
		// those inside are made first
		n := r.replicate(c)
		if r.Err != nil {
			return size
		}
		if c.Name != "replicate" {
			children, size = append(children, c), size+n
			continue
		}
		copies := r.copies(c, n)
		children, size = append(children, copies...), size+n*len(copies)
	}
	e.Children = children
	return size + 1
}

// copies returns the frames with copies of what an element of a size holds. A <frame> places what is
// in it, whatever attributes of orientation these elements have. Copies of copies multiply, so
// the bound is that of all elements in them.
func (r *reader) copies(e *robot.Element, size int) (frames []*robot.Element) {
	r.RequiredText(e, "count")
	count := int(r.Number(e, "count", 1))
	if r.Err == nil && (count < 1 || count > maxReplicas/size) {
		r.Fail(e.Line, "<replicate count=\"%d\">: a number from 1 to %d is required here", count, maxReplicas/size)
	}
	T := r3.PoseIdentity()
	if text, ok := e.Attr("offset"); ok {
		T.P = r.place(e, "offset", text)
	}
	if text, ok := e.Attr("euler"); ok {
		T.R = r.rotation(e, "euler", text)
	}
	sep, _ := e.Attr("sep")
	digits := len(fmt.Sprint(count))
	X := r3.PoseIdentity()
	for k := 0; k < count && r.Err == nil; k++ {
		frames = append(frames, copyFrame(e, X, fmt.Sprintf("%s%0*d", sep, digits, k)))
		X = X.Mul(T) // X_k = X_{k−1} T
	}
	return frames
}

// copyFrame returns a frame at X with copies of the children of e, whose names end in suffix.
func copyFrame(e *robot.Element, X r3.Pose, suffix string) *robot.Element {
	frame := &robot.Element{Name: "frame", Line: e.Line}
	q := X.R.Quat()
	frame.SetAttr("pos", fmt.Sprint(X.P[0], X.P[1], X.P[2]))
	frame.SetAttr("quat", fmt.Sprint(q[0], q[1], q[2], q[3]))
	for _, c := range e.Children {
		copied := c.Clone()
		copied.Rename(func(name, value string) string {
			if name != "name" || value == "" {
				return value
			}
			return value + suffix
		})
		frame.Children = append(frame.Children, copied)
	}
	return frame
}
