package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/gears"
	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/kinds"
)

func (a *app) gearsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gears",
		Short: "Transmission error, stiffness and pressure of pairs of gears",
		RunE:  func(*cobra.Command, []string) error { return errors.New("gears needs: pair") },
	}
	cmd.AddCommand(a.gearsPairCommand())
	return cmd
}

// pairFlags are the flags of gears pair; lengths in mm and µm, angles in degrees, as designers write them.
type pairFlags struct {
	module, width, angle, helix, distance, torque, backlash, tipRelief, reliefLength, ringTip float64
	teeth                                                                                     []int
	shift                                                                                     []float64
	material                                                                                  []string
	compliance, form, out                                                                     string
	steps                                                                                     int
}

func (a *app) gearsPairCommand() *cobra.Command {
	var f pairFlags
	cmd := &cobra.Command{
		Use:   "pair",
		Short: "Compute a pair of involute gears, loaded slowly, over a pitch",
		Long: `Compute how two involute gears of standard proportions (ISO 53) mesh, slowly and without
friction, over one pitch: transmission error without and under load, stiffness beside
ISO 6336-1, shares of the load, pressure of Hertz.

Teeth give as Weber and Banaschek say, in series with contact by Hertz, multiplied by 1/0.8
(C_M of ISO 6336-1); --compliance weber_banaschek_theory leaves that factor out, iso6336 is
the linear c' of the standard. Slices of helical gears are not coupled; shafts and bodies of
gears are rigid.`,
		Example: `  curlfree gears pair --module 2 --teeth 20,40 --torque 10
  curlfree gears pair --module 2 --teeth 20,40 --helix 15 --torque 50 --tip-relief 10 -o pair.csv
  curlfree gears pair --module 1 --teeth 24,72 --form internal --second-tip 70.3 --torque 5`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.gearsPair(&f) },
	}
	fl := cmd.Flags()
	fl.Float64Var(&f.module, "module", 1, "normal module, mm")
	fl.IntSliceVar(&f.teeth, "teeth", []int{20, 40}, "teeth of both gears; the first is external and drives")
	fl.Float64Var(&f.torque, "torque", 0, "torque of the first gear, N m")
	fl.Float64Var(&f.width, "face-width", 0, "common face width, mm; 0: ten modules")
	fl.Float64Var(&f.angle, "pressure-angle", 20, "normal pressure angle, degrees")
	fl.Float64Var(&f.helix, "helix", 0, "helix angle of the first gear, degrees, positive right-handed")
	fl.Float64SliceVar(&f.shift, "shift", []float64{0, 0}, "profile shifts of both gears over the module")
	fl.Float64Var(&f.distance, "distance", 0, "centre distance, mm; 0: that without play")
	fl.Float64Var(&f.backlash, "thinning", 0, "taken off the thickness of all teeth, µm")
	fl.Float64Var(&f.tipRelief, "tip-relief", 0, "linear relief at the tips of both gears, µm")
	fl.Float64Var(&f.reliefLength, "relief-length", 0, "length of the relief along the line of action, mm; 0: half a module")
	fl.Float64Var(&f.ringTip, "second-tip", 0, "tip diameter of the second gear, mm; 0: from the addendum")
	fl.StringVar(&f.form, "form", "external", "form of the second gear: external or internal")
	fl.StringSliceVar(&f.material, "material", []string{"steel"}, "material of both gears, or of each: "+strings.Join(materialNames(), ", "))
	fl.StringVar(&f.compliance, "compliance", gears.WeberBanaschek, "how teeth give: "+strings.Join(gears.Compliances(), ", "))
	fl.IntVar(&f.steps, "steps", 200, "angles over a pitch")
	fl.StringVarP(&f.out, "output", "o", "", "write a table over the angle to this file, as CSV")
	return cmd
}

func materialNames() (names []string) {
	for _, m := range gears.Materials() {
		names = append(names, m.Name)
	}
	return names
}

// gearOf returns a gear of the flags.
func (f *pairFlags) gearOf(i int) (gears.Gear, error) {
	g := gears.Default(f.module*1e-3, f.teeth[i])
	g.PressureAngle = f.angle * math.Pi / 180
	g.Helix = f.helix * math.Pi / 180
	g.Shift = f.shift[i]
	g.Thinning = f.backlash * 1e-6
	if f.width != 0 {
		g.FaceWidth = f.width * 1e-3
	}
	if f.tipRelief != 0 {
		length := f.reliefLength * 1e-3
		if length == 0 {
			length = g.Module / 2
		}
		g.TipRelief = gears.Relief{Amount: f.tipRelief * 1e-6, Length: length}
	}
	name := f.material[min(i, len(f.material)-1)]
	m, ok := gears.MaterialOf(name)
	if !ok {
		return g, fmt.Errorf("--material %s: unknown material%s: one of %s", name, kinds.Suggest(name, materialNames()), strings.Join(materialNames(), ", "))
	}
	g.Material = m
	if i == 1 {
		g.TipDiameter = f.ringTip * 1e-3
		if f.form == "internal" {
			g.Form = gears.Internal
		} else {
			g.Helix = -g.Helix
		}
	}
	return g, nil
}

// pair returns the pair of the flags and its mesh.
func (f *pairFlags) pair() (*gears.Pair, *gears.Mesh, error) {
	switch {
	case len(f.teeth) != 2:
		return nil, nil, fmt.Errorf("--teeth: %d numbers: give two, such as 20,40", len(f.teeth))
	case len(f.shift) != 2:
		return nil, nil, fmt.Errorf("--shift: %d numbers: give two, such as 0.2,-0.2", len(f.shift))
	case len(f.material) < 1 || len(f.material) > 2:
		return nil, nil, fmt.Errorf("--material: %d names: give one or two", len(f.material))
	case f.form != "external" && f.form != "internal":
		return nil, nil, fmt.Errorf("--form %s: give external or internal", f.form)
	case f.steps < 2 || f.steps > 100000:
		return nil, nil, fmt.Errorf("--steps %d: give 2 to 100000", f.steps)
	}
	first, err := f.gearOf(0)
	if err != nil {
		return nil, nil, err
	}
	second, err := f.gearOf(1)
	if err != nil {
		return nil, nil, err
	}
	p, err := gears.NewPair(first, second, f.distance*1e-3)
	if err != nil {
		return nil, nil, err
	}
	c, err := p.Compliance(f.compliance)
	if err != nil {
		return nil, nil, err
	}
	m, err := gears.NewMesh(p, c, 0)
	return p, m, err
}

// pairResult is the JSON object of gears pair.
type pairResult struct {
	Ratio           float64 `json:"ratio"`
	Distance        float64 `json:"distance_m"`
	WorkingAngle    float64 `json:"working_angle_rad"`
	ContactRatio    float64 `json:"contact_ratio"`
	OverlapRatio    float64 `json:"overlap_ratio"`
	LoadedRatio     float64 `json:"loaded_contact_ratio"`
	Play            float64 `json:"play_m"`
	LoadPerWidth    float64 `json:"load_per_width_N_m"`
	UnloadedRange   float64 `json:"unloaded_error_range_m"`
	ErrorMean       float64 `json:"error_mean_m"`
	ErrorRange      float64 `json:"error_range_m"`
	Stiffness       float64 `json:"stiffness_N_m2"`
	Secant          float64 `json:"secant_stiffness_N_m2"`
	TheoreticalPath float64 `json:"secant_stiffness_theoretical_path_N_m2"`
	ISO             float64 `json:"iso6336_stiffness_N_m2"`
	Pressure        float64 `json:"largest_pressure_Pa"`
	EdgeShare       float64 `json:"edge_share"`
	LargestShare    float64 `json:"largest_share"`
	Compliance      string  `json:"compliance"`
	File            string  `json:"file,omitempty"`
}

// gearsPair computes and prints.
func (a *app) gearsPair(f *pairFlags) error {
	p, m, err := f.pair()
	if err != nil {
		return fail(exitUsage, err)
	}
	if f.out != "" {
		if err := a.mayWrite(f.out); err != nil {
			return err
		}
	}
	r, rows, err := f.turn(p, m)
	if err != nil {
		return fail(exitInput, err)
	}
	if f.out != "" {
		r.File = f.out
		if err := atomicfile.Write(f.out, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) }); err != nil {
			return fail(exitOutput, err)
		}
	}
	if a.json {
		return a.printJSON(r)
	}
	a.printPair(r)
	return nil
}

// turn computes a pitch.
func (f *pairFlags) turn(p *gears.Pair, m *gears.Mesh) (*pairResult, [][]string, error) {
	width := math.Min(p.A.FaceWidth, p.B.FaceWidth)
	r := &pairResult{
		Ratio: p.Ratio(), Distance: p.Distance, WorkingAngle: p.WorkingAngle, ContactRatio: p.ContactRatio,
		OverlapRatio: p.OverlapRatio, Play: math.Max(0, p.Play), Compliance: f.compliance,
	}
	if r.Play < 1e-12 { // rounding
		r.Play = 0
	}
	r.LoadPerWidth = f.torque / p.ToothA.R / width
	r.ISO = p.ISO(r.LoadPerWidth).Mesh * 1e9
	rows := [][]string{{"turn_rad", "unloaded_error_m", "error_m", "stiffness_N_m2", "force_N", "pairs", "largest_share", "largest_pressure_Pa"}}
	var unloaded, loaded []float64
	n := float64(f.steps)
	for i := range f.steps {
		turn := p.ToothA.Pitch * float64(i) / n
		l, err := m.At(turn, f.torque)
		if err != nil {
			return nil, nil, err
		}
		unloaded, loaded = append(unloaded, l.Unloaded), append(loaded, l.Error)
		s := summarize(&l)
		r.LoadedRatio += float64(s.pairs) / n
		r.EdgeShare += s.edges / n
		r.LargestShare = math.Max(r.LargestShare, s.share)
		r.Pressure = math.Max(r.Pressure, s.pressure)
		r.Stiffness += l.Stiffness / width / n
		if l.Error > l.Unloaded {
			r.Secant += l.Force / (l.Error - l.Unloaded) / width / n
		}
		var row []string
		for _, v := range []float64{turn, l.Unloaded, l.Error, l.Stiffness / width, l.Force, float64(s.pairs), s.share, s.pressure} {
			row = append(row, strconv.FormatFloat(v, 'g', 9, 64))
		}
		rows = append(rows, row)
		m.TheoreticalPath = true
		l, err = m.At(turn, f.torque)
		m.TheoreticalPath = false
		if err != nil {
			return nil, nil, err
		}
		if l.Error > l.Unloaded {
			r.TheoreticalPath += l.Force / (l.Error - l.Unloaded) / width / n
		}
	}
	r.UnloadedRange = slices.Max(unloaded) - slices.Min(unloaded)
	r.ErrorRange = slices.Max(loaded) - slices.Min(loaded)
	for _, x := range loaded {
		r.ErrorMean += x / n
	}
	return r, rows, nil
}

// contactSummary says how teeth share a load.
type contactSummary struct {
	pairs                  int
	share, edges, pressure float64 // edges: share of the force at edges of tips
}

// summarize sums points by teeth of the first gear. The pressure is that of flanks, without edges of tips.
func summarize(l *gears.Loaded) (s contactSummary) {
	forces := map[int]float64{}
	for i := range l.Points {
		q := &l.Points[i]
		if q.Force <= 0 {
			continue
		}
		forces[q.ToothA] += q.Force
		if q.Edge != gears.NoEdge {
			s.edges += q.Force / l.Force
		} else {
			s.pressure = math.Max(s.pressure, q.Pressure)
		}
	}
	for _, f := range forces {
		s.share = math.Max(s.share, f/l.Force)
	}
	s.pairs = len(forces)
	return s
}

// printPair prints the table.
func (a *app) printPair(r *pairResult) {
	a.say("centre distance %.6g mm, working pressure angle %.4g°, ratio %.6g, play %.3g µm along the line of action", 1e3*r.Distance, r.WorkingAngle*180/math.Pi, r.Ratio, 1e6*r.Play)
	a.say("contact ratio %.4g, overlap ratio %.4g; under load %.4g", r.ContactRatio, r.OverlapRatio, r.LoadedRatio)
	a.say("transmission error along the line of action: %.4g µm peak to peak without load; %.4g µm under load, mean %.4g µm", 1e6*r.UnloadedRange, 1e6*r.ErrorRange, 1e6*r.ErrorMean)
	if r.Secant == 0 {
		a.say("no load: give --torque for stiffness and pressure")
		return
	}
	a.say("stiffness at %.4g N/mm: %.4g N/(mm µm), force over deflection %.4g; on the theoretical path of contact %.4g, by ISO 6336-1 c_γα = %.4g", 1e-3*r.LoadPerWidth, 1e-9*r.Stiffness, 1e-9*r.Secant, 1e-9*r.TheoreticalPath, 1e-9*r.ISO)
	a.say("largest pressure of flanks %.4g MPa (Hertz), largest share of a tooth %.3g, %.3g %% of the force at edges of tips", 1e-6*r.Pressure, r.LargestShare, 100*r.EdgeShare)
	if r.LoadPerWidth < 100e3 {
		a.say("below 100 N/mm ISO 6336-1 lowers c' with the power 0.25 of the load")
	}
}
