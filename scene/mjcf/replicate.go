package mjcf

// Copies of elements: <replicate count="n" offset="…" euler="…" sep="-"> has elements of which n
// copies are made, the k-th in a frame at
//
//	X_0 = 1,   X_k = X_{k−1} T,   T = (euler, offset)
//
// with the suffix sep and k at its names, k with as many digits as n. They are made before bodies are
// read. Actuators, tendons and others that refer to nothing but what is copied are copied with it. Other
// names that copies refer to, such as those of classes and meshes, have no suffix.

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// maxReplicas bounds the elements that copies are made of, with all in them.
const maxReplicas = 1 << 16

// copies returns the frames with copies of what an element of a size contains. A <frame> places what is
// in it, whatever attributes of orientation these elements have. Copies of copies multiply, so
// the bound is that of all elements in them.
func (r *reader) copies(e, root *robot.Element, size int) (frames []*robot.Element) {
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
	var suffixed []func(string) string
	for k := 0; k < count && r.Err == nil; k++ {
		suffix := fmt.Sprintf("%s%0*d", sep, digits, k)
		suffixed = append(suffixed, func(name string) string { return name + suffix })
		frames = append(frames, r.copyFrame(e, X, suffixed[k]))
		X = X.Mul(T) // X_k = X_{k−1} T
	}
	names := targets{}
	names.collect(e)
	r.copyReferring(e, root, names, false, suffixed...)
	return frames
}

// copyFrame returns a frame at X with copies of the children of e under other names.
func (r *reader) copyFrame(e *robot.Element, X r3.Pose, rename func(string) string) *robot.Element {
	frame := &robot.Element{Name: "frame", Line: e.Line}
	q := X.R.Quat()
	frame.SetAttr("pos", fmt.Sprint(X.P[0], X.P[1], X.P[2]))
	frame.SetAttr("quat", fmt.Sprint(q[0], q[1], q[2], q[3]))
	for _, c := range e.Children {
		frame.Children = append(frame.Children, r.renamed(c, rename))
	}
	return frame
}
