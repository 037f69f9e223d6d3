package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Contact forces are drawn as arrows with their tail at the contact. Lengths are proportional to forces:
// a force F has the length L F/F₀, where L is an eighth of the height of the view and F₀ a round force
// that applies to the whole recording and is written beside the key. Arrows are cut at 2.5 L, and those
// below 0.02 L are left out.
//
// Of both bodies the arrow shows the force on the one that forces move: a body on a floor is pushed up, whatever it and
// the floor are made of, and on the world or a fixed body no arrow ends. Between two such bodies it shows the force on
// the rigid one, as that of fingers on a part, and else that on body B.
//
// One scale for all frames lets arrows of a film be compared; the cut keeps an impact of one frame from
// making all others invisible.

// arrow is a contact force as it is shown, see shownForce.
type arrow struct {
	// at is the tail of the arrow, m, in world axes.
	at r3.Vec
	// force is the force, N, in world axes.
	force r3.Vec
}

// arrowsOf returns the arrows of a frame: one for each contact point; one for all faces
// of a deformable against another body, at the mean of their places weighted by force;
// one for each contact surface of pressure fields, at its centre of pressure.
func arrowsOf(rec *record.Recording, f *record.Frame) []arrow {
	out := contactArrows(rec, f)
	for i := range f.ContactSurfaces {
		p := &f.ContactSurfaces[i]
		if len(p.Faces) == 0 {
			continue // deformables' faces are among the contacts
		}
		if force := shownForce(rec, p.A, p.B, p.Force_W); force != (r3.Vec{}) {
			out = append(out, arrow{p.Center_W, force})
		}
	}
	return out
}

// contactArrows returns the arrows of contact points and of faces of deformables. The faces of
// a pair of bodies have the places x_i and forces f_i; their arrow has
//
//	Σ |f_i| x_i / Σ |f_i|  and  Σ f_i.
func contactArrows(rec *record.Recording, f *record.Frame) []arrow {
	type pair struct{ a, b int }
	var (
		out    []arrow
		sumOf  = map[pair]int{} // index in out of the sum of a pair
		weight []float64
	)
	for i := range f.Contacts {
		c := &f.Contacts[i]
		force := shownForce(rec, c.A, c.B, c.Force_W)
		w := force.Norm()
		if w == 0 {
			continue
		}
		// a point has no area
		if c.Area == 0 {
			out, weight = append(out, arrow{c.Pos_W, force}), append(weight, 1)
			continue
		}
		k, ok := sumOf[pair{c.A, c.B}]
		if !ok {
			k = len(out)
			sumOf[pair{c.A, c.B}] = k
			out, weight = append(out, arrow{}), append(weight, 0)
		}
		out[k].at = out[k].at.AddScaled(w, c.Pos_W)
		out[k].force = out[k].force.Add(force)
		weight[k] += w
	}
	// sums of w x become means
	for k := range out {
		out[k].at = out[k].at.Scale(1 / weight[k])
	}
	return out
}

// shownForce returns the force of a contact of bodies a and b as arrows show it, given the
// force on b, N: that on a where forces move a but not b, or where they move both, and a alone is rigid.
func shownForce(rec *record.Recording, a, b int, onB r3.Vec) r3.Vec {
	st := &rec.Static
	moves := func(k int) bool {
		_, kinematic := slices.BinarySearch(st.Kinematic, k)
		return k >= 0 && !kinematic
	}
	rigid := func(k int) bool { return k < len(st.Bodies) }
	if moves(a) && (!moves(b) || rigid(a) && !rigid(b)) {
		return onB.Neg()
	}
	return onB
}

// forceScale chooses the force that an arrow of an eighth of the view's height stands
// for, N: the 80th percentile of the largest force of each frame, rounded up. Impacts
// may exceed it by far.
func forceScale(rec *record.Recording) float64 {
	var largest []float64
	// at most about 200 frames of a long recording are read
	stride := max(1, rec.Len()/200)
	for k := 0; k < rec.Len(); k += stride {
		m := 0.0
		for _, a := range arrowsOf(rec, rec.At(k)) {
			m = max(m, a.force.Norm())
		}
		if m > 0 {
			largest = append(largest, m)
		}
	}
	if len(largest) == 0 {
		return 0
	}
	// frames without contact do not count
	slices.SortFunc(largest, cmp.Compare[float64])
	return roundUp(largest[(len(largest)-1)*8/10])
}

// arrowColor occurs neither in the colour map nor among the colours of bodies.
const arrowColor = "#c2293d"

// longestArrow is the length at which arrows are cut, over that of the scale's force.
const longestArrow = 2.5

// drawArrows appends the triangles of arrows; a force of scale (N) has the given length
// (m). Arrows below 2 % of that are left out.
func drawArrows(tris []fauxgl.Triangle, arrows []arrow, scale, length float64) []fauxgl.Triangle {
	c := bodyColor(arrowColor, 0)
	for _, a := range arrows {
		// the length over that of the scale's force
		x := a.force.Norm() / scale
		if x < 0.02 {
			continue
		}
		x = min(x, longestArrow)
		tris = appendArrow(tris, a.at, a.force.Unit(), x*length, length*0.028, c)
	}
	return tris
}

// appendArrow makes one arrow of the given length and shaft radius (m) from tail along the
// unit vector dir: a cylinder over a polygon of 20 sides, and a cone of 2.3 times its radius
// and of a length of 5.5 radii on it. The head of a short arrow takes 0.6 of its length.
func appendArrow(tris []fauxgl.Triangle, tail, dir r3.Vec, length, radius float64, c fauxgl.Color) []fauxgl.Triangle {
	const sides = 20
	// the head, and a shaft whose radius is at most a quarter of the length of the head
	head := min(5.5*radius, 0.6*length)
	radius = min(radius, head/4)
	neck := length - head
	// profile from the tail: (along, radius), each step its own sharp face
	profile := [][2]float64{{0, 0}, {0, radius}, {neck, radius}, {neck, 2.3 * radius}, {length, 0}}
	// ring returns a point of the surface of revolution at angle k, and its direction from the axis
	e1, e2 := r3.Basis(dir)
	ring := func(p [2]float64, k int) (pos, out r3.Vec) {
		s, co := math.Sincos(2 * math.Pi * float64(k) / sides)
		out = e1.Scale(co).AddScaled(s, e2)
		return tail.AddScaled(p[0], dir).AddScaled(p[1], out), out
	}
	for i := range len(profile) - 1 {
		p, q := profile[i], profile[i+1]
		// the normal of a cone is across its line (dz, dr): dz outward and −dr along
		dz, dr := q[0]-p[0], q[1]-p[1]
		for k := range sides {
			vertex := func(p [2]float64, k int) fauxgl.Vertex {
				pos, out := ring(p, k)
				n := out.Scale(dz).AddScaled(-dr, dir).Unit()
				return fauxgl.Vertex{Position: vector(pos), Normal: vector(n), Color: c, Texture: fauxgl.Vector{X: 1, Y: -1, Z: 0.08}}
			}
			// each face is a quadrilateral of two triangles
			a, b, d, e := vertex(p, k), vertex(p, k+1), vertex(q, k+1), vertex(q, k)
			tris = append(tris, fauxgl.Triangle{V1: a, V2: b, V3: d}, fauxgl.Triangle{V1: a, V2: d, V3: e})
		}
	}
	return tris
}
