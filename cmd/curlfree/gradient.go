package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/optimize"
	"github.com/curlfree/curlfree/sim"
)

// gradientResult is the JSON object of gradient.
type gradientResult struct {
	Scene string              `json:"scene"`
	Of    string              `json:"of"`
	Value float64             `json:"value"`
	Unit  string              `json:"unit,omitempty"`
	Steps int                 `json:"steps"`
	By    []gradientRowResult `json:"by"`
}

// gradientRowResult is the derivative by one value.
type gradientRowResult struct {
	Path        string   `json:"path"`
	Value       float64  `json:"value"`
	Gradient    float64  `json:"gradient"`
	Narrow      *float64 `json:"difference_1e-5,omitempty"` // absent where a run fails
	Wide        *float64 `json:"difference_1_percent,omitempty"`
	NarrowKinks int      `json:"kinks_1e-5"`
	WideKinks   int      `json:"kinks_1_percent"`
	FirstKink   *float64 `json:"first_kink_s,omitempty"` // of both differences
	Between     []string `json:"first_kink_between,omitempty"`
}

// gradientFlags are the flags of gradient.
type gradientFlags struct {
	of, method string
	by, set    []string
	threads    int
}

func (a *app) gradientCommand() *cobra.Command {
	var o gradientFlags
	cmd := &cobra.Command{
		Use:   "gradient SCENE --of SIGNAL@last --by PATH,...",
		Short: "Derivatives of a signal by values of a scene",
		Long: `Compute the derivative of a signal of a run by values of the scene: materials, masses, gains, poses, sizes of parts.
It is exact, from the derivative of each step, not a difference of runs.

--of names a signal and its time: last, a time in seconds, or mean or sum over all steps. --by names values by their
paths, as --set of run does.

Beside each derivative stand differences of whole runs over 1e-5 and over 1 % of the value. The first one should agree; the
second one says how far the derivative reaches. Kinks are contacts of pairs of bodies that begin, end or change their number
within the difference, step by step: where there are many, the cost is no straight line.

What has no derivative is refused by name: previous-step and swept friction lag, nonlinear materials, controllers,
signals that are maxima or counts, values that change a mesh.`,
		Example: `  curlfree gradient examples/sliding-block/scene.yaml --of block_x@last --by materials.default.friction --set solver.friction_lag=geometry
  curlfree gradient SCENE --of grip_N@0.5 --by materials.silicone.youngs_modulus,meshes.finger.part.finray.rib_angle --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.gradient(args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.of, "of", "", "signal and time: NAME@last, NAME@TIME (s), NAME@mean or NAME@sum")
	f.StringSliceVar(&o.by, "by", nil, "paths of values of the scene")
	f.StringArrayVar(&o.set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	f.StringVar(&o.method, "method", "auto", "how: adjoint, tangents, or auto, which takes what costs less")
	f.IntVar(&o.threads, "threads", runtime.NumCPU(), "number of runs at a time; the result does not depend on it")
	for _, name := range []string{"of", "by"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return cmd
}

// gradient prints the derivatives of a signal.
func (a *app) gradient(file string, o *gradientFlags) error {
	mode, ok := map[string]gradient.Mode{"auto": gradient.Automatic, "adjoint": gradient.Adjoint, "tangents": gradient.Tangents}[o.method]
	if !ok {
		return fail(exitUsage, fmt.Errorf("--method %s: give adjoint, tangents or auto", o.method))
	}
	d, err := optimize.Gradient(file, o.set, o.of, o.by, mode, o.threads)
	if errors.Is(err, sim.ErrNotDifferentiable) {
		return fail(exitSolver, err)
	}
	if err != nil {
		return fail(exitInput, err)
	}
	r := gradientResult{Scene: file, Of: d.Of, Value: d.Value, Unit: d.Unit, Steps: d.Steps}
	for i := range d.By {
		b := &d.By[i]
		row := gradientRowResult{Path: b.Path, Value: b.Value, Gradient: b.Gradient, NarrowKinks: len(b.NarrowKinks), WideKinks: len(b.WideKinks)}
		// JSON has no NaN
		for k, x := range [2]*float64{&b.Narrow, &b.Wide} {
			if !math.IsNaN(*x) {
				*[2]**float64{&row.Narrow, &row.Wide}[k] = x
			}
		}
		if k, t := firstKink(b, d.H); k != nil {
			row.FirstKink, row.Between = &t, []string{k.A, k.B}
		}
		r.By = append(r.By, row)
		if row.Narrow != nil && math.Abs(row.Gradient-*row.Narrow) > disagreement*math.Max(math.Abs(row.Gradient), math.Abs(*row.Narrow)) {
			a.warn([]string{fmt.Sprintf("%s: the gradient %.6g and the difference over 1e-5, %.6g, disagree: a contact may begin or end there, where the derivative of one side is not that of the other", row.Path, row.Gradient, *row.Narrow)})
		}
	}
	if a.json {
		return a.printJSON(r)
	}
	return a.reportGradient(&r)
}

// disagreement is the relative difference of a gradient and its narrow difference from which on a user is warned: steps
// that are smooth there agree to 1e-5 and better.
const disagreement = 1e-2

// firstKink returns the earliest kink of both differences, and its time.
func firstKink(b *optimize.Derivative, step float64) (first *gradient.Kink, t float64) {
	for _, kinks := range [2][]gradient.Kink{b.NarrowKinks, b.WideKinks} {
		for i := range kinks {
			if first == nil || kinks[i].Step < first.Step {
				first = &kinks[i]
			}
		}
	}
	if first != nil {
		t = float64(first.Step) * step
	}
	return first, t
}

// reportGradient prints the table for readers.
func (a *app) reportGradient(r *gradientResult) error {
	a.say("%s = %.9g %s after %d steps", r.Of, r.Value, r.Unit, r.Steps)
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "by\tvalue\tgradient\tdifference 1e-5\tdifference 1 %\tkinks 1e-5\tkinks 1 %\tfirst kink")
	for _, b := range r.By {
		first := "–"
		if b.FirstKink != nil {
			first = fmt.Sprintf("%.4g s: %s, %s", *b.FirstKink, b.Between[0], b.Between[1])
		}
		fmt.Fprintf(w, "%s\t%.6g\t%.8g\t%s\t%s\t%d\t%d\t%s\n", b.Path, b.Value, b.Gradient, orFailed(b.Narrow), orFailed(b.Wide), b.NarrowKinks, b.WideKinks, first)
	}
	return w.Flush()
}

// orFailed writes a difference.
func orFailed(x *float64) string {
	if x == nil {
		return "a run fails"
	}
	return fmt.Sprintf("%.8g", *x)
}
