package fem

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// Shares of a mesh of hexahedra from which on they bend too stiffly to go without a word.
const (
	// mostWedges is the share of triangles in the swept plane that are left over.
	mostWedges = 0.1
	// mostTapered is the share of tapered hexahedra.
	mostTapered = 0.1
	// mostLong is the share of hexahedra beside ribs that are longer than 1.5 thicknesses.
	mostLong = 0.25
	// taperLimit is the taper of a face, |x0 − x1 + x2 − x3| over its mean edge, from which on
	// it counts: beams of cells that taper by 1, in turns, give two thirds of the deflection.
	taperLimit = 0.5
)

// warnings implements elementSet: wedges, taper and long cells beside ribs make a body too stiff.
func (m cellSet) warnings() (warnings []string) {
	c := m.spec.Mesh.Cells
	// a quad of the plane is two triangles
	hexes, wedges := len(c.Hexes), len(c.Wedges)
	if share := float64(wedges) / float64(2*hexes+wedges); share > mostWedges {
		warnings = append(warnings, fmt.Sprintf("%.0f %% of the triangles of the swept plane are wedges, which bend too stiffly: "+
			"they make no quad with a neighbour; try another size or number of vertices", 100*share))
	}
	tapered := 0
	for i := range hexes {
		if m.cells[i].taper() > taperLimit {
			tapered++
		}
	}
	if share := float64(tapered) / float64(max(1, hexes)); share > mostTapered {
		warnings = append(warnings, fmt.Sprintf("%.0f %% of the hexahedra taper by more than half of an edge, which makes bending too stiff; "+
			"try another size or number of vertices", 100*share))
	}
	ribs := m.spec.Mesh.RibCells()
	if share := float64(ribs.Long) / float64(max(1, ribs.Beside)); share > mostLong {
		warnings = append(warnings, fmt.Sprintf("%.0f %% of the hexahedra beside ribs are longer than 1.5 times the thickness of their wall, so that "+
			"joints of ribs turn too little; take a mesh of size: %.2g (m) or less", 100*share, ribs.Size))
	}
	return warnings
}

// hexFaces are the faces of a hexahedron; their sense does not matter.
var hexFaces = [6][4]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}

// taper returns the largest taper of any face of a hexahedron at rest, 0 for parallelograms.
func (c *cell) taper() float64 {
	most := 0.0
	for _, f := range hexFaces {
		var p [4]r3.Vec
		edges := 0.0
		for k, a := range f {
			p[k] = c.rest[a]
			edges += c.rest[a].Sub(c.rest[f[(k+1)%4]]).Norm() / 4
		}
		most = max(most, p[0].Sub(p[1]).Add(p[2]).Sub(p[3]).Norm()/edges)
	}
	return most
}
