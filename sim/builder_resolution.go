package sim

// The resolution of pressure fields of round shapes, where none is given, follows from the
// error of force that their facets make where they rest; see geometry.Facets. The load is
// the weight of the shape's own body, and of the heaviest body for shapes that do not fall:
// fixed ones, and those on joints, which may carry it.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/rigid"
)

const (
	// ForceError is the relative error of contact force at which the default resolution
	// of the pressure fields of round shapes is chosen.
	ForceError = 0.02
	// resolutionCells is about the largest number of cells that the default resolution
	// makes for one field. A ball then has an error of 2 % at 1.4 % of its radius. With
	// many more cells, bodies deep inside of each other take minutes for a step.
	resolutionCells = 8_000
	// cellsPerArea is the number of cells of a field times the square of its hint, over the
	// area of the shape's bounds: at most that of balls.
	cellsPerArea = 0.82
	// coarsestShare is the default hint over the diagonal of a shape's bounds where
	// nothing requires a finer one.
	coarsestShare = 1. / 16
)

// resolution returns the resolution hint of a geom's pressure field: the one given, or for
// round shapes the default one, m; 0 leaves it to the field.
func (a *assembly) resolution(geom int) float64 {
	g, hint := &a.geoms[geom], a.pressure[geom].ResolutionHint
	round, ok := g.Shape.(geometry.Round)
	modulus := a.modulus(geom)
	if hint != 0 || !ok || !(modulus > 0) {
		return hint
	}
	load := a.m.SupportedWeight(g.Body)
	if load == 0 {
		return 0
	}
	// the field is as deep as the least extent
	size := g.Shape.Bounds().Size()
	depth := min(size[0], size[1], size[2]) / 2
	facets := round.Facets()
	fine := facets.Hint(ForceError, facets.RestDepth(modulus/depth, load), true)
	// no finer than the number of cells allows, no coarser than other shapes
	area := 2 * (size[0]*size[1] + size[1]*size[2] + size[2]*size[0])
	return min(coarsestShare*size.Norm(), max(fine, math.Sqrt(cellsPerArea*area/resolutionCells)))
}

// SupportedWeight returns the contact load (N) that the shapes of a rigid body are
// expected to carry: its own weight if it is free, else the weight of the heaviest body,
// which a fixed or jointed body may carry.
func (m *Model) SupportedWeight(body int) float64 {
	if m.IsFree(body) {
		return math.Max(0, m.Rigid.Link(body).WeightMass()) * m.Gravity.Norm()
	}
	heaviest := 0.0
	for i := range m.Rigid.NumLinks() {
		if !m.Rigid.IsKinematic(i) {
			heaviest = math.Max(heaviest, m.Rigid.Link(i).WeightMass())
		}
	}
	return heaviest * m.Gravity.Norm()
}

// IsFree reports whether a scene body is a rigid body without joints and constraints to others,
// supported by contact only.
func (m *Model) IsFree(body int) bool {
	if body == geometry.World || body >= m.Rigid.NumLinks() {
		return false
	}
	_, free := m.Rigid.Link(body).Joint.(rigid.Floating)
	return free
}
