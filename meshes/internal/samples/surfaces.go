package samples

import (
	"math"
	"math/rand/v2"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// TorusTri returns a closed torus of n×n quads.
func TorusTri(n int) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range n {
		for j := range n {
			a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(n)
			rho := 0.05 + 0.02*math.Cos(b)
			m.Verts = append(m.Verts, r3.Vec{rho * math.Cos(a), rho * math.Sin(a), 0.02 * math.Sin(b)})
			p := func(i, j int) int32 { return int32(i%n*n + j%n) }
			m.Tris = append(m.Tris, [3]int32{p(i, j), p(i+1, j), p(i+1, j+1)}, [3]int32{p(i, j), p(i+1, j+1), p(i, j+1)})
		}
	}
	return m
}

// GridBox returns the surface of a box of half sizes h, every face split into
// n×n squares of two triangles.
func GridBox(h r3.Vec, n int) *meshes.Tri {
	m := &meshes.Tri{}
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			u, v := (axis+1)%3, (axis+2)%3
			if side < 0 {
				u, v = v, u
			}
			base := int32(len(m.Verts))
			for i := range n + 1 {
				for j := range n + 1 {
					var p r3.Vec
					p[axis] = side * h[axis]
					p[u] = h[u] * (2*float64(i)/float64(n) - 1)
					p[v] = h[v] * (2*float64(j)/float64(n) - 1)
					m.Verts = append(m.Verts, p)
				}
			}
			for i := range n {
				for j := range n {
					a := base + int32(i*(n+1)+j)
					b, c, d := a+int32(n+1), a+int32(n+2), a+1
					m.Tris = append(m.Tris, [3]int32{a, b, c}, [3]int32{a, c, d})
				}
			}
		}
	}
	return m
}

// Torus returns a torus about z: ring radius a, tube radius b.
func Torus(a, b float64, n, k int) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range n {
		for j := range k {
			u, v := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(k)
			r := a + b*math.Cos(v)
			m.Verts = append(m.Verts, r3.Vec{r * math.Cos(u), r * math.Sin(u), b * math.Sin(v)})
		}
	}
	at := func(i, j int) int32 { return int32(i%n*k + j%k) }
	for i := range n {
		for j := range k {
			m.Tris = append(m.Tris, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return m
}

// AsSTL returns m with vertices of its own for every triangle, moved by X and
// rounded as an STL file rounds them.
func AsSTL(m *meshes.Tri, x r3.Pose) *meshes.Tri {
	out := &meshes.Tri{}
	for _, t := range m.Tris {
		n := int32(len(out.Verts))
		for _, v := range t {
			p := x.Point(m.Verts[v])
			for k := range p {
				p[k] = float64(float32(p[k]))
			}
			out.Verts = append(out.Verts, p)
		}
		out.Tris = append(out.Tris, [3]int32{n, n + 1, n + 2})
	}
	return out
}

// Circle returns the loop of n points on a circle.
func Circle(cx, cy, r float64, n int) [][2]float64 {
	loop := Arc(nil, cx, cy, r, 0, 2*math.Pi, n)
	return loop[:n]
}

// CubeTri returns a closed, outward cube of side a with its low corner at o.
func CubeTri(o r3.Vec, a float64) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range 8 {
		m.Verts = append(m.Verts, o.Add(r3.Vec{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)}.Scale(a)))
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Tris = append(m.Tris, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// SurfaceArea sums up the triangles.
func SurfaceArea(m *meshes.Tri) float64 {
	a := 0.0
	for _, t := range m.Tris {
		p, q, s := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		a += q.Sub(p).Cross(s.Sub(p)).Norm() / 2
	}
	return a
}

// StarSurface is the surface of a star of the given width as CAD programs write it: one triangle for each tip
// and a fan of the inner corners about the centre on both caps, two triangles for each side.
func StarSurface(n int, width float64) *meshes.Tri {
	m := &meshes.Tri{Verts: []r3.Vec{{0, 0, -width / 2}, {0, 0, width / 2}}}
	loop := StarLoop(n)
	for _, p := range loop {
		m.Verts = append(m.Verts, r3.Vec{p[0], p[1], -width / 2}, r3.Vec{p[0], p[1], width / 2})
	}
	at := func(i int) int32 { return int32(2 + 2*(i%n)) }
	for i := range n {
		a, b := at(i), at(i+1)
		m.Tris = append(m.Tris, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1})
		if i%2 == 0 {
			c := at(i + 2)
			m.Tris = append(m.Tris, [3]int32{0, c, a}, [3]int32{1, a + 1, c + 1}, [3]int32{a, c, b}, [3]int32{a + 1, b + 1, c + 1})
		}
	}
	return m
}

// SphereSurface is an octahedron refined n times and blown up to radius r.
func SphereSurface(r float64, n int) *meshes.Tri {
	m := &meshes.Tri{
		Verts: []r3.Vec{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
		Tris:  [][3]int32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}},
	}
	for range n {
		mid := map[[2]int32]int32{}
		at := func(a, b int32) int32 {
			k := meshes.SideKey(a, b)
			if _, ok := mid[k]; !ok {
				mid[k] = int32(len(m.Verts))
				p := m.Verts[a].Add(m.Verts[b])
				m.Verts = append(m.Verts, p.Scale(1/p.Norm()))
			}
			return mid[k]
		}
		var tris [][3]int32
		for _, t := range m.Tris {
			a, b, c := at(t[1], t[2]), at(t[2], t[0]), at(t[0], t[1])
			tris = append(tris, [3]int32{t[0], c, b}, [3]int32{t[1], a, c}, [3]int32{t[2], b, a}, [3]int32{a, b, c})
		}
		m.Tris = tris
	}
	for i, p := range m.Verts {
		m.Verts[i] = p.Scale(r)
	}
	return m
}

func Together(parts ...*meshes.Tri) *meshes.Tri {
	out := &meshes.Tri{}
	for _, m := range parts {
		n := int32(len(out.Verts))
		out.Verts = append(out.Verts, m.Verts...)
		for _, t := range m.Tris {
			out.Tris = append(out.Tris, [3]int32{n + t[0], n + t[1], n + t[2]})
		}
	}
	return out
}

// InsideOut turns all triangles over.
func InsideOut(m *meshes.Tri) *meshes.Tri {
	for i, t := range m.Tris {
		m.Tris[i] = [3]int32{t[0], t[2], t[1]}
	}
	return m
}

// WithJunctions cuts the first triangle of a box at points of one of its edges, which
// its neighbour does not have.
func WithJunctions(at ...float64) *meshes.Tri {
	m := Joined(GridBox(r3.Vec{1, 1, 1}, 1))
	t := m.Tris[0]
	a, b := m.Verts[t[0]], m.Verts[t[1]]
	last := t[0]
	m.Tris = m.Tris[1:]
	for _, s := range at {
		v := int32(len(m.Verts))
		m.Verts = append(m.Verts, a.Lerp(b, s))
		m.Tris = append(m.Tris, [3]int32{last, v, t[2]})
		last = v
	}
	m.Tris = append(m.Tris, [3]int32{last, t[1], t[2]})
	return m
}

func VolumeOf(m *meshes.Tet) float64 {
	v := 0.0
	for i := range m.Tets {
		v += m.Volume(i)
	}
	return v
}

// VectorArea is ½ Σ x_i × x_{i+1} of a loop, that of every surface that the loop bounds.
func VectorArea(loop []r3.Vec) (sum r3.Vec) {
	for i, p := range loop {
		sum = sum.AddScaled(0.5, p.Cross(loop[(i+1)%len(loop)]))
	}
	return sum
}

const Degree = math.Pi / 180

// Arc appends to loop the points of a circular arc about (cx, cy), radius r, m,
// from angle a0 to a1, rad, both included, in n equal steps.
func Arc(loop [][2]float64, cx, cy, r, a0, a1 float64, n int) [][2]float64 {
	for i := range n + 1 {
		s, c := math.Sincos(a0 + (a1-a0)*float64(i)/float64(n))
		loop = append(loop, [2]float64{cx + r*c, cy + r*s})
	}
	return loop
}

// StarLoop returns a star of n corners, half of them at the radius of .1 m, the others at .05 m.
func StarLoop(n int) [][2]float64 {
	loop := make([][2]float64, n)
	for i := range loop {
		r, phi := 0.05*float64(1+i%2), 2*math.Pi*float64(i)/float64(n)
		loop[i] = [2]float64{r * math.Cos(phi), r * math.Sin(phi)}
	}
	return loop
}

// RandomPoints are points in and around a box.
func RandomPoints(r *rand.Rand, b r3.Box, n int) []r3.Vec {
	out := make([]r3.Vec, n)
	for i := range out {
		for k := range 3 {
			s := b.Max[k] - b.Min[k]
			out[i][k] = b.Min[k] - 0.3*s + 1.6*s*r.Float64()
		}
	}
	return out
}

// Fan returns two cones of n slivers each, tip to the outside, over one circle: boxes of slivers that share a
// tip overlap by the quarter.
func Fan(n int) *meshes.Tri {
	m := &meshes.Tri{Verts: []r3.Vec{{0, 0, 0.02}, {0, 0, -0.02}}}
	for i := range n {
		phi := 2 * math.Pi * float64(i) / float64(n)
		m.Verts = append(m.Verts, r3.Vec{0.05 * math.Cos(phi), 0.05 * math.Sin(phi), 0})
		a, b := int32(2+i), int32(2+(i+1)%n)
		m.Tris = append(m.Tris, [3]int32{a, b, 0}, [3]int32{b, a, 1})
	}
	return m
}

// Joined returns m with vertices at equal places made one, the first of them.
func Joined(m *meshes.Tri) *meshes.Tri {
	out, first := &meshes.Tri{Verts: m.Verts}, map[r3.Vec]int32{}
	for i, p := range m.Verts {
		if _, there := first[p]; !there {
			first[p] = int32(i)
		}
	}
	for _, t := range m.Tris {
		out.Tris = append(out.Tris, [3]int32{first[m.Verts[t[0]]], first[m.Verts[t[1]]], first[m.Verts[t[2]]]})
	}
	return out
}

// BracketLoops is an L with a fillet and two holes, m.
func BracketLoops() (outer [][2]float64, holes [][][2]float64) {
	outer = [][2]float64{{0, 0}, {0.06, 0}, {0.06, 0.012}}
	outer = Arc(outer, 0.02, 0.02, 0.008, 1.5*math.Pi, math.Pi, 8)
	outer = append(outer, [2]float64{0.012, 0.05}, [2]float64{0, 0.05})
	return outer, [][][2]float64{
		Circle(0.045, 0.006, 0.003, 24), Circle(0.006, 0.036, 0.003, 24),
	}
}
