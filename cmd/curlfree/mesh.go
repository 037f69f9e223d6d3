package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
)

func (a *app) meshCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mesh",
		Short: "Make, judge and convert meshes",
		RunE: func(cmd *cobra.Command, args []string) error {
			return errors.New("mesh wants one of tet, info, make, convert")
		},
	}
	cmd.AddCommand(a.meshTetCommand(), a.meshInfoCommand(), a.meshMakeCommand(), a.meshConvertCommand())
	return cmd
}

// length is a flag value in metres that may carry a unit, such as 2mm.
type length float64

func (l *length) String() string { return strconv.FormatFloat(float64(*l), 'g', -1, 64) }
func (l *length) Type() string   { return "length" }

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
	scale, err := meshes.UnitScale(s[i:])
	if err != nil {
		return err
	}
	*l = length(x * scale)
	return nil
}

func (a *app) meshTetCommand() *cobra.Command {
	var (
		out, unit string
		size      length
		opt       meshes.TetOptions
		split     bool
		pic       picture
	)
	cmd := &cobra.Command{
		Use:     "tet SURFACE -o FILE",
		Short:   "Fill a closed surface with tetrahedra",
		Example: "  curlfree mesh tet part.stl --unit mm -o part.vtk --size 2mm\n  curlfree mesh tet finger.stl --unit mm -o finger.vtk --vertices 1000",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return fmt.Errorf("mesh tet wants -o FILE (%s)", extensions(true))
			}
			tri, rep, err := meshes.ReadTri(args[0], meshes.ReadOptions{Unit: unit})
			if err != nil {
				return fail(exitInput, err)
			}
			a.findings(rep)
			if n := len(meshes.Diagnose(tri).SelfIntersections); n > 0 {
				fmt.Fprintf(a.stderr, "warning: the surface cuts itself (%d pairs of triangles, see curlfree mesh info): what tetrahedra make of it is a guess; unite its parts in the program it comes from\n", n)
			}
			opt.Size = float64(size)
			tet, made, err := meshes.TetrahedralizeSurface(tri, opt)
			if err != nil {
				return fail(exitInput, fmt.Errorf("%s: %w", args[0], err))
			}
			a.findings(made.Findings)
			if split {
				var res meshes.SplitResult
				if tet, res, err = meshes.SplitBoundary(tet, meshes.SplitOptions{}); err != nil {
					return fail(exitInput, err)
				}
				a.findings(res.Findings())
			}
			if err := meshes.WriteTet(out, tet); err != nil {
				return fail(exitOutput, err)
			}
			return a.report(tetInfo(out, tet), meshes.File{Tet: tet}, &pic)
		},
	}
	f := cmd.Flags()
	f.StringVar(&pic.path, "picture", "", "picture to draw (default FILE.png)")
	f.BoolVar(&pic.none, "no-picture", false, "draw no picture")
	f.StringVarP(&out, "output", "o", "", "file to write ("+extensions(true)+")")
	f.StringVar(&unit, "unit", "", "unit of the surface file (default m)")
	f.Var(&size, "size", "target edge length, such as 2mm")
	f.IntVar(&opt.Vertices, "vertices", 0, "target number of vertices")
	f.IntVar(&opt.Layers, "layers", 0, "layers of an extruded part")
	f.StringVar(&opt.Method, "method", "auto", "auto, extrude (parts of constant section) or stuffing (any closed surface)")
	f.BoolVar(&split, "split-boundary", false, "split tetrahedra whose four vertices are on the boundary")
	return cmd
}

// findings prints what a mesh step has to say.
func (a *app) findings(r meshes.Findings) {
	for _, f := range r.List {
		fmt.Fprintf(a.stderr, "%s: %s\n", f.Severity, f.Text)
	}
}

func (a *app) meshConvertCommand() *cobra.Command {
	var (
		unit, out string
		mend      bool
	)
	cmd := &cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "Convert between mesh formats, checking and mending on the way",
		Long: `Convert between mesh formats; the output is in metres. Vertices at one place are welded and
triangles turned consistently; --mend also closes holes of missing facets. Of tetrahedra, a
format of surfaces only (.stl, .obj) gets the boundary.

Exit codes: 0 done, 1 --mend did not close the surface (the file is written all the same).`,
		Example: "  curlfree mesh convert part.stl --unit mm --mend -o part.obj",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("mesh convert wants -o FILE")
			}
			f, rep, err := meshes.Read(args[0], meshes.ReadOptions{Unit: unit})
			if err != nil {
				return fail(exitInput, err)
			}
			a.findings(rep)
			if f.Tet != nil && isSurfaceFormat(out) {
				tri, _ := f.Tet.Surface()
				f = meshes.File{Tri: tri}
			}
			if mend && f.Tri != nil {
				mended, rep := meshes.Repair(f.Tri, meshes.DefaultRepair())
				f.Tri = mended
				a.findings(rep)
			}
			if err := writeMesh(out, f); err != nil {
				return fail(exitOutput, err)
			}
			info := fileInfo(out, f)
			if err := a.report(info, f, &picture{none: true}); err != nil {
				return err
			}
			if mend && !info.Watertight {
				return fail(exitCheck, fmt.Errorf("%s: mending does not close it", args[0]))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write")
	cmd.Flags().StringVar(&unit, "unit", "", "unit of the input file (default m)")
	cmd.Flags().BoolVar(&mend, "mend", false, "mend a surface: close holes of missing facets too")
	return cmd
}

// checkMeshFile refuses a file that no mesh is written as.
func checkMeshFile(path string) error {
	if _, f := meshes.FormatByExtension(filepath.Ext(path)); f == nil {
		return fmt.Errorf("-o %s: the file must end in one of %s", path, extensions(false))
	}
	return nil
}

func writeMesh(path string, f meshes.File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if f.Tet != nil {
		return meshes.WriteTet(path, f.Tet)
	}
	return meshes.WriteTri(path, f.Tri)
}

// isSurfaceFormat reports whether files with this extension hold no tetrahedra.
func isSurfaceFormat(path string) bool {
	_, f := meshes.FormatByExtension(filepath.Ext(path))
	return f != nil && !f.Volumes()
}

// extensions lists the formats that surfaces or, if volumes is set, tetrahedra are
// written in, as help texts and errors do.
func extensions(volumes bool) string { return strings.Join(meshes.Extensions(volumes), ", ") }

func (a *app) meshMakeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "make",
		Short: "Make a part from parameters",
		// what a kind has, an unknown one may be given too
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("mesh make knows no %q%s", args[0], kinds.Suggest(args[0], strings.Split(partNames(), ", ")))
			}
			return errors.New("mesh make wants one of " + partNames())
		},
	}
	cmd.AddCommand(a.makeFinRayCommand())
	for _, k := range parts.Kinds() {
		cmd.AddCommand(a.makePartCommand(k))
	}
	return cmd
}

func (a *app) makeFinRayCommand() *cobra.Command {
	f := meshes.DefaultFinRay()
	var (
		out    string
		unit   string
		refine int
	)
	cmd := &cobra.Command{
		Use:   "finray -o FILE",
		Short: "Make a FinRay finger: tetrahedra (" + extensions(true) + ") or a surface (other formats)",
		Long: `Make a FinRay finger. x runs from the base (0) to the tip, y is the depth with the flat
contact face at y = 0 and the part on its negative side, z the width, centred.`,
		Args: flagsOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return fmt.Errorf("mesh make finray wants -o FILE (%s)", extensions(false))
			}
			if err := checkMeshFile(out); err != nil {
				return err
			}
			scale, err := meshes.UnitScale(unit)
			if err != nil {
				return err
			}
			var file meshes.File
			var verts []r3.Vec
			if isSurfaceFormat(out) {
				if file.Tri, err = f.Surface(); err == nil {
					verts = file.Tri.Verts
				}
			} else if file.Tet, err = f.Tets(meshes.FinRayOptions{Refine: refine}); err == nil {
				verts = file.Tet.Verts
			}
			if err != nil {
				return fail(exitInput, err)
			}
			info := fileInfo(out, file)
			for i := range verts {
				verts[i] = verts[i].Scale(1 / scale)
			}
			if err := writeMesh(out, file); err != nil {
				return fail(exitOutput, err)
			}
			return a.report(info, meshes.File{}, &picture{none: true})
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&out, "output", "o", "", "file to write")
	fl.StringVar(&unit, "unit", "", "unit of the numbers in the file (default m; most CAD programs expect mm)")
	fl.IntVar(&refine, "refine", 0, "halve all elements this many times")
	for _, p := range []struct {
		name, help string
		v          *float64
	}{
		{"length", "from base to tip", &f.Length}, {"width", "along z", &f.Width},
		{"base-depth", "depth at the base", &f.BaseDepth}, {"tip-depth", "depth at the tip", &f.TipDepth},
		{"wall", "thickness of the walls", &f.Wall}, {"rib", "thickness of the ribs", &f.Rib},
		{"neck", "thickness of a rib at its ends", &f.Neck}, {"base-block", "length of the solid base", &f.BaseBlock},
		{"tip-block", "length of the solid nose", &f.TipBlock},
	} {
		fl.Var((*length)(p.v), p.name, p.help)
	}
	fl.IntVar(&f.Ribs, "ribs", f.Ribs, "number of ribs")
	fl.Float64Var(&f.RibAngle, "rib-angle", f.RibAngle, "lean of the ribs towards the tip, rad")
	return cmd
}
