package record

import (
	"math"
	"slices"
)

// Summary is run.json: what a run was and how it went.
type Summary struct {
	Scene                 string             `json:"scene"`
	Version               string             `json:"version"`
	ContactModel          string             `json:"contact_model"`
	TimeStep              float64            `json:"time_step_s"`
	Duration              float64            `json:"duration_s"`
	Steps                 int                `json:"steps"`
	Dofs                  Dofs               `json:"dofs"`
	Vertices              int                `json:"vertices"`
	Tetrahedra            int                `json:"tetrahedra"`
	Threads               int                `json:"threads"`
	Kernel                string             `json:"kernel"`
	Wall                  float64            `json:"wall_s"`
	RealTime              float64            `json:"real_time_factor"`
	StepMs                StepMs             `json:"step_ms"`
	StageMs               map[string]float64 `json:"stage_ms"`
	Newton                Iterations         `json:"newton_iterations"`
	Contacts              Contacts           `json:"contacts"`
	Unconverged           int                `json:"unconverged_steps"`
	FreeMotionUnconverged int                `json:"free_motion_unconverged_steps"` // steps in which the iterations for a deformable's free motion did not converge
	Penetration           float64            `json:"max_penetration_m"`
	Sliding               Sliding            `json:"sliding_friction"`
	StateHash             string             `json:"state_hash"`
	Inputs                string             `json:"inputs,omitempty"` // digest of what decided the run; none where a step ended it
	Warnings              []string           `json:"warnings,omitempty"`
	Checks                []CheckResult      `json:"checks"`
}

// Dofs counts velocities.
type Dofs struct {
	Rigid      int `json:"rigid"`
	Deformable int `json:"deformable"`
	Total      int `json:"total"`
}

// StepMs is the distribution of the wall time of a step, ms.
type StepMs struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	Max  float64 `json:"max"`
}

// Iterations is the distribution of Newton iterations.
type Iterations struct {
	Mean float64 `json:"mean"`
	P95  float64 `json:"p95"`
	Max  float64 `json:"max"`
}

// Contacts counts contacts per step.
type Contacts struct {
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// Sliding is the friction of contacts that slid, where it is lagged: zeros elsewhere.
type Sliding struct {
	Allowed float64 `json:"allowed_N_s"` // by their normal impulses and Coulomb's law
	Lacking float64 `json:"lacking_N_s"` // that the lag did not give; negative: it gave too much
}

// FreeMotionUnconvergedColumn is the column of steps.csv that counts the deformables whose
// free motion did not converge, in runs of nonlinear constitutive laws.
const FreeMotionUnconvergedColumn = "free_motion_unconverged"

// FromSteps fills the statistics that steps.csv holds.
func (s *Summary) FromSteps(t *Table, stages []string) {
	ms := t.Column("wall_ms")
	s.Steps = len(ms)
	s.StepMs = StepMs{mean(ms), percentile(ms, 0.5), percentile(ms, 0.95), percentile(ms, 1)}
	it := t.Column("newton_iterations")
	s.Newton = Iterations{mean(it), percentile(it, 0.95), percentile(it, 1)}
	c := t.Column("contacts")
	s.Contacts = Contacts{mean(c), percentile(c, 1)}
	s.Penetration = percentile(t.Column("penetration_m"), 1)
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
	s.StageMs = map[string]float64{}
	for _, name := range stages {
		s.StageMs[name] = mean(t.Column(name + "_ms"))
	}
}

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

// percentile returns the smallest value that a fraction p of the values does not
// exceed.
func percentile(x []float64, p float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := slices.Clone(x)
	slices.Sort(s)
	i := int(math.Ceil(p*float64(len(s)))) - 1
	return s[max(0, min(i, len(s)-1))]
}
