package hydroelastic

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// HalfSpace is the solid z ≤ 0 of its frame, rigid, or compliant with the pressure p =
// −(E/thickness) z at any depth. It has no mesh.
type HalfSpace struct {
	// −dp/dz, Pa/m; 0: rigid
	slope float64
	// depth at which the pressure is the hydroelastic modulus, m
	depth float64
	// faces lie below z = margin, m
	margin float64
}

var _ Geometry = (*HalfSpace)(nil)

// NewRigidHalfSpace returns the rigid half-space.
func NewRigidHalfSpace() *HalfSpace { return &HalfSpace{} }

// NewHalfSpace returns a compliant half-space whose pressure at the depth thickness (m)
// is the hydroelastic modulus. ResolutionHint is not used.
func NewHalfSpace(thickness float64, opt Options) (*HalfSpace, error) {
	if err := checkLength("half-space", "thickness", thickness); err != nil {
		return nil, err
	}
	opt, err := opt.checked("half-space", thickness)
	if err != nil {
		return nil, err
	}
	slope := opt.HydroelasticModulus / thickness
	if math.IsInf(slope, 0) {
		return nil, fmt.Errorf("hydroelastic: half-space: %g Pa over %g m is no finite slope", opt.HydroelasticModulus, thickness)
	}
	return &HalfSpace{slope: slope, depth: thickness, margin: opt.Margin}, nil
}

// Bounds returns z ≤ margin up to 1e9 m in every direction.
func (h *HalfSpace) Bounds() r3.Box {
	return r3.Box{Min: r3.Vec{-maxLength, -maxLength, -maxLength}, Max: r3.Vec{maxLength, maxLength, h.margin}}
}

// Compliant reports whether there is a pressure field.
func (h *HalfSpace) Compliant() bool { return h.slope > 0 }

// Margin returns the width of the layer above the surface in which the pressure is
// negative, m.
func (h *HalfSpace) Margin() float64 { return h.margin }

// PressureGradient returns the growth of the pressure with depth, Pa/m; 0 when rigid.
func (h *HalfSpace) PressureGradient() float64 { return h.slope }

// Depth returns the depth at which the pressure is the hydroelastic modulus, m; 0 when rigid.
func (h *HalfSpace) Depth() float64 { return h.depth }

// LeastDepth returns the same as Depth, because all of the surface has one distance from there.
func (h *HalfSpace) LeastDepth() float64 { return h.depth }
