package check

// Pressure fields reach beyond their shapes by the hydroelastic margin, so that contact
// ahead of touch is known. A margin that is large beside a body makes its field meet
// bodies that are far away, which takes time and changes nothing.
//
// The warning names only the first shape, because one margin applies to all.

import "fmt"

const (
	wideMargin   = 0.2  // margin over least extent from which it is large
	normalMargin = 0.05 // margin over least extent that serves
)

// margin warns of a hydroelastic margin that is large beside a body.
func (c *checker) margin() {
	if c.Margin == nil {
		return
	}
	m := *c.Margin
	for i := range c.Model.Geometry.Geoms {
		g := &c.Model.Geometry.Geoms[i]
		if size := leastExtent(g); g.Field != nil && exceeds(m, wideMargin*size) {
			c.warn(Margin, []string{"solver." + keyMargin, c.path(g.Body)}, fmt.Sprintf("%.2g m would do", normalMargin*size),
				"a margin of %.3g m is %.0f %% of the least extent of %s: pressure fields that reach so far beyond their shapes cost time, and meet bodies that are far from contact",
				m, 100*m/size, g.Name)
			return
		}
	}
}
