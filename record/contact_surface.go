package record

import (
	"encoding/binary"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// ContactSurface is the contact surface of two bodies in the step before a frame: where
// pressure fields meet, or what faces of deformables press on. See
// sim.PatchReport.
type ContactSurface struct {
	A, B  int      // scene bodies, −1: world
	Geoms [2]int32 // that touch, −1 on the side of a deformable

	Area        float64 // m²
	Normal      float64 // Σ of normal forces, N
	MaxPressure float64 // Pa
	Slip        float64 // mean sliding speed, weighted by normal force, m/s
	MaxSlip     float64 // m/s
	Force_W     r3.Vec  // on B, N
	Moment_W    r3.Vec  // on B about Center_W, N m
	Center_W    r3.Vec  // centre of pressure, m

	// The shape, of pressure fields only: those of deformables are their own
	// surface's triangles, see Frame.Contacts.
	Faces   []Face
	Verts_W []r3.Vec // corners of the faces, m
}

// MeanPressure returns normal force over area, Pa.
func (p *ContactSurface) MeanPressure() float64 {
	if p.Area == 0 {
		return 0
	}
	return p.Normal / p.Area
}

// Face is a planar convex piece of a patch that presses. In a file its numbers are
// rounded to 16 bits of the patch's extent and of its largest.
type Face struct {
	Lo, Hi     int32   // its corners are Verts_W[Lo:Hi], counter-clockwise about Normal_W
	Area       float64 // m²
	Pressure   float64 // Pa
	Normal_W   r3.Vec  // unit, from A to B
	Traction_W r3.Vec  // force on B over area, Pa
	Slip_W     r3.Vec  // tangential velocity of B seen from A, m/s
}

// centroid returns the centre of a face's area, m: of triangles that fan out from its
// first corner. What rounding has left without area is where its corners are on average.
func (p *ContactSurface) centroid(f *Face) r3.Vec {
	x := p.Verts_W[f.Lo:f.Hi]
	var mean, sum r3.Vec
	area := 0.0
	for k := range x {
		mean = mean.AddScaled(1/float64(len(x)), x[k].Sub(x[0]))
		if k < 2 {
			continue
		}
		u, v := x[k-1].Sub(x[0]), x[k].Sub(x[0])
		a := u.Cross(v).Dot(f.Normal_W)
		area += a
		sum = sum.AddScaled(a/3, u.Add(v))
	}
	if !(area > 0) {
		return x[0].Add(mean)
	}
	return x[0].AddScaled(1/area, sum)
}

// patchSize is the least number of bytes of a patch.
const patchSize = 16 + 14*8 + 4

// shapeEncoder is scratch.
type shapeEncoder struct {
	index  map[[3]uint16]int // of each corner
	corner [][3]uint16
	number []byte
	column [faceColumns][]uint16
}

// columns of numbers that faces have, besides their corners.
const (
	colPressure = 0
	colArea     = 1
	colNormal   = 2 // and the next: octahedral
	colTraction = 4 // along the normal's two tangents
	colSlip     = 6
	faceColumns = 8
)

// patch writes a patch: its sums, then its shape. Corners that faces share are
// written once; numbers go column by column, as compression likes them.
func (s *shapeEncoder) patch(e *encoder, p *ContactSurface) {
	e.u32(p.A)
	e.u32(p.B)
	e.u32(int(p.Geoms[0]))
	e.u32(int(p.Geoms[1]))
	for _, x := range [5]float64{p.Area, p.Normal, p.MaxPressure, p.Slip, p.MaxSlip} {
		e.f64(x)
	}
	e.vec(p.Force_W)
	e.vec(p.Moment_W)
	e.vec(p.Center_W)
	e.u32(len(p.Faces))
	if len(p.Faces) > 0 {
		s.corners(e, p)
		s.faces(e, p)
	}
}

// corners writes the box that corners are measured in, the corners, and the number
// of corners and their indices of each face.
func (s *shapeEncoder) corners(e *encoder, p *ContactSurface) {
	lo, hi := p.Verts_W[0], p.Verts_W[0]
	for _, v := range p.Verts_W {
		for k := range 3 {
			lo[k], hi[k] = math.Min(lo[k], v[k]), math.Max(hi[k], v[k])
		}
	}
	size := hi.Sub(lo)
	e.vec(lo)
	e.vec(size)
	if s.index == nil {
		s.index = map[[3]uint16]int{}
	}
	clear(s.index)
	s.corner, s.number = s.corner[:0], s.number[:0]
	for i := range p.Faces {
		f := &p.Faces[i]
		for _, v := range p.Verts_W[f.Lo:f.Hi] {
			var c [3]uint16
			for k := range 3 {
				c[k] = share(v[k]-lo[k], size[k])
			}
			n, ok := s.index[c]
			if !ok {
				n = len(s.corner)
				s.index[c] = n
				s.corner = append(s.corner, c)
			}
			// how far back: 0 is the next new one
			back := 0
			if ok {
				back = len(s.corner) - n
			}
			s.number = binary.AppendUvarint(s.number, uint64(back))
		}
	}
	e.u32(len(s.corner))
	col := s.column[0][:0]
	for k := range 3 {
		col = col[:0]
		last := uint16(0)
		for _, c := range s.corner {
			col = append(col, zigzag(c[k]-last))
			last = c[k]
		}
		e.columnOf(col)
	}
	s.column[0] = col
	for i := range p.Faces {
		n := p.Faces[i].Hi - p.Faces[i].Lo
		if n > math.MaxUint8 {
			panic("record: a face of more than 255 corners")
		}
		e.b = append(e.b, byte(n))
	}
	e.u32(len(s.number))
	e.b = append(e.b, s.number...)
}

// faces writes the scales of what faces bear, and the columns.
func (s *shapeEncoder) faces(e *encoder, p *ContactSurface) {
	pressure, area, traction, slip := 0.0, 0.0, 0.0, 0.0
	for i := range p.Faces {
		f := &p.Faces[i]
		pressure, area = math.Max(pressure, f.Pressure), math.Max(area, f.Area)
		traction = math.Max(traction, f.Traction_W.AddScaled(-f.Traction_W.Dot(f.Normal_W), f.Normal_W).Norm())
		slip = math.Max(slip, f.Slip_W.Norm())
	}
	for _, x := range [4]float64{pressure, area, traction, slip} {
		e.f64(x)
	}
	col := &s.column
	for k := range col {
		col[k] = col[k][:0]
	}
	add := func(k int, x uint16) { col[k] = append(col[k], x) }
	for i := range p.Faces {
		f := &p.Faces[i]
		add(colPressure, share(f.Pressure, pressure))
		add(colArea, share(f.Area, area))
		u, v := octahedral(f.Normal_W)
		add(colNormal, u)
		add(colNormal+1, v)
		t1, t2 := r3.Basis(fromOctahedral(u, v))
		for k, t := range [2]r3.Vec{t1, t2} {
			add(colTraction+k, signed(t.Dot(f.Traction_W), traction))
			add(colSlip+k, signed(t.Dot(f.Slip_W), slip))
		}
	}
	for k := range col {
		e.columnOf(col[k])
	}
}

// patch reads what shapeEncoder.patch wrote.
func (d *decoder) patch(p *ContactSurface) {
	p.A, p.B = d.i32(), d.i32()
	p.Geoms = [2]int32{int32(d.i32()), int32(d.i32())}
	p.Area, p.Normal, p.MaxPressure, p.Slip, p.MaxSlip = d.f64(), d.f64(), d.f64(), d.f64(), d.f64()
	p.Force_W, p.Moment_W, p.Center_W = d.vec(), d.vec(), d.vec()
	n := d.count(1 + 2*faceColumns)
	if n == 0 {
		return
	}
	p.Faces = make([]Face, n)
	d.corners(p)
	d.faces(p)
}

func (d *decoder) corners(p *ContactSurface) {
	lo, size := d.vec(), d.vec()
	corner := make([]r3.Vec, d.count(6))
	for k := range 3 {
		at := uint16(0)
		for i, x := range d.columnOf(len(corner)) {
			at += unzigzag(x)
			corner[i][k] = lo[k] + size[k]*float64(at)/math.MaxUint16
		}
	}
	total := 0
	for i := range p.Faces {
		p.Faces[i].Lo = int32(total)
		total += d.u8()
		p.Faces[i].Hi = int32(total)
	}
	number := d.take(0)
	if n := d.count(1); n >= total {
		number = d.take(n)
	}
	if len(number) < total {
		d.bad = true
		return
	}
	p.Verts_W = make([]r3.Vec, total)
	known := 0
	for i := range p.Verts_W {
		back, n := binary.Uvarint(number)
		if n <= 0 || back > uint64(known) || back == 0 && known == len(corner) {
			d.bad = true
			return
		}
		number = number[n:]
		if back == 0 {
			known++
			back = 1
		}
		p.Verts_W[i] = corner[known-int(back)]
	}
	d.bad = d.bad || known != len(corner) || len(number) != 0
}

func (d *decoder) faces(p *ContactSurface) {
	pressure, area, traction, slip := d.f64(), d.f64(), d.f64(), d.f64()
	var col [faceColumns][]uint16
	for k := range col {
		col[k] = d.columnOf(len(p.Faces))
	}
	if d.bad {
		return
	}
	for i := range p.Faces {
		f := &p.Faces[i]
		f.Pressure = pressure * float64(col[colPressure][i]) / math.MaxUint16
		f.Area = area * float64(col[colArea][i]) / math.MaxUint16
		f.Normal_W = fromOctahedral(col[colNormal][i], col[colNormal+1][i])
		t1, t2 := r3.Basis(f.Normal_W)
		f.Traction_W = f.Normal_W.Scale(f.Pressure)
		for k, t := range [2]r3.Vec{t1, t2} {
			f.Traction_W = f.Traction_W.AddScaled(traction*unsigned(col[colTraction+k][i]), t)
			f.Slip_W = f.Slip_W.AddScaled(slip*unsigned(col[colSlip+k][i]), t)
		}
	}
}

// columnOf writes the low bytes of all numbers, then the high ones.
func (e *encoder) columnOf(s []uint16) {
	for _, x := range s {
		e.b = append(e.b, byte(x))
	}
	for _, x := range s {
		e.b = append(e.b, byte(x>>8))
	}
}

func (d *decoder) columnOf(n int) []uint16 {
	if d.bad || n > len(d.b)/2 {
		d.bad = true
		return nil
	}
	low, high := d.take(n), d.take(n)
	s := make([]uint16, n)
	for i := range s {
		s[i] = uint16(low[i]) | uint16(high[i])<<8
	}
	return s
}

// share rounds x/whole, from 0 to 1, to 16 bits.
func share(x, whole float64) uint16 {
	if u := x / whole; u > 0 {
		return uint16(math.Min(u, 1)*math.MaxUint16 + 0.5)
	}
	return 0 // also of nothing, and of what is not a number
}

// signed rounds x/whole, from −1 to 1, to 16 bits.
func signed(x, whole float64) uint16 {
	u := x / whole
	if !(math.Abs(u) > 0) {
		return 0
	}
	return uint16(int16(math.Round(math.Max(-1, math.Min(u, 1)) * math.MaxInt16)))
}

func unsigned(n uint16) float64 { return float64(int16(n)) / math.MaxInt16 }

// zigzag brings small differences of either sign near 0.
func zigzag(d uint16) uint16   { return d<<1 ^ uint16(int16(d)>>15) }
func unzigzag(x uint16) uint16 { return x>>1 ^ -(x & 1) }

// octahedral writes a unit vector as its place on an unfolded octahedron.
func octahedral(n r3.Vec) (u, v uint16) {
	n = n.Scale(1 / (math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2])))
	x, y := n[0], n[1]
	if n[2] < 0 {
		x, y = math.Copysign(1-math.Abs(y), x), math.Copysign(1-math.Abs(x), y)
	}
	return signed(x, 1), signed(y, 1)
}

func fromOctahedral(u, v uint16) r3.Vec {
	x, y := unsigned(u), unsigned(v)
	n := r3.Vec{x, y, 1 - math.Abs(x) - math.Abs(y)}
	if n[2] < 0 {
		n[0], n[1] = math.Copysign(1-math.Abs(y), x), math.Copysign(1-math.Abs(x), y)
	}
	return n.Unit()
}
