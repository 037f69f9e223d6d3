package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// mapResult is the JSON object of map.
type mapResult struct {
	Files []string   `json:"files"`
	Body  string     `json:"body"`
	Size  [2]float64 `json:"size_m"`
	Cell  float64    `json:"taxel_m"`
	// where the coordinates begin on the undeformed body, and their directions there, in world axes
	Origin r3.Vec      `json:"origin_m"`
	Along  r3.Vec      `json:"along"`
	Across r3.Vec      `json:"across"`
	Maps   []mapOfTime `json:"maps"`
}

// mapOfTime is one map.
type mapOfTime struct {
	Time     float64     `json:"time_s"`
	Normal   float64     `json:"normal_force_N"`
	Force    [3]float64  `json:"force_N"`
	Pressure float64     `json:"max_pressure_Pa"`
	Center   *[2]float64 `json:"center_of_pressure_m,omitempty"`
}

func (a *app) mapCommand() *cobra.Command {
	var times, out string
	var cell float64
	cmd := &cobra.Command{
		Use:   "map RUN BODY[:SIDE]",
		Short: "Draw the pressure on a face of a deformable, unrolled, as a grid of taxels",
		Long: `Draw pressure and sliding speed over a face of a deformable, unrolled into a plane, and write them as a
table of taxels, as tactile sensors have them.

A face is a smooth part of the undeformed surface, up to edges of more than 35 degrees: that which contacts
press most over the run, or the one that faces SIDE, a direction in the axes of the world before the body moves: +x, -x, +y, -y, +z
or -z. Flat faces, cylinders and prisms are unrolled exactly. The forces of all taxels together are the normal
force on the face; pressures are per area of the undeformed face. The picture says where on the undeformed body the
two coordinates begin and in which directions they go, shows taxels without contact grey, and has a cross at the
centre of pressure.`,
		Example: `  curlfree map runs/finray-grasp left
  curlfree map runs/finray-grasp left:-y --time 0.6,1.2,3 --taxel 1 -o map.pdf`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return a.faceMap(args[0], args[1], times, cell, out) },
	}
	f := cmd.Flags()
	f.StringVar(&times, "time", "", "times, `s,s,...` (default that of the largest force)")
	f.Float64Var(&cell, "taxel", 0, "edge of a taxel, `mm` (default about a sixtieth of the face)")
	f.StringVarP(&out, "output", "o", "", "picture, .png, .svg or .pdf; the table is beside it as .csv (default RUN/map_BODY.png)")
	return cmd
}

// sides are the directions that name faces.
var sides = map[string]r3.Vec{"+x": {1}, "-x": {-1}, "+y": {0, 1}, "-y": {0, -1}, "+z": {0, 0, 1}, "-z": {0, 0, -1}}

// faceMap draws maps of a face and writes their table.
func (a *app) faceMap(run, name, times string, mm float64, out string) error {
	body, side, named := cutSide(name)
	direction, ok := sides[side]
	if named && !ok {
		return fail(exitUsage, fmt.Errorf("%s: the side %q of the body is none of +x, -x, +y, -y, +z, -z: write BODY:-y", name, side))
	}
	if out == "" {
		out = filepath.Join(run, "map_"+fileName(body)+".png")
	}
	ext := filepath.Ext(out)
	if !slices.Contains(render.ChartFormats, strings.ToLower(ext)) {
		return fail(exitUsage, fmt.Errorf("-o %s: the file must end in %s", out, strings.Join(render.ChartFormats, ", ")))
	}
	table := strings.TrimSuffix(out, ext) + ".csv"
	rec, err := a.openRun(run)
	if err != nil {
		return err
	}
	defer rec.Close()
	if err := a.mayWrite(out, table); err != nil {
		return err
	}
	face, err := rec.Unroll(body, direction)
	if err != nil {
		return fail(exitOf(rec, exitUsage), err)
	}
	cell := mm * 1e-3
	if mm == 0 {
		cell = face.DefaultCell()
	}
	maps, err := mapsAt(rec, face, times, cell)
	if err != nil {
		return err
	}
	if dir := filepath.Dir(out); dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fail(exitOutput, err)
		}
	}
	if err := render.TaxelFigure(face, maps).Write(out); err != nil {
		return fail(exitOutput, err)
	}
	if err := atomicfile.Write(table, func(w io.Writer) error { return record.WriteTaxels(w, maps) }); err != nil {
		return fail(exitOutput, err)
	}
	return a.printMap(&mapResult{Files: []string{out, table}, Body: body, Size: face.Size, Cell: cell, Origin: face.Origin, Along: face.First, Across: face.Second}, maps)
}

// cutSide parts BODY:SIDE at the last colon.
func cutSide(name string) (body, side string, found bool) {
	i := strings.LastIndex(name, ":")
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// fileName replaces the characters of a body's name that file names do not have.
func fileName(body string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, body)
}

// mapsAt computes the maps at the recorded frames nearest to times, s, or at that of the largest force.
func mapsAt(rec *record.Recording, face *record.Unrolled, times string, cell float64) ([]*record.Taxels, error) {
	var frames []int
	if times == "" {
		k, err := rec.MostPressed(face)
		if err != nil {
			return nil, fail(exitInput, err)
		}
		frames = append(frames, k)
	}
	for _, text := range strings.FieldsFunc(times, func(r rune) bool { return r == ',' }) {
		t, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, fail(exitUsage, fmt.Errorf("--time: %q is not a number: write times in s, such as 0,0.5,1", text))
		}
		if err := covered("time", t, rec); err != nil {
			return nil, err
		}
		k := sort.Search(rec.Len(), func(k int) bool { return rec.Time(k) >= t })
		if k == rec.Len() || k > 0 && t-rec.Time(k-1) < rec.Time(k)-t {
			k--
		}
		frames = append(frames, k)
	}
	var maps []*record.Taxels
	for _, k := range frames {
		x, err := rec.Taxels(face, k, cell)
		if err != nil {
			return nil, fail(exitOf(rec, exitUsage), err)
		}
		maps = append(maps, x)
	}
	return maps, nil
}

// printMap prints the files and the forces.
func (a *app) printMap(r *mapResult, maps []*record.Taxels) error {
	for _, x := range maps {
		peak := 0.0
		for k := range x.Force {
			peak = math.Max(peak, x.Pressure(k))
		}
		m := mapOfTime{Time: x.Time, Normal: x.Normal, Force: x.Total, Pressure: peak}
		if x.Normal > 0 {
			m.Center = &x.Center
		}
		r.Maps = append(r.Maps, m)
	}
	if a.json {
		return a.printJSON(r)
	}
	for _, m := range r.Maps {
		if m.Center == nil {
			a.say("%s at %.4g s: nothing presses on the face", r.Body, m.Time)
			continue
		}
		a.say("%s at %.4g s: %.4g N over the face, at most %.4g Pa, centre of pressure at (%.4g, %.4g) mm", r.Body, m.Time, m.Normal, m.Pressure, 1e3*m.Center[0], 1e3*m.Center[1])
	}
	for _, f := range r.Files {
		a.say("%s", f)
	}
	return nil
}
