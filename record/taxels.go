package record

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
)

// Taxels: a grid of square cells over an unrolled face, as tactile sensors have. The normal force of a triangle is
// spread evenly over it; a taxel gets the part of it that lies in the taxel:
//
//	F = Σ_t f_t |t ∩ cell|/|t|,  p = F/|face ∩ cell|,  s = Σ_t f_t s_t |t ∩ cell|/|t| / F
//
// with the normal force f_t of a triangle's contacts and the mean s_t of their sliding speeds, weighted by force. The
// sum of F over all taxels is the normal force on the face. Areas are those of the undeformed face.

// Taxels are pressure and slip over a face at one time.
type Taxels struct {
	// Time is the time, s.
	Time float64
	// Cell is the edge of a taxel, m.
	Cell float64
	// Columns and Rows are the numbers of taxels along the first and the second coordinate.
	Columns, Rows int
	// Force is the normal force on each taxel, N, row by row; Area is its part of the face, m²; 0 beside the face.
	Force, Area []float64
	// Slip is the sliding speed, m/s; 0 without force.
	Slip []float64
	// Normal is the sum of the normal forces, N.
	Normal float64
	// Center is the centre of pressure in the plane of the face, m: the mean of places, weighted by normal force; 0
	// without force.
	Center [2]float64
	// Total is the force of all contacts of the face on the body, with friction, N, in world axes.
	Total [3]float64
}

// maxTaxels bounds the number of taxels of a map.
const maxTaxels = 1 << 20

// DefaultCell returns the edge of taxels of which some 60 lie along a face, m: a round number.
func (f *Unrolled) DefaultCell() float64 {
	p := math.Pow(10, math.Floor(math.Log10(f.Size[0]/60)))
	for _, m := range []float64{1, 2, 5} {
		if f.Size[0]/60 <= m*p {
			return m * p
		}
	}
	return 10 * p
}

// Taxels computes the map of frame k with taxels of an edge, m.
func (r *Recording) Taxels(f *Unrolled, k int, cell float64) (*Taxels, error) {
	columns, rows := math.Ceil(f.Size[0]/cell-1e-9), math.Ceil(f.Size[1]/cell-1e-9)
	if !(cell > 0) || !(columns*rows <= maxTaxels) {
		return nil, fmt.Errorf("taxels of %g m on a face of %.3g m × %.3g m: take an edge above 0 for which there are at most %d", cell, f.Size[0], f.Size[1], maxTaxels)
	}
	frame := r.At(k)
	if err := r.Err(); err != nil {
		return nil, err
	}
	x := &Taxels{Time: frame.Time, Cell: cell, Columns: max(1, int(columns)), Rows: max(1, int(rows))}
	n := x.Columns * x.Rows
	x.Force, x.Area, x.Slip = make([]float64, n), make([]float64, n), make([]float64, n)
	// normal force of each triangle, and with its sliding speed
	d := &r.Static.Deformables[f.index]
	force, slip := make([]float64, len(d.Tris)), make([]float64, len(d.Tris))
	on := make([]bool, len(d.Tris))
	for _, t := range f.Tris {
		on[t] = true
	}
	body := len(r.Static.Bodies) + f.index
	for i := range frame.Contacts {
		c := &frame.Contacts[i]
		for side, b := range [2]int{c.A, c.B} {
			if b != body || !on[c.Elem[side]] {
				continue
			}
			normal := c.Force_W.Dot(c.Normal_W)
			force[c.Elem[side]] += normal
			slip[c.Elem[side]] += normal * c.Slip_W.Norm()
			x.Normal += normal
			// the force is that on the second body
			sign := float64(2*side - 1)
			for k := range 3 {
				x.Total[k] += sign * c.Force_W[k]
			}
		}
	}
	for i, t := range f.Tris {
		x.add(f.At[i], force[t], slip[t])
		for k := range x.Center {
			if x.Normal > 0 {
				x.Center[k] += force[t] / x.Normal * (f.At[i][0][k] + f.At[i][1][k] + f.At[i][2][k]) / 3
			}
		}
	}
	for i := range x.Slip {
		if x.Force[i] > 0 {
			x.Slip[i] /= x.Force[i]
		} else {
			x.Slip[i] = 0
		}
	}
	return x, nil
}

// add spreads the force of a triangle, and the product of force and slip, over the taxels that it meets.
func (x *Taxels) add(tri [3][2]float64, force, slip float64) {
	area := polygonArea(tri[:])
	if area == 0 {
		return
	}
	column := func(v float64) int { return max(0, min(x.Columns-1, int(v/x.Cell))) }
	row := func(v float64) int { return max(0, min(x.Rows-1, int(v/x.Cell))) }
	for j := row(min(tri[0][1], tri[1][1], tri[2][1])); j <= row(max(tri[0][1], tri[1][1], tri[2][1])); j++ {
		// cut to the row, then to each taxel; the last ones take what rounding leaves beyond them
		strip := clip(clip(tri[:], 1, float64(j)*x.Cell, j > 0, 1), 1, float64(j+1)*x.Cell, j < x.Rows-1, -1)
		for i := column(min(tri[0][0], tri[1][0], tri[2][0])); i <= column(max(tri[0][0], tri[1][0], tri[2][0])); i++ {
			part := polygonArea(clip(clip(strip, 0, float64(i)*x.Cell, i > 0, 1), 0, float64(i+1)*x.Cell, i < x.Columns-1, -1))
			k := j*x.Columns + i
			x.Area[k] += part
			x.Force[k] += force * part / area
			x.Slip[k] += slip * part / area
		}
	}
}

// polygonArea returns the area of a polygon.
func polygonArea(p [][2]float64) float64 {
	sum := 0.0
	for i := range p {
		q := p[(i+1)%len(p)]
		sum += p[i][0]*q[1] - q[0]*p[i][1]
	}
	return math.Abs(sum) / 2
}

// clip returns the part of a convex polygon whose coordinate k is at least at, or at most for a negative side; all of
// it unless wanted.
func clip(p [][2]float64, k int, at float64, wanted bool, side float64) [][2]float64 {
	if !wanted {
		return p
	}
	var out [][2]float64
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		ha, hb := side*(a[k]-at), side*(b[k]-at)
		if ha >= 0 {
			out = append(out, a)
		}
		if ha >= 0 != (hb >= 0) {
			u := ha / (ha - hb)
			out = append(out, [2]float64{a[0] + u*(b[0]-a[0]), a[1] + u*(b[1]-a[1])})
		}
	}
	return out
}

// Pressure returns the pressure on taxel k, Pa.
func (x *Taxels) Pressure(k int) float64 {
	if x.Area[k] == 0 {
		return 0
	}
	return x.Force[k] / x.Area[k]
}

// WriteTaxels writes maps as a table: a row for each taxel of the face at each time.
func WriteTaxels(w io.Writer, maps []*Taxels) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"time_s", "along_m", "across_m", "area_m2", "force_N", "pressure_Pa", "slip_m_per_s"})
	for _, x := range maps {
		for k := range x.Force {
			if x.Area[k] == 0 {
				continue
			}
			cells := []string{number(x.Time)}
			for _, v := range []float64{(float64(k%x.Columns) + 0.5) * x.Cell, (float64(k/x.Columns) + 0.5) * x.Cell, x.Area[k], x.Force[k], x.Pressure(k), x.Slip[k]} {
				cells = append(cells, number(v))
			}
			_ = out.Write(cells)
		}
	}
	out.Flush()
	return out.Error()
}

// MostPressed returns the frame in which the normal force on a face is largest, the first of equal ones.
func (r *Recording) MostPressed(f *Unrolled) (int, error) {
	on := map[int32]bool{}
	for _, t := range f.Tris {
		on[t] = true
	}
	best, most := 0, 0.0
	body := len(r.Static.Bodies) + f.index
	for k := range r.Len() {
		sum := 0.0
		for _, c := range r.At(k).Contacts {
			for side, b := range [2]int{c.A, c.B} {
				if b == body && on[c.Elem[side]] {
					sum += c.Force_W.Dot(c.Normal_W)
				}
			}
		}
		if sum > most {
			best, most = k, sum
		}
	}
	return best, r.Err()
}
