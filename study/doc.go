// Package study runs a scene over tables of parameters: a parameter study (parameter sweep).
//
// # Study files
//
// A study file names a scene and the values to vary:
//
//	scene: slide.yaml
//	set: {v0: 1}                                 # variables and values of all cases
//	rows:                                        # values that belong together
//	  - {law: lagged, solver.contact: lagged}
//	  - {law: sap, solver.contact: sap}
//	cases: {time.step: [4e-3, 2e-3, 1e-3]}       # values to combine with each row
//	derive: {bodies.block.velocity: "[v0, 0, 0]"}
//	reference: {time.step: 1e-4}                 # what each case is compared with
//	measures:
//	  error: {rms_difference: [x], relative_to: range}
//	  stop: {first: v < 1e-3}
//	plots:
//	  order: {x: time.step, y: error, group: law, log_x: true, log_y: true, order: 1}
//
// A key with a dot is the path of a value in the scene: time.step, bodies.block.mass,
// bodies.block.shapes.0.sphere.radius. A key without a dot is a variable of the study.
//
// # Cases
//
// The cases are the rows, each combined with every combination of the lists under
// cases: here 2 × 3. Rows vary slowest and the last list fastest. Formulas under derive
// are then evaluated for each case. With a reference, each case is compared with the
// case that has the values given there and else its own; here that is one reference for
// each row. A reference that is a case of the table as well runs once.
//
// Values can be drawn instead (sample.go), and further cases made from the results of earlier ones
// (refine.go, pareto.go).
//
// Several tables are given under sweeps; each inherits what it does not define.
//
// # Study folders
//
//	OUT/study.json         the path of the study file
//	OUT/cases.csv          one row for each case, see table.go
//	OUT/PLOT.png, .svg     the figures
//	OUT/cases/NAME/        the run folder of a case, see package run
//	OUT/cases/NAME/case.json   fingerprint of its inputs and its status
//
// A case is identified by a fingerprint of its scene, its values and the program. A
// study that was interrupted therefore continues with the cases that are missing, and
// with the checkpoints of those that were under way. A case whose scene has changed
// runs again. Cases that failed are rows of the table with their reason.
//
// # Plans
//
// A plan (plan.go) is a study folder with a table of all cases and copies of what they read, so that
// any number of processes run its cases (exec.go), on one machine or on many (submit.go). What is done is
// decided by the results alone (ledger.go).
//
// # Measures
//
// A measure reduces a case to one number: a statistic of a signal or of a column of
// steps.csv, a number of run.json, the difference from the reference, the first or last
// time of an event, the number of its rows, or a formula over the other measures.
//
// # Charts
//
// A panel shows either the table, one measure over a varied value with a line for each
// group, or columns over time of chosen cases. Lines that differ in one respect have
// colours, marks and dash patterns; where they differ in two, colours stand for the
// first and dash patterns for the second. Axis titles are "quantity (unit)": the unit
// is the ending of the column's name (grip_N, tip_x_mm) or that of a label.
package study
