// Package gears is the theory of involute gears that a designer works with: the exact form of teeth, the lines of
// action along which they touch, and how far loaded teeth give.
//
// A [Gear] is external, internal or a rack, spur or helical, with profile shift, reliefs, crowning and errors of
// pitch. Two of
// them are a [Pair], which has closed forms for every contact at any centre distance and phase ([Pair.Touches]). A
// [Compliance] turns an approach of two flanks into a line load: Weber and Banaschek's deflection of teeth in series
// with Hertzian contact, or the stiffness of ISO 6336-1.
//
// # Frames
//
// The axis of a gear is z, and the middle of tooth 0 lies on the x axis at z = 0. A rack moves along x, its teeth
// point to y, its pitch line is y = 0. Angles are counter-clockwise, in radians; lengths in m, forces in N.
package gears
