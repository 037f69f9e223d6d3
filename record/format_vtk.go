package record

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"

	"curlfree/internal/whole"
	"curlfree/r3"
)

func init() {
	RegisterExporter(Exporter{
		Name:  "vtk",
		About: "a time series of VTU files and its index recording.pvd, for ParaView and VTK",
		Write: exportVTK,
	})
}

// exportVTK writes up to three grids an instant, the first instant included:
// deformables with their fields, rigid surfaces where they are, and contacts as
// points. The index comes last.
func exportVTK(rec *Recording, dir string) ([]string, error) {
	parts := []struct {
		name string
		use  bool
		grid func(rec *Recording, f *Frame) *vtu
	}{
		{"deformables", len(rec.Static.Soft) > 0, softGrid},
		{"rigid", len(rec.Static.Geoms) > 0, rigidGrid},
		{"contacts", true, contactGrid},
	}
	var index bytes.Buffer
	index.WriteString(xml.Header + `<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">` + "\n<Collection>\n")
	for k := range rec.Frames {
		f := &rec.Frames[k]
		part := 0
		for _, p := range parts {
			if !p.use {
				continue
			}
			g := p.grid(rec, f)
			g.time = f.Time
			for b := range len(rec.Static.Bodies) + len(rec.Static.Soft) {
				g.bodies = append(g.bodies, rec.Static.bodyName(b))
			}
			name := fmt.Sprintf("%s_%05d.vtu", p.name, k)
			if err := whole.Write(filepath.Join(dir, name), g.write); err != nil {
				return nil, err
			}
			fmt.Fprintf(&index, `<DataSet timestep="%s" group="" part="%d" name="%s" file="%s"/>`+"\n", number(f.Time), part, p.name, name)
			part++
		}
	}
	index.WriteString("</Collection>\n</VTKFile>\n")
	const name = "recording.pvd"
	err := whole.Write(filepath.Join(dir, name), func(w io.Writer) error {
		_, err := w.Write(index.Bytes())
		return err
	})
	return []string{name}, err
}

// softGrid holds all deformables.
func softGrid(rec *Recording, f *Frame) *vtu {
	g := new(vtu)
	var moved, vel []r3.Vec
	var stress, pressure, tet []float64
	var body []int32
	for i := range rec.Static.Soft {
		first := int32(len(g.points))
		for j, p := range f.Verts[i] {
			g.points = append(g.points, p)
			moved = append(moved, p.Sub(rec.Frames[0].Verts[i][j]))
		}
		vel = append(vel, f.Vels[i]...)
		stress = append(stress, VertexStress(rec, f, i)...)
		pressure = append(pressure, ContactPressure(rec, f, i)...)
		for t, v := range rec.Static.Soft[i].Tets {
			g.add(vtkTetra, first+v[0], first+v[1], first+v[2], first+v[3])
			tet = append(tet, float64(f.VonMises[i][t]))
			body = append(body, int32(len(rec.Static.Bodies)+i))
		}
	}
	g.point = []vtuArray{
		vectors("displacement", moved), vectors("velocity", vel),
		scalars("von_mises", stress), scalars("contact_pressure", pressure),
	}
	g.cell = []vtuArray{scalars("von_mises", tet), {name: "body", width: 1, i32: body}}
	return g
}

// rigidGrid holds the surfaces that pictures show, with their poses applied.
func rigidGrid(rec *Recording, f *Frame) *vtu {
	g := new(vtu)
	var body, geom []int32
	for i := range rec.Static.Geoms {
		s := &rec.Static.Geoms[i]
		if s.Hidden {
			continue
		}
		X_WG := s.X_BG
		if s.Body >= 0 {
			X_WG = f.Poses[s.Body].Mul(s.X_BG)
		}
		first := int32(len(g.points))
		cells := len(g.ends)
		if s.Ground > 0 {
			h := s.Ground / 2
			for _, c := range [4]r3.Vec{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}} {
				g.points = append(g.points, X_WG.Point(c))
			}
			g.add(vtkQuad, first, first+1, first+2, first+3)
		} else if s.Surface != nil {
			for _, p := range s.Surface.Verts {
				g.points = append(g.points, X_WG.Point(p))
			}
			for _, t := range s.Surface.Tris {
				g.add(vtkTriangle, first+t[0], first+t[1], first+t[2])
			}
		}
		for range len(g.ends) - cells {
			body, geom = append(body, int32(s.Body)), append(geom, int32(i))
		}
	}
	g.cell = []vtuArray{{name: "body", width: 1, i32: body}, {name: "geom", width: 1, i32: geom}}
	return g
}

// contactGrid holds a point for each contact of the step before.
func contactGrid(_ *Recording, f *Frame) *vtu {
	g := new(vtu)
	var force, normal []r3.Vec
	var gap, area, pressure []float64
	var a, b []int32
	for i := range f.Contacts {
		c := &f.Contacts[i]
		g.points = append(g.points, c.Pos_W)
		g.add(vtkVertex, int32(i))
		force, normal = append(force, c.Force_W), append(normal, c.Normal_W)
		gap, area = append(gap, c.Phi), append(area, c.Area)
		p := 0.0
		if c.Area > 0 {
			p = c.Force_W.Dot(c.Normal_W) / c.Area
		}
		pressure = append(pressure, p)
		a, b = append(a, int32(c.A)), append(b, int32(c.B))
	}
	g.point = []vtuArray{
		vectors("force", force), vectors("normal", normal), scalars("gap", gap), scalars("area", area),
		scalars("pressure", pressure), {name: "body_a", width: 1, i32: a}, {name: "body_b", width: 1, i32: b},
	}
	return g
}
