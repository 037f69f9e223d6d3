package check

// Linear tetrahedra cannot bend: walls of few elements, and materials that hardly change
// their volume, are too stiff by a known factor, see fem.Model.Warnings.

import "strings"

// elements warns of deformables whose mesh or material makes linear tetrahedra
// inaccurate, see fem.Model.Warnings.
func (c *checker) elements() {
	n := c.Model.Rigid.NumLinks()
	for i, m := range c.Model.Deformables {
		for _, text := range m.Warnings() {
			message, remedy, _ := strings.Cut(text, "; ")
			c.warn(Elements, []string{c.path(n + i)}, remedy, "%s", message)
		}
	}
}
