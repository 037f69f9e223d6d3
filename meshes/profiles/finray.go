package profiles

// The FinRay effect was described by L. Kniese (1997) after fish fins, which
// bend against the force on them. The design here follows printed grippers:
// straight ribs with hinges, no ribs in the nose.

// FinRay fingers: two walls that meet in a nose, kept apart by slender ribs.
// Pressed in the middle, the ribs carry the bend of the front wall to the back
// wall, and the nose turns towards the object: the finger wraps it.
//
// Frame: x along the finger from the base (0) to the tip, y depth, z width,
// centred. The contact face is the plane y = 0, its outward normal −y; the
// object is on the side y < 0.
//
//	y
//	│___  back wall
//	│ ▒ ╲╲__
//	│ ▒╲  ╲ ╲╲__
//	│ ▒ ╲  ╲  ╲ ╲╲__________
//	│_▒__╲__╲__╲___╲____nose_│___ x
//	base  ribs          front wall, contact face y = 0

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
)

// FinRay has the dimensions of a FinRay finger (L. Kniese, Festo: the Fin Ray
// effect).
type FinRay struct {
	// Length is the distance from base to tip, m.
	Length float64
	// Width is the extent along z, m.
	Width float64
	// BaseDepth is the extent along y at the base, m.
	BaseDepth float64
	// TipDepth is the extent along y of the nose, m, at least the thickness of both walls.
	TipDepth float64
	// Wall is the thickness of the front wall, m.
	Wall float64
	// BackWall is the thickness of the back wall, m; 0 stands for Wall.
	BackWall float64
	// Rib is the thickness of a rib, m.
	Rib float64
	// Neck is the thickness of a rib at its flexure hinge, where it meets a wall, m.
	Neck float64
	// NeckLength is the length over which a rib narrows to Neck, m.
	NeckLength float64
	// BaseBlock is the length of the solid block at the base, m.
	BaseBlock float64
	// TipBlock is the length of the solid nose, beyond where the walls meet, m.
	TipBlock float64
	// Ribs is the number of ribs.
	Ribs int
	// RibAngle is the lean of the ribs from the normal of the contact face,
	// rad; positive if the back end is nearer to the tip.
	RibAngle float64
}

// DefaultFinRay returns a finger of 100 × 20 × 40 mm for a soft rubber (E = 2.5
// MPa). Fixed at the base block and pressed in the middle of the contact face, the
// face yields 9 mm per newton and the tip moves 7 mm against the load (small
// strain, plane stress, quadratic triangles); at large strain it stiffens and carries
// 3 N at 16 mm. Three choices make the finger wrap around an object: the walls meet
// before the tip, so that the solid nose rotates about the point where they meet;
// both ends of every rib are hinges; the ribs are thick enough (1.8 mm) not to
// buckle.
func DefaultFinRay() FinRay {
	return FinRay{
		Length: 0.100, Width: 0.020, BaseDepth: 0.040, TipDepth: 0.0056, Wall: 0.0028,
		Rib: 0.0018, Neck: 0.0008, NeckLength: 0.001, BaseBlock: 0.008, TipBlock: 0.030, Ribs: 6, RibAngle: 0.2,
	}
}

// FinRayOptions has the element sizes for meshing a finger. The zero value gives
// about 1,000 vertices and 2,650 tets, two across the walls and one across the
// ribs: fast, but with linear tets too stiff in bending by a factor of two.
type FinRayOptions struct {
	// Size is the edge length along walls and ribs, m; 0 stands for 2.6 % of
	// the length.
	Size float64
	// Layers is the number of elements over the width; 0 stands for 2.
	Layers int
	// Across is the number of elements across a wall; 0 stands for 2.
	Across int
	// Refine is the number of times that every element is halved in all directions,
	// 0 to 4.
	Refine int
}

// Profile returns the outline of the finger in its xy plane, with a hole
// between each two neighbouring ribs. The error names dimensions that leave no
// room.
func (f FinRay) Profile() (Profile, error) {
	m, err := f.planar(f.Length, 1)
	if err != nil {
		return Profile{}, err
	}
	var p Profile
	// Corners between collinear edges are dropped.
	for i, loop := range m.outline() {
		var pts []vec2
		for k, v := range loop {
			a, b, c := m.pts[loop[(k+len(loop)-1)%len(loop)]], m.pts[v], m.pts[loop[(k+1)%len(loop)]]
			if math.Abs(exact.Orient(a, b, c)) > 1e-9*dist2(a, b)*dist2(b, c) {
				pts = append(pts, b)
			}
		}
		if i == 0 {
			p.Outer = pts
		} else {
			p.Holes = append(p.Holes, pts)
		}
	}
	return p, nil
}

// Surface returns the closed, outward surface of the finger.
func (f FinRay) Surface() (*meshes.Tri, error) {
	p, err := f.Profile()
	if err != nil {
		return nil, err
	}
	return p.Extrude(f.Width)
}

// Tets returns the finger as tets, swept over the width. The mesh follows walls
// and ribs: all elements lie in rows across them.
func (f FinRay) Tets(opt FinRayOptions) (*meshes.Tet, error) {
	if err := f.Check(opt); err != nil {
		return nil, err
	}
	opt = opt.of(f)
	// Mesh the plane, refine, sweep.
	m, err := f.planar(opt.Size, opt.Across)
	if err != nil {
		return nil, err
	}
	layers := opt.Layers << opt.Refine
	if n := float64(len(m.pts)) * math.Pow(4, float64(opt.Refine)) * float64(layers+1); n > maxVertices {
		return nil, fmt.Errorf("meshes: finray: about %.2g vertices, the limit is %d: choose a larger Size, or a smaller Refine", n, maxVertices)
	}
	for range opt.Refine {
		m = m.halve()
	}
	return m.sweep(f.Width, layers), nil
}

// BaseVertices returns the vertices of the base block, which are the ones to
// fix to a hand, in increasing order.
func (f FinRay) BaseVertices(m *meshes.Tet) []int32 {
	var out []int32
	for i, p := range m.Verts {
		if p[0] <= f.BaseBlock*(1+1e-9) {
			out = append(out, int32(i))
		}
	}
	return out
}

// of returns the sizes with the defaults of a finger in place of zeros.
func (opt FinRayOptions) of(f FinRay) FinRayOptions {
	if opt.Size == 0 {
		opt.Size = 0.026 * f.Length
	}
	if opt.Layers == 0 {
		opt.Layers = 2
	}
	if opt.Across == 0 {
		opt.Across = 2
	}
	return opt
}

// Check returns the fault of dimensions or element sizes that make no finger, with what to change, or nil.
func (f FinRay) Check(opt FinRayOptions) error {
	// dimensions first: sizes of an impossible finger mean nothing
	if err := f.check(); err != nil {
		return err
	}
	// sizes with their defaults, since these follow from the dimensions
	opt = opt.of(f)
	// each refinement has eight times the tets
	if opt.Refine < 0 || opt.Refine > 4 {
		return fmt.Errorf("meshes: finray: Refine %d must be between 0 and 4", opt.Refine)
	}
	// more than bending needs by far
	if opt.Across < 1 || opt.Across > 16 {
		return fmt.Errorf("meshes: finray: Across %d must be between 0 and 16", opt.Across)
	}
	return CheckSweep(f.Width, opt.Layers, opt.Size)
}

// BackAngle returns the angle between the contact face and the back, rad.
func (f FinRay) BackAngle() float64 { return math.Atan(f.back().tan) }

// check refuses dimensions that make no finger, and says which to change.
func (f FinRay) check() error {
	for _, x := range []struct {
		name string
		v    float64
	}{
		{"Length", f.Length}, {"Width", f.Width}, {"BaseDepth", f.BaseDepth}, {"TipDepth", f.TipDepth},
		{"Wall", f.Wall}, {"Rib", f.Rib}, {"Neck", f.Neck}, {"BaseBlock", f.BaseBlock}, {"TipBlock", f.TipBlock},
	} {
		if !(x.v > 0) || math.IsInf(x.v, 0) {
			return fmt.Errorf("meshes: finray: %s = %g m must be positive and finite", x.name, x.v)
		}
	}
	switch {
	case f.Ribs < 0:
		return fmt.Errorf("meshes: finray: Ribs = %d must not be negative", f.Ribs)
	case !(f.NeckLength >= 0) || math.IsInf(f.NeckLength, 0):
		return fmt.Errorf("meshes: finray: NeckLength = %g m must be finite and not negative", f.NeckLength)
	case !(math.Abs(f.RibAngle) < 1.2):
		return fmt.Errorf("meshes: finray: RibAngle = %g rad must be within ±1.2 rad", f.RibAngle)
	case f.BaseBlock+f.TipBlock >= f.Length:
		return fmt.Errorf("meshes: finray: BaseBlock + TipBlock = %g m leave no room in Length = %g m", f.BaseBlock+f.TipBlock, f.Length)
	case !(f.BackWall >= 0) || math.IsInf(f.BackWall, 0):
		return fmt.Errorf("meshes: finray: BackWall = %g m must be finite and not negative", f.BackWall)
	case f.TipDepth < f.Wall+f.backWall():
		return fmt.Errorf("meshes: finray: TipDepth = %g m is less than two walls of %g m and %g m", f.TipDepth, f.Wall, f.backWall())
	case f.BaseDepth <= f.TipDepth:
		return fmt.Errorf("meshes: finray: BaseDepth = %g m must exceed TipDepth = %g m", f.BaseDepth, f.TipDepth)
	case f.Neck > f.Rib:
		return fmt.Errorf("meshes: finray: Neck = %g m must not exceed Rib = %g m", f.Neck, f.Rib)
	}
	return nil
}

// finBack is the geometry of the sloping back wall.
type finBack struct {
	// where the slope ends, m
	noseX float64
	// of the angle of the slope
	tan, sec float64
	// depth of the line of the inner face at x = 0, m
	y0 float64
}

// backWall returns the thickness of the back wall, m.
func (f FinRay) backWall() float64 {
	if f.BackWall == 0 {
		return f.Wall
	}
	return f.BackWall
}

// back computes the back wall.
func (f FinRay) back() finBack {
	x := f.Length - f.TipBlock
	t := (f.BaseDepth - f.TipDepth) / x
	s := math.Hypot(1, t)
	return finBack{noseX: x, tan: t, sec: s, y0: f.BaseDepth - f.backWall()*s}
}

// station is one cross section of both walls: a point on each of the four
// faces, from the outer face of the front wall to the outer face of the back
// wall.
type station [4]vec2

// straight returns the station across x.
func (f FinRay) straight(x float64) station {
	b := f.back()
	return station{{x, 0}, {x, f.Wall}, {x, b.y0 - b.tan*x}, {x, f.BaseDepth - b.tan*x}}
}

// ribLines returns the centre lines of the ribs, from the inner face of the
// front wall to that of the back wall, equally spaced along the front.
func (f FinRay) ribLines() [][2]vec2 {
	b := f.back()
	sin, cos := math.Sincos(f.RibAngle)
	line := func(x float64) [2]vec2 {
		s := (b.y0 - f.Wall - b.tan*x) / (cos + b.tan*sin)
		return [2]vec2{{x, f.Wall}, {x + s*sin, f.Wall + s*cos}}
	}
	// The first and last rib keep clear of the blocks with both ends.
	lo, hi := f.BaseBlock, b.noseX
	if sin < 0 { // back end of the first at the base block
		lo -= (b.y0 - b.tan*lo - f.Wall) * sin / cos
	} else { // back end of the last at the nose
		hi -= (b.y0 - b.tan*hi - f.Wall) * sin / cos
	}
	var out [][2]vec2
	for i := range f.Ribs {
		out = append(out, line(lo+(hi-lo)*float64(i+1)/float64(f.Ribs+1)))
	}
	return out
}

// ribEdges returns the half edges across a rib of unit thickness at its two
// ends, along the faces of the walls.
func (f FinRay) ribEdges(line [2]vec2) [2]vec2 {
	b := f.back()
	axis := unit2(sub2(line[1], line[0]))
	across := func(d vec2) vec2 {
		s := 0.5 / math.Abs(d[0]*axis[1]-d[1]*axis[0])
		return vec2{s * d[0], s * d[1]}
	}
	return [2]vec2{across(vec2{1, 0}), across(vec2{1, -b.tan})}
}

// planar meshes the profile with the given number of elements across the walls
// and one across the ribs.
func (f FinRay) planar(size float64, across int) (*planar, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	b := f.back()
	lines := f.ribLines()
	// Cross sections of the walls; the space between two of them is divided by
	// size.
	sections := []station{f.straight(0), f.straight(f.BaseBlock)}
	for _, line := range lines {
		e := f.ribEdges(line)
		for _, h := range [2]float64{-f.Neck, f.Neck} {
			x := line[0][0] + h*e[0][0]
			q := vec2{line[1][0] + h*e[1][0], line[1][1] + h*e[1][1]}
			n := f.backWall() / b.sec // straight through the back wall
			sections = append(sections, station{{x, 0}, {x, f.Wall}, q, {q[0] + n*b.tan, q[1] + n}})
		}
	}
	// The nose begins where the inner faces are closest.
	nose := station{{b.noseX, 0}, {b.noseX, f.Wall}, {b.noseX - f.backWall()*(b.sec-1)/b.tan, f.TipDepth - f.backWall()}, {b.noseX, f.TipDepth}}
	tip := station{{f.Length, 0}, {f.Length, f.Wall}, {f.Length, f.TipDepth - f.backWall()}, {f.Length, f.TipDepth}}
	merge := f.TipDepth-(f.Wall+f.backWall()) < 0.05*f.Wall
	if merge { // the walls lie on each other
		nose[1], tip[1] = nose[2], tip[2]
	}
	sections = append(sections, nose, tip)
	// Sections must advance along both walls.
	for i := range len(sections) - 1 {
		if p, q := sections[i], sections[i+1]; q[1][0]-p[1][0] < 0.2*f.Neck || q[2][0]-p[2][0] < 0.2*f.Neck {
			return nil, fmt.Errorf("meshes: finray: no room between wall sections at x = %.4g m and %.4g m: choose fewer ribs, thinner necks or a smaller RibAngle", p[1][0], q[1][0])
		}
	}
	// Walls, blocks, ribs.
	g := finGrid{f: f, size: size, across: across, merge: merge}
	g.wallsAndBlocks(sections)
	for i, line := range lines {
		if err := g.rib(i, line); err != nil {
			return nil, err
		}
	}
	g.mate = mateNeighbours(len(g.tris))
	return &g.planar, nil
}
