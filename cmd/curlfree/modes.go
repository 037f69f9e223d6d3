package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/modal"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/scene"
)

// modesResult is the JSON object of modes.
type modesResult struct {
	Body     string     `json:"body"`
	Vertices int        `json:"free_vertices"`
	Modes    []modeInfo `json:"modes"`
	Files    []string   `json:"files,omitempty"`
}

// modeInfo is one mode of modesResult.
type modeInfo struct {
	Frequency float64    `json:"frequency_Hz"`
	MassShare [3]float64 `json:"mass_share"`
	Residual  float64    `json:"residual"`
}

// modesFlags are the flags of modes.
type modesFlags struct {
	set       []string
	body, out string
	count     int
	matrices  bool
	pictures  bool
}

func (a *app) modesCommand() *cobra.Command {
	var m modesFlags
	cmd := &cobra.Command{
		Use:   "modes SCENE",
		Short: "Compute natural frequencies and shapes of a deformable (modal analysis)",
		Long: `Compute the lowest natural frequencies of a deformable of a scene and their shapes, at rest
and without damping. Vertices that are attached to bodies do not move; a body without
attachments has six rigid motions of about 0 Hz.

Columns x, y and z are the share of the mass that a mode moves along these axes of the
mesh, in percent: modes with a large one answer to shaking in that direction.`,
		Example: `  curlfree modes examples/finray-grasp/scene.yaml --body left -n 6
  curlfree modes scene.yaml --pictures --matrices -o modes`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.modes(args[0], &m) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&m.set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	f.StringVar(&m.body, "body", "", "name of the deformable; may be left out where there is one")
	f.IntVarP(&m.count, "count", "n", 10, "number of modes")
	f.StringVarP(&m.out, "output", "o", "modes", "folder of pictures and matrices")
	f.BoolVar(&m.pictures, "pictures", false, "draw each shape, with a largest displacement of a tenth of the diagonal")
	f.BoolVar(&m.matrices, "matrices", false, "write stiffness (N/m) and mass (kg) over the free vertices as stiffness.mtx and mass.mtx, in Matrix Market format")
	return cmd
}

// modes computes and prints the modes of a deformable, and writes what is asked for.
func (a *app) modes(path string, f *modesFlags) error {
	sc, err := scene.Load(path, f.set)
	if err != nil {
		return fail(exitInput, err)
	}
	number, err := deformableOf(sc, f.body)
	if err != nil {
		return err
	}
	if f.count < 1 {
		return fail(exitUsage, fmt.Errorf("-n %d: at least one mode is required", f.count))
	}
	files := f.files()
	if err := a.mayWrite(files...); err != nil {
		return err
	}
	body := sc.Model.Deformables[number]
	m, err := modal.Solve(body, attachedVertices(sc, number), f.count)
	if err != nil {
		return fail(exitInput, fmt.Errorf("%s: deformables.%s: %w", path, body.Name(), err))
	}
	res := &modesResult{Body: body.Name(), Vertices: len(m.Verts), Files: files}
	for _, mode := range m.List {
		res.Modes = append(res.Modes, modeInfo{mode.Frequency, mode.MassShare, mode.Residual})
	}
	if err := f.write(body, sc, number, m); err != nil {
		return fail(exitOutput, err)
	}
	return a.printModes(res)
}

// attachedVertices returns the vertices of a deformable that its attachments fix.
func attachedVertices(sc *scene.Scene, deformable int) (held []int32) {
	for _, t := range sc.Model.Attachments {
		if t.Deformable == deformable {
			held = append(held, t.Verts...)
		}
	}
	return held
}

// deformableOf returns the number of the deformable of a name, of the only one for "".
func deformableOf(sc *scene.Scene, name string) (int, error) {
	var names []string
	for i, d := range sc.Model.Deformables {
		names = append(names, d.Name())
		if d.Name() == name || name == "" && len(sc.Model.Deformables) == 1 {
			return i, nil
		}
	}
	switch {
	case len(names) == 0:
		return 0, fail(exitInput, fmt.Errorf("%s has no deformables, and only these have modes", sc.Path))
	case name == "":
		return 0, fail(exitUsage, fmt.Errorf("%s has several deformables: choose one by --body %s", sc.Path, strings.Join(names, ", ")))
	}
	return 0, fail(exitUsage, fmt.Errorf("--body %s: %s has no deformable of this name%s", name, sc.Path, kinds.Suggest(name, names)))
}

// files returns the paths that are written.
func (f *modesFlags) files() (paths []string) {
	if f.matrices {
		paths = append(paths, filepath.Join(f.out, "stiffness.mtx"), filepath.Join(f.out, "mass.mtx"))
	}
	for i := range f.count {
		if f.pictures {
			paths = append(paths, filepath.Join(f.out, fmt.Sprintf("mode-%02d.png", i+1)))
		}
	}
	return paths
}

// write writes matrices and pictures.
func (f *modesFlags) write(body *fem.Model, sc *scene.Scene, number int, m *modal.Modes) error {
	paths := f.files()
	if len(paths) == 0 {
		return nil
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return err
	}
	if f.matrices {
		for i, A := range []func(io.Writer) error{
			func(w io.Writer) error { return modal.WriteMatrixMarket(w, m.K) },
			func(w io.Writer) error { return modal.WriteMatrixMarket(w, m.M) },
		} {
			if err := atomicfile.Write(paths[i], A); err != nil {
				return err
			}
		}
		paths = paths[2:]
	}
	for i, path := range paths {
		if err := drawMode(path, body, sc.Static.Deformables[number].Tris, &m.List[i]); err != nil {
			return err
		}
	}
	return nil
}

// drawMode draws a shape with a largest displacement of a tenth of the body's diagonal.
func drawMode(path string, body *fem.Model, tris [][3]int32, mode *modal.Mode) error {
	mesh, verts := body.Mesh(), displaced(body, mode)
	// at rest, and a quarter of a period later; rigid motions have none
	quarter := 1.0
	if mode.Frequency > 1e-3 {
		quarter = 0.25 / mode.Frequency
	}
	frame := func(t float64, x []r3.Vec) record.Frame {
		return record.Frame{Time: t, Verts: [][]r3.Vec{x}, Vels: [][]r3.Vec{make([]r3.Vec, len(x))}, VonMises: [][]float32{make([]float32, len(mesh.Tets))}}
	}
	rec := &record.Recording{Frames: []record.Frame{frame(0, mesh.Verts), frame(quarter, verts)}}
	rec.Static.Deformables = []record.Deformable{{Color: "#d9822b", Rest: mesh.Verts, Tets: mesh.Tets, Tris: tris}}
	rec.Static.Gravity = r3.Vec{0, 0, -1}
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return err
	}
	opt.Field = "displacement"
	img, err := render.Picture(rec, quarter, opt)
	if err != nil {
		return err
	}
	return render.WritePNG(path, img)
}

// displaced returns the vertices of a body in a mode, the largest motion a tenth of the body's size.
func displaced(body *fem.Model, mode *modal.Mode) []r3.Vec {
	mesh, largest := body.Mesh(), 0.0
	for _, u := range mode.Shape {
		largest = max(largest, u.Norm())
	}
	scale := 0.1 * mesh.Bounds().Size().Norm() / largest
	verts := slices.Clone(mesh.Verts)
	for i := range verts {
		verts[i] = verts[i].AddScaled(scale, mode.Shape[i])
	}
	return verts
}

// printModes prints the table.
func (a *app) printModes(r *modesResult) error {
	if a.json {
		return a.printJSON(r)
	}
	a.say("%s: %d free vertices", r.Body, r.Vertices)
	a.say("mode  frequency (Hz)   mass x (%%)   y (%%)   z (%%)  residual")
	for i, m := range r.Modes {
		a.say("%4d  %14.6g  %11.1f %7.1f %7.1f  %8.1e", i+1, m.Frequency, 100*m.MassShare[0], 100*m.MassShare[1], 100*m.MassShare[2], m.Residual)
	}
	for _, f := range r.Files {
		a.say("%s", f)
	}
	return nil
}
