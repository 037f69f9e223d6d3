package record

import (
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/r3"
)

func init() {
	RegisterExporter(Exporter{
		Name:  "csv",
		About: "tidy tables of rigid poses, deformables, contacts, contact surfaces and faces of pressure fields, one row each and instant",
		Write: exportCSV,
	})
}

func exportCSV(rec *Recording, dir string) ([]string, error) {
	tables := []struct {
		name   string
		header []string
		rows   func(f *Frame, row func(names []string, values ...float64) error) error
	}{
		{
			"poses.csv", []string{"time_s", "body", "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"},
			func(f *Frame, row func([]string, ...float64) error) error {
				for b, X := range f.Poses {
					q := X.R.Quat()
					if err := row([]string{rec.Static.bodyName(b)}, X.P[0], X.P[1], X.P[2], q[0], q[1], q[2], q[3]); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			"deformables.csv", []string{"time_s", "body", "x_m", "y_m", "z_m", "max_displacement_m", "max_speed_m_per_s", "max_von_mises_Pa"},
			func(f *Frame, row func([]string, ...float64) error) error {
				for i := range f.Verts {
					c, u, v, s := rec.softSummary(f, i)
					if err := row([]string{rec.Static.Deformables[i].Name}, c[0], c[1], c[2], u, v, s); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			"contacts.csv", []string{
				"time_s", "a", "b", "x_m", "y_m", "z_m", "normal_x", "normal_y", "normal_z",
				"force_on_b_x_N", "force_on_b_y_N", "force_on_b_z_N", "gap_m", "area_m2", "slip_m_per_s",
			},
			func(f *Frame, row func([]string, ...float64) error) error {
				for i := range f.Contacts {
					c := &f.Contacts[i]
					p, n, l := c.Pos_W, c.Normal_W, c.Force_W
					names := []string{rec.Static.bodyName(c.A), rec.Static.bodyName(c.B)}
					if err := row(names, p[0], p[1], p[2], n[0], n[1], n[2], l[0], l[1], l[2], c.Phi, c.Area, c.Slip_W.Norm()); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			"contact_surfaces.csv", []string{
				"time_s", "contact_surface", "a", "b", "area_m2", "normal_force_N", "mean_pressure_Pa", "max_pressure_Pa", "slip_m_per_s", "max_slip_m_per_s",
				"center_x_m", "center_y_m", "center_z_m", "force_on_b_x_N", "force_on_b_y_N", "force_on_b_z_N",
				"moment_on_b_x_Nm", "moment_on_b_y_Nm", "moment_on_b_z_Nm",
			},
			func(f *Frame, row func([]string, ...float64) error) error {
				for i := range f.ContactSurfaces {
					p := &f.ContactSurfaces[i]
					c, l, m := p.Center_W, p.Force_W, p.Moment_W
					names := rec.patchNames(i, p)
					if err := row(names, p.Area, p.Normal, p.MeanPressure(), p.MaxPressure, p.Slip, p.MaxSlip,
						c[0], c[1], c[2], l[0], l[1], l[2], m[0], m[1], m[2]); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			"faces.csv", []string{
				"time_s", "contact_surface", "a", "b", "x_m", "y_m", "z_m", "normal_x", "normal_y", "normal_z", "area_m2", "pressure_Pa",
				"force_on_b_x_N", "force_on_b_y_N", "force_on_b_z_N", "slip_x_m_per_s", "slip_y_m_per_s", "slip_z_m_per_s",
			},
			func(f *Frame, row func([]string, ...float64) error) error {
				for i := range f.ContactSurfaces {
					p := &f.ContactSurfaces[i]
					names := rec.patchNames(i, p)
					for k := range p.Faces {
						face := &p.Faces[k]
						c, n, l, u := p.centroid(face), face.Normal_W, face.Traction_W.Scale(face.Area), face.Slip_W
						if err := row(names, c[0], c[1], c[2], n[0], n[1], n[2], face.Area, face.Pressure,
							l[0], l[1], l[2], u[0], u[1], u[2]); err != nil {
							return err
						}
					}
				}
				return nil
			},
		},
	}
	var written []string
	for _, t := range tables {
		if t.name == "deformables.csv" && len(rec.Static.Deformables) == 0 || t.name == "faces.csv" && !rec.hasFaces() {
			continue
		}
		err := atomicfile.Write(filepath.Join(dir, t.name), func(w io.Writer) error {
			out := csv.NewWriter(w)
			if err := out.Write(t.header); err != nil {
				return err
			}
			for k := range rec.Len() {
				f := rec.At(k)
				err := t.rows(f, func(names []string, values ...float64) error {
					cells := slices.Concat([]string{number(f.Time)}, names)
					for _, v := range values {
						cells = append(cells, number(v))
					}
					return out.Write(cells)
				})
				if err != nil {
					return err
				}
			}
			out.Flush()
			return errors.Join(rec.Err(), out.Error())
		})
		if err != nil {
			return written, err
		}
		written = append(written, t.name)
	}
	return written, nil
}

// patchNames numbers a frame's patch, as contact_surfaces.csv and faces.csv share it, and names
// its bodies.
func (r *Recording) patchNames(i int, p *ContactSurface) []string {
	return []string{strconv.Itoa(i), r.Static.bodyName(p.A), r.Static.bodyName(p.B)}
}

// softSummary returns the mean of a deformable's vertices (m), and the largest
// displacement since the start (m), speed (m/s) and stress (Pa).
func (r *Recording) softSummary(f *Frame, i int) (center r3.Vec, u, v, s float64) {
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

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
