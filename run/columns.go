package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// timeColumn is the time of a row, s, in steps.csv and signals.csv.
const timeColumn = "time_s"

// stepColumns are the columns of steps.csv that every run has, before those of stages:
//
//	time_s                   time at the end of the step, s
//	newton_iterations        Newton iterations of the solver
//	line_search_evaluations  evaluations of the line search
//	solves                   convex problems that were solved for the step, see sim.Report.Solves
//	rounds                   those of them of which more than the laws of contacts were new
//	parts                    shorter steps in which the step was taken; 0: it was taken as a whole
//	residual                 scaled gradient ‖D∇ℓ‖ at which the solver stopped, √J
//	contacts                 number of contact constraints
//	penetration_m            largest penetration at the start of the step, m
//	mean_penetration_m       mean penetration of the contacts that overlap, m
//	stiction_tolerance_m_s   slip speed below which friction is viscous, mean over contacts that carry force, m/s
//	lacking_friction         largest share of a contact's friction that its lag takes away
//	largest_defect           largest defect of a term at the end of the step, over its tolerance, see sim.StepTerm
//	kinetic_J                kinetic energy, J
//	energy_gained_J          energy that bodies gained without cause up to the start of the step, J
//	wall_ms                  wall-clock time of the step, ms
//	converged                1 if the solver converged, 0 otherwise
var stepColumns = []string{
	timeColumn, "newton_iterations", "line_search_evaluations", "solves", "rounds", "parts", "residual", "contacts",
	"penetration_m", "mean_penetration_m", "stiction_tolerance_m_s", "lacking_friction", "largest_defect", "kinetic_J", "energy_gained_J", "wall_ms", "converged",
}

// StepColumns lists the columns of the steps.csv that a run of the scene writes: those that
// every run has, the wall-clock time of each stage of a step (ms), the defect of each term that steps of the model
// have, under the midpoint rule the energies that its damping of changes and the damping of bodies and joints took in
// the step (J, sim.Report.NumericalDissipation), the condition number of the Newton matrix if solver.condition_number
// is set, and, where deformables need iterations, the number of those for which these did not converge; in runs to
// static equilibrium, the number of pseudo-steps, the residual of the forces, relative to the forces, how far the
// state is from the one where its contacts were detected, and where parts buckled or snapped through on the way, how
// far they moved then, the time at which they did and the interval within which that is known; with control of errors,
// the number of steps that were rejected, the lengths of the shortest and the longest part of the row, s, and its
// largest error over the accuracy with the number of the body that has it.
func StepColumns(sc *scene.Scene) []string {
	columns := slices.Clone(stepColumns)
	for _, s := range sim.StageNames {
		columns = append(columns, s+"_ms")
	}
	for i, t := range sim.StepTerms {
		if sc.Model.HasTerm(i) {
			columns = append(columns, t.Name+"_defect_"+strings.ReplaceAll(t.Unit, " ", "_"))
		}
	}
	if sc.Model.Rule.Midpoint {
		columns = append(columns, "numerical_J", "viscous_J")
	}
	if sc.File.Solver.ConditionNumber {
		columns = append(columns, "condition_number")
	}
	if hasNonlinearDeformables(sc.Model) {
		columns = append(columns, record.FreeMotionUnconvergedColumn)
	}
	if sc.File.Time.Equilibrium {
		columns = append(columns, "pseudo_steps", "rest_residual", "rest_moved_m", "snap_m", "snap_time_s", "snap_within_s")
	}
	if sc.Model.Control.Accuracy > 0 {
		columns = append(columns, "rejected", "least_step_s", "largest_step_s", "error_over_accuracy", "error_body")
	}
	return columns
}

// hasNonlinearDeformables reports whether the motion of a deformable is found by iterations,
// which may fail to converge: its constitutive law is not linear.
func hasNonlinearDeformables(m *sim.Model) bool {
	return slices.ContainsFunc(m.Deformables, func(b *fem.Model) bool { return b.Spec().Law.Class() != fem.Linear })
}

// freeMotionWarning is the warning for steps in which the iterations of a deformable did
// not converge; empty if they converged in all steps.
func freeMotionWarning(steps *record.Table) string {
	// the column is missing, and empty here, where deformables need no iterations
	n, first := 0, 0.0
	for i, bodies := range steps.Column(record.FreeMotionUnconvergedColumn) {
		if bodies == 0 {
			continue
		}
		if n++; n == 1 {
			first = steps.Column(timeColumn)[i]
		}
	}
	// a warning states how often and when first, so that the reader can look there
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("the motion of a deformable did not converge in %d steps, first at t = %.6g s; the last iterate was used: use a shorter time.step", n, first)
}
