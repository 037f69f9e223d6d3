package meshes

// Shape measures of tets and their statistics over a mesh. What they measure:
//
//   - least dihedral angle: small angles make stiffness matrices ill-
//     conditioned, so that iterative solvers need more iterations and direct
//     ones lose digits.
//   - largest dihedral angle: angles near 180° make interpolated gradients, and
//     so strains and stresses, inaccurate (Babuška & Aziz 1976; Shewchuk 2002).
//   - radius ratio: detects slivers, needles and caps alike, with one number.
//   - walls one element thick: a pressure field has no interior vertex there.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/r3"
)

// Shape measures of a tet with vertices a, b, c, d, faces F_i of area A_i and
// unit outward normals n_i, volume V, and edges of length l:
//
//	cos θ_ij = −n_i · n_j                dihedral angle at the edge of F_i and F_j   (1)
//	r = 3V / Σ A_i                        inradius                                   (2)
//	R = √((p+q+s)(p+q−s)(p−q+s)(−p+q+s)) / (24 |V|)   circumradius, where p, q, s are
//	    the products of the lengths of opposite edges                            (3)
//	ρ = 3 r / R                           radius ratio: 1 regular, 0 flat            (4)

// TetShape has the measures of one tet.
type TetShape struct {
	// Volume is the signed volume, m³; negative if the tet is inverted.
	Volume float64
	// MinDihedral and MaxDihedral are the least and largest angle between two faces
	// (1), rad. A regular tet has arccos ⅓ = 70.5° everywhere.
	MinDihedral, MaxDihedral float64
	// RadiusRatio is ρ of (4): 1 for a regular tet, 0 for a flat one, negative for
	// an inverted one.
	RadiusRatio float64
	// MinEdge and MaxEdge are the lengths of the shortest and longest edge, m.
	MinEdge, MaxEdge float64
}

// Shape measures tet t.
func (m *Tet) Shape(t int) TetShape {
	var p [4]r3.Vec
	for k, v := range m.Tets[t] {
		p[k] = m.Verts[v]
	}
	s := TetShape{Volume: m.Volume(t), MinEdge: math.Inf(1)}
	// Edge lengths.
	var l [6]float64
	for i, e := range TetEdges {
		l[i] = p[e[1]].Sub(p[e[0]]).Norm()
		s.MinEdge, s.MaxEdge = min(s.MinEdge, l[i]), max(s.MaxEdge, l[i])
	}
	// Face normals, as long as the area, and the sum of the areas.
	var n [4]r3.Vec
	area := 0.0
	for i, f := range TetFaces {
		n[i] = p[f[1]].Sub(p[f[0]]).Cross(p[f[2]].Sub(p[f[0]])).Scale(0.5)
		area += n[i].Norm()
	}
	s.MinDihedral = math.Inf(1)
	for i := range n {
		for j := range i {
			// atan2 keeps its digits where acos of (1) loses them; a zero area gives 0.
			a := math.Pi - math.Atan2(n[i].Cross(n[j]).Norm(), n[i].Dot(n[j])) // (1)
			s.MinDihedral, s.MaxDihedral = min(s.MinDihedral, a), max(s.MaxDihedral, a)
		}
	}
	// Products of opposite edges, for the circumradius.
	a, b, c := l[0]*l[5], l[1]*l[4], l[2]*l[3]
	if root := math.Sqrt(max(0, (a+b+c)*(a+b-c)*(a-b+c)*(-a+b+c))); root > 0 && area > 0 {
		r := 3 * s.Volume / area                 // (2)
		s.RadiusRatio = 72 * r * s.Volume / root // (3), (4): positive for either sign
		if s.Volume < 0 {
			s.RadiusRatio = -s.RadiusRatio
		}
	}
	return s
}

// Quality summarizes the shapes of all tets of a mesh. The field tags are the keys
// in JSON.
type Quality struct {
	// Tets is the number of tets.
	Tets int `json:"tets"`
	// Vertices is the number of vertices.
	Vertices int `json:"vertices"`
	// Volume is the sum of the signed volumes, m³.
	Volume float64 `json:"volume_m3"`
	// MinVolume is the least signed volume of a tet, m³.
	MinVolume float64 `json:"min_volume_m3"`
	// MinDihedral is the least dihedral angle, rad. The condition number of the
	// stiffness matrix grows as it shrinks.
	MinDihedral float64 `json:"min_dihedral_rad"`
	// MaxDihedral is the largest dihedral angle, rad. The error of gradients grows
	// as it approaches π.
	MaxDihedral float64 `json:"max_dihedral_rad"`
	// MinRatio is the least radius ratio; negative if a tet is inverted.
	MinRatio float64 `json:"min_radius_ratio"`
	// MeanRatio is the mean radius ratio over tets.
	MeanRatio float64 `json:"mean_radius_ratio"`
	// MinEdge is the length of the shortest edge, m. It bounds explicit time steps.
	MinEdge float64 `json:"min_edge_m"`
	// MaxEdge is the length of the longest edge, m.
	MaxEdge float64 `json:"max_edge_m"`
	// MeanEdge is the mean edge length over tets and their six edges, m; an edge of
	// several tets counts once for each.
	MeanEdge float64 `json:"mean_edge_m"`
	// Worst is the number of the tet with the least radius ratio.
	Worst int `json:"worst_tet"`
	// Inverted is the number of tets of negative volume.
	Inverted int `json:"inverted"`

	// Dihedral counts tets by their least dihedral angle, in bins of 5°.
	Dihedral [18]int `json:"dihedral_histogram"`
	// Ratio counts tets by their radius ratio, in bins of 0.1; the first bin has
	// the negative ones, too.
	Ratio [10]int `json:"ratio_histogram"`

	// Walls measures the parts of the mesh that are a single element thick.
	Walls Walls `json:"walls"`
}

// Walls measures the parts of a mesh that are a single element thick, where a pressure
// field has no interior vertex.
type Walls struct {
	// BoundaryTets is the fraction of tets with all vertices on the boundary.
	BoundaryTets float64 `json:"boundary_tets"`
	// ThinVerts is the fraction of vertices that have no neighbour inside the mesh.
	ThinVerts float64 `json:"thin_vertices"`
	// BothSides is the fraction of tets with two or more boundary faces.
	BothSides float64 `json:"both_sides"`
}

// Bounds on quality below which CheckTet warns.
const (
	poorDihedral = 5 * math.Pi / 180 // least angle: below, the conditioning suffers and time steps with it
	poorRatio    = 0.05              // least radius ratio
)

// TetQuality measures all tets of a mesh. An empty mesh has zero quality
// throughout.
func TetQuality(m *Tet) Quality {
	q := Quality{Tets: len(m.Tets), Vertices: len(m.Verts), Walls: oneElementWalls(m)}
	if len(m.Tets) == 0 {
		return q
	}
	q.MinDihedral, q.MinRatio, q.MinEdge, q.MinVolume = math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
	// Extremes, sums and histograms over tets.
	edges := 0.0
	for t := range m.Tets {
		s := m.Shape(t)
		q.Volume += s.Volume
		q.MinVolume = min(q.MinVolume, s.Volume)
		q.MinDihedral, q.MaxDihedral = min(q.MinDihedral, s.MinDihedral), max(q.MaxDihedral, s.MaxDihedral)
		q.MinEdge, q.MaxEdge = min(q.MinEdge, s.MinEdge), max(q.MaxEdge, s.MaxEdge)
		if s.RadiusRatio < q.MinRatio {
			q.MinRatio, q.Worst = s.RadiusRatio, t
		}
		if s.Volume < 0 {
			q.Inverted++
		}
		q.MeanRatio += s.RadiusRatio / float64(len(m.Tets))
		for _, e := range TetEdges {
			edges += m.Verts[m.Tets[t][e[1]]].Sub(m.Verts[m.Tets[t][e[0]]]).Norm()
		}
		q.Dihedral[bin(s.MinDihedral/(5*math.Pi/180), len(q.Dihedral))]++
		q.Ratio[bin(s.RadiusRatio*10, len(q.Ratio))]++
	}
	q.MeanEdge = edges / float64(6*len(m.Tets))
	return q
}

// bin returns the bin of x among n bins of unit width; values outside go into the
// nearest.
func bin(x float64, n int) int {
	if !(x > 0) {
		return 0
	}
	return int(min(x, float64(n-1)))
}

// oneElementWalls computes Walls.
func oneElementWalls(m *Tet) Walls {
	thin, used, all := m.thinVerts()
	// Tets with a second boundary face.
	_, owner := m.Boundary()
	faces := make([]int8, len(m.Tets))
	both := 0
	for _, t := range owner {
		if faces[t]++; faces[t] == 2 {
			both++
		}
	}
	var w Walls
	if n := float64(len(m.Tets)); n > 0 {
		w.BoundaryTets, w.BothSides = float64(all)/n, float64(both)/n
	}
	// Fractions; vertices of no tet do not count.
	verts, thins := 0, 0
	for v := range used {
		if used[v] {
			verts++
			if thin[v] {
				thins++
			}
		}
	}
	if verts > 0 {
		w.ThinVerts = float64(thins) / float64(verts)
	}
	return w
}

// thinVerts marks the vertices that no tet joins to a vertex inside, and those that
// a tet uses; all counts the tets with all vertices on the boundary.
func (m *Tet) thinVerts() (thin, used []bool, all int) {
	on := m.onBoundary()
	thin, used = slices.Clone(on), make([]bool, len(m.Verts))
	for _, t := range m.Tets {
		inside := false
		for _, v := range t {
			inside = inside || !on[v]
			used[v] = true
		}
		if !inside {
			all++
			continue
		}
		for _, v := range t {
			thin[v] = false
		}
	}
	return thin, used, all
}

// onBoundary marks the vertices that a boundary triangle uses.
func (m *Tet) onBoundary() []bool {
	on := make([]bool, len(m.Verts))
	tris, _ := m.Boundary()
	for _, t := range tris {
		for _, v := range t {
			on[v] = true
		}
	}
	return on
}

// degrees converts from radians.
func degrees(x float64) float64 { return x * 180 / math.Pi }

// Report adds findings on the quality: a note with the numbers, warnings where they
// fall below the bounds. Tets that fill hexahedra and wedges are for contact and pictures, which
// any shape serves: what elasticity needs of their cells is not said here.
func (q *Quality) Report(r *Findings, cells *Cells) {
	if q.Tets == 0 {
		r.Addf(Error, "empty", 0, "the mesh has no tetrahedra")
		return
	}
	r.Addf(Note, "quality", q.Tets, "%s, %s, volume %.4g m³, edges %s to %s, dihedral angles %.1f° to %.1f°, radius ratio %.3f to mean %.3f",
		phrases.Plural(q.Tets, "tetrahedron"), phrases.Plural(q.Vertices, "vertex"), q.Volume, phrases.Length(q.MinEdge), phrases.Length(q.MaxEdge),
		degrees(q.MinDihedral), degrees(q.MaxDihedral), q.MinRatio, q.MeanRatio)
	if q.MinDihedral < poorDihedral || q.MinRatio < poorRatio {
		severity := Warning
		if cells != nil && len(cells.Tets10) == 0 && q.MinRatio > 0 {
			severity = Note
		}
		r.Addf(severity, "poor", q.Dihedral[0], "the worst tetrahedron, number %d, has radius ratio %.3g, the least dihedral angle is %.2g°: convergence suffers; mesh the part again or coarser",
			q.Worst, q.MinRatio, degrees(q.MinDihedral))
	}
	if n := int(math.Round(q.Walls.BoundaryTets * float64(q.Tets))); n > 0 {
		r.Addf(Note, "boundary-tet", n, "%s with all four vertices on the boundary: a pressure field vanishes there unless they are split", phrases.Plural(n, "tetrahedron"))
	}
}

// String draws the two histograms as bars of text, for a terminal.
func (q *Quality) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", phrases.Plural(q.Tets, "tetrahedron"), phrases.Plural(q.Vertices, "vertex"))
	bar := func(label string, n int) {
		if n > 0 {
			fmt.Fprintf(&b, "%-12s %8d %s\n", label, n, strings.Repeat("#", 1+n*40/max(1, q.Tets)))
		}
	}
	b.WriteString("least dihedral angle\n")
	for i, n := range q.Dihedral {
		bar(fmt.Sprintf("%2d–%d°", 5*i, 5*i+5), n)
	}
	b.WriteString("radius ratio\n")
	for i, n := range q.Ratio {
		bar(fmt.Sprintf("%.1f–%.1f", float64(i)/10, float64(i+1)/10), n)
	}
	return b.String()
}
