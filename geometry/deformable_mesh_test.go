package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// sheet returns a square surface of the given side at z = 0, n×n squares of two
// triangles, normals down, so that it lies on what is below.
func sheet(side float64, n int) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range n + 1 {
		for j := range n + 1 {
			m.Verts = append(m.Verts, r3.Vec{side * (float64(i)/float64(n) - 0.5), side * (float64(j)/float64(n) - 0.5), 0})
		}
	}
	for i := range n {
		for j := range n {
			a := int32(i*(n+1) + j)
			b, c, d := a+int32(n+1), a+int32(n+2), a+1
			m.Tris = append(m.Tris, [3]int32{a, c, b}, [3]int32{a, d, c})
		}
	}
	return m
}

// gridBox returns the closed surface of a box of half sizes h, each face n×n
// squares, vertices shared.
func gridBox(h r3.Vec, n int) *meshes.Tri {
	m := &meshes.Tri{}
	index := map[[3]int]int32{}
	for axis := range 3 {
		for _, side := range []int{0, n} {
			u, v := (axis+1)%3, (axis+2)%3
			if side == 0 {
				u, v = v, u
			}
			at := func(i, j int) int32 {
				var g [3]int
				g[axis], g[u], g[v] = side, i, j
				if k, ok := index[g]; ok {
					return k
				}
				var p r3.Vec
				for k := range p {
					p[k] = h[k] * (2*float64(g[k])/float64(n) - 1)
				}
				m.Verts = append(m.Verts, p)
				index[g] = int32(len(m.Verts) - 1)
				return index[g]
			}
			for i := range n {
				for j := range n {
					a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
					m.Tris = append(m.Tris, [3]int32{a, b, c}, [3]int32{a, c, d})
				}
			}
		}
	}
	return m
}

// torusMesh returns a torus about z: ring radius a, tube radius b.
func torusMesh(a, b float64, n, k int) *meshes.Tri {
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

// bowlMesh returns a half shell, open to +z, between two radii.
func bowlMesh(outer, inner float64, n, k int) *meshes.Tri {
	var profile [][2]float64
	for i := range n + 1 {
		s, c := math.Sincos(math.Pi / 2 * float64(i) / float64(n))
		profile = append(profile, [2]float64{outer * s, -outer * c})
	}
	for i := range n + 1 {
		s, c := math.Sincos(math.Pi / 2 * float64(n-i) / float64(n))
		profile = append(profile, [2]float64{inner * s, -inner * c})
	}
	profile[0][0], profile[len(profile)-1][0] = 0, 0
	return revolve(profile, k)
}

// prism returns the solid over a polygon in the xz plane that is star-shaped
// about its last corner, from −depth to depth in y.
func prism(section [][2]float64, depth float64) *meshes.Tri {
	m := &meshes.Tri{}
	n := int32(len(section))
	for _, y := range []float64{-depth, depth} {
		for _, p := range section {
			m.Verts = append(m.Verts, r3.Vec{p[0], y, p[1]})
		}
	}
	for i := range n {
		j := (i + 1) % n
		m.Tris = append(m.Tris, [3]int32{i, j + n, j}, [3]int32{i, i + n, j + n})
		if i+2 < n {
			m.Tris = append(m.Tris, [3]int32{n - 1, i, i + 1}, [3]int32{2*n - 1, n + i + 1, n + i})
		}
	}
	if m.Volume() < 0 {
		for i, t := range m.Tris {
			m.Tris[i] = [3]int32{t[0], t[2], t[1]}
		}
	}
	return m
}

func mustMesh(t testing.TB, m *meshes.Tri) *Mesh {
	t.Helper()
	s, err := NewMesh(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func moved(m *meshes.Tri, X r3.Pose) []r3.Vec {
	out := make([]r3.Vec, len(m.Verts))
	for i, p := range m.Verts {
		out[i] = X.Point(p)
	}
	return out
}

func shift(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }
