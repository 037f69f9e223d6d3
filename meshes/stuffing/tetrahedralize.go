package stuffing

// Filling of surfaces with tets by the method that suits the part. Prisms,
// which include most printed fingers and cut plates, are swept: fewer and
// better tets than stuffing gives, exact walls, and layers that follow the
// axis. All other parts are stuffed.

import (
	"fmt"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
)

// TetOptions are the settings of filling a surface with tets. The zero value
// chooses the method and aims at 1,000 vertices.
type TetOptions struct {
	// Method is "stuffing" (isosurface stuffing, any closed surface), "extrude"
	// (layers of a prism) or "auto", the same as "": extrude if the surface is
	// a prism, else stuff.
	Method string
	// Size is the target edge length, m; 0 searches for the size that gives
	// Vertices.
	Size float64
	// Vertices is the number of vertices where Size is 0, met within 20 % or refused; 0 stands for
	// about 1,000, or more where the part needs them.
	Vertices int
	// Midpoints counts the middles of edges among Vertices: they are nodes of the ten-node tets that
	// Tet.Quadratic makes of the mesh.
	Midpoints bool
	// Layers is the number of layers over the width of an extrusion; 0 stands
	// for layers about as thick as Size, or thinner ones and smaller triangles where dihedral angles
	// would be less than 8°, as far as Vertices allow where Size is 0.
	Layers int
	// MaxVertices is the largest number of vertices that is accepted; 0 stands for
	// 200,000.
	MaxVertices int
	// WallCells is the least number of cells of a stuffing across a wall; 0
	// stands for 2, negative numbers for cells of one size.
	WallCells int
	// AllowLoss accepts a stuffing with another number of pieces or handles
	// than the surface, or a volume that is off by more than 3 %.
	AllowLoss bool
}

// TetResult describes the mesh that fills a surface: warnings of the method, the edge length that was used, and the
// number of layers of an extrusion, 0 for stuffing.
type TetResult struct {
	profiles.Filling
	// Method is the method that was used: "stuffing" or "extrude".
	Method string
	// Stuffing has the details of a stuffing; nil for an extrusion.
	Stuffing *Result
}

// Tetrahedralize fills a closed outward surface with tets. A prism, such
// as a part that was cut from a sheet or extruded, gets layers along its axis,
// which represent it exactly; everything else is filled by isosurface stuffing.
// Errors name a surface that is not closed, sizes that give too many
// vertices, and numbers of vertices that no mesh of the part has.
func Tetrahedralize(surface *meshes.Tri, opt TetOptions) (*meshes.Tet, TetResult, error) {
	if err := opt.check(); err != nil {
		return nil, TetResult{}, err
	}
	if opt.Size == 0 && opt.Vertices > 0 {
		return seekNodes(surface, opt)
	}
	return fill(surface, opt)
}

// fill is Tetrahedralize for a size, or for about as many vertices of tets.
func fill(surface *meshes.Tri, opt TetOptions) (*meshes.Tet, TetResult, error) {
	// Prisms.
	if opt.Method != "stuffing" {
		if e, ok := profiles.FindExtrusion(surface); ok {
			if err := repair.Watertight(surfaces.Welded(surface)); err != nil {
				return nil, TetResult{}, err
			}
			m, r, err := e.Fill(profiles.FillOptions{Size: opt.Size, Vertices: opt.Vertices, Layers: opt.Layers, MaxVertices: opt.MaxVertices})
			return m, TetResult{Filling: r, Method: "extrude"}, err
		}
		if opt.Method == "extrude" {
			return nil, TetResult{}, fmt.Errorf("meshes: the surface is no prism: not all its triangles lie in two parallel planes or along their normal: use method stuffing")
		}
	}
	// Everything else.
	m, r, err := Isosurface(surface, Options{
		Size: opt.Size, Vertices: opt.Vertices, MaxVertices: opt.MaxVertices, WallCells: opt.WallCells, AllowLoss: opt.AllowLoss,
	})
	if err != nil {
		return nil, TetResult{}, err
	}
	rep := TetResult{Filling: profiles.Filling{Findings: r.Findings, Size: r.Size}, Method: "stuffing", Stuffing: &r}
	if opt.Layers > 0 {
		rep.Addf(meshes.Warning, "layers", 1, "layers are for extruded parts: %d layers ignored", opt.Layers)
	}
	return m, rep, nil
}

// check refuses options that make no sense.
func (opt TetOptions) check() error {
	switch opt.Method {
	case "", "auto", "stuffing", "extrude":
	default:
		return fmt.Errorf("meshes: unknown method %q%s", opt.Method, kinds.Suggest(opt.Method, []string{"auto", "stuffing", "extrude"}))
	}
	if n := min(opt.Vertices, opt.MaxVertices); n < 0 {
		return fmt.Errorf("meshes: %d vertices: the number must not be negative", n)
	}
	return profiles.CheckSweep(1, opt.Layers, opt.Size)
}
