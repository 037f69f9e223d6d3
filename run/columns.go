package run

import (
	"slices"

	"curlfree/scene"
	"curlfree/sim"
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
	return columns
}
