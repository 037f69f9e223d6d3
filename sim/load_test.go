package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// warpedBlock returns a block of random size and cells whose inner and boundary vertices are moved
// by a smooth map, so that faces of cells are not flat; in some, wedges take the place of
// a cell.
func warpedBlock(t testing.TB, r *rand.Rand, warp float64) *meshes.Tet {
	t.Helper()
	n := [3]int{1 + r.IntN(4), 1 + r.IntN(3), 1 + r.IntN(3)}
	edge := r3.Vec{0.02 + 0.08*r.Float64(), 0.02 + 0.03*r.Float64(), 0.02 + 0.03*r.Float64()}
	mesh := must(meshes.BoxTets(edge, n))
	phase := r3.Vec{7 * r.Float64(), 7 * r.Float64(), 7 * r.Float64()}
	verts := make([]r3.Vec, len(mesh.Verts))
	for i, p := range mesh.Verts {
		a := warp * min(edge[0], edge[1], edge[2])
		verts[i] = p.Add(r3.Vec{a * math.Sin(40*p[1]+90*p[2]+phase[0]), a * math.Sin(70*p[2]+50*p[0]+phase[1]), a * math.Sin(60*p[0]+50*p[1]+phase[2])})
	}
	var hexes [][8]int32
	var wedges [][6]int32
	for i, h := range mesh.Cells.Hexes {
		if i%3 == 1 { // two wedges fill a hexahedron
			wedges = append(wedges, [6]int32{h[0], h[1], h[2], h[4], h[5], h[6]}, [6]int32{h[0], h[2], h[3], h[4], h[6], h[7]})
			continue
		}
		hexes = append(hexes, h)
	}
	if r.IntN(2) == 0 {
		wedges, hexes = nil, mesh.Cells.Hexes
	}
	out, err := meshes.FillCells(verts, hexes, wedges)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// elementsOf are the kinds of elements that loads are tested on.
var elementsOf = []fem.Elements{fem.Tet4, fem.Hex12, fem.Tet10}

// meshOf returns a mesh with what elements of a kind need: midpoints for ten-node tets.
func meshOf(mesh *meshes.Tet, elements fem.Elements) *meshes.Tet {
	if elements != fem.Tet10 {
		return mesh
	}
	return (&meshes.Tet{Verts: mesh.Verts, Tets: mesh.Tets}).Quadratic()
}

// bilinearVolume returns the volume within the faces of a body, by the divergence theorem with
// the midpoint rule on faces cut 400 times each way and Richardson's extrapolation: its own
// integration, of another kind than that of loads.
func bilinearVolume(m *fem.Model, x []r3.Vec) float64 {
	sum := func(cuts int) (volume float64) {
		for _, f := range m.Faces() {
			p, q, s := x[f.Verts[0]], x[f.Verts[1]], x[f.Verts[2]]
			if f.N == 3 {
				volume += p.Cross(q).Dot(s) / 6
				continue
			}
			if f.N == 6 {
				volume += quadraticVolume(&f, x, cuts)
				continue
			}
			c := [4]r3.Vec{p, q, s, x[f.Verts[3]]}
			at := func(u, v float64) r3.Vec {
				return c[0].Scale((1-u)*(1-v)).AddScaled(u*(1-v), c[1]).AddScaled(u*v, c[2]).AddScaled((1-u)*v, c[3])
			}
			d := 1 / float64(cuts)
			for i := range cuts {
				for j := range cuts {
					u, v := float64(i)*d, float64(j)*d
					mid := at(u+d/2, v+d/2)
					volume += mid.Dot(at(u+d, v+d).Sub(at(u, v)).Cross(at(u, v+d).Sub(at(u+d, v)))) / 6
				}
			}
		}
		return volume
	}
	return (4*sum(64) - sum(32)) / 3
}

// quadraticVolume is the part of a face with midpoints, cut into small triangles.
func quadraticVolume(f *fem.Face, x []r3.Vec, cuts int) (volume float64) {
	at := func(i, j int) (p r3.Vec) {
		u, v := float64(i)/float64(cuts), float64(j)/float64(cuts)
		w := 1 - u - v
		for a, N := range [6]float64{w * (2*w - 1), u * (2*u - 1), v * (2*v - 1), 4 * w * u, 4 * u * v, 4 * v * w} {
			p = p.AddScaled(N, x[f.Verts[a]])
		}
		return p
	}
	for i := range cuts {
		for j := range cuts - i {
			volume += at(i, j).Cross(at(i+1, j)).Dot(at(i, j+1)) / 6
			if j < cuts-i-1 {
				volume += at(i+1, j).Cross(at(i+1, j+1)).Dot(at(i, j+1)) / 6
			}
		}
	}
	return volume
}

// A pressure on all of a surface does the work p dV on any motion of the vertices, whose
// volume differences and another integration give; its forces and moments vanish.
func TestPressureIsTheGradientOfTheVolume(t *testing.T) {
	long(t)
	r := rand.New(rand.NewPCG(1, 15))
	for trial := range 12 {
		elements := elementsOf[trial%3]
		mesh := meshOf(warpedBlock(t, r, 0.15), elements)
		m := must(fem.NewModel(fem.Spec{Name: "b", Mesh: mesh, Law: must(fem.NewCorotational(1e5, 0.3)), Elements: elements, Density: 1000}))
		x, force, way := make([]r3.Vec, m.NumVerts()), make([]r3.Vec, m.NumVerts()), make([]r3.Vec, m.NumVerts())
		for i, p := range mesh.Verts {
			x[i] = p.Add(r3.Vec{3e-3 * r.NormFloat64(), 3e-3 * r.NormFloat64(), 3e-3 * r.NormFloat64()})
			way[i] = r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		}
		const p = 2e3
		(&pressure{m.Faces(), motion.Constant(p)}).AddForces(0, x, force)
		var total, moment r3.Vec
		work, size := 0.0, 0.0
		for i, f := range force {
			total, moment = total.Add(f), moment.Add(x[i].Cross(f))
			work += f.Dot(way[i])
			size += f.Norm()
		}
		nearVec(t, "force", total, r3.Vec{}, 1e-13*size)
		nearVec(t, "moment", moment, r3.Vec{}, 1e-13*size)
		// the volume is a cubic of the step: central differences of two steps are exact
		volume := func(s float64) float64 {
			y := make([]r3.Vec, len(x))
			for i := range y {
				y[i] = x[i].AddScaled(s, way[i])
			}
			return bilinearVolume(m, y)
		}
		const d = 1e-3
		rate := (8*(volume(d)-volume(-d)) - (volume(2*d) - volume(-2*d))) / (12 * d)
		near(t, fmt.Sprintf("trial %d: work of the pressure on %v", trial, elements), work, -p*rate, 1e-6*p*math.Abs(rate)+1e-9*size)
	}
}

// A traction, a total force and a body force over a region do the work ∫ t·u dA, F·ū and ∫ b·u dV
// on a linear field u, with the exact areas and moments of a box: shape functions contain u.
func TestLoadsSpreadOverRegionsAsShapeFunctionsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 15))
	for trial := range 20 {
		edge := r3.Vec{0.1, 0.06, 0.04}
		n := [3]int{2 + 2*r.IntN(2), 1 + r.IntN(3), 1 + r.IntN(3)}
		w := newScaffold(t)
		w.soft("bar", edge, n, 1e5, r3.Pose{R: r3.RotRPY(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), P: r3.Vec{1, 2, 3}}, r3.Vec{}, w.material(1e5, 0, 0),
			func(s *DeformableSpec) { s.Elements = elementsOf[trial%3]; s.Mesh = meshOf(s.Mesh, s.Elements) })
		load := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		// the face x = edge/2, and the half x ≥ 0 with the elements there
		end, half := Region{XMin: ptr(0.05)}, Region{XMin: ptr(0)}
		w.AddLoad("force", &ForceSpec{Force: load, Body: "bar", Axes: "world", Where: end})
		w.AddLoad("traction", &TractionSpec{Traction: load, Body: "bar", Where: end, Factor: &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, 2}}})
		w.AddLoad("volume", &ForceSpec{Force: load, Body: "bar", Axes: "world", Where: half})
		w.AddLoad("body", &BodyForceSpec{BodyForce: load, Body: "bar", Where: half})
		w.AddLoad("edge", &ForceSpec{Force: load, Body: "bar", Axes: "world", Where: Region{XMin: ptr(0.05), ZMin: ptr(0.02)}})
		m := w.model()
		G, c := r3.Mat{}, r3.Vec{}
		for i := range G {
			G[i] = r.NormFloat64()
		}
		area, volume := edge[1]*edge[2], 0.05*edge[1]*edge[2]
		for i, want := range []struct {
			name  string
			scale float64
			at    r3.Vec // the centroid, in the frame of the mesh
		}{{"force", 1, r3.Vec{0.05}}, {"traction", area, r3.Vec{0.05}}, {"volume", 1, r3.Vec{0.025}}, {"body", volume, r3.Vec{0.025}}, {"edge", 1, r3.Vec{0.05, 0, 0.02}}} {
			verts := m.Deformables[0].Mesh().Verts
			force := make([]r3.Vec, len(verts))
			m.Loads[0][i].AddForces(0.5, nil, force)
			work, total := 0.0, r3.Vec{}
			for v, f := range force {
				work += f.Dot(G.MulVec(verts[v]).Add(c))
				total = total.Add(f)
			}
			nearVec(t, want.name, total, load.Scale(want.scale), 1e-12*want.scale)
			near(t, want.name+": work", work, want.scale*load.Dot(G.MulVec(want.at)), 1e-12*want.scale)
		}
	}
}

// Loads change the momentum of free bodies by their impulse, and their moment turns them; the
// balance of energy counts their work, so that no energy appears without cause.
func TestLoadsMoveFreeBodies(t *testing.T) {
	const h, n = 1e-3, 200
	F, M, p := r3.Vec{0.3, -0.2, 0.5}, r3.Vec{1e-3, 2e-3, -1e-3}, r3.Vec{0.01, 0.02, -0.01}
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.material(1e5, 10, 0.5)
	ball := w.body("ball", w.sphere(0.05), 0.5, at(0, 0, 0), r3.Vec{}, r3.Vec{}, mat)
	w.body("axle", w.sphere(0.05), 0.5, at(0, 1, 0), r3.Vec{}, r3.Vec{}, mat)
	w.soft("tet", r3.Vec{0.05, 0.04, 0.03}, [3]int{2, 2, 2}, 1e5, at(1, 0, 0), r3.Vec{}, mat)
	w.soft("hex", r3.Vec{0.05, 0.04, 0.03}, [3]int{2, 2, 2}, 1e5, at(2, 0, 0), r3.Vec{}, mat, func(s *DeformableSpec) { s.Elements = fem.Hex12 })
	w.soft("neo", r3.Vec{0.05, 0.04, 0.03}, [3]int{2, 2, 2}, 1e5, at(3, 0, 0), r3.Vec{}, mat, func(s *DeformableSpec) { s.Law = must(fem.NewNeoHookean(1e5, 0.3)) })
	ramp := &motion.Piecewise{Times: []float64{0, 0.1}, Values: []float64{0, 1}}
	w.AddLoad("pull", &ForceSpec{Force: F, Body: "ball", Axes: "world", Point: &p, Factor: ramp})
	w.AddLoad("turn", &MomentSpec{Moment: M, Body: "axle", Axes: "body"})
	for _, b := range []string{"tet", "hex", "neo"} {
		w.AddLoad("on "+b, &ForceSpec{Force: F, Body: b, Axes: "world", Factor: ramp})
	}
	s, x := w.build()
	if total, by := gains(t, s, x, h, n); total != 0 {
		t.Errorf("%s gains %g J", by, total)
	}
	s.Place(x, h)
	impulse := 0.0
	for i := range n {
		impulse += h * min(1, float64(i+1)*h/0.1)
	}
	for i, b := range []string{"ball", "tet", "hex", "neo"} {
		_, _, got, _ := s.sumMotion(x, []int{s.Model.Body(b)})
		nearVec(t, "momentum of "+b, got, F.Scale(impulse), 1e-9)
		_ = i
	}
	// a sphere has I = 2/5 m r² in all directions: a moment along its axes keeps its direction
	_, _, _, L := s.sumMotion(x, []int{ball + 1})
	nearVec(t, "direction of the axle's angular momentum", L.Unit(), M.Unit(), 1e-2)
	near(t, "its size", L.Norm(), M.Norm()*h*n, 1e-3*M.Norm()*h*n)
}

// Each sample of each registered load builds and steps; its body feels it.
func TestRegisteredLoads(t *testing.T) {
	OnOneGoroutine(t)
	if err := kinds.Check(Loads); err != nil {
		t.Error(err)
	}
	for _, k := range Loads.Entries() {
		for i, spec := range k.Samples() {
			end := func(with bool) string {
				b := sample("rubber", "ball", "box", "arm", "cart", "pad")
				if with {
					b.AddLoad("load", spec)
				}
				m, err := b.Build()
				if err != nil {
					t.Fatalf("%s %d: %v", k.Name, i, err)
				}
				s, x := start(t, m, 1)
				run(t, s, x, 1e-3, 30)
				return x.Hash()
			}
			if end(true) == end(false) {
				t.Errorf("%s %d changes nothing", k.Name, i)
			}
		}
	}
}

// Faults of loads name the load, what is wrong and how to repair it.
func TestBuildReportsFaultsOfLoads(t *testing.T) {
	far, thin, inner := Region{XMin: ptr(1)}, Region{XMin: ptr(-0.001), XMax: ptr(0.001), ZMax: ptr(-0.009)}, Region{XMin: ptr(-0.001), XMax: ptr(0.001)}
	for want, spec := range map[string]LoadSpec{
		`load "l": unknown body "bal": did you mean "ball"?`:            &ForceSpec{Body: "bal", Axes: "world"},
		"where: no vertex lies in this region; the mesh of pad spans":   &ForceSpec{Body: "pad", Axes: "world", Where: far},
		"but no face of its surface with all corners in it":             &PressureSpec{Body: "pad", Pressure: motion.Constant(1), Where: thin},
		"the region has 3 vertices of pad but no face of its surface":   &TractionSpec{Body: "pad", Where: thin},
		"of pad but no element with all corners in it":                  &BodyForceSpec{Body: "pad", Where: inner},
		"ball is rigid: a pressure acts on deformables":                 &PressureSpec{Body: "ball", Pressure: motion.Constant(1)},
		"pressure is required, in Pa":                                   &PressureSpec{Body: "pad"},
		"box is fixed or follows a prescribed motion":                   &ForceSpec{Body: "box", Axes: "world"},
		"pad is deformable: a rigid body is required here":              &MomentSpec{Body: "pad", Axes: "world"},
		"where is for deformables: give point":                          &ForceSpec{Body: "ball", Axes: "world", Where: far},
		"point is for rigid bodies: give where":                         &ForceSpec{Body: "pad", Axes: "world", Point: &r3.Vec{}},
		"axes: body is for rigid bodies":                                &ForceSpec{Body: "pad", Axes: "body"},
		`axes is "mesh": the choices are world, body`:                   &ForceSpec{Body: "pad", Axes: "mesh"},
		"inside: the region has no face of a cavity":                    &PressureSpec{Body: "pad", Pressure: motion.Constant(1), Inside: true},
		"world is rigid: a traction acts on deformables":                &TractionSpec{Body: "world"},
		"all vertices of stuck are fixed: the body_force has no effect": &BodyForceSpec{Body: "stuck"},
	} {
		b := sample(forward...)
		mesh := must(meshes.BoxTets(r3.Vec{0.01, 0.01, 0.01}, [3]int{1, 1, 1}))
		b.AddDeformable("stuck", DeformableSpec{Mesh: mesh, Law: must(fem.NewCorotational(1e5, 0.3)), Attach: []AttachSpec{{Verts: []int32{0, 1, 2, 3, 4, 5, 6, 7}}}})
		b.AddLoad("l", spec)
		if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// hollowBlock returns a cube of n³ cubes with walls of one of them.
func hollowBlock(size float64, n int) *meshes.Tet {
	mesh := must(meshes.BoxTets(r3.Vec{size, size, size}, [3]int{n, n, n}))
	inner := (0.5 - 0.8/float64(n)) * size
	var hexes [][8]int32
	for _, h := range mesh.Cells.Hexes {
		var c r3.Vec
		for _, v := range h {
			c = c.AddScaled(0.125, mesh.Verts[v])
		}
		if max(math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2])) > inner {
			hexes = append(hexes, h)
		}
	}
	// leave out vertices within the cavity
	used, verts := map[int32]int32{}, []r3.Vec(nil)
	for i := range hexes {
		for k, v := range hexes[i] {
			if _, ok := used[v]; !ok {
				used[v] = int32(len(verts))
				verts = append(verts, mesh.Verts[v])
			}
			hexes[i][k] = used[v]
		}
	}
	return must(meshes.FillCells(verts, hexes, nil))
}

// A pressure inside of a hollow block acts on the cavity alone.
func TestPressureInsideActsOnCavities(t *testing.T) {
	filled := hollowBlock(0.05, 5)
	for _, elements := range elementsOf {
		hollow := meshOf(filled, elements)
		verts := hollow.Verts
		w := newScaffold(t)
		w.soft("pot", cube, [3]int{1, 1, 1}, 1e5, at(0, 0, 0), r3.Vec{}, w.material(1e5, 0, 0), func(s *DeformableSpec) { s.Mesh, s.Elements = hollow, elements })
		w.AddLoad("air", &PressureSpec{Body: "pot", Pressure: motion.Constant(1e3), Inside: true})
		w.AddSignal("volume", &ChamberVolumeSpec{Body: "pot"})
		m := w.model()
		s, x := start(t, m, 1)
		volume := math.Pow(0.03, 3)
		near(t, "volume of the cavity", s.Read(x, nil)[0], volume, 1e-13*volume)
		// far away and turned, stretched by halves along an axis
		R := r3.RotExp(r3.Vec{0.3, -0.7, 0.4})
		for k := range verts {
			y := R.MulVec(r3.Vec{1.5 * verts[k][0], verts[k][1], verts[k][2]}).Add(r3.Vec{1, -2, 3})
			copy(x.Q[3*k:], y[:])
		}
		s.Place(x, 1e-3)
		near(t, "volume of the stretched cavity", s.Read(x, nil)[0], 1.5*volume, 1e-12*volume)
		force, outwards := make([]r3.Vec, len(verts)), 0.0
		m.Loads[0][0].AddForces(0, verts, force)
		for v, f := range force {
			outwards += f.Dot(verts[v])
		}
		near(t, "Σ f·x, 3 p V of the cavity", outwards, 3*1e3*volume, 1e-12)
		low := 0.0
		w.AddSignal("half", &ChamberVolumeSpec{Body: "pot", Where: Region{XMax: &low}})
		if _, err := w.Build(); err == nil || !strings.Contains(err.Error(), "where has a part of a cavity") {
			t.Errorf("half of a cavity: %v", err)
		}
	}
}
