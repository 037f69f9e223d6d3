package robot

import "slices"

// Clone returns a copy of an element with all in it, of which nothing is marked as read.
func (e *Element) Clone() *Element {
	c := &Element{Name: e.Name, Line: e.Line, attrs: slices.Clone(e.attrs), content: slices.Clone(e.content)}
	for i := range c.attrs {
		c.attrs[i].used = false
	}
	for _, child := range e.Children {
		c.Children = append(c.Children, child.Clone())
	}
	return c
}

// SetAttr gives an attribute a value, which it may have already. A new one is not listed as ignored.
func (e *Element) SetAttr(name, value string) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			e.attrs[i].value = value
			return
		}
	}
	e.attrs = append(e.attrs, attr{name: name, value: value, used: true})
}

// Rename replaces the values of attributes of an element, and of all in it, by those that a function
// returns for name and value.
func (e *Element) Rename(f func(name, value string) string) {
	for i := range e.attrs {
		e.attrs[i].value = f(e.attrs[i].name, e.attrs[i].value)
	}
	for _, c := range e.Children {
		c.Rename(f)
	}
}
