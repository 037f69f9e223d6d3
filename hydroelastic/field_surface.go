package hydroelastic

import (
	"fmt"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/stuffing"
)

// NewFromSurface returns the field of any solid given by its surface (outward triangles,
// closed, without self-intersections), filled with tetrahedra of about the size of the
// resolution hint; the field is that of NewTets. The mesh follows the surface to a
// fraction of the hint.
func NewFromSurface(surface *meshes.Tri, opt Options) (*Compliant, error) {
	checked, err := checkSolid("surface", surface)
	if err != nil {
		return nil, err
	}
	opt, err = opt.checked("surface", surface.Bounds().Size().Norm())
	if err != nil {
		return nil, err
	}
	m, _, err := stuffing.Tetrahedralize(surface, stuffing.TetOptions{
		// The hint bounds how coarse the field may be: what is finer is left out.
		Size: opt.ResolutionHint, WallCells: -1, AllowLoss: true,
	})
	if err != nil {
		return nil, fmt.Errorf("hydroelastic: surface: %w", err)
	}
	c, err := newTets("surface", m, opt)
	if err != nil {
		return nil, err
	}
	c.unchecked = !checked
	return c, nil
}
