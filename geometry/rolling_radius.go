package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// radiusAbout returns the radius of a ball about the origin of the geom's body that contains
// its shape, m; 0 for shapes without end.
func radiusAbout(g *Geom) float64 {
	if isHalfSpace(g.Shape) {
		return 0
	}
	if s, ok := g.Shape.(*Sphere); ok {
		return g.X_BG.P.Norm() + s.Radius
	}
	b := g.Shape.Bounds().Transform(g.X_BG)
	return r3.Vec{max(-b.Min[0], b.Max[0]), max(-b.Min[1], b.Max[1]), max(-b.Min[2], b.Max[2])}.Norm()
}

// rollingRadius returns the largest radius of curvature that the contacts of a shape do not
// follow, m: when it turns by a small angle θ, the point that is foremost in a direction
// moves on by ρ θ to places that have no contact, and its gap changes by ½ θ² ρ. Contacts of
// flat faces and straight edges stand at all of their corners.
func rollingRadius(s Shape) float64 {
	switch s := s.(type) {
	case *Ellipsoid:
		return maxOf(s.Semi) * maxOf(s.Semi) / minOf(s.Semi)
	case *Convex:
		return s.rolling()
	}
	return 0
}

func maxOf(v r3.Vec) float64 { return max(v[0], v[1], v[2]) }

func minOf(v r3.Vec) float64 { return min(v[0], v[1], v[2]) }

// rolling returns the largest ratio of the size of a face to the angle to a neighbour: the
// faces of a hull of a curved surface follow it with their radius of curvature.
func (c *Convex) rolling() float64 {
	// the faces around each corner are neighbours
	rho := 0.0
	for v := range c.surface.Verts {
		around := c.vertPol[c.vertOff[v]:c.vertOff[v+1]]
		for _, i := range around {
			f := &c.polys[i].face
			for _, j := range around {
				if i == j {
					continue
				}
				angle := math.Acos(min(1, max(-1, f.Normal.Dot(c.polys[j].face.Normal))))
				rho = max(rho, f.size()/max(angle, 1e-3))
			}
		}
	}
	return min(rho, 1e3*c.bounds.Size().Norm())
}
