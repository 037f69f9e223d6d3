package record

import (
	"encoding/binary"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// ContactSurface is the contact surface (contact patch) of two bodies in the step
// that ended at a frame: the equilibrium surface of two pressure fields, or the
// faces of deformables that touch.
type ContactSurface struct {
	// A and B are the scene bodies; −1 is the world.
	A, B int
	// Geoms are the geoms that touch, on the side of A and of B; −1 for a deformable.
	Geoms [2]int32

	// Area is the sum of the areas of faces under pressure, m².
	Area float64
	// Normal is the sum of the normal forces of the faces, N.
	Normal float64
	// MaxPressure is the largest pressure of a face, Pa.
	MaxPressure float64
	// Slip is the mean sliding speed, weighted by normal force, m/s.
	Slip float64
	// MaxSlip is the largest sliding speed of a face, m/s.
	MaxSlip float64
	// Force_W is the force on B, N.
	Force_W r3.Vec
	// Moment_W is the moment on B about Center_W, N m.
	Moment_W r3.Vec
	// Center_W is the centre of pressure, m.
	Center_W r3.Vec

	// Faces are the faces of a surface of pressure fields; nil for deformables, whose
	// faces are triangles of their boundary and are listed in Frame.Contacts.
	Faces []Face
	// Verts_W are the corners of the faces, m.
	Verts_W []r3.Vec
}

// MeanPressure returns the normal force over the area, Pa; 0 for no area.
func (p *ContactSurface) MeanPressure() float64 {
	if p.Area == 0 {
		return 0
	}
	return p.Normal / p.Area
}

// Face is a planar convex polygon of a contact surface, under pressure. In files
// its numbers are rounded to 16 bits, see the package document.
type Face struct {
	// Lo and Hi bound the face's corners, Verts_W[Lo:Hi], counter-clockwise about
	// Normal_W.
	Lo, Hi int32
	// Area is the area, m².
	Area float64
	// Pressure is the pressure at the centroid, Pa.
	Pressure float64
	// Normal_W is the unit normal, from A to B.
	Normal_W r3.Vec
	// Traction_W is the force on B over the area, Pa.
	Traction_W r3.Vec
	// Slip_W is the tangential velocity of B relative to A, m/s.
	Slip_W r3.Vec
}

// centroid returns the centroid of a face, m. With the corners x_k and the fan of
// triangles (x_0, x_{k−1}, x_k) of area a_k it is
//
//	Σ a_k (x_0 + x_{k−1} + x_k)/3 / Σ a_k.
//
// For a face whose area was lost in rounding it is the mean of the corners.
func (p *ContactSurface) centroid(f *Face) r3.Vec {
	// relative to the first corner, which keeps the digits of small faces far from the origin
	x := p.Verts_W[f.Lo:f.Hi]
	var mean, sum r3.Vec
	area := 0.0
	for k := range x {
		mean = mean.AddScaled(1/float64(len(x)), x[k].Sub(x[0]))
		if k < 2 {
			continue
		}
		// twice the area of the triangle, and its centroid from the first corner
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

// The file format of faces. With the bounding box from lo with the edges s, the largest pressure
// p, area a, tangential traction t and slip u of the surface's faces, the normal n of a face and
// its tangents t1, t2 (r3.Basis), the 16-bit numbers are
//
//	corner x        65535 (x_k − lo_k)/s_k, k = 1, 2, 3
//	pressure, area  65535 p_f/p, 65535 a_f/a
//	normal          32767 times its octahedral coordinates
//	traction        32767 T·t1/t, 32767 T·t2/t; its normal part is the pressure
//	slip            32767 v·t1/u, 32767 v·t2/u
//
// So a corner is off by at most s/131070 along each axis, a pressure by p/131070. Tangents follow
// from the rounded normal, so that the reader has the same ones.

// surfaceSize is the least number of bytes of a contact surface.
const surfaceSize = 16 + 14*8 + 4

// surfaceEncoder writes contact surfaces. It keeps memory for the next one.
type surfaceEncoder struct {
	index  map[[3]uint16]int // of each corner
	corner [][3]uint16
	number []byte
	column [faceColumns][]uint16
}

// Columns of 16-bit numbers that a face has besides its corners.
const (
	colPressure = 0
	colArea     = 1
	colNormal   = 2 // and the next: octahedral coordinates
	colTraction = 4 // and the next: along the two tangents of the normal
	colSlip     = 6 // and the next: likewise
	faceColumns = 8
)

// surface writes a contact surface: its sums, then its faces.
func (s *surfaceEncoder) surface(e *encoder, p *ContactSurface) {
	// bodies and geoms
	e.u32(p.A)
	e.u32(p.B)
	e.u32(int(p.Geoms[0]))
	e.u32(int(p.Geoms[1]))
	// sums of the surface
	for _, x := range [5]float64{p.Area, p.Normal, p.MaxPressure, p.Slip, p.MaxSlip} {
		e.f64(x)
	}
	e.vec(p.Force_W)
	e.vec(p.Moment_W)
	e.vec(p.Center_W)
	// faces, if it has any
	e.u32(len(p.Faces))
	if len(p.Faces) > 0 {
		s.corners(e, p)
		s.faces(e, p)
	}
}

// corners writes the bounding box, the corners within it, the number of corners of
// each face, and the references of faces to corners.
func (s *surfaceEncoder) corners(e *encoder, p *ContactSurface) {
	// the bounding box of all corners
	lo, hi := p.Verts_W[0], p.Verts_W[0]
	for _, v := range p.Verts_W {
		for k := range 3 {
			lo[k], hi[k] = math.Min(lo[k], v[k]), math.Max(hi[k], v[k])
		}
	}
	size := hi.Sub(lo)
	// the bounding box
	e.vec(lo)
	e.vec(size)
	// each distinct corner once, in the order in which faces meet it
	if s.index == nil {
		s.index = map[[3]uint16]int{}
	}
	clear(s.index)
	s.corner, s.number = s.corner[:0], s.number[:0]
	for i := range p.Faces {
		f := &p.Faces[i]
		// A corner is known by its rounded coordinates: those of neighbours are the same.
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
			// a reference counts back from the newest corner; 0 is a new one
			back := 0
			if ok {
				back = len(s.corner) - n
			}
			s.number = binary.AppendUvarint(s.number, uint64(back))
		}
	}
	e.u32(len(s.corner))
	// coordinates as differences from the corner before, which are small
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
	// faces: counts, then references
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

// faces writes the largest pressure, area, tangential traction and slip, and the
// columns of 16-bit parts of those.
func (s *surfaceEncoder) faces(e *encoder, p *ContactSurface) {
	// The largest values, which the 16-bit numbers are parts of.
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
	// The columns of all faces.
	col := &s.column
	for k := range col {
		col[k] = col[k][:0]
	}
	add := func(k int, x uint16) { col[k] = append(col[k], x) }
	// the parts of each face
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

// surface is the inverse of surfaceEncoder.surface.
func (d *decoder) surface(p *ContactSurface) {
	// bodies, geoms and sums
	p.A, p.B = d.i32(), d.i32()
	p.Geoms = [2]int32{int32(d.i32()), int32(d.i32())}
	p.Area, p.Normal, p.MaxPressure, p.Slip, p.MaxSlip = d.f64(), d.f64(), d.f64(), d.f64(), d.f64()
	p.Force_W, p.Moment_W, p.Center_W = d.vec(), d.vec(), d.vec()
	// A face has a count and its columns at least, which bounds the number of faces.
	n := d.count(1 + 2*faceColumns)
	if n == 0 {
		return
	}
	p.Faces = make([]Face, n)
	d.corners(p)
	d.faces(p)
}

// corners is the inverse of surfaceEncoder.corners. References that point before the
// first corner, or leave a corner unused, mark the frame as bad.
func (d *decoder) corners(p *ContactSurface) {
	lo, size := d.vec(), d.vec()
	corner := make([]r3.Vec, d.count(6))
	// coordinates are sums of their differences
	for k := range 3 {
		at := uint16(0)
		for i, x := range d.columnOf(len(corner)) {
			at += unzigzag(x)
			corner[i][k] = lo[k] + size[k]*float64(at)/math.MaxUint16
		}
	}
	// counts of corners
	total := 0
	for i := range p.Faces {
		p.Faces[i].Lo = int32(total)
		total += d.u8()
		p.Faces[i].Hi = int32(total)
	}
	// Each corner of a face has at least one byte.
	number := d.take(0)
	if n := d.count(1); n >= total {
		number = d.take(n)
	}
	if len(number) < total {
		d.bad = true
		return
	}
	// references to corners
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
	// All corners must be used, and all references read.
	d.bad = d.bad || known != len(corner) || len(number) != 0
}

// faces is the inverse of surfaceEncoder.faces.
func (d *decoder) faces(p *ContactSurface) {
	// The largest values, then the columns.
	pressure, area, traction, slip := d.f64(), d.f64(), d.f64(), d.f64()
	var col [faceColumns][]uint16
	for k := range col {
		col[k] = d.columnOf(len(p.Faces))
	}
	if d.bad {
		return
	}
	// numbers of each face, from parts to units
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

// columnOf writes the low bytes of all numbers, then the high bytes: high bytes of
// neighbours are alike and pack well.
func (e *encoder) columnOf(s []uint16) {
	// The bytes of a column are low bytes first.
	for _, x := range s {
		e.b = append(e.b, byte(x))
	}
	for _, x := range s {
		e.b = append(e.b, byte(x>>8))
	}
}

// columnOf reads n numbers that encoder.columnOf wrote.
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

// share rounds x/whole, which is from 0 to 1, to 16 bits. It is 0 where whole is 0,
// and for what is not a number.
func share(x, whole float64) uint16 {
	// NaN and negative parts give 0.
	if u := x / whole; u > 0 {
		return uint16(math.Min(u, 1)*math.MaxUint16 + 0.5)
	}
	return 0
}

// signed rounds x/whole, which is from −1 to 1, to 16 bits, with 0 as share has it.
func signed(x, whole float64) uint16 {
	// The comparison is false for NaN, which gives 0 as well.
	u := x / whole
	if !(math.Abs(u) > 0) {
		return 0
	}
	return uint16(int16(math.Round(math.Max(-1, math.Min(u, 1)) * math.MaxInt16)))
}

// unsigned returns the part that signed has rounded.
func unsigned(n uint16) float64 { return float64(int16(n)) / math.MaxInt16 }

// zigzag maps small differences of either sign to small numbers: 0, −1, 1, −2 … to
// 0, 1, 2, 3 …
func zigzag(d uint16) uint16 { return d<<1 ^ uint16(int16(d)>>15) }

// unzigzag inverts zigzag.
func unzigzag(x uint16) uint16 { return x>>1 ^ -(x & 1) }

// octahedral returns the coordinates of a unit vector: it is projected on the
// octahedron |x| + |y| + |z| = 1, whose lower half is folded outward into the square
// from −1 to 1.
func octahedral(n r3.Vec) (u, v uint16) {
	// The sum of the absolute coordinates becomes 1.
	n = n.Scale(1 / (math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2])))
	x, y := n[0], n[1]
	// The lower half is folded outward across the edges of the square.
	if n[2] < 0 {
		x, y = math.Copysign(1-math.Abs(y), x), math.Copysign(1-math.Abs(x), y)
	}
	return signed(x, 1), signed(y, 1)
}

// fromOctahedral returns the unit vector of octahedral coordinates, within 7e-5 rad.
func fromOctahedral(u, v uint16) r3.Vec {
	x, y := unsigned(u), unsigned(v)
	n := r3.Vec{x, y, 1 - math.Abs(x) - math.Abs(y)}
	// Unfolding is the same map, and the length follows.
	if n[2] < 0 {
		n[0], n[1] = math.Copysign(1-math.Abs(y), x), math.Copysign(1-math.Abs(x), y)
	}
	return n.Unit()
}
