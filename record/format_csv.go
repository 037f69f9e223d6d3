package record

import (
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/textcell"
	"github.com/curlfree/curlfree/r3"
)

var _ = register("csv", "Tidy tables of numbers, for pandas, R and spreadsheets.",
	"Each table has one row for each item and recorded frame. Units are in the names of the columns; "+
		"positions, forces and velocities are in world axes. A table without items is left out where it could never have any.",
	csvFormat{})

// All tables begin with the column time_s and are tidy: a row for each item and frame, and a
// column for each property. Rows of one frame stand together, frames in their order. Contact
// surfaces are numbered within their frame from 0, so that rows of faces.csv refer to rows of
// contact_surfaces.csv by time_s and contact_surface. Numbers have the shortest digits that read
// back as the same float64, without rounding beyond that of the recording.

// csvFormat implements Format.
type csvFormat struct{}

// emit appends a row to a table: the time is added, then names and values.
type emit func(names []string, values ...float64)

// csvTable is one file of the format.
type csvTable struct {
	name    string
	doc     string
	columns string                                    // after time_s
	used    func(rec *Recording) bool                 // nil: always
	rows    func(rec *Recording, f *Frame, emit emit) // of one frame
}

// The tables. A name of a column ends in its unit; names of bodies stand in the columns body, a and b.
var csvTables = []csvTable{
	{
		"poses.csv", "a row for each rigid body: origin and unit quaternion",
		"body x_m y_m z_m qw qx qy qz", nil, poseRows,
	},
	{
		"deformables.csv", "a row for each deformable: mean of its vertices, largest displacement, speed and von Mises stress",
		"body x_m y_m z_m max_displacement_m max_speed_m_per_s max_von_mises_Pa",
		func(rec *Recording) bool { return len(rec.Static.Deformables) > 0 }, deformableRows,
	},
	{
		"contacts.csv", "a row for each contact point, and for each face of a deformable that touches: place, normal from a to b, force on b, gap, area, slip",
		"a b x_m y_m z_m normal_x normal_y normal_z force_on_b_x_N force_on_b_y_N force_on_b_z_N gap_m area_m2 slip_m_per_s",
		nil, contactRows,
	},
	{
		"contact_surfaces.csv", "a row for each contact surface of pressure fields or deformables: area, normal force, pressures, slip, centre of pressure, force and moment about it",
		"contact_surface a b area_m2 normal_force_N mean_pressure_Pa max_pressure_Pa slip_m_per_s max_slip_m_per_s " +
			"center_x_m center_y_m center_z_m force_on_b_x_N force_on_b_y_N force_on_b_z_N moment_on_b_x_Nm moment_on_b_y_Nm moment_on_b_z_Nm",
		nil, surfaceRows,
	},
	{
		"faces.csv", "a row for each face of a contact surface of pressure fields that presses: centroid, normal from a to b, area, pressure, force on b, slip of b on a",
		"contact_surface a b x_m y_m z_m normal_x normal_y normal_z area_m2 pressure_Pa " +
			"force_on_b_x_N force_on_b_y_N force_on_b_z_N slip_x_m_per_s slip_y_m_per_s slip_z_m_per_s",
		(*Recording).hasFaces, faceRows,
	},
}

// Files implements Format.
func (csvFormat) Files() []ExportedFile {
	var files []ExportedFile
	for i := range csvTables {
		files = append(files, ExportedFile{csvTables[i].name, csvTables[i].doc})
	}
	return files
}

// Write writes a file for each table that the recording can have rows of.
func (csvFormat) Write(rec *Recording, dir string) ([]string, error) {
	var written []string
	for i := range csvTables {
		t := &csvTables[i]
		// A table that could have no row in this recording is not written.
		if t.used != nil && !t.used(rec) {
			continue
		}
		// each table appears whole or not at all
		err := atomicfile.Write(filepath.Join(dir, t.name), func(w io.Writer) error { return t.write(rec, w) })
		if err != nil {
			return written, err
		}
		written = append(written, t.name)
	}
	return written, nil
}

// write writes the rows of all frames. The csv package keeps the first error.
func (t *csvTable) write(rec *Recording, w io.Writer) error {
	out := csv.NewWriter(w)
	// The header, then the rows of each frame.
	_ = out.Write(append([]string{"time_s"}, strings.Fields(t.columns)...))
	for k := range rec.Len() {
		f := rec.At(k)
		t.rows(rec, f, func(names []string, values ...float64) {
			cells := []string{number(f.Time)}
			for _, name := range names {
				cells = append(cells, textcell.Escape(name))
			}
			for _, v := range values {
				cells = append(cells, number(v))
			}
			_ = out.Write(cells)
		})
	}
	out.Flush()
	// A damaged frame, or a fault of writing.
	return errors.Join(rec.Err(), out.Error())
}

// poseRows writes the origin and the unit quaternion of each rigid body.
func poseRows(rec *Recording, f *Frame, emit emit) {
	for b, X := range f.Poses {
		// w, x, y, z
		q := X.R.Quat()
		emit([]string{rec.Static.bodyName(b)}, X.P[0], X.P[1], X.P[2], q[0], q[1], q[2], q[3])
	}
}

// deformableRows writes the summary of each deformable.
func deformableRows(rec *Recording, f *Frame, emit emit) {
	for i := range f.Verts {
		c, u, v, s := rec.deformableSummary(f, i)
		emit([]string{rec.Static.Deformables[i].Name}, c[0], c[1], c[2], u, v, s)
	}
}

// contactRows writes the contact points, and the faces of deformables in contact.
func contactRows(rec *Recording, f *Frame, emit emit) {
	for i := range f.Contacts {
		c := &f.Contacts[i]
		p, n, l := c.Pos_W, c.Normal_W, c.Force_W
		// The bodies, then vectors component by component.
		emit([]string{rec.Static.bodyName(c.A), rec.Static.bodyName(c.B)},
			p[0], p[1], p[2], n[0], n[1], n[2], l[0], l[1], l[2], c.Phi, c.Area, c.Slip_W.Norm())
	}
}

// surfaceRows writes the sums of each contact surface.
func surfaceRows(rec *Recording, f *Frame, emit emit) {
	for i := range f.ContactSurfaces {
		s := &f.ContactSurfaces[i]
		// Slip is a speed; force, moment and centre are in world axes.
		c, l, m := s.Center_W, s.Force_W, s.Moment_W
		emit(rec.surfaceNames(i, s), s.Area, s.Normal, s.MeanPressure(), s.MaxPressure, s.Slip, s.MaxSlip,
			c[0], c[1], c[2], l[0], l[1], l[2], m[0], m[1], m[2])
	}
}

// faceRows writes the faces of contact surfaces of pressure fields.
func faceRows(rec *Recording, f *Frame, emit emit) {
	for i := range f.ContactSurfaces {
		s := &f.ContactSurfaces[i]
		names := rec.surfaceNames(i, s)
		for k := range s.Faces {
			face := &s.Faces[k]
			// The force of a face is its traction times its area.
			c, n, l, u := s.centroid(face), face.Normal_W, face.Traction_W.Scale(face.Area), face.Slip_W
			emit(names, c[0], c[1], c[2], n[0], n[1], n[2], face.Area, face.Pressure, l[0], l[1], l[2], u[0], u[1], u[2])
		}
	}
}

// surfaceNames returns the number of a contact surface within its frame, which
// contact_surfaces.csv and faces.csv share, and the names of its bodies.
func (r *Recording) surfaceNames(i int, s *ContactSurface) []string {
	return []string{strconv.Itoa(i), r.Static.bodyName(s.A), r.Static.bodyName(s.B)}
}

// deformableSummary returns the mean of the vertices of deformable i (m), and the
// largest displacement since the start (m), speed (m/s) and stress (Pa).
func (r *Recording) deformableSummary(f *Frame, i int) (center r3.Vec, u, v, s float64) {
	// The first frame is the reference of displacements.
	start := r.At(0).Verts[i]
	for j, p := range f.Verts[i] {
		center = center.Add(p)
		u = max(u, p.Sub(start[j]).Norm())
		v = max(v, f.Vels[i][j].Norm())
	}
	for _, x := range f.VonMises[i] {
		s = max(s, float64(x))
	}
	return center.Scale(1 / float64(max(1, len(start)))), u, v, s
}

// number writes a number with the digits that read back as the same bits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
