package render

import (
	"encoding/json"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// grip is a made-up recording of 1 s: two bars hang from jaws, close on a
// cylinder that stands on the ground, bend, and lift it. There are numFrames
// recorded frames.
func grip(numFrames int) *record.Recording {
	rec := &record.Recording{}
	st := &rec.Static
	st.Title = "Two bars lift a cylinder"
	st.Gravity = r3.Vec{0, 0, -9.81}
	st.Bodies = []string{"part", "left_jaw", "right_jaw"}
	st.Geoms = []record.Geom{
		{Name: "table", Body: -1, X_BG: r3.PoseIdentity(), Ground: 0.6},
		{Name: "part", Body: 0, X_BG: r3.PoseIdentity(), Mesh: cylinder(0.02, 0.07, 48), Color: "#7c93a8"},
		{Name: "left", Body: 1, X_BG: r3.PoseIdentity(), Mesh: box(r3.Vec{0.03, 0.04, 0.02}), Color: "#6b7480"},
		{Name: "right", Body: 2, X_BG: r3.PoseIdentity(), Mesh: box(r3.Vec{0.03, 0.04, 0.02}), Color: "#6b7480"},
		{Name: "hull", Body: 0, X_BG: r3.PoseIdentity(), Mesh: box(r3.Vec{0.5, 0.5, 0.5}), Hidden: true},
	}
	bar := bar(r3.Vec{0.008, 0.03, 0.1}, [3]int{3, 6, 22})
	tris, _ := bar.Boundary()
	for _, n := range []string{"left", "right"} {
		st.Deformables = append(st.Deformables, record.Deformable{Name: n, Rest: bar.Verts, Tets: bar.Tets, Tris: tris, Color: "#d9822b"})
	}
	for k := range numFrames {
		rec.Frames = append(rec.Frames, gripFrame(st, bar, float64(k)/float64(max(1, numFrames-1))))
	}
	st.NumQ, st.NumV = 1, 1
	st.Render, _ = json.Marshal(map[string]any{"Size": []int{960, 720}, "FOV": 30, "Rate": 25, "Field": "von_mises"})
	return rec
}

func gripFrame(st *record.Static, bar *meshes.Tet, t float64) record.Frame {
	close := math.Min(1, 2*t)
	lift := 0.06 * math.Max(0, 2*t-1) * math.Max(0, 2*t-1)
	f := record.Frame{Time: t, Q: []float64{t}, V: []float64{1}}
	f.Poses = []r3.Pose{
		{R: r3.RotExp(r3.Vec{0, 0, lift * 8}), P: r3.Vec{0, 0, 0.035 + lift}},
		{R: r3.Identity(), P: r3.Vec{-0.04 + 0.021*close, 0, 0.14 + lift}},
		{R: r3.Identity(), P: r3.Vec{0.04 - 0.021*close, 0, 0.14 + lift}},
	}
	const L = 0.1
	for i, sign := range []float64{-1, 1} {
		jaw := f.Poses[1+i].P
		tip := 0.012 * math.Max(0, close-0.2) * sign
		x := make([]r3.Vec, len(bar.Verts))
		s := make([]float32, len(bar.Tets))
		for j, p := range bar.Verts {
			l := L/2 - p[2] // from the clamp
			w := tip * (3*l*l*L - l*l*l) / (2 * L * L * L)
			slope := tip * (6*l*L - 3*l*l) / (2 * L * L * L)
			x[j] = r3.Vec{jaw[0] + p[0] + w, jaw[1] + p[1], jaw[2] - 0.01 - l - slope*p[0]*-1}
		}
		for j, v := range bar.Tets {
			c := bar.Verts[v[0]].Add(bar.Verts[v[1]]).Add(bar.Verts[v[2]]).Add(bar.Verts[v[3]]).Scale(0.25)
			l := L/2 - c[2]
			s[j] = float32(2.5e6 * math.Abs(c[0]) * math.Abs(tip) * (6*L - 6*l) / (2 * L * L * L) * 2)
		}
		f.Verts = append(f.Verts, x)
		f.Vels = append(f.Vels, make([]r3.Vec, len(x)))
		f.VonMises = append(f.VonMises, s)
		if tip == 0 {
			continue
		}
		for j, t := range st.Deformables[i].Tris {
			c := x[t[0]].Add(x[t[1]]).Add(x[t[2]]).Scale(1. / 3)
			a := r3.TriangleNormal(x[t[0]], x[t[1]], x[t[2]])
			if a[0]*sign < -1e-9 && math.Abs(c[2]-f.Poses[0].P[2]) < 0.02 && math.Abs(c[1]) < 0.01 {
				f.Contacts = append(f.Contacts, record.Contact{
					A: 0, B: 3 + i, Pos_W: c, Normal_W: r3.Vec{sign, 0, 0}, Force_W: r3.Vec{sign * math.Abs(tip) * 30, 0, -0.03},
					Phi: -1e-5, Area: a.Norm() / 2, Elem: [2]int32{1, int32(j)},
				})
			}
		}
	}
	if lift == 0 {
		for k := range 4 {
			s, c := math.Sincos(float64(k) * math.Pi / 2)
			f.Contacts = append(f.Contacts, record.Contact{
				A: -1, B: 0, Pos_W: r3.Vec{0.02 * c, 0.02 * s, 0}, Normal_W: r3.Vec{0, 0, 1}, Force_W: r3.Vec{0, 0, 3},
				Phi: -1e-6, Elem: [2]int32{0, 1},
			})
		}
	}
	return f
}

// bar is a box of tets, six a cell.
func bar(size r3.Vec, n [3]int) *meshes.Tet {
	m := &meshes.Tet{}
	id := func(i, j, k int) int32 { return int32((i*(n[1]+1)+j)*(n[2]+1) + k) }
	for i := 0; i <= n[0]; i++ {
		for j := 0; j <= n[1]; j++ {
			for k := 0; k <= n[2]; k++ {
				m.Verts = append(m.Verts, r3.Vec{
					size[0] * (float64(i)/float64(n[0]) - 0.5), size[1] * (float64(j)/float64(n[1]) - 0.5), size[2] * (float64(k)/float64(n[2]) - 0.5)})
			}
		}
	}
	for i := range n[0] {
		for j := range n[1] {
			for k := range n[2] {
				for _, p := range [6][2][3]int{
					{{1, 0, 0}, {1, 1, 0}}, {{1, 1, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 1, 1}},
					{{0, 1, 1}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 1}}, {{1, 0, 1}, {1, 0, 0}},
				} {
					m.Tets = append(m.Tets, [4]int32{
						id(i, j, k), id(i+p[0][0], j+p[0][1], k+p[0][2]), id(i+p[1][0], j+p[1][1], k+p[1][2]), id(i+1, j+1, k+1)})
				}
			}
		}
	}
	return m
}

func box(size r3.Vec) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range 8 {
		m.Verts = append(m.Verts, r3.Vec{size[0] * (float64(i>>2&1) - 0.5), size[1] * (float64(i>>1&1) - 0.5), size[2] * (float64(i&1) - 0.5)})
	}
	for _, q := range [6][4]int32{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		m.Tris = append(m.Tris, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

func cylinder(r, l float64, n int) *meshes.Tri {
	m := &meshes.Tri{Verts: []r3.Vec{{0, 0, -l / 2}, {0, 0, l / 2}}}
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		m.Verts = append(m.Verts, r3.Vec{r * c, r * s, -l / 2}, r3.Vec{r * c, r * s, l / 2})
	}
	for k := range n {
		a, b := int32(2+2*k), int32(2+2*((k+1)%n))
		m.Tris = append(m.Tris, [3]int32{0, b, a}, [3]int32{1, a + 1, b + 1}, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1})
	}
	return m
}
