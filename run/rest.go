package run

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/record"
)

// restTol is the residual of the forces that states at rest have, relative to the loads.
const restTol = 1e-10

// snapWarning is the warning for parts that buckled or snapped through between states at rest; empty where none did.
func snapWarning(steps *record.Table) string {
	var found []string
	n := 0
	time, within := steps.Column("snap_time_s"), steps.Column("snap_within_s")
	for i, moved := range steps.Column("snap_m") {
		if !(moved > 0) {
			continue
		}
		if n++; n <= 3 {
			found = append(found, fmt.Sprintf("at t = %.6g s (within %.2g s) by %.3g m", time[i], within[i], moved))
		}
	}
	if n == 0 {
		return ""
	}
	text := "parts buckle or snap through, under the loads and motions of that time: " + strings.Join(found, ", ")
	if n > len(found) {
		text += fmt.Sprintf(" and %d times more (snap_time_s of steps.csv)", n-len(found))
	}
	return text
}

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
