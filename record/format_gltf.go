package record

import (
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/r3"
)

var _ = register("gltf", "One animated binary glTF 2.0 file, for Blender, browsers and slides.",
	"The y axis is up, against gravity. Contacts and fields are left out.", gltfFormat{})

// The parts of the file:
//
//	recording           glTF
//	world               root node, which turns the opposite of gravity to +y
//	rigid body          node below the root, with translation and rotation at all frames
//	shape               mesh on a node below its body's, at X_BG
//	half-space          square of the edge Ground
//	deformable          mesh of its boundary at the first frame, with morph targets φ_k (modes.go)
//	                    whose weights are animated: x(t) ≈ x(0) + Σ w_k(t) φ_k
//	time                one accessor for all channels, s from the first frame on
//	Color #rrggbb       base colour factor, linear
//
// Lengths are in m. Numbers are float32. Bodies that never move have no channels.

// gltfFormat implements Format.
type gltfFormat struct{}

// gltfFile is the one file of the format.
const gltfFile = "scene.glb"

// Files implements Format.
func (gltfFormat) Files() []ExportedFile {
	return []ExportedFile{{gltfFile, "rigid bodies as animated nodes, deformables as meshes with animated morph targets"}}
}

// Write writes rigid bodies as nodes that move, and deformables as meshes with morph
// targets, see motionModes.
func (gltfFormat) Write(rec *Recording, dir string) ([]string, error) {
	g := &glb{rec: rec, doc: gltf.NewDocument()}
	g.doc.Asset.Generator = "curlfree"
	g.build()
	// the mark is at the end of the buffer, behind all that views of it show
	b := g.doc.Buffers[0]
	b.Data = append(b.Data, authorship.Mark...)
	b.ByteLength = len(b.Data)
	// A frame that could not be read must not end up in a file.
	if err := rec.Err(); err != nil {
		return nil, err
	}
	// one binary file has the document and its buffers
	err := atomicfile.Write(filepath.Join(dir, gltfFile), func(w io.Writer) error {
		e := gltf.NewEncoder(w)
		e.AsBinary = true
		return e.Encode(g.doc)
	})
	return []string{gltfFile}, err
}

// glb collects a document.
type glb struct {
	rec   *Recording
	doc   *gltf.Document
	anim  gltf.Animation
	times int // accessor of the frames' times
}

// build makes the nodes, meshes and animation of the recording.
func (g *glb) build() {
	st := &g.rec.Static
	// the times of all animations, from 0
	t := make([]float32, g.rec.Len())
	for k := range t {
		t[k] = float32(g.rec.Time(k) - g.rec.Time(0))
	}
	g.times = modeler.WriteAccessor(g.doc, gltf.TargetNone, t)
	last := float64(t[len(t)-1])
	acc := g.doc.Accessors[g.times]
	acc.Min, acc.Max = []float64{0}, []float64{last}

	// glTF has y up, the scene z or the opposite of gravity
	up := r3.Vec{0, 0, 1}
	// Without gravity the scene's z axis is up.
	if st.Gravity.Norm2() > 0 {
		up = st.Gravity.Neg().Unit()
	}
	e1, e2 := r3.Basis(up)
	// R takes world axes to those of glTF: e2 to x, up to y, e1 to z.
	R := r3.FromColumns(e2, up, e1).T()
	root := &gltf.Node{Name: "world", Rotation: quat4(R)}
	g.doc.Nodes = append(g.doc.Nodes, root)
	// rigid bodies, and their shapes as children
	bodies := make([]int, len(st.Bodies))
	for b, name := range st.Bodies {
		bodies[b] = g.node(root, g.posed(name, g.rec.At(0).Poses[b]))
	}
	g.animate(bodies)
	for i := range st.Geoms {
		geom := &st.Geoms[i]
		// Hidden shapes take part in contact only.
		verts, tris := geomSurface(geom)
		if geom.Hidden || len(tris) == 0 {
			continue
		}
		n := g.posed(geom.Name, geom.X_BG)
		n.Mesh = gltf.Index(g.mesh(geom.Name, geom.Color, max(0, geom.Body), &gltf.Primitive{
			Indices:    gltf.Index(modeler.WriteIndices(g.doc, flatten(tris))),
			Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(g.doc, floats3(verts))},
		}))
		// Shapes of the world hang on the root.
		parent := root
		if geom.Body >= 0 {
			parent = g.doc.Nodes[bodies[geom.Body]]
		}
		g.node(parent, n)
	}
	// deformables
	for i := range st.Deformables {
		if len(st.Deformables[i].Tris) > 0 {
			g.deformable(root, i)
		}
	}
	if len(g.anim.Channels) > 0 {
		g.anim.Name = "recording"
		g.doc.Animations = []*gltf.Animation{&g.anim}
	}
	g.doc.Scenes[0].Nodes = []int{0}
}

// node appends a node below its parent.
func (g *glb) node(parent, n *gltf.Node) int {
	g.doc.Nodes = append(g.doc.Nodes, n)
	i := len(g.doc.Nodes) - 1
	parent.Children = append(parent.Children, i)
	return i
}

// posed returns a node at a pose in its parent.
func (g *glb) posed(name string, X r3.Pose) *gltf.Node {
	return &gltf.Node{Name: name, Translation: X.P, Rotation: quat4(X.R)}
}

// mesh appends a mesh in its own material and returns its index.
func (g *glb) mesh(name, color string, k int, p *gltf.Primitive) int {
	rgb := shownColor(color, k)
	// glTF's colours are linear, #rrggbb is sRGB: a power of 2.2 is close to that curve.
	linear := func(c uint8) float64 { return math.Pow(float64(c)/255, 2.2) }
	g.doc.Materials = append(g.doc.Materials, &gltf.Material{
		Name: name, DoubleSided: true,
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorFactor: &[4]float64{linear(rgb[0]), linear(rgb[1]), linear(rgb[2]), 1},
			MetallicFactor:  gltf.Float(0), RoughnessFactor: gltf.Float(0.7),
		},
	})
	p.Material = gltf.Index(len(g.doc.Materials) - 1)
	g.doc.Meshes = append(g.doc.Meshes, &gltf.Mesh{Name: name, Primitives: []*gltf.Primitive{p}})
	return len(g.doc.Meshes) - 1
}

// shownColor returns the colour #rrggbb of body k; bodies without one take that of a
// palette in turn.
func shownColor(color string, k int) [3]uint8 {
	palette := []string{"#5b84b1", "#d9925b", "#7fa66a", "#b5739d", "#c9ad5c", "#6aa6a6"}
	rgb, err := strconv.ParseUint(color[min(1, len(color)):], 16, 32)
	if err != nil || len(color) != 7 {
		rgb, _ = strconv.ParseUint(palette[k%len(palette)][1:], 16, 32)
	}
	return [3]uint8{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb)}
}

// channel animates a property of a node by one value, or more, a frame.
func (g *glb) channel(node int, path gltf.TRSProperty, values any) {
	// A sampler maps times to values, a channel a sampler to a node's property.
	g.anim.Samplers = append(g.anim.Samplers, &gltf.AnimationSampler{
		Input: g.times, Output: modeler.WriteAccessor(g.doc, gltf.TargetNone, values),
	})
	g.anim.Channels = append(g.anim.Channels, &gltf.AnimationChannel{
		Sampler: len(g.anim.Samplers) - 1, Target: gltf.AnimationChannelTarget{Node: gltf.Index(node), Path: path},
	})
}

// animate gives the nodes of bodies that move their positions and rotations at all
// frames.
func (g *glb) animate(nodes []int) {
	n := g.rec.Len()
	moves := make([]bool, len(nodes))
	p, q := make([][][3]float32, len(nodes)), make([][][4]float32, len(nodes))
	start := g.rec.At(0)
	for k := range n {
		f := g.rec.At(k)
		for b, X := range f.Poses {
			moves[b] = moves[b] || X != start.Poses[b]
			p[b] = append(p[b], float3(X.P))
			r := quat4(X.R)
			// q and −q are the same rotation: take the one near the last frame's, so that
			// players interpolate along the shorter arc
			dot := 0.0
			for i, x := range r {
				if k > 0 {
					dot += x * float64(q[b][k-1][i])
				}
			}
			sign := math.Copysign(1, dot)
			q[b] = append(q[b], [4]float32{float32(sign * r[0]), float32(sign * r[1]), float32(sign * r[2]), float32(sign * r[3])})
		}
	}
	// bodies at rest keep the pose of their node
	for b, node := range nodes {
		if moves[b] {
			g.channel(node, gltf.TRSTranslation, p[b])
			g.channel(node, gltf.TRSRotation, q[b])
		}
	}
}

// deformable appends a deformable's surface with its modes of motion as morph targets.
func (g *glb) deformable(root *gltf.Node, i int) {
	s := &g.rec.Static.Deformables[i]
	// only vertices of the surface
	index := make([]int32, len(s.Rest))
	for j := range index {
		index[j] = -1
	}
	var used []int32
	// Triangles with vertices numbered again, in the order in which they are met.
	tris := make([][3]int32, len(s.Tris))
	for t, v := range s.Tris {
		for e, k := range v {
			if index[k] < 0 {
				index[k] = int32(len(used))
				used = append(used, k)
			}
			tris[t][e] = index[k]
		}
	}
	// Morph targets are displacements, weighted by the animation.
	modes, weights := motionModes(g.rec, i, used)
	start := make([]r3.Vec, len(used))
	for j, k := range used {
		start[j] = g.rec.At(0).Verts[i][k]
	}
	// The base shape is that of the first frame.
	p := &gltf.Primitive{
		Indices:    gltf.Index(modeler.WriteIndices(g.doc, flatten(tris))),
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(g.doc, floats3(start))},
	}
	for _, m := range modes {
		p.Targets = append(p.Targets, gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(g.doc, m)})
	}
	mesh := g.mesh(s.Name, s.Color, len(g.rec.Static.Bodies)+i, p)
	// All weights are 0 at rest, until the animation sets them.
	g.doc.Meshes[mesh].Weights = make([]float64, len(modes))
	node := g.node(root, &gltf.Node{Name: s.Name, Mesh: gltf.Index(mesh)})
	if len(modes) > 0 {
		g.channel(node, gltf.TRSWeights, weights)
	}
}

// geomSurface returns what is shown of a shape: of a half-space, a square.
func geomSurface(g *Geom) ([]r3.Vec, [][3]int32) {
	// A half-space is shown as a square in its x-y plane.
	if h := g.Ground / 2; h > 0 {
		return []r3.Vec{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}}, [][3]int32{{0, 1, 2}, {0, 2, 3}}
	}
	if g.Mesh == nil {
		return nil, nil
	}
	return g.Mesh.Verts, g.Mesh.Tris
}

// quat4 is a rotation as glTF has it: x, y, z, w.
func quat4(R r3.Mat) [4]float64 {
	q := R.Quat()
	return [4]float64{q[1], q[2], q[3], q[0]}
}

// float3 rounds a vector to glTF's precision.
func float3(v r3.Vec) [3]float32 { return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])} }

// floats3 rounds vectors to glTF's precision.
func floats3(vs []r3.Vec) [][3]float32 {
	out := make([][3]float32, len(vs))
	for i, v := range vs {
		out[i] = float3(v)
	}
	return out
}

// flatten returns the indices of triangles as one list.
func flatten(tris [][3]int32) []uint32 {
	out := make([]uint32, 0, 3*len(tris))
	for _, t := range tris {
		out = append(out, uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	return out
}
