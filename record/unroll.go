package record

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/r3"
)

// The face of a deformable laid out in a plane. A face is a smooth part of the undeformed boundary: triangles that are
// connected over edges at which their normals differ by less than a crease angle. It is unrolled about the axis a in
// which its normals n_t, with areas A_t, vary least:
//
//	a = the eigenvector of the least eigenvalue of Σ_t A_t n_t n_tᵀ,                     (1)
//	v_t = unit(n_t × a),  u_t = v_t × n_t                                                  (2)
//
// are orthonormal axes in the plane of each triangle, u along the axis and v around it. A triangle is laid beside its
// neighbour, along their common edge, with its edges e at (u_t·e, v_t·e), so that every triangle keeps its shape and
// area. Faces that are flat, cylinders and prisms of any profile lie without gaps; those that are curved in two
// directions open slightly. Triangles are laid in the order of their distance from a first one, which puts
// the seam of a tube on its far side.

// faceCrease is the angle between triangles, rad, at which a face ends.
const faceCrease = 35 * math.Pi / 180

// Unrolled is a smooth part of the boundary of a deformable, unrolled.
type Unrolled struct {
	// Body is the name of the deformable, index its number.
	Body  string
	index int
	// Tris are the numbers of its boundary triangles.
	Tris []int32
	// At are the places of the corners of each triangle in the plane, m: along the axis of the face and around it. The
	// least of both is 0.
	At [][3][2]float64
	// Size is the extent in both directions, m; the first is the longer one.
	Size [2]float64
	// Origin is the point of the undeformed body, m, at 0 of both coordinates; First and Second are the directions of
	// the coordinates there. On a face that is no rectangle, the point is that in the plane of the nearest triangle.
	Origin, First, Second r3.Vec
	// Normal is the mean unit normal of the undeformed face, Along the direction of the first coordinate at the middle,
	// both in the axes of the undeformed body.
	Normal, Along r3.Vec
}

// Unroll returns a face of a deformable: that whose mean normal is nearest to the given direction in the axes of the
// undeformed body, among those of at least a tenth of the largest face; or, for the zero vector, that which contacts
// press most over the recording.
func (r *Recording) Unroll(body string, direction r3.Vec) (*Unrolled, error) {
	i := slices.IndexFunc(r.Static.Deformables, func(d Deformable) bool { return d.Name == body })
	if i < 0 {
		return nil, fmt.Errorf("no deformable %q: pressure maps are of deformables", body)
	}
	d := &r.Static.Deformables[i]
	faces := smoothFaces(d)
	if len(faces) == 0 {
		return nil, fmt.Errorf("%s has no boundary", body)
	}
	k, seed, err := 0, int32(-1), error(nil)
	if direction == (r3.Vec{}) {
		k, seed, err = r.pressedFace(i, faces)
	} else {
		k = facing(d, faces, direction.Unit())
	}
	if err != nil {
		return nil, err
	}
	f := &Unrolled{Body: body, index: i, Tris: faces[k]}
	f.unroll(d, seed)
	return f, r.Err()
}

// normal returns the normal of a boundary triangle of the undeformed body, as long as twice its area.
func (d *Deformable) normal(t int32) r3.Vec {
	v := d.Tris[t]
	return r3.TriangleNormal(d.Rest[v[0]], d.Rest[v[1]], d.Rest[v[2]])
}

// edgesOf returns the triangles at each edge of the boundary.
func edgesOf(d *Deformable, tris []int32) map[[2]int32][]int32 {
	at := map[[2]int32][]int32{}
	for _, t := range tris {
		for e := range 3 {
			a, b := d.Tris[t][e], d.Tris[t][(e+1)%3]
			key := [2]int32{min(a, b), max(a, b)}
			at[key] = append(at[key], t)
		}
	}
	return at
}

// smoothFaces parts the boundary of an undeformed body at its creases.
func smoothFaces(d *Deformable) [][]int32 {
	all := make([]int32, len(d.Tris))
	for t := range all {
		all[t] = int32(t)
	}
	joined := unionfind.New(len(all))
	// joining does not depend on the order of edges
	for _, ts := range edgesOf(d, all) {
		if len(ts) == 2 && d.normal(ts[0]).Unit().Dot(d.normal(ts[1]).Unit()) >= math.Cos(faceCrease) {
			joined.Union(ts[0], ts[1])
		}
	}
	of, n := joined.Labels()
	faces := make([][]int32, n)
	for t, k := range of {
		faces[k] = append(faces[k], int32(t))
	}
	return faces
}

// facing returns the face whose mean normal is nearest to a direction.
func facing(d *Deformable, faces [][]int32, direction r3.Vec) int {
	area, cosine := make([]float64, len(faces)), make([]float64, len(faces))
	for k, tris := range faces {
		var sum r3.Vec
		for _, t := range tris {
			n := d.normal(t)
			sum = sum.Add(n)
			area[k] += n.Norm()
		}
		cosine[k] = sum.Unit().Dot(direction)
	}
	best := -1
	for k := range faces {
		if area[k] >= 0.1*slices.Max(area) && (best < 0 || cosine[k] > cosine[best]) {
			best = k
		}
	}
	return best
}

// pressedFace returns the face with the largest sum of normal forces over all frames, and its triangle of the largest
// sum.
func (r *Recording) pressedFace(i int, faces [][]int32) (face int, seed int32, err error) {
	sum := make([]float64, len(r.Static.Deformables[i].Tris))
	body := len(r.Static.Bodies) + i
	for k := range r.Len() {
		for _, c := range r.At(k).Contacts {
			for side, b := range [2]int{c.A, c.B} {
				if b == body {
					sum[c.Elem[side]] += c.Force_W.Dot(c.Normal_W)
				}
			}
		}
	}
	most := 0.0
	for k, tris := range faces {
		total := 0.0
		for _, t := range tris {
			total += sum[t]
		}
		if total > most {
			most, face = total, k
		}
	}
	if most == 0 {
		return 0, 0, errors.New("nothing presses on " + r.Static.Deformables[i].Name + " in this recording: name the face by its direction, such as -y")
	}
	return face, slices.MaxFunc(faces[face], func(a, b int32) int {
		// of equal sums the first
		if sum[a] != sum[b] {
			return int(math.Copysign(1, sum[a]-sum[b]))
		}
		return int(b - a)
	}), nil
}

// axis returns the axis about which triangles are unrolled, (1); for flat ones the direction of their largest extent.
func axis(d *Deformable, tris []int32) r3.Vec {
	var normals r3.Mat
	total := 0.0
	var center r3.Vec
	for _, t := range tris {
		n := d.normal(t)
		a := n.Norm()
		if a == 0 {
			continue
		}
		normals = normals.Add(r3.Outer(n.Scale(1/a), n))
		total += a
		for _, v := range d.Tris[t] {
			center = center.AddScaled(a/3, d.Rest[v])
		}
	}
	vectors, values, order := eigen(normals)
	// flat: all normals but for a part in a thousand lie along one direction
	if values[order[1]] > 1e-3*total {
		return vectors.Col(order[0])
	}
	center = center.Scale(1 / total)
	n := vectors.Col(order[2])
	var spread r3.Mat
	for _, t := range tris {
		a := d.normal(t).Norm()
		// ∫ x xᵀ over a triangle is A/12 (Σ x_i x_iᵀ + (Σ x_i)(Σ x_i)ᵀ)
		var sum r3.Vec
		for _, v := range d.Tris[t] {
			x := d.Rest[v].Sub(center)
			x = x.AddScaled(-x.Dot(n), n)
			spread = spread.Add(r3.Outer(x.Scale(a), x))
			sum = sum.Add(x)
		}
		spread = spread.Add(r3.Outer(sum.Scale(a), sum))
	}
	vectors, _, order = eigen(spread)
	return vectors.Col(order[2])
}

// eigen returns eigenvectors and eigenvalues of a symmetric matrix, and their order by rising eigenvalues.
func eigen(m r3.Mat) (vectors r3.Mat, values r3.Vec, order [3]int) {
	vectors, values = r3.SymEigen(m)
	order = [3]int{0, 1, 2}
	slices.SortStableFunc(order[:], func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return vectors, values, order
}

// unroll lays the triangles of the face in the plane, from the first one, or from any for −1.
func (f *Unrolled) unroll(d *Deformable, first int32) {
	a := axis(d, f.Tris)
	// the sign of the axis: along the first coordinate axis in which it has most
	if k := largest(a); a[k] < 0 {
		a = a.Neg()
	}
	if first < 0 {
		first = f.Tris[0]
	}
	neighbours := edgesOf(d, f.Tris)
	placed := map[int32][3][2]float64{}
	start := middle(d, first)
	frame := newTangents(d.normal(first), a, r3.Vec{})
	placed[first] = frame.lay(d, first, d.Rest[d.Tris[first][0]], [2]float64{})
	f.Along = frame.u
	// the triangle that is nearest to the first one of those beside a placed one comes next
	front := []int32{first}
	frames := map[int32]tangents{first: frame}
	for len(front) > 0 {
		i := 0
		for k := range front {
			if middle(d, front[k]).Sub(start).Norm2() < middle(d, front[i]).Sub(start).Norm2() {
				i = k
			}
		}
		t := front[i]
		front = slices.Delete(front, i, i+1)
		for e := range 3 {
			p, q := d.Tris[t][e], d.Tris[t][(e+1)%3]
			for _, o := range neighbours[[2]int32{min(p, q), max(p, q)}] {
				if _, done := placed[o]; done {
					continue
				}
				frames[o] = newTangents(d.normal(o), a, frames[t].u)
				placed[o] = frames[o].lay(d, o, d.Rest[p], placed[t][e])
				front = append(front, o)
			}
		}
	}
	var sum r3.Vec
	for _, t := range f.Tris {
		f.At = append(f.At, placed[t])
		sum = sum.Add(d.normal(t))
	}
	f.Normal = sum.Unit()
	f.settle()
	f.locate(d)
}

// locate finds where the origin of the plane lies on the undeformed body, and the directions of the coordinates: with
// the corners X₀, X₁, X₂ of the nearest triangle at x₀, x₁, x₂ in the plane,
//
//	X(x) = X₀ + [X₁−X₀, X₂−X₀] [x₁−x₀, x₂−x₀]⁻¹ (x − x₀).                                  (3)
func (f *Unrolled) locate(d *Deformable) {
	best, least := -1, math.Inf(1)
	for i, c := range f.At {
		// a triangle without an area has no directions; of equal distances the first
		far := min(math.Hypot(c[0][0], c[0][1]), math.Hypot(c[1][0], c[1][1]), math.Hypot(c[2][0], c[2][1]))
		if far < least-1e-9*f.Size[0] && d.normal(f.Tris[i]).Norm() > 0 {
			best, least = i, far
		}
	}
	if best < 0 {
		return
	}
	c, t := f.At[best], d.Tris[f.Tris[best]]
	p, q := [2]float64{c[1][0] - c[0][0], c[1][1] - c[0][1]}, [2]float64{c[2][0] - c[0][0], c[2][1] - c[0][1]}
	P, Q := d.Rest[t[1]].Sub(d.Rest[t[0]]), d.Rest[t[2]].Sub(d.Rest[t[0]])
	det := p[0]*q[1] - p[1]*q[0]
	f.First = P.Scale(q[1]/det).AddScaled(-p[1]/det, Q)
	f.Second = Q.Scale(p[0]/det).AddScaled(-q[0]/det, P)
	f.Origin = d.Rest[t[0]].AddScaled(-c[0][0], f.First).AddScaled(-c[0][1], f.Second)
}

// largest returns the coordinate of a vector with the largest magnitude.
func largest(v r3.Vec) int {
	k := 0
	for i := range v {
		if math.Abs(v[i]) > math.Abs(v[k])+1e-9 {
			k = i
		}
	}
	return k
}

// middle returns the centroid of a boundary triangle of the undeformed body.
func middle(d *Deformable, t int32) r3.Vec {
	v := d.Tris[t]
	return d.Rest[v[0]].Add(d.Rest[v[1]]).Add(d.Rest[v[2]]).Scale(1. / 3)
}

// tangents are the axes of a triangle's plane, (2).
type tangents struct{ u, v r3.Vec }

// newTangents returns the axes of a triangle with normal n about the axis a; where the normal is along the axis, those
// next to the axis u of its neighbour.
func newTangents(n, a, u r3.Vec) tangents {
	n = n.Unit()
	v := n.Cross(a)
	if v.Norm() < 1e-3 {
		v = n.Cross(u)
	}
	v = v.Unit()
	return tangents{v.Cross(n), v}
}

// lay returns the places of the corners of a triangle whose point p is at a place.
func (x tangents) lay(d *Deformable, t int32, p r3.Vec, at [2]float64) (out [3][2]float64) {
	for k, v := range d.Tris[t] {
		e := d.Rest[v].Sub(p)
		out[k] = [2]float64{at[0] + x.u.Dot(e), at[1] + x.v.Dot(e)}
	}
	return out
}

// settle moves the face to the corner of the plane, with its longer side along the first coordinate.
func (f *Unrolled) settle() {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, c := range f.At {
		for _, p := range c {
			for k := range 2 {
				lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
			}
		}
	}
	turn := hi[1]-lo[1] > hi[0]-lo[0]
	for i := range f.At {
		for k, p := range f.At[i] {
			p[0], p[1] = p[0]-lo[0], p[1]-lo[1]
			if turn {
				// a quarter turn, which keeps the sides of the face
				p = [2]float64{p[1], hi[0] - lo[0] - p[0]}
			}
			f.At[i][k] = p
		}
	}
	f.Size = [2]float64{hi[0] - lo[0], hi[1] - lo[1]}
	if turn {
		f.Size[0], f.Size[1] = f.Size[1], f.Size[0]
		f.Along = f.Normal.Cross(f.Along)
	}
}
