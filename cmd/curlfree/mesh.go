package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/meshes/stuffing"
)

func (a *app) meshCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mesh",
		Short: "Make, examine and convert meshes",
		RunE: func(cmd *cobra.Command, args []string) error {
			return errors.New("mesh needs one of tet, info, make, convert")
		},
	}
	cmd.AddCommand(a.meshTetCommand(), a.meshInfoCommand(), a.meshMakeCommand(), a.meshConvertCommand())
	return cmd
}

// length is a flag value in metres that may carry a unit, such as 2mm.
type length float64

// String returns the length in metres.
func (l *length) String() string { return strconv.FormatFloat(float64(*l), 'g', -1, 64) }

// Type is the name of the type in help texts.
func (l *length) Type() string { return "length" }

// Set parses a number with an optional unit.
func (l *length) Set(s string) error {
	i := len(s)
	for i > 0 && unicode.IsLetter(rune(s[i-1])) {
		i--
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(s[:i]), 64)
	if err != nil {
		return fmt.Errorf("%q is not a length: a number of metres, or one with a unit such as 2mm", s)
	}
	scale, err := formats.UnitScale(s[i:])
	if err != nil {
		return err
	}
	*l = length(x * scale)
	return nil
}

// tetFlags are the flags of mesh tet.
type tetFlags struct {
	out, unit string
	size      length
	opt       stuffing.TetOptions
	elements  string
	split     bool
	pic       picture
}

func (a *app) meshTetCommand() *cobra.Command {
	var t tetFlags
	cmd := &cobra.Command{
		Use:     "tet SURFACE -o FILE",
		Short:   "Fill a closed surface with tetrahedra",
		Example: "  curlfree mesh tet part.stl --unit mm -o part.vtk --size 2mm\n  curlfree mesh tet finger.stl --unit mm -o finger.vtk --vertices 1000",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.meshTet(args[0], &t) },
	}
	f := cmd.Flags()
	f.StringVar(&t.pic.path, "picture", "", "picture to draw (default FILE.png)")
	f.BoolVar(&t.pic.none, "no-picture", false, "do not draw a picture")
	f.StringVarP(&t.out, "output", "o", "", "file to write ("+extensions(true)+")")
	f.StringVar(&t.unit, "unit", "", "unit of the surface file (default m)")
	f.Var(&t.size, "size", "target edge length, such as 2mm")
	f.IntVar(&t.opt.Vertices, "vertices", 0, "number of vertices, with those of --elements tet10 on the middles of edges; met within 20 % or refused")
	f.IntVar(&t.opt.Layers, "layers", 0, "number of element layers of an extruded part")
	f.StringVar(&t.opt.Method, "method", "auto", "auto, extrude (parts of constant cross section) or stuffing (any closed surface)")
	f.IntVar(&t.opt.MaxVertices, "max-vertices", 200_000, "largest number of vertices")
	f.IntVar(&t.opt.WallCells, "wall-cells", 2, "least number of cells of a stuffing across thin walls; -1: cells of one size")
	f.BoolVar(&t.opt.AllowLoss, "allow-loss", false, "accept a stuffing with fewer pieces or handles than the surface, or 3 % of volume off")
	f.StringVar(&t.elements, "elements", "tet4", "cells to write: tet4; hex12, hexahedra and wedges of an extruded part; or tet10, tetrahedra of ten nodes")
	f.BoolVar(&t.split, "split-boundary", false, "split tetrahedra whose four vertices lie on the boundary")
	return cmd
}

// meshTet fills a closed surface with tetrahedra and writes them.
func (a *app) meshTet(surface string, t *tetFlags) error {
	if t.out == "" {
		return fmt.Errorf("mesh tet needs -o FILE (%s)", extensions(true))
	}
	if !slices.Contains([]string{"tet4", "hex12", "tet10"}, t.elements) {
		return fmt.Errorf("--elements %s: take one of tet4, hex12, tet10", t.elements)
	}
	if err := a.mayWrite(t.out); err != nil {
		return err
	}
	tri, rep, err := formats.ReadTri(surface, formats.ReadOptions{Unit: t.unit})
	if err != nil {
		return fail(exitInput, err)
	}
	a.findings(rep)
	if w := repair.Diagnose(tri).CutWarning(); w != "" {
		fmt.Fprintf(a.stderr, "warning: %s\n", w)
	}
	t.opt.Size, t.opt.Midpoints = float64(t.size), t.elements == "tet10"
	tet, made, err := stuffing.Tetrahedralize(tri, t.opt)
	if err != nil {
		return fail(exitInput, fmt.Errorf("%s: %w", surface, err))
	}
	a.findings(made.Findings)
	if t.split {
		var res meshes.SplitResult
		if tet, res, err = meshes.SplitBoundary(tet, meshes.SplitOptions{}); err != nil {
			return fail(exitInput, err)
		}
		a.findings(res.Findings())
	}
	if tet, err = t.cells(tet); err != nil {
		return fail(exitInput, fmt.Errorf("%s: %w", surface, err))
	}
	if err := formats.WriteTet(t.out, tet); err != nil {
		return fail(exitOutput, err)
	}
	return a.report(tetInfo(t.out, tet), formats.File{Tet: tet}, &t.pic)
}

// cells returns the mesh with the cells that are to be written.
func (t *tetFlags) cells(tet *meshes.Tet) (*meshes.Tet, error) {
	switch t.elements {
	case "tet10":
		return tet.Quadratic(), nil
	case "hex12":
		if tet.Cells == nil {
			return nil, errors.New("--elements hex12 takes an extruded part (--method extrude), without --split-boundary: leave it out, or take tet10")
		}
		return tet, nil
	}
	out := *tet
	out.Cells = nil
	return &out, nil
}

// findings prints the findings of an operation on a mesh.
func (a *app) findings(r meshes.Findings) {
	for _, f := range r.List {
		fmt.Fprintf(a.stderr, "%s: %s\n", f.Severity, f.Text)
	}
}

func (a *app) meshConvertCommand() *cobra.Command {
	var (
		unit, out string
		doRepair  bool
		holes     float64
	)
	cmd := &cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "Convert between mesh formats, with checks and repairs",
		Long: `Convert between mesh formats; the output is in metres. Vertices at the same position are merged
and triangles are oriented consistently; --repair also closes holes where facets are missing.
A format for surfaces only (.stl, .obj) gets the boundary of tetrahedra.

Exit codes: 0 done, 1 --repair did not close the surface (the file is written nevertheless),
2 usage, 3 the input cannot be read, 5 the output cannot be written.`,
		Example: "  curlfree mesh convert part.stl --unit mm --repair -o part.obj",
		Args:    cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "file to write")
	f.StringVar(&unit, "unit", "", "unit of the input file (default m)")
	f.BoolVar(&doRepair, "repair", false, "repair a surface: also close holes")
	f.Float64Var(&holes, "fill-holes", repair.DefaultOptions().FillHoles, "length of the longest hole that --repair closes, over the diagonal of the part")
	warn := a.renamedFlag(cmd, &doRepair, "mend", "repair")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		warn()
		if !doRepair {
			holes = 0
		}
		return a.meshConvert(args[0], out, unit, holes)
	}
	return cmd
}

// meshConvert reads a mesh and writes it. It repairs a surface if holes, the length
// of the longest hole to close over the diagonal, is positive.
func (a *app) meshConvert(in, out, unit string, holes float64) error {
	doRepair := holes > 0
	if out == "" {
		return errors.New("mesh convert needs -o FILE")
	}
	if err := a.mayWrite(out); err != nil {
		return err
	}
	f, rep, err := formats.Read(in, formats.ReadOptions{Unit: unit})
	if err != nil {
		return fail(exitInput, err)
	}
	a.findings(rep)
	if f.Tet != nil && isSurfaceFormat(out) {
		tri, _ := f.Tet.Surface()
		f = formats.File{Tri: tri}
	}
	if doRepair && f.Tri != nil {
		f.Tri = a.repaired(f.Tri, holes)
	}
	if err := writeMesh(out, f); err != nil {
		return fail(exitOutput, err)
	}
	info := fileInfo(out, f)
	if err := a.report(info, f, &picture{none: true}); err != nil {
		return err
	}
	if doRepair && !info.Watertight {
		err := errors.New("it bounds no solid")
		if f.Tri != nil {
			err = cmp.Or(repair.Watertight(f.Tri), err)
		}
		return fail(exitCheck, fmt.Errorf("%s: after the repair: %w", in, err))
	}
	return nil
}

// repaired returns a surface whose holes up to a length, over the diagonal, are closed.
func (a *app) repaired(tri *meshes.Tri, holes float64) *meshes.Tri {
	opt := repair.DefaultOptions()
	opt.FillHoles = holes
	tri, rep := repair.Repair(tri, opt)
	a.findings(rep)
	return tri
}

// checkMeshFile refuses a file whose extension is not that of a mesh format.
func checkMeshFile(path string) error {
	if _, f := formats.FormatByExtension(filepath.Ext(path)); f == nil {
		return fmt.Errorf("-o %s: the file must end in one of %s", path, extensions(false))
	}
	return nil
}

// writeMesh writes a mesh in the format of the extension and creates its folder.
func writeMesh(path string, f formats.File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if f.Tet != nil {
		return formats.WriteTet(path, f.Tet)
	}
	return formats.WriteTri(path, f.Tri)
}

// isSurfaceFormat reports whether files with this extension have only surfaces.
func isSurfaceFormat(path string) bool {
	_, f := formats.FormatByExtension(filepath.Ext(path))
	return f != nil && !f.Volumes()
}

// extensions lists the extensions of formats in which surfaces or, with volumes,
// tetrahedra can be written, for help texts and errors.
func extensions(volumes bool) string { return strings.Join(formats.Extensions(volumes), ", ") }

func (a *app) meshMakeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "make",
		Short: "Make a part from parameters",
		// flags of a misspelled kind must not hide the message about the kind
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("mesh make: unknown kind %q%s", args[0], kinds.Suggest(args[0], strings.Split(partNames(), ", ")))
			}
			return errors.New("mesh make needs one of " + partNames())
		},
	}
	for _, k := range parts.Kinds() {
		cmd.AddCommand(a.makePartCommand(k))
	}
	return cmd
}
