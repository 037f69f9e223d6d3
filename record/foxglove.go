package record

import (
	"math"
	"reflect"

	"github.com/curlfree/curlfree/r3"
)

// The messages of Foxglove, with the names and the order of its schemas. Lists that
// stay empty are written, because not all readers supply them.
type (
	// none is a list that is always empty.
	none []struct{}
	// timestamp is a time since the start of the run, or a duration.
	timestamp struct {
		Sec  uint64 `json:"sec"`
		Nsec uint64 `json:"nsec"`
	}
	// vector3 is a place, m.
	vector3 struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
		Z float64 `json:"z"`
	}
	// point is a vertex of a surface, m, as precise as recordings have them.
	point struct {
		X float32 `json:"x"`
		Y float32 `json:"y"`
		Z float32 `json:"z"`
	}
	// quaternion is a rotation.
	quaternion struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
		Z float64 `json:"z"`
		W float64 `json:"w"`
	}
	// pose is a place and a rotation.
	pose struct {
		Position    vector3    `json:"position"`
		Orientation quaternion `json:"orientation"`
	}
	// color is sRGB from 0 to 1, with opacity.
	color struct {
		R float32 `json:"r"`
		G float32 `json:"g"`
		B float32 `json:"b"`
		A float32 `json:"a"`
	}
	// frameTransform is the pose of a frame in its parent.
	frameTransform struct {
		Timestamp   timestamp  `json:"timestamp"`
		Parent      string     `json:"parent_frame_id"`
		Child       string     `json:"child_frame_id"`
		Translation vector3    `json:"translation"`
		Rotation    quaternion `json:"rotation"`
	}
	// frameTransforms are the poses of an instant.
	frameTransforms struct {
		Transforms []frameTransform `json:"transforms"`
	}
	// keyValue is a remark on an entity.
	keyValue struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	// arrow starts at its pose; lengths are in m.
	arrow struct {
		Pose          pose    `json:"pose"`
		ShaftLength   float64 `json:"shaft_length"`
		ShaftDiameter float64 `json:"shaft_diameter"`
		HeadLength    float64 `json:"head_length"`
		HeadDiameter  float64 `json:"head_diameter"`
		Color         color   `json:"color"`
	}
	// triangles is a surface of one colour; three indices make a triangle.
	triangles struct {
		Pose    pose     `json:"pose"`
		Points  []point  `json:"points"`
		Color   color    `json:"color"`
		Colors  none     `json:"colors"`
		Indices []uint32 `json:"indices"`
	}
	// entity is shown until one of the same name on its topic replaces it.
	entity struct {
		Timestamp   timestamp   `json:"timestamp"`
		FrameID     string      `json:"frame_id"`
		ID          string      `json:"id"`
		Lifetime    timestamp   `json:"lifetime"`
		FrameLocked bool        `json:"frame_locked"`
		Metadata    []keyValue  `json:"metadata"`
		Arrows      []arrow     `json:"arrows"`
		Cubes       none        `json:"cubes"`
		Spheres     none        `json:"spheres"`
		Cylinders   none        `json:"cylinders"`
		Lines       none        `json:"lines"`
		Triangles   []triangles `json:"triangles"`
		Texts       none        `json:"texts"`
		Models      none        `json:"models"`
	}
	// sceneUpdate adds entities or replaces them.
	sceneUpdate struct {
		Deletions none     `json:"deletions"`
		Entities  []entity `json:"entities"`
	}
)

// MarshalJSON implements json.Marshaler: an empty list, never null.
func (none) MarshalJSON() ([]byte, error) { return []byte("[]"), nil }

// newEntity returns an entity without content that moves with its frame.
func newEntity(time float64, frame, id string) entity {
	return entity{
		Timestamp: stamp(time), FrameID: frame, ID: id, FrameLocked: true,
		Metadata: []keyValue{}, Arrows: []arrow{}, Triangles: []triangles{},
	}
}

// stamp is a time, s, to the nearest nanosecond.
func stamp(time float64) timestamp {
	ns := uint64(math.Round(time * 1e9))
	return timestamp{ns / 1e9, ns % 1e9}
}

// poseOf is a pose as Foxglove has it.
func poseOf(X r3.Pose) pose {
	q := X.R.Quat() // w, x, y, z
	return pose{vector3{X.P[0], X.P[1], X.P[2]}, quaternion{q[1], q[2], q[3], q[0]}}
}

// colorOf is an opaque colour.
func colorOf(rgb [3]uint8) color {
	return color{float32(rgb[0]) / 255, float32(rgb[1]) / 255, float32(rgb[2]) / 255, 1}
}

// jsonSchema describes the JSON of a type, which Foxglove needs for the fields of
// messages. Made of the types, the schema cannot differ from what is written.
func jsonSchema(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Struct:
		properties := map[string]any{}
		for i := range t.NumField() {
			properties[t.Field(i).Tag.Get("json")] = jsonSchema(t.Field(i).Type)
		}
		s := map[string]any{"type": "object", "properties": properties}
		// Readers find times by this title.
		if t == reflect.TypeFor[timestamp]() {
			s["title"] = "time"
		}
		return s
	case reflect.Slice:
		return map[string]any{"type": "array", "items": jsonSchema(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "integer", "minimum": 0}
}
