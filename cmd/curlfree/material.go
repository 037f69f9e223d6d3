package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/elastomers"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/scene"
)

func (a *app) materialCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "material",
		Short: "Fit laws of rubber to measured curves",
		RunE:  func(*cobra.Command, []string) error { return errors.New("material needs: fit") },
	}
	cmd.AddCommand(a.materialFitCommand())
	return cmd
}

// fitFlags are the flags of material fit.
type fitFlags struct {
	kind, unit, law string
	truth           bool
	stretch, nu     float64
	out, plot, name string
}

func (a *app) materialFitCommand() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit FILE[:KIND]...",
		Short: "Fit laws of rubber to tests of tension, compression, equal biaxial or planar tension",
		Long: `Fit the laws of rubber to measured curves, all tests at once, and print which law describes
them how well and the material for a scene. Files are tables of strain (or stretch) and
stress; their header names the columns and units, such as strain (%), stress_kPa.

A test is uniaxial, or of the kind behind its name: data.csv:equibiaxial, data.csv:planar or
data.csv:compression, with strain and stress counted positive. Strains below 2 % do not count,
and residuals are relative, with a tenth of the largest stress as the least.

Without --law, the material has the stable law of fewest parameters that is at most a quarter
worse than the best.`,
		Example: `  curlfree material fit pull.csv --stretch 3
  curlfree material fit pull.csv press.csv:compression --law yeoh --plot fit.svg -o rubber.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.materialFit(args, &f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.kind, "kind", "uniaxial", "kind of tests whose name has none: uniaxial, equibiaxial, planar or compression")
	fl.StringVar(&f.unit, "stress-unit", "", "unit of stress, where the header has none: Pa, kPa, MPa, GPa, psi or N/mm2")
	fl.BoolVar(&f.truth, "true", false, "stresses are forces over the present area (true or Cauchy stress); strains stay those of the length at rest")
	fl.StringVar(&f.law, "law", "", "law of the material: "+strings.Join(elastomers.Names(), ", "))
	fl.Float64Var(&f.stretch, "stretch", 0, "largest stretch that counts, such as 3; 0: all points")
	fl.Float64Var(&f.nu, "poissons-ratio", 0.49, "Poisson's ratio of the material")
	fl.StringVarP(&f.out, "output", "o", "", "write the material as section of a scene to this file")
	fl.StringVar(&f.plot, "plot", "", "draw data and laws: a file "+strings.Join(render.ChartFormats, ", "))
	fl.StringVar(&f.name, "name", "rubber", "name of the material")
	return cmd
}

// fitResult is the JSON object of material fit.
type fitResult struct {
	Tests    []fitTest `json:"tests"`
	Fits     []fitLaw  `json:"fits"`
	Chosen   string    `json:"chosen,omitempty"`
	Material string    `json:"material,omitempty"`
	Warnings []string  `json:"warnings,omitempty"`
	Files    []string  `json:"files,omitempty"`
}

// fitTest is a test of fitResult.
type fitTest struct {
	Name       string  `json:"name"`
	Kind       string  `json:"kind"`
	Points     int     `json:"points"`
	Least      float64 `json:"least_stretch"`
	Most       float64 `json:"most_stretch"`
	MostStress float64 `json:"most_stress_Pa"`
}

// fitLaw is a law of fitResult.
type fitLaw struct {
	Law           string         `json:"law"`
	Error         float64        `json:"error"`
	YoungsModulus float64        `json:"youngs_modulus_Pa"`
	Parameters    []fitParameter `json:"parameters"`
	Unstable      string         `json:"unstable,omitempty"`
}

// fitParameter is a parameter of fitLaw.
type fitParameter struct {
	Name  string   `json:"name"`
	Value float64  `json:"value"`
	Half  *float64 `json:"half_interval_95"`
}

// materialFit fits and prints.
func (a *app) materialFit(args []string, f *fitFlags) error {
	if f.law != "" && !slices.Contains(elastomers.Names(), f.law) {
		return fail(exitUsage, fmt.Errorf("--law %s: unknown law%s: one of %s", f.law, kinds.Suggest(f.law, elastomers.Names()), strings.Join(elastomers.Names(), ", ")))
	}
	if f.plot != "" && !slices.Contains(render.ChartFormats, strings.ToLower(filepath.Ext(f.plot))) {
		return fail(exitUsage, fmt.Errorf("--plot %s: a name that ends in one of %s is needed", f.plot, strings.Join(render.ChartFormats, ", ")))
	}
	files := slices.DeleteFunc([]string{f.out, f.plot}, func(s string) bool { return s == "" })
	if err := a.mayWrite(files...); err != nil {
		return err
	}
	tests, err := readTests(args, f)
	if err != nil {
		return fail(exitInput, err)
	}
	fits, err := elastomers.All(tests, elastomers.Options{Stretch: f.stretch, PoissonsRatio: f.nu})
	if err != nil {
		return fail(exitInput, err)
	}
	chosen := elastomers.Best(fits)
	if f.law != "" {
		i := slices.IndexFunc(fits, func(x *elastomers.Fit) bool { return x.Law == f.law })
		if i < 0 {
			return fail(exitInput, fmt.Errorf("--law %s: the tests have fewer points than this law has parameters", f.law))
		}
		if chosen = fits[i]; chosen.Unstable != nil {
			return fail(exitInput, fmt.Errorf("--law %s: %w: choose another law, or fewer strains by --stretch", f.law, chosen.Unstable))
		}
	}
	res := fitSummary(tests, fits)
	res.Files = files
	if chosen == nil {
		res.Warnings = append(res.Warnings, "no law is stable within the stretches of the data: fit fewer by --stretch, such as those before a maximum")
	} else {
		res.Chosen, res.Material = chosen.Law, materialText(f.name, chosen)
		res.Warnings = append(res.Warnings, fitWarnings(tests, fits, chosen)...)
	}
	if f.out != "" {
		if chosen == nil {
			return fail(exitInput, errors.New(res.Warnings[0]))
		}
		if err := atomicfile.Write(f.out, func(w io.Writer) error { _, err := io.WriteString(w, res.Material); return err }); err != nil {
			return fail(exitOutput, err)
		}
	}
	if f.plot != "" {
		fig := fitFigure(tests, fits)
		if err := fig.Write(f.plot); err != nil {
			return fail(exitOutput, err)
		}
	}
	return a.printFit(res)
}

// readTests reads the files.
func readTests(args []string, f *fitFlags) (tests []*elastomers.Test, err error) {
	for _, arg := range args {
		path, kind := arg, elastomers.Kind(f.kind)
		if i := strings.LastIndex(arg, ":"); i > 1 { // C:\data.csv has a drive
			path, kind = arg[:i], elastomers.Kind(arg[i+1:])
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		t, err := elastomers.Read(file, path, elastomers.Format{Kind: kind, StressUnit: f.unit, True: f.truth})
		file.Close()
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// fitSummary fills the tables.
func fitSummary(tests []*elastomers.Test, fits []*elastomers.Fit) *fitResult {
	res := new(fitResult)
	for _, t := range tests {
		row := fitTest{Name: t.Name, Kind: string(t.Kind), Points: len(t.Stretch), Least: slices.Min(t.Stretch), Most: slices.Max(t.Stretch)}
		for _, s := range t.Stress {
			row.MostStress = math.Max(row.MostStress, math.Abs(s))
		}
		res.Tests = append(res.Tests, row)
	}
	for _, x := range fits {
		row := fitLaw{Law: x.Law, Error: x.Error, YoungsModulus: x.YoungsModulus}
		for _, p := range x.Parameters {
			out := fitParameter{Name: p.Name, Value: p.Value}
			if !math.IsNaN(p.Half) && !math.IsInf(p.Half, 0) {
				out.Half = &p.Half
			}
			row.Parameters = append(row.Parameters, out)
		}
		if x.Unstable != nil {
			row.Unstable = x.Unstable.Error()
		}
		res.Fits = append(res.Fits, row)
	}
	return res
}

// Bounds of warnings.
const (
	fewTestPoints = 8
	mostToe       = 0.2
	softestRubber = 500 // Pa
	hardestRubber = 3e8 // Pa
	worstFit      = 0.1
)

// fitWarnings says what of a fit may mislead.
func fitWarnings(tests []*elastomers.Test, fits []*elastomers.Fit, chosen *elastomers.Fit) (w []string) {
	for _, t := range tests {
		if n := len(t.Stretch); n < fewTestPoints {
			w = append(w, fmt.Sprintf("%s has %d points: parameters are uncertain", t.Name, n))
		}
	}
	if e := chosen.YoungsModulus; e < softestRubber || e > hardestRubber {
		w = append(w, fmt.Sprintf("Young's modulus of %.3g Pa is not that of a rubber: is the unit of stress right (--stress-unit)?", e))
	}
	if chosen.Error > worstFit {
		w = append(w, fmt.Sprintf("%s is off by %.0f %% (root mean square): look at the chart (--plot), or fit fewer strains (--stretch)", chosen.Law, 100*chosen.Error))
	}
	if toe, ok := chosen.Toe(tests); ok && math.Abs(toe) > mostToe {
		w = append(w, fmt.Sprintf("at a strain of 5 %% the law has %.0f %% of the measured stress: slack or the distance of the grips, so that Young's modulus at rest is uncertain by as much", 100*(1+toe)))
	}
	if !slices.ContainsFunc(tests, func(t *elastomers.Test) bool { return t.Kind != elastomers.Uniaxial }) {
		// laws that fit alike differ in other strains
		least, most := math.Inf(1), 0.0
		s := math.Sqrt(chosen.Limit)
		for _, x := range fits {
			if x.Unstable == nil && x.Error <= math.Max(1.5*chosen.Error, 0.02) {
				p := x.Stress(elastomers.Equibiaxial, s)
				least, most = math.Min(least, p), math.Max(most, p)
			}
		}
		if most > 1.2*least {
			w = append(w, fmt.Sprintf("a pull test alone does not determine other strains: laws that fit it alike differ by %.0f %% in equibiaxial tension at a stretch of %.2f", 100*(most/least-1), s))
		}
	}
	return w
}

// materialText returns the section materials of a scene.
func materialText(name string, x *elastomers.Fit) string {
	spec := reflect.New(reflect.TypeOf(x.Spec).Elem())
	spec.Elem().Set(reflect.ValueOf(x.Spec).Elem())
	for _, f := range kinds.Fields(spec.Interface()) {
		roundDigits(f.Value)
	}
	law := scene.Encode(kinds.Of(reflect.TypeFor[fem.ConstitutiveSpec]()), x.Kind, spec.Interface())
	return fmt.Sprintf("materials:\n  # fitted up to a stretch of %.3g, within %.2g %%\n  %s: {constitutive_law: %s}\n", x.Limit, 100*x.Error, name, law)
}

// roundDigits rounds numbers to six digits, more than data have.
func roundDigits(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		var x float64
		fmt.Sscan(fmt.Sprintf("%.6g", v.Float()), &x)
		v.SetFloat(x)
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		for i := range v.Len() {
			roundDigits(v.Index(i))
		}
	}
}

// fitFigure draws a chart for each kind of test.
func fitFigure(tests []*elastomers.Test, fits []*elastomers.Fit) *render.Figure {
	fig := &render.Figure{Width: 12}
	for _, k := range elastomers.Kinds {
		c := render.Chart{Title: string(k), X: "stretch", Y: "engineering stress (kPa)", Legend: "top_left"}
		least, most := math.Inf(1), 0.0
		for _, t := range tests {
			if t.Kind != k {
				continue
			}
			line := render.Line{Name: filepath.Base(t.Name), Style: render.Style{Mark: 1, MarksOnly: true, Color: len(c.Lines)}}
			every := max(1, len(t.Stretch)/60)
			for i := 0; i < len(t.Stretch); i += every {
				line.Points = append(line.Points, [2]float64{t.Stretch[i], 1e-3 * t.Stress[i]})
			}
			least, most = math.Min(least, slices.Min(t.Stretch)), math.Max(most, slices.Max(t.Stretch))
			c.Lines = append(c.Lines, line)
		}
		if len(c.Lines) == 0 {
			continue
		}
		for i, x := range fits {
			line := render.Line{Name: x.Law, Style: render.Style{Color: i + 1, Dash: i % 4}}
			for j := range 201 {
				s := least + (math.Min(most, x.Limit)-least)*float64(j)/200
				line.Points = append(line.Points, [2]float64{s, 1e-3 * x.Stress(k, s)})
			}
			c.Lines = append(c.Lines, line)
		}
		fig.Charts = append(fig.Charts, c)
	}
	return fig
}

// printFit prints the tables.
func (a *app) printFit(r *fitResult) error {
	if a.json {
		return a.printJSON(r)
	}
	for _, t := range r.Tests {
		a.say("%s: %s, %d points, stretch %.3g to %.3g, stress up to %.4g kPa", t.Name, t.Kind, t.Points, t.Least, t.Most, 1e-3*t.MostStress)
	}
	a.say("")
	a.say("%-14s %9s %12s  parameters (± 95 %%)", "law", "error", "E at rest")
	for _, x := range r.Fits {
		var params []string
		for _, p := range x.Parameters {
			half := "undetermined"
			if p.Half != nil {
				half = fmt.Sprintf("%.2g", *p.Half)
			}
			params = append(params, fmt.Sprintf("%s %.5g ± %s", p.Name, p.Value, half))
		}
		a.say("%-14s %8.2f%% %8.4g kPa  %s", x.Law, 100*x.Error, 1e-3*x.YoungsModulus, strings.Join(params, ", "))
		if x.Unstable != "" {
			a.say("%14s unstable: %s", "", x.Unstable)
		}
	}
	a.warn(r.Warnings)
	if r.Material != "" {
		a.say("\n%s", strings.TrimRight(r.Material, "\n"))
	}
	for _, f := range r.Files {
		a.say("%s", f)
	}
	return nil
}
