package meshes

import "github.com/curlfree/curlfree/r3"

// What tests of this package compare with, which are outside of it since they use packages above.

// SolidAngle is solidAngle.
func (d *Distance) SolidAngle(f int32, p r3.Vec) float64 { return d.solidAngle(f, p) }

// RayTriangle is rayTriangle.
func (d *Distance) RayTriangle(t int32, p, dir r3.Vec) float64 { return d.rayTriangle(t, p, dir) }

// OneElementWalls is oneElementWalls.
var OneElementWalls = oneElementWalls
