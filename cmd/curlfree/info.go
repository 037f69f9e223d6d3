package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// meshInfo is the JSON object of mesh info.
type meshInfo struct {
	File       string          `json:"file"`
	Kind       string          `json:"kind"` // surface or tetrahedra
	Vertices   int             `json:"vertices"`
	Triangles  int             `json:"triangles"`
	Size       [3]float64      `json:"size_m"`
	Area       float64         `json:"area_m2"`
	Volume     float64         `json:"volume_m3"`
	Components int             `json:"components"`
	Watertight bool            `json:"watertight"`
	Quality    *meshes.Quality `json:"quality,omitempty"`
	// cells that the tetrahedra fill, on which elements hex12 stand
	Hexahedra int `json:"hexahedra,omitempty"`
	Wedges    int `json:"wedges,omitempty"`
	// of hexahedra, those beside ribs, and those of them that are longer than 1.5 thicknesses of the wall
	BesideRibs     int     `json:"beside_ribs,omitempty"`
	LongBesideRibs int     `json:"long_beside_ribs,omitempty"`
	RibSize        float64 `json:"rib_size_m,omitempty"` // advised
	// Bending are the discretization errors of a volume mesh that floats, for all elements that it takes
	Bending  []check.BendingEstimate `json:"bending,omitempty"`
	Findings []meshes.Finding        `json:"findings"`
	Picture  string                  `json:"picture,omitempty"`
}

func (a *app) meshInfoCommand() *cobra.Command {
	var (
		unit string
		pic  picture
	)
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Report size, quality and defects of a mesh, and draw it if asked to",
		Long: `Report size, volume, holes, self-intersections and quality of the tetrahedra of a surface or volume
mesh, without repairing it, and how far a floating body of a volume mesh bends from the truth, at a Poisson's ratio of 0.45. With -o it draws a picture;
else it writes nothing.

Exit codes: 0 usable, 1 not usable (a surface must enclose a volume), 2 usage, 3 the file
cannot be read.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, file, err := infoOf(args[0], unit)
			if err != nil {
				return fail(exitInput, err)
			}
			if file.Tet != nil && info.Watertight {
				info.Bending = bendingOf(file.Tet)
			}
			// who asks for numbers wants no new file
			pic.none = pic.none || pic.path == ""
			if err := a.report(info, file, &pic); err != nil {
				return err
			}
			if !info.Watertight {
				return fail(exitCheck, errSilent)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&unit, "unit", "", "unit of the file (default m)")
	cmd.Flags().StringVarP(&pic.path, "output", "o", "", "picture to draw (default none)")
	cmd.Flags().BoolVar(&pic.none, "no-picture", false, "draw no picture, as without -o")
	return cmd
}

// picture reports whether a mesh is drawn and where; default next to its file.
type picture struct {
	path string
	none bool
}

// report draws a mesh and prints its properties.
func (a *app) report(info *meshInfo, file formats.File, pic *picture) error {
	if !pic.none && pic.path == "" {
		pic.path = strings.TrimSuffix(info.File, filepath.Ext(info.File)) + ".png"
		// nobody asked for this picture by its name: it is left out rather than the report
		if err := a.mayWrite(pic.path); err != nil {
			a.warn([]string{fmt.Sprintf("no picture is drawn: %v", err)})
			pic.none = true
		}
	}
	if !pic.none {
		if err := a.mayWrite(pic.path); err != nil {
			return err
		}
		err := drawMesh(pic.path, file)
		var heavy *render.CoverError
		switch {
		case errors.As(err, &heavy):
			a.warn([]string{fmt.Sprintf("no picture is drawn: %v", err)})
		case err != nil:
			return fail(exitOutput, err)
		default:
			info.Picture = pic.path
		}
	}
	if a.json {
		return a.printJSON(info)
	}
	a.printInfo(info)
	return nil
}

// bendingOf estimates how far a floating body of a mesh bends from the truth, for all elements that the
// mesh takes, at Poisson's ratio of rubber.
func bendingOf(tets *meshes.Tet) (all []check.BendingEstimate) {
	law, err := fem.NewLinear(1e6, 0.45)
	if err != nil {
		return nil
	}
	for _, e := range []fem.Elements{fem.Tet4, fem.Tet10, fem.Hex12} {
		c, err := e.Choose(law, func(k fem.ElementKind) *meshes.Tet { return k.Mesh(tets) })
		if err != nil {
			continue // a mesh without hexahedra
		}
		m, err := fem.NewModel(fem.Spec{Name: "floating", Mesh: c.Mesh, Law: law, Elements: c.Elements, Density: 1000})
		if err != nil {
			continue // findings report flat elements
		}
		all = append(all, check.EstimateBending(m, nil))
	}
	return all
}

// infoOf reads a mesh without repairing it and determines its properties.
func infoOf(path, unit string) (*meshInfo, formats.File, error) {
	f, rep, err := formats.Read(path, formats.ReadOptions{Unit: unit, Raw: true})
	if err != nil {
		return nil, f, err
	}
	info := fileInfo(path, f)
	info.Findings = append(append([]meshes.Finding{}, rep.List...), info.Findings...)
	return info, f, nil
}

// fileInfo determines the properties of a mesh.
func fileInfo(path string, f formats.File) *meshInfo {
	if f.Tet != nil {
		return tetInfo(path, f.Tet)
	}
	return triInfo(path, f.Tri)
}

// triInfo determines the properties of a surface.
func triInfo(file string, m *meshes.Tri) *meshInfo {
	d := repair.Diagnose(m)
	size := d.Bounds.Size()
	return &meshInfo{
		File: file, Kind: "surface", Vertices: d.Vertices, Triangles: d.Triangles, Size: size,
		Area: d.Area, Volume: d.Volume, Components: d.Components,
		Watertight: repair.Watertight(m) == nil, Findings: d.Findings(m).List,
	}
}

// tetInfo determines the properties of a volume mesh.
func tetInfo(file string, m *meshes.Tet) *meshInfo {
	q := meshes.TetQuality(m)
	rep := repair.CheckTet(m)
	tris, _ := m.Boundary()
	area := 0.0
	for _, t := range tris {
		a := m.Verts[t[0]]
		area += 0.5 * m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a)).Norm()
	}
	hexahedra, wedges := 0, 0
	if m.Cells != nil {
		hexahedra, wedges = len(m.Cells.Hexes), len(m.Cells.Wedges)
	}
	ribs := m.RibCells()
	return &meshInfo{
		Hexahedra: hexahedra, Wedges: wedges, BesideRibs: ribs.Beside, LongBesideRibs: ribs.Long, RibSize: ribs.Size,
		File: file, Kind: "tetrahedra", Vertices: len(m.Verts), Triangles: len(tris), Size: m.Bounds().Size(),
		Area: area, Volume: q.Volume, Watertight: rep.Err() == nil, Quality: &q, Findings: rep.List,
	}
}

// contents describes the mesh in a few words.
func (i *meshInfo) contents() string {
	s := fmt.Sprintf("%s, %d vertices, %d triangles on the boundary", i.Kind, i.Vertices, i.Triangles)
	if i.Quality != nil {
		s += fmt.Sprintf(", %d tetrahedra", i.Quality.Tets)
	}
	if i.Hexahedra+i.Wedges > 0 {
		s += fmt.Sprintf(" that fill %d hexahedra and %d wedges", i.Hexahedra, i.Wedges)
	}
	return s
}

// printInfo prints lengths in mm, areas in cm² and volumes in cm³.
func (a *app) printInfo(i *meshInfo) {
	mm := func(x float64) string { return fmt.Sprintf("%.4g", 1e3*x) }
	a.say("%s: %s", i.File, i.contents())
	a.say("  %s × %s × %s mm, surface %.4g cm², volume %.4g cm³", mm(i.Size[0]), mm(i.Size[1]), mm(i.Size[2]), 1e4*i.Area, 1e6*i.Volume)
	if q := i.Quality; q != nil {
		deg := 180 / math.Pi
		a.say("  edges %s to %s mm, dihedral angles %.1f° to %.1f°, radius ratio %.2f to 1 (mean %.2f)",
			mm(q.MinEdge), mm(q.MaxEdge), deg*q.MinDihedral, deg*q.MaxDihedral, q.MinRatio, q.MeanRatio)
	} else if i.Watertight {
		a.say("  closed, %d component(s)", i.Components)
	} else {
		a.say("  does not enclose a volume, %d component(s)", i.Components)
	}
	if i.LongBesideRibs > 0 {
		a.say("  %d of %d hexahedra beside ribs are longer than 1.5 times the thickness of their wall; a size of %.2g mm would do",
			i.LongBesideRibs, i.BesideRibs, 1e3*i.RibSize)
	}
	for k := range i.Bending {
		a.say("  bending: %s", &i.Bending[k])
	}
	for _, f := range i.Findings {
		if f.Severity == meshes.Note && (f.Kind == "size" || f.Kind == "quality") {
			continue // printed above
		}
		a.say("  %s: %s", f.Severity, f.Text)
	}
	if i.Picture != "" {
		a.say("Picture in %s", i.Picture)
	}
}

// drawMesh draws a mesh as the only body of a recording with one frame.
func drawMesh(path string, f formats.File) error {
	rec := &record.Recording{Frames: []record.Frame{{}}}
	fr := &rec.Frames[0]
	if f.Tet != nil {
		tris, _ := f.Tet.Boundary()
		rec.Static.Deformables = []record.Deformable{{Color: "#d9822b", Rest: f.Tet.Verts, Tets: f.Tet.Tets, Tris: tris}}
		fr.Verts, fr.Vels = [][]r3.Vec{f.Tet.Verts}, [][]r3.Vec{make([]r3.Vec, len(f.Tet.Verts))}
		fr.VonMises = [][]float32{make([]float32, len(f.Tet.Tets))}
	} else {
		rec.Static.Bodies = []string{"mesh"}
		rec.Static.Geoms = []record.Geom{{Name: "mesh", X_BG: r3.PoseIdentity(), Mesh: f.Tri, Color: "#8fa3b8"}}
		fr.Poses = []r3.Pose{r3.PoseIdentity()}
	}
	rec.Static.Gravity = r3.Vec{0, 0, -1}
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return err
	}
	// a mesh has neither results nor a time
	opt.Field, opt.Captioned = "none", true
	img, err := render.Picture(rec, 0, opt)
	if err != nil {
		return err
	}
	return render.WritePNG(path, img)
}
