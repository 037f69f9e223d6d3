package fem

import "fmt"

// lockingRatio is Poisson's ratio above which linear tets lock (volumetric locking): few of
// their motions keep each tet's volume. Source: Hughes, The Finite Element Method, 4.4.
const lockingRatio = 0.45

// Shares of the true tip deflection that linear tets give a slender beam with
// one and two of them across its height (ν = 0.3; see the cantilever test).
const shareOne, shareTwo = 0.21, 0.50

//
// A linear tet has constant strain: it can represent bending only by strains that differ from
// tet to tet. The shares are measured on boxes cut into regular tets.

// Warnings returns one sentence for each property of mesh and law that makes results
// inaccurate, with a cure: locking, and walls of few elements.
func (m *Model) Warnings() (warnings []string) {
	if m.set != nil {
		return m.set.warnings() // they neither lock nor need more than one across a wall
	}
	if nu := m.lambda / (2 * (m.lambda + m.mu)); nu > lockingRatio {
		warnings = append(warnings, fmt.Sprintf("Poisson's ratio is %.3g: linear tetrahedra lock above %g, which makes bending several times too stiff; "+
			"take %s or a ratio of %g", nu, lockingRatio, m.betterElements(), lockingRatio))
	}
	one, few := m.thinShares()
	switch {
	case one > 0.5:
		warnings = append(warnings, fmt.Sprintf("walls are one element thick in %.0f %% of the tetrahedra: they bend about %.0f times too stiffly; "+
			"take %s, or refine the mesh to four elements across", 100*one, 1/shareOne, m.betterElements()))
	case one+few > 0.5:
		warnings = append(warnings, fmt.Sprintf("walls are at most three elements thick in %.0f %% of the tetrahedra: they bend up to %.0f times too stiffly; "+
			"take %s, or refine the mesh to four elements across", 100*(one+few), 1/shareTwo, m.betterElements()))
	}
	return warnings
}

// betterElements names what a body of linear tets could be made of, as scenes write it.
func (m *Model) betterElements() string {
	if m.spec.Mesh.Cells != nil && len(m.spec.Mesh.Cells.Tets10) == 0 {
		return "elements: " + string(Hex12)
	}
	return "elements: " + string(Tet10)
}

// thinShares returns the share of tets in walls of one element, whose vertices all lie on
// the boundary, and the share in walls of two or three: no inner vertex of theirs has a
// neighbour that is not next to the boundary.
func (m *Model) thinShares() (one, few float64) {
	// depth below the surface, counted in edges: a wall of n elements has vertices of depth n/2
	depth := make([]int, m.NumVerts()) // 0 on the boundary, 1 next to it, 2 deeper
	for v := range depth {
		depth[v] = 2
	}
	for _, t := range m.boundary {
		for _, v := range t {
			depth[v] = 0
		}
	}
	// vertices next to the boundary
	for i := range m.elements {
		least := 2
		for _, v := range m.elements[i].verts {
			least = min(least, depth[v])
		}
		for _, v := range m.elements[i].verts {
			if least == 0 && depth[v] == 2 {
				depth[v] = 1
			}
		}
	}
	// two elements across a wall leave one layer of inner vertices, all of depth 1, and so do
	// three, whose inner vertices have neighbours of depth 1 but none deeper
	around := make([]int, m.NumVerts()) // depth of the deepest neighbour
	for i := range m.elements {
		for _, a := range m.elements[i].verts {
			for _, b := range m.elements[i].verts {
				around[a] = max(around[a], depth[b])
			}
		}
	}
	// count tets without inner vertices, and those of shallow inner vertices
	for i := range m.elements {
		inner, deepest := false, 0
		for _, v := range m.elements[i].verts {
			if depth[v] > 0 {
				inner, deepest = true, max(deepest, around[v])
			}
		}
		switch {
		case !inner:
			one++
		case deepest < 2:
			few++
		}
	}
	n := float64(len(m.elements))
	return one / n, few / n
}
