package fem

import "fmt"

// Shares of a mesh of hexahedra from which on they bend too stiffly to go without a word.
const (
	// leastBending is the share of the bending that walls should have, see bendingShare.
	leastBending = 0.85
	// mostLong is the share of hexahedra beside ribs that are longer than 1.5 thicknesses.
	mostLong = 0.25
)

// warnings implements elementSet: wedges, cells that are no rectangles, and long ones beside ribs make a body too stiff.
func (m cellSet) warnings() (warnings []string) {
	if share := m.bendingShare(); share < leastBending {
		warnings = append(warnings, fmt.Sprintf("walls one element thick bend by %.0f %% of what they should, for wedges and hexahedra whose sides differ in length bend too stiffly; "+
			"try another size or number of vertices", 100*share))
	}
	ribs := m.spec.Mesh.RibCells()
	if share := float64(ribs.Long) / float64(max(1, ribs.Beside)); share > mostLong {
		warnings = append(warnings, fmt.Sprintf("%.0f %% of the hexahedra beside ribs are longer than 1.5 times the thickness of their wall, so that "+
			"joints of ribs turn too little; take a mesh of size: %.2g (m) or less", 100*share, ribs.Size))
	}
	return warnings
}
