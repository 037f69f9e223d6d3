package record

import (
	"math"
	"slices"
)

// Summary is the content of run.json: the inputs, the cost and the results of a run.
type Summary struct {
	// Scene is the path of the scene file as it was given.
	Scene string `json:"scene"`
	// Version is the version of the program.
	Version string `json:"version"`
	// ContactModel is the name of the contact law.
	ContactModel string `json:"contact_model"`
	// TimeStep is the length of a step, s.
	TimeStep float64 `json:"time_step_s"`
	// Duration is the simulated time, s.
	Duration float64 `json:"duration_s"`
	// Steps is the number of steps.
	Steps int `json:"steps"`
	// Dofs counts the generalized velocities.
	Dofs Dofs `json:"dofs"`
	// Vertices is the number of vertices of all deformables.
	Vertices int `json:"vertices"`
	// Tetrahedra is the number of tetrahedra of all deformables.
	Tetrahedra int `json:"tetrahedra"`
	// Elements describes the finite elements of each deformable: their kind, why it was chosen, and
	// how many there are.
	Elements map[string]string `json:"elements,omitempty"`
	// Threads is the number of threads that steps used. It does not change results.
	Threads int `json:"threads"`
	// Kernel names the vector instructions that the solver used, such as avx2.
	Kernel string `json:"kernel"`
	// Wall is the wall-clock time of all steps and their records, s.
	Wall float64 `json:"wall_s"`
	// RealTime is the simulated time over the wall-clock time.
	RealTime float64 `json:"real_time_factor"`
	// StepMs is the distribution of the wall-clock time of a step.
	StepMs StepMs `json:"step_ms"`
	// StageMs is the mean wall-clock time of each stage of a step, ms.
	StageMs map[string]float64 `json:"stage_ms"`
	// Newton is the distribution of the solver's iterations in a step.
	Newton Iterations `json:"newton_iterations"`
	// Contacts counts contacts per step.
	Contacts Contacts `json:"contacts"`
	// Unconverged is the number of steps in which the solver missed its tolerance.
	Unconverged int `json:"unconverged_steps"`
	// FreeMotionUnconverged is the number of steps in which the iterations for the
	// motion of a deformable did not converge.
	FreeMotionUnconverged int `json:"free_motion_unconverged_steps"`
	// Penetration is the largest overlap at a contact point, m.
	Penetration float64 `json:"max_penetration_m"`
	// RelativePenetration is the largest overlap over the thickness of the bodies.
	RelativePenetration float64 `json:"penetration_to_thickness"`
	// DeepestPenetration is the overlap that is largest relative to thickness; absent if there
	// was none.
	DeepestPenetration *DeepestPenetration `json:"deepest_penetration,omitempty"`
	// FrictionLag is the friction that contacts lacked under a lagged contact law.
	FrictionLag FrictionLag `json:"friction_lag"`
	// StepLengths are those of steps with control of errors.
	StepLengths *StepLengths `json:"step_lengths,omitempty"`
	// Defects are the largest defects of the terms of steps: how far the end of a step is from what its convex problem
	// says of it. Absent without any.
	Defects []TermDefect `json:"defects,omitempty"`
	// EnergyGained is the energy that bodies gained beyond the work done on them, J.
	EnergyGained float64 `json:"energy_gained_J"`
	// LargestGain is the largest of these gains; absent without any.
	LargestGain *EnergyGain `json:"largest_energy_gain,omitempty"`
	// SignalUnits are the units of the columns of signals.csv that are in SI units; the others
	// are scaled by the scene, and their names end in the unit.
	SignalUnits map[string]string `json:"signal_units,omitempty"`
	// StateHash identifies the bits of the last state.
	StateHash string `json:"state_hash"`
	// Inputs is a digest of everything that the results depend on: scene, meshes,
	// values, program. It is empty where a step ended the run early.
	Inputs string `json:"inputs,omitempty"`
	// SceneFromRun is the path of the scene file from the run folder, with slashes, so that it is found from any
	// folder; empty where there is none, as between drives.
	SceneFromRun string `json:"scene_from_run,omitempty"`
	// Warnings are the warnings of the scene and of the run.
	Warnings []string `json:"warnings,omitempty"`
	// Estimates are lines on the model: how far deformables bend from the truth on their meshes, and
	// how much damping the time step adds.
	Estimates []string `json:"estimates,omitempty"`
	// Checks are the outcomes of the scene's expectations.
	Checks []CheckResult `json:"checks"`
}

// Dofs counts generalized velocities.
type Dofs struct {
	// Rigid counts those of rigid bodies' joints.
	Rigid int `json:"rigid"`
	// Deformable counts three for each vertex of a deformable.
	Deformable int `json:"deformable"`
	// Total is the sum of both.
	Total int `json:"total"`
}

// StepMs is the distribution of the wall-clock time of a step, ms.
type StepMs struct {
	// Mean is the mean.
	Mean float64 `json:"mean"`
	// P50 is the median.
	P50 float64 `json:"p50"`
	// P95 is the time that 95 % of the steps do not exceed.
	P95 float64 `json:"p95"`
	// Max is the longest step.
	Max float64 `json:"max"`
}

// Iterations is the distribution of Newton iterations in a step.
type Iterations struct {
	// Mean is the mean.
	Mean float64 `json:"mean"`
	// P95 is the number that 95 % of the steps do not exceed.
	P95 float64 `json:"p95"`
	// Max is the largest number.
	Max float64 `json:"max"`
}

// Contacts counts contacts per step: points and faces.
type Contacts struct {
	// Mean is the mean over all steps.
	Mean float64 `json:"mean"`
	// Max is the largest number in a step.
	Max float64 `json:"max"`
}

// FrictionLag compares the friction of contacts with Coulomb's law. A contact law that bounds
// friction by the normal impulse of another step may apply too much or too little of it. All
// fields are 0 for other contact laws.
type FrictionLag struct {
	// Allowed is the sum of μ γ_n over contacts and steps, N s.
	Allowed float64 `json:"allowed_N_s"`
	// Lacking is the friction impulse that Coulomb's law requires at the solved slip and that
	// the lag takes away, N s.
	Lacking float64 `json:"lacking_N_s"`
	// Excess is the friction beyond μ γ_n, N s.
	Excess float64 `json:"excess_N_s"`
	// Share is the largest share of its friction that the contact of two bodies lacked in a
	// step.
	Share float64 `json:"largest_share"`
	// Time is the time of that step, s.
	Time float64 `json:"largest_time_s"`
	// Bodies are the names of the two bodies of that contact.
	Bodies []string `json:"largest_bodies,omitempty"`
}

// StepLengths are the lengths of steps that control their errors.
type StepLengths struct {
	// Accuracy bounds the error of a step over the size of each body.
	Accuracy float64 `json:"accuracy"`
	// Taken and Rejected are the numbers of steps.
	Taken    int `json:"taken"`
	Rejected int `json:"rejected"`
	// Least and Most are the lengths of the shortest and the longest step, s.
	Least float64 `json:"least_s"`
	Most  float64 `json:"largest_s"`
	// Short is the number of steps of the least length with an error above the accuracy.
	Short int `json:"at_minimum"`
}

// TermDefect is the largest defect of a term of a step in a run.
type TermDefect struct {
	// Term is the name of the term, such as gaps.
	Term string `json:"term"`
	// Ratio is the defect over its tolerance, at most 1 where Left is 0.
	Ratio float64 `json:"ratio"`
	// Value is the defect, in Unit.
	Value float64 `json:"value"`
	// Unit is its unit.
	Unit string `json:"unit"`
	// Time is the start of the step, s.
	Time float64 `json:"time_s"`
	// Bodies are the names of the two bodies; one twice where no other is at it.
	Bodies []string `json:"bodies"`
	// Left is the number of steps that were taken with a ratio above 1 even in their smallest parts.
	Left int `json:"steps_left,omitempty"`
}

// DeepestPenetration is the deepest overlap of a run compared with the thickness of the bodies.
type DeepestPenetration struct {
	// Depth is the overlap, m.
	Depth float64 `json:"m"`
	// Time is the start of the step, s.
	Time float64 `json:"time_s"`
	// Bodies names both bodies.
	Bodies string `json:"bodies"`
}

// EnergyGain is spurious energy that a body or a contact gained in a step, beyond the work done
// on it.
type EnergyGain struct {
	// Energy is the energy, J.
	Energy float64 `json:"J"`
	// Time is the end of the step in which most of it was gained, s.
	Time float64 `json:"time_s"`
	// Of is the kinetic and elastic energy of what gained it after it did, J: of a contact or a spring that of its
	// bodies.
	Of float64 `json:"of_J"`
	// By names the body, the contact and its bodies, or the spring.
	By string `json:"by"`
	// Steps is the number of steps with a gain.
	Steps int `json:"steps"`
}

// FreeMotionUnconvergedColumn is the column of steps.csv that counts the deformables whose
// free motion did not converge, in runs with deformables of laws that are not linear.
const FreeMotionUnconvergedColumn = "free_motion_unconverged"

// The statistics are over all steps of the run, also those before a checkpoint that it was resumed
// from, because they are taken from steps.csv when the run ends. Percentiles are values that occur.

// FromSteps fills the statistics from steps.csv, whose stages have the given names.
func (s *Summary) FromSteps(t *Table, stages []string) {
	// times of steps, ms
	ms := t.Column("wall_ms")
	s.Steps = len(ms)
	s.StepMs = StepMs{mean(ms), percentile(ms, 0.5), percentile(ms, 0.95), percentile(ms, 1)}
	// Newton iterations and contacts
	it := t.Column("newton_iterations")
	s.Newton = Iterations{mean(it), percentile(it, 0.95), percentile(it, 1)}
	c := t.Column("contacts")
	s.Contacts = Contacts{mean(c), percentile(c, 1)}
	s.Penetration = percentile(t.Column("penetration_m"), 1)
	// steps in which the solver, or the free motion of a deformable, did not converge
	s.Unconverged = 0
	for _, ok := range t.Column("converged") {
		if ok == 0 {
			s.Unconverged++
		}
	}
	s.FreeMotionUnconverged = 0
	for _, bodies := range t.Column(FreeMotionUnconvergedColumn) {
		if bodies > 0 {
			s.FreeMotionUnconverged++
		}
	}
	// Stages have a column each, in ms.
	s.StageMs = map[string]float64{}
	for _, name := range stages {
		s.StageMs[name] = mean(t.Column(name + "_ms"))
	}
}

// mean returns the mean of the values, 0 for none.
func mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// percentile returns the smallest of the values that a fraction p of them does not
// exceed (the nearest-rank definition), 0 for none.
func percentile(x []float64, p float64) float64 {
	if len(x) == 0 {
		return 0
	}
	// The rank of the value is ⌈p n⌉ of the n sorted values.
	s := slices.Clone(x)
	slices.Sort(s)
	i := int(math.Ceil(p*float64(len(s)))) - 1
	return s[max(0, min(i, len(s)-1))]
}
