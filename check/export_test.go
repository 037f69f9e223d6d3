package check

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// CanMeet reports whether two shapes of a model may come to touch.
func CanMeet(in *Input, p, q *geometry.Geom) bool { return newChecker(in).canMeet(p, q) }

// Turned returns the box of what a box sweeps about an axis.
func Turned(box r3.Box, axis r3.Vec) r3.Box { return turned(box, axis) }

// MeanEdge returns the mean length of a mesh's edges.
func MeanEdge(m *meshes.Tet) float64 { return meanEdge(m) }

// Metres writes a length.
func Metres(x float64) string { return metres(x) }

// Exceeds reports whether a value is above a limit.
func Exceeds(x, limit float64) bool { return exceeds(x, limit) }

// Constants of the rule for the step of teeth, for the test that compares it with the manual.
const (
	LeastToothSteps = leastToothSteps
	MostGearLoss    = mostGearLoss
	FieldLoss       = fieldLoss
	PointLoss       = pointLoss
	PointLinearLoss = pointLinearLoss
)

// Oscillate is oscillate.
var Oscillate = oscillate
