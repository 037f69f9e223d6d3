package mjcf

// Elements that stand for others, <attach> and <replicate>, are replaced before bodies are read.

import "github.com/curlfree/curlfree/scene/robot"

// expandWorld replaces what stands for others in the world of a file in a folder.
func (r *reader) expandWorld(root *robot.Element, dir string) {
	models := r.models(root, dir)
	// sections that attaching adds to the root have no bodies
	for _, w := range root.Children {
		if w.Name == "worldbody" && r.Err == nil {
			r.expand(w, root, models)
		}
	}
}

// expand replaces each <attach> and <replicate> in an element, in the order of the file, so that an
// <attach> finds what stands before it. It returns the number of elements in it.
func (r *reader) expand(e, root *robot.Element, models map[string]attachment) (size int) {
	children := e.Children
	e.Children, size = nil, 1
	for _, c := range children {
		if r.Err != nil {
			return size
		}
		switch c.Name {
		case "attach":
			part, n := r.attach(c, root, models)
			e.Children, size = append(e.Children, part), size+n
		case "replicate":
			// those inside are made first
			n := r.expand(c, root, models)
			if r.Err != nil {
				return size
			}
			copies := r.copies(c, root, n)
			e.Children, size = append(e.Children, copies...), size+n*len(copies)
		default:
			e.Children = append(e.Children, c)
			size += r.expand(c, root, models)
		}
	}
	return size
}

// count returns the number of elements in an element, itself among them.
func count(e *robot.Element) int {
	n := 1
	for _, c := range e.Children {
		n += count(c)
	}
	return n
}

// clone returns a copy of an element with all in it, of which the same is known as of the original.
func (r *reader) clone(e *robot.Element) *robot.Element {
	c := e.Clone()
	r.alike(e, c)
	return c
}

// alike notes of a copy and of all in it what is known of the original.
func (r *reader) alike(e, copied *robot.Element) {
	if s := r.settings[e]; s != nil {
		r.settings[copied] = s
	}
	for _, known := range []map[*robot.Element]string{r.dirs, r.folders} {
		if dir, ok := known[e]; ok {
			known[copied] = dir
		}
	}
	for i, c := range e.Children {
		r.alike(c, copied.Children[i])
	}
}

// renamed returns a copy of an element of the world in which all names are others.
func (r *reader) renamed(e *robot.Element, rename func(string) string) *robot.Element {
	c := r.clone(e)
	c.Rename(func(attribute, value string) string {
		if attribute != "name" || value == "" {
			return value
		}
		return rename(value)
	})
	return c
}
