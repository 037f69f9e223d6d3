package run

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/record"
)

// restTol is the residual of the forces that states at rest have, relative to the loads.
const restTol = 1e-10

// restWarning is the warning for states at rest whose forces balance less well than others; empty where there are none.
func restWarning(steps *record.Table) string {
	n, most, moved := 0, 0.0, 0.0
	far := steps.Column("rest_moved_m")
	for i, r := range steps.Column("rest_residual") {
		if i < len(far) {
			moved = math.Max(moved, far[i])
		}
		if r > restTol {
			n++
			most = math.Max(most, r)
		}
	}
	text := ""
	if n > 0 {
		text = fmt.Sprintf("in %d states at rest forces balance to %.1g of those within the elements, not to 1e-10 of the loads: round-off of positions bounds it, as in thin or stiff parts", n, most)
	}
	if moved > 0 {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("states at rest are up to %.2g m from where their contacts were detected: contacts that are detected there divide the faces otherwise, with forces that differ by as much", moved)
	}
	return text
}
