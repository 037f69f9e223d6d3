package run

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// StepColumns lists the columns of the steps.csv that a run of the scene writes.
func StepColumns(sc *scene.Scene) []string {
	columns := slices.Clone(stepColumns)
	for _, s := range sim.StageNames {
		columns = append(columns, s+"_ms")
	}
	if sc.File.Solver.ConditionNumber {
		columns = append(columns, "condition_number")
	}
	if iterates(sc.Model) {
		columns = append(columns, record.FreeMotionUnconvergedColumn)
	}
	return columns
}

// iterates reports whether free motion is found by iterations, which may not settle.
func iterates(m *sim.Model) bool {
	return slices.ContainsFunc(m.Deformables, func(b *fem.Model) bool { return b.Spec().Law.Class() == fem.Nonlinear })
}

// unsettledWarning warns of steps in which iterations did not settle; "" if they did
// in all.
func unsettledWarning(steps *record.Table) string {
	n, first := 0, 0.0
	for i, bodies := range steps.Column(record.FreeMotionUnconvergedColumn) {
		if bodies == 0 {
			continue
		}
		if n++; n == 1 {
			first = steps.Column("time_s")[i]
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("in %d steps, first to t = %.6g s, the free motion of a deformable did not settle and was taken as it was: a shorter time.step helps, or a law other than neo_hookean", n, first)
}
