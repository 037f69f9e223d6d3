package formats

// COLLADA: XML files with geometry, placed by a tree of nodes.

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"

	"github.com/curlfree/curlfree/kinds"
)

// COLLADA 1.4.1 and 1.5 (Khronos). What is read:
//
//	asset/unit meter="0.01"             metres of a unit of length
//	library_geometries/geometry/mesh    source/float_array, vertices, triangles, polylist, polygons, trifans, tristrips
//	library_nodes, library_visual_scenes, scene       nodes with matrix, translate, rotate, scale, and instances
//
// A point x of a geometry is at M_1 M_2 … M_n x, with the transforms of the nodes above it, each the
// product of its elements in the order of the file; then lengths become metres. The axis that
// asset/up_axis calls up is not turned: coordinates are as they are written, as in RViz, in which
// robots are looked at. A file without a scene has its geometries as they are. Materials, normals,
// textures, weights of skins, lights and cameras are left out.
//
// A small file, with one triangle that is lifted by 2 cm:
//
//	<COLLADA>
//	  <asset><unit meter="0.01"/></asset>
//	  <library_geometries><geometry id="g"><mesh>
//	    <source id="s"><float_array>0 0 0  1 0 0  0 1 0</float_array></source>
//	    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
//	    <triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
//	  </mesh></geometry></library_geometries>
//	  <library_visual_scenes><visual_scene id="w"><node>
//	    <translate>0 0 2</translate><instance_geometry url="#g"/>
//	  </node></visual_scene></library_visual_scenes>
//	  <scene><instance_visual_scene url="#w"/></scene>
//	</COLLADA>
//
// Elements refer to each other by ids that may stand later in the file, so that it is decoded as a
// whole first, then geometries are made, then nodes place them.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "collada",
	Doc:     "COLLADA files (.dae).",
	About:   "Triangles and polygons of the geometries are read, placed by the nodes of the scene. The file's unit counts, so that lengths are metres before the unit of the scene applies; its up axis does not, as in RViz. Materials, normals, skins and animations are left out.",
	New:     func() Format { return &daeFormat{} },
	Samples: func() []Format { return []Format{&daeFormat{}} },
})

// daeFormat is the Format.
type daeFormat struct{}

// Extensions implements Format.
func (*daeFormat) Extensions() []string { return []string{".dae"} }

// Volumes implements Format.
func (*daeFormat) Volumes() bool { return false }

// Recognize implements Format.
func (*daeFormat) Recognize(data []byte) Match {
	return certainIf(bytes.Contains(data[:min(len(data), 4096)], []byte("<COLLADA")))
}

// The elements that are read. Pointers of instances are urls such as "#id".
type (
	daeFile struct {
		// daeFile is the whole file; lists keep its order.
		XMLName xml.Name `xml:"COLLADA"`
		Unit    struct {
			Meter string `xml:"meter,attr"`
		} `xml:"asset>unit"`
		Geometries []daeGeometry `xml:"library_geometries>geometry"`
		Nodes      []daeNode     `xml:"library_nodes>node"`
		Scenes     []daeNode     `xml:"library_visual_scenes>visual_scene"`
		Scene      daeInstance   `xml:"scene>instance_visual_scene"`
		Skins      []daeSkin     `xml:"library_controllers>controller"`
	}
	daeInstance struct {
		// daeInstance refers to an element by its id.
		URL string `xml:"url,attr"`
	}
	daeSkin struct {
		// daeSkin is a controller that bends a geometry; it stands for the geometry at rest.
		ID     string `xml:"id,attr"`
		Source struct {
			Source string `xml:"source,attr"`
		} `xml:"skin"`
	}
	daeNode struct {
		// daeNode is a node of the scene. Its elements stay in their order, which is that of transforms.
		ID       string       `xml:"id,attr"`
		Elements []daeElement `xml:",any"`
	}
	daeElement struct {
		// daeElement is an element of a node: a transform with its numbers, a node or an instance.
		XMLName  xml.Name
		ID       string       `xml:"id,attr"`
		URL      string       `xml:"url,attr"`
		Text     string       `xml:",chardata"`
		Elements []daeElement `xml:",any"`
	}
	daeGeometry struct {
		// daeGeometry is a mesh: sources of numbers, the one that has positions, and primitives.
		ID      string      `xml:"id,attr"`
		Sources []daeSource `xml:"mesh>source"`
		Verts   struct {
			ID     string     `xml:"id,attr"`
			Inputs []daeInput `xml:"input"`
		} `xml:"mesh>vertices"`
		Triangles []daePrimitive `xml:"mesh>triangles"`
		Polylists []daePrimitive `xml:"mesh>polylist"`
		Polygons  []daePrimitive `xml:"mesh>polygons"`
		Fans      []daePrimitive `xml:"mesh>trifans"`
		Strips    []daePrimitive `xml:"mesh>tristrips"`
		Lines     []struct{}     `xml:"mesh>lines"`
	}
	daeSource struct {
		// daeSource is a list of numbers; its accessor describes how many belong to one vertex.
		ID     string `xml:"id,attr"`
		Array  string `xml:"float_array"`
		Access struct {
			Stride string `xml:"stride,attr"`
		} `xml:"technique_common>accessor"`
	}
	daeInput struct {
		// daeInput describes where one of a corner's indices stands in <p> and what it is an index of.
		Semantic string `xml:"semantic,attr"`
		Source   string `xml:"source,attr"`
		Offset   int    `xml:"offset,attr"`
	}
	daePrimitive struct {
		// daePrimitive has triangles or polygons as indices; P is one text for each <p>.
		Inputs []daeInput `xml:"input"`
		Counts string     `xml:"vcount"`
		P      []string   `xml:"p"`
	}
)

// Instances may be nested: a file of 10 kB can name 2⁶⁴ copies of one triangle. Limits on nodes,
// their depth and vertices, and no limit on the file itself, keep memory and time bounded.
// maxDaeNodes bounds the nodes that instances of nodes make.
const maxDaeNodes = 1 << 16

// Read implements Format.
func (*daeFormat) Read(data []byte) (*RawMesh, error) {
	r := daeReader{m: &RawMesh{}, shapes: map[string]*daeShape{}, nodes: map[string]*daeElement{}, skins: map[string]string{}}
	d := xml.NewDecoder(bytes.NewReader(data))
	// exporters write entities of HTML and leave attributes without quotes
	d.Strict = false
	if err := d.Decode(&r.file); err != nil {
		line, _ := d.InputPos()
		return nil, &SyntaxError{Line: line, Msg: "not well-formed COLLADA: " + err.Error()}
	}
	f := &r.file
	for i := range f.Geometries {
		s, err := f.Geometries[i].shape()
		if err != nil {
			return nil, err
		}
		if n := len(f.Geometries[i].Lines); n > 0 {
			r.m.Skip("lines", n)
		}
		r.shapes["#"+f.Geometries[i].ID] = s
	}
	for _, s := range f.Skins {
		r.skins["#"+s.ID] = s.Source.Source
	}
	// a fault in the tree of nodes ends the walk, and is reported here
	r.place()
	if r.err != nil {
		return nil, r.err
	}
	return r.m, r.finish()
}

// daeReader places the geometries of a file.
type daeReader struct {
	file   daeFile
	m      *RawMesh
	shapes map[string]*daeShape
	nodes  map[string]*daeElement
	skins  map[string]string // geometry of a skin
	count  int               // nodes so far
	err    error
}

// place adds the geometries of the scene, or all where there is none.
func (r *daeReader) place() {
	f := &r.file
	// nodes of the library are placed only where instances name them, so they are only noted
	for i := range f.Nodes {
		r.index(&daeElement{XMLName: xml.Name{Local: "node"}, ID: f.Nodes[i].ID, Elements: f.Nodes[i].Elements}, 0)
	}
	for i := range f.Scenes {
		for k := range f.Scenes[i].Elements {
			r.index(&f.Scenes[i].Elements[k], 0)
		}
	}
	for i := range f.Scenes {
		if s := &f.Scenes[i]; "#"+s.ID == f.Scene.URL || len(f.Scenes) == 1 {
			r.children(s.Elements, identity4(), 0)
			return
		}
	}
	for i := range f.Geometries {
		r.add(r.shapes["#"+f.Geometries[i].ID], identity4())
	}
}

// index notes nodes by their ids, which instances refer to.
func (r *daeReader) index(e *daeElement, depth int) {
	if e.XMLName.Local != "node" || depth > maxDaeDepth {
		return
	}
	if e.ID != "" {
		r.nodes["#"+e.ID] = e
	}
	for i := range e.Elements {
		r.index(&e.Elements[i], depth+1)
	}
}

// maxDaeDepth bounds how deep nodes nest.
const maxDaeDepth = 64

// children adds what stands in a node whose frame is at X.
func (r *daeReader) children(elements []daeElement, X mat4, depth int) {
	// a node that contains an instance of itself ends here as well
	if r.count++; r.count > maxDaeNodes || depth > maxDaeDepth {
		r.err = fmt.Errorf("the nodes of the file nest too deep, or instances of them are too many: export the mesh alone")
		return
	}
	// transforms come before what they place
	for i := range elements {
		e := &elements[i]
		X = X.mul(r.transform(e))
	}
	for i := range elements {
		e := &elements[i]
		switch e.XMLName.Local {
		case "node":
			r.children(e.Elements, X, depth+1)
		case "instance_node":
			if n := r.nodes[e.URL]; n != nil {
				r.children(n.Elements, X, depth+1)
			}
		case "instance_geometry":
			r.add(r.shapes[e.URL], X)
		case "instance_controller":
			r.add(r.shapes[r.skins[e.URL]], X)
		}
		if r.err != nil {
			return
		}
	}
}

// add adds a geometry at X; one that mirrors turns its triangles. Nil, a geometry that the file does
// not have, adds nothing.
func (r *daeReader) add(s *daeShape, X mat4) {
	if s == nil {
		return
	}
	if len(r.m.Verts)+len(s.verts) > 1<<28 {
		r.err = fmt.Errorf("instances of geometries are too many: export the mesh alone")
		return
	}
	// copies share nothing: each has vertices of its own, since a mesh is one list of positions
	n, mirrored := int32(len(r.m.Verts)), X.det() < 0
	for _, p := range s.verts {
		r.m.Verts = append(r.m.Verts, X.point(p))
	}
	for _, t := range s.tris {
		if mirrored {
			t[1], t[2] = t[2], t[1]
		}
		r.m.Tris = append(r.m.Tris, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
}

// finish makes lengths metres.
func (r *daeReader) finish() error {
	// the format's default is a metre; most exporters write 1, 0.01 or 0.0254
	meter := 1.0
	if s := r.file.Unit.Meter; s != "" {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(x > 0) || x > 1e9 {
			return fmt.Errorf("<unit meter=%q>: a positive number of metres is required", s)
		}
		meter = x
	}
	for i, p := range r.m.Verts {
		if p = p.Scale(meter); !p.IsFinite() {
			return fmt.Errorf("vertex %d is at %v: coordinates must be finite", i, p)
		}
		r.m.Verts[i] = p
	}
	return nil
}
