package stuffing

// The number of nodes that is asked for is that of the model: vertices of the tets, and with
// TetOptions.Midpoints those on the middles of their edges, too. Methods seek a size by the number of
// vertices of their tets. So a mesh is made again where the number of its nodes is too far off, with as many
// times more or fewer vertices, and the nearest one is taken, or refused:
//
//	|nodes/asked − 1| ≤ 0.2                                                (1)

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
)

const (
	// nodesOff is the bound of (1).
	nodesOff = 0.2
	// nodesNear is how far off a mesh of another number of vertices is not tried.
	nodesNear = 0.1
	// nodesTries is the number of meshes that are tried.
	nodesTries = 4
	// midpointNodes is the usual number of nodes for each vertex with midpoints: there are some 4.5 edges for each.
	midpointNodes = 5.5
)

// nodes returns the number of nodes of the elements that the tets become.
func (opt *TetOptions) nodes(m *meshes.Tet) int {
	if opt.Midpoints {
		return len(m.Verts) + m.NumEdges()
	}
	return len(m.Verts)
}

// seekNodes fills a surface with the number of nodes that opt asks for, or returns an error that
// gives the nearest number and its reason.
func seekNodes(surface *meshes.Tri, opt TetOptions) (*meshes.Tet, TetResult, error) {
	want := float64(opt.Vertices)
	vertices, off := want, math.Inf(1)
	if opt.Midpoints {
		vertices /= midpointNodes
	}
	var best *meshes.Tet
	var rep TetResult
	var failed error
	try, last := opt, 0
	for range nodesTries {
		if try.Vertices = max(4, int(math.Round(vertices))); try.Vertices == last {
			break
		}
		last = try.Vertices
		m, r, err := fill(surface, try)
		var few *tooFewError
		if errors.As(err, &few) {
			few.asked, few.midpoints = opt.Vertices, opt.Midpoints
			return nil, rep, few
		}
		if err != nil {
			if failed = err; best != nil || try.Vertices >= opt.Vertices {
				break
			}
			vertices *= 2 // too few for the part, maybe
			continue
		}
		n := float64(opt.nodes(m))
		if d := math.Abs(n/want - 1); d < off {
			best, rep, off = m, r, d
		}
		if off <= nodesNear {
			break
		}
		// near the surface a vertex has fewer edges, and thin walls add vertices
		vertices *= want / n
	}
	if best == nil {
		return nil, rep, failed
	}
	if off > nodesOff {
		n := opt.nodes(best)
		return nil, rep, fmt.Errorf("meshes: %d vertices asked for, but the nearest mesh of this part has %d, since %s: ask for %d, or give a size", opt.Vertices, n, rep.whyNodes(), n)
	}
	return best, rep, nil
}

// whyNodes returns what sets the number of nodes of a mesh that misses the one asked for.
func (r *TetResult) whyNodes() string {
	switch s := r.Stuffing; {
	case s == nil:
		return fmt.Sprintf("its outline has so many corners in %s", phrases.Plural(r.Layers, "layer"))
	case s.LeastSize < s.Size:
		return fmt.Sprintf("its walls and gaps need cells of %.2g m in place of %.2g m", s.LeastSize, s.Size)
	}
	return "no size of cells comes nearer"
}
