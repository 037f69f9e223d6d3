package record

import (
	"fmt"
	"path/filepath"

	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
)

var _ = register("vtk", "A time series of VTU files and its index, for ParaView and VTK.",
	"Each frame, the first included, has up to four grids. Bodies are numbered: rigid ones first, then deformables, −1 is the world. "+
		"Lengths are in m, forces in N, pressures and stresses in Pa, velocities in m/s, in world axes.",
	vtkFormat{})

// The grids of a frame and their fields. Lengths are in m, all vectors in world axes. Bodies are
// scene bodies: rigid ones first, then deformables, −1 the world.
//
//	grid              cells         field             unit
//	deformables       tetrahedra    displacement      m, since the first frame; at vertices
//	                                velocity          m/s; at vertices
//	                                von_mises         Pa; at vertices (VertexStress) and in cells
//	                                contact_pressure  Pa; at vertices (ContactPressure)
//	                                body              number
//	rigid             triangles     body, geom        numbers
//	contacts          points        force             N, on body_b
//	                                normal            unit vector from body_a to body_b
//	                                slip              m/s, of body_b on body_a
//	                                gap, area         m, negative in overlap; m², 0 of a point
//	                                pressure          Pa, normal force over area; 0 of a point
//	                                body_a, body_b    numbers
//	contact_surfaces  polygons      pressure          Pa
//	                                traction          Pa, on body_b
//	                                slip, normal      as for contacts
//	                                area              m²
//	                                contact_surface   number within the frame
//	                                body_a, body_b    numbers
//
// Contacts are those of the step that ended at the frame, so that the first frame has none.

// vtkFormat implements Format.
type vtkFormat struct{}

// vtkIndex is the file that lists all others with their times.
const vtkIndex = "recording.pvd"

// vtkParts are the grids of a frame.
var vtkParts = []struct {
	name string
	doc  string
	use  func(rec *Recording) bool
	grid func(rec *Recording, f *Frame) *formats.VTU
}{
	{
		"deformables", "tetrahedra of the deformables with displacement, velocity, von Mises stress and contact pressure",
		func(rec *Recording) bool { return len(rec.Static.Deformables) > 0 }, deformableGrid,
	},
	{
		"rigid", "surfaces of the rigid bodies that pictures show, at their poses",
		func(rec *Recording) bool { return len(rec.Static.Geoms) > 0 }, rigidGrid,
	},
	{
		"contacts", "contacts of the step before as points with force, normal, gap, area and slip",
		func(*Recording) bool { return true }, contactGrid,
	},
	{
		"contact_surfaces", "faces of contact surfaces of pressure fields as polygons with pressure, traction, slip and normal",
		(*Recording).hasFaces, surfaceGrid,
	},
}

// Files implements Format.
func (vtkFormat) Files() []ExportedFile {
	files := []ExportedFile{{vtkIndex, "index of the time series: open this one"}}
	for _, p := range vtkParts {
		files = append(files, ExportedFile{p.name + "_*.vtu", p.doc})
	}
	return files
}

// Write writes the grids of all frames, and the index last.
func (vtkFormat) Write(rec *Recording, dir string) ([]string, error) {
	// a part is in all frames or in none, as readers of time series expect
	use := make([]bool, len(vtkParts))
	for i, p := range vtkParts {
		use[i] = p.use(rec)
	}
	// A file for each grid and frame; the index gives their times.
	var index formats.PVD
	for k := range rec.Len() {
		f := rec.At(k)
		part := 0
		for i, p := range vtkParts {
			if !use[i] {
				continue
			}
			g := p.grid(rec, f)
			g.Time, g.HasTime = f.Time, true
			name := fmt.Sprintf("%s_%05d.vtu", p.name, k)
			if err := g.WriteFile(filepath.Join(dir, name)); err != nil {
				return nil, err
			}
			index.Add(f.Time, part, p.name, name)
			part++
		}
	}
	if err := rec.Err(); err != nil {
		return nil, err
	}
	return []string{vtkIndex}, index.WriteFile(filepath.Join(dir, vtkIndex))
}

// deformableGrid returns the tetrahedra of all deformables, with fields at vertices and
// in tetrahedra.
func deformableGrid(rec *Recording, f *Frame) *formats.VTU {
	g := new(formats.VTU)
	// fields at vertices and in tetrahedra
	var moved, vel []r3.Vec
	var stress, pressure, tet []float64
	var body []float64
	for i := range rec.Static.Deformables {
		// vertices are numbered over all bodies
		first, start := int32(len(g.Points)), rec.At(0).Verts[i]
		for j, p := range f.Verts[i] {
			g.Points = append(g.Points, p)
			moved = append(moved, p.Sub(start[j]))
		}
		vel = append(vel, f.Vels[i]...)
		stress = append(stress, VertexStress(rec, f, i)...)
		pressure = append(pressure, ContactPressure(rec, f, i)...)
		for t, v := range rec.Static.Deformables[i].Tets {
			g.Tets = append(g.Tets, [4]int32{first + v[0], first + v[1], first + v[2], first + v[3]})
			tet = append(tet, float64(f.VonMises[i][t]))
			body = append(body, float64(len(rec.Static.Bodies)+i))
		}
	}
	// Cell and vertex data carry the same names in all frames.
	g.PointData = []formats.Field{
		formats.Vectors("displacement", moved), formats.Vectors("velocity", vel),
		formats.Scalars("von_mises", stress), formats.Scalars("contact_pressure", pressure),
	}
	g.CellData = []formats.Field{formats.Scalars("von_mises", tet), formats.Scalars("body", body)}
	return g
}

// rigidGrid returns the surfaces that pictures show, where they are in the frame.
func rigidGrid(rec *Recording, f *Frame) *formats.VTU {
	g := new(formats.VTU)
	var body, geom []float64
	for i := range rec.Static.Geoms {
		s := &rec.Static.Geoms[i]
		if s.Hidden {
			continue
		}
		// A shape of the world has its pose in the world.
		X_WG := s.X_BG
		if s.Body >= 0 {
			X_WG = f.Poses[s.Body].Mul(s.X_BG)
		}
		first := int32(len(g.Points))
		cells := len(g.Tris)
		// a half-space is shown as a square
		if s.Ground > 0 {
			h := s.Ground / 2
			for _, c := range [4]r3.Vec{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}} {
				g.Points = append(g.Points, X_WG.Point(c))
			}
			g.Tris = append(g.Tris, [3]int32{first, first + 1, first + 2}, [3]int32{first, first + 2, first + 3})
		} else if s.Mesh != nil {
			for _, p := range s.Mesh.Verts {
				g.Points = append(g.Points, X_WG.Point(p))
			}
			for _, t := range s.Mesh.Tris {
				g.Tris = append(g.Tris, [3]int32{first + t[0], first + t[1], first + t[2]})
			}
		}
		// Each triangle has its body and shape.
		for range len(g.Tris) - cells {
			body, geom = append(body, float64(s.Body)), append(geom, float64(i))
		}
	}
	g.CellData = []formats.Field{formats.Scalars("body", body), formats.Scalars("geom", geom)}
	return g
}

// contactGrid returns a point for each contact of the step that ended at the frame.
func contactGrid(_ *Recording, f *Frame) *formats.VTU {
	// one vertex cell for each contact, at the place where its force acts
	g := new(formats.VTU)
	var force, normal, slip []r3.Vec
	var gap, area, pressure []float64
	var a, b []float64
	for i := range f.Contacts {
		c := &f.Contacts[i]
		g.Points = append(g.Points, c.Pos_W)
		g.Verts = append(g.Verts, int32(i))
		force, normal = append(force, c.Force_W), append(normal, c.Normal_W)
		slip = append(slip, c.Slip_W)
		gap, area = append(gap, c.Phi), append(area, c.Area)
		// The pressure of a face; a point has no area.
		p := 0.0
		if c.Area > 0 {
			p = c.Force_W.Dot(c.Normal_W) / c.Area
		}
		pressure = append(pressure, p)
		a, b = append(a, float64(c.A)), append(b, float64(c.B))
	}
	g.PointData = []formats.Field{
		formats.Vectors("force", force), formats.Vectors("normal", normal), formats.Vectors("slip", slip), formats.Scalars("gap", gap), formats.Scalars("area", area),
		formats.Scalars("pressure", pressure), formats.Scalars("body_a", a), formats.Scalars("body_b", b),
	}
	return g
}

// hasFaces reports whether any frame has a contact surface with faces.
func (r *Recording) hasFaces() bool {
	for k := range r.Len() {
		for i := range r.At(k).ContactSurfaces {
			if len(r.At(k).ContactSurfaces[i].Faces) > 0 {
				return true
			}
		}
	}
	return false
}

// surfaceGrid returns the faces of contact surfaces of pressure fields as polygons.
func surfaceGrid(_ *Recording, f *Frame) *formats.VTU {
	g := new(formats.VTU)
	var pressure, area, surface, a, b []float64
	var normal, traction, slip []r3.Vec
	for i := range f.ContactSurfaces {
		p := &f.ContactSurfaces[i]
		// Vertices are numbered over all surfaces.
		first := int32(len(g.Points))
		g.Points = append(g.Points, p.Verts_W...)
		for k := range p.Faces {
			face := &p.Faces[k]
			// A face is a polygon of consecutive vertices.
			poly := make([]int32, 0, face.Hi-face.Lo)
			for v := face.Lo; v < face.Hi; v++ {
				poly = append(poly, first+v)
			}
			g.Polys = append(g.Polys, poly)
			pressure, area = append(pressure, face.Pressure), append(area, face.Area)
			normal, traction, slip = append(normal, face.Normal_W), append(traction, face.Traction_W), append(slip, face.Slip_W)
			surface, a, b = append(surface, float64(i)), append(a, float64(p.A)), append(b, float64(p.B))
		}
	}
	g.CellData = []formats.Field{
		formats.Scalars("pressure", pressure), formats.Vectors("traction", traction), formats.Vectors("slip", slip), formats.Vectors("normal", normal),
		formats.Scalars("area", area), formats.Scalars("contact_surface", surface), formats.Scalars("body_a", a), formats.Scalars("body_b", b),
	}
	return g
}
