package reference

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/curlfree/curlfree/scene"
)

// object is a JSON object. Go writes its keys sorted.
type object map[string]any

// Schema returns a JSON Schema (draft 2020-12) of scene files, for completion and hover
// help in editors. It is looser than the decoder of scenes: where several kinds may be
// meant, it takes the keys of all of them.
func Schema() []byte {
	s := mapping(scene.Describe())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "curlfree scene"
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("reference: " + err.Error()) // an object of texts and numbers is valid JSON
	}
	return append(text, '\n')
}

// value returns the schema of a key's value.
func value(k scene.Key) object {
	o := object{}
	switch k.Form {
	case scene.Number:
		o = number(k)
	case scene.Whole:
		o = number(k)
		o["type"] = "integer"
	case scene.Truth:
		o["type"] = "boolean"
	case scene.Text:
		o["type"] = []string{"string", "number", "boolean"} // a name may look like a number
		if k.Choices != nil {
			o = object{"enum": k.Choices}
		}
	case scene.Mapping:
		o = mapping(k)
	case scene.ByName:
		item := mapping(k)
		if len(k.Keys) == 1 && k.Keys[0].Key == "NAME" {
			item = value(k.Keys[0])
		}
		o = object{"type": "object", "additionalProperties": item}
	case scene.List:
		o = object{"type": "array", "items": mapping(k)}
	case scene.TextList:
		o = object{"type": "array", "items": object{"type": "string"}}
	case scene.Vector:
		o = object{"type": "array", "items": object{"type": "number"}}
		if k.Count > 0 {
			o["minItems"], o["maxItems"] = k.Count, k.Count
		}
	}
	if k.Scalar {
		o = object{"anyOf": []any{object{"type": "number"}, o}}
	}
	if text := describe(k); text != "" {
		o["description"] = text
		if k.Default != "" {
			o["description"] = text + " (default " + k.Default + ")"
		}
	}
	return o
}

// number returns the schema of a number within its bounds.
func number(k scene.Key) object {
	o := object{"type": "number"}
	for name, bound := range map[string]*float64{
		"minimum": k.Bounds.Min, "maximum": k.Bounds.Max, "exclusiveMinimum": k.Bounds.Above, "exclusiveMaximum": k.Bounds.Below,
	} {
		if bound != nil {
			o[name] = *bound
		}
	}
	if k.Infinite { // YAML's .inf is no JSON number
		return object{"type": []string{"number", "string"}}
	}
	return o
}

// mapping returns the schema of a mapping with its own keys and those of its kinds.
func mapping(k scene.Key) object {
	properties := object{}
	for _, it := range k.Items {
		maps.Copy(properties, itemProperties(it))
	}
	for _, c := range k.Keys {
		properties[c.Key] = value(c)
		for _, old := range c.Formerly {
			properties[old] = object{"deprecated": true, "description": "now called " + c.Key}
		}
	}
	return object{"type": "object", "properties": properties, "additionalProperties": false}
}

// itemProperties returns the keys that the kinds of a seam add to a mapping.
func itemProperties(it scene.ItemKey) object {
	properties := object{}
	if it.Key != "" {
		properties[it.Key] = object{"enum": it.Seam.Names(), "description": it.Seam.Doc()}
	}
	for _, k := range it.Seam.Kinds() {
		own := object{}
		for _, p := range k.Params {
			own[p.Key] = value(scene.DescribeParam(p))
		}
		if scene.Flat(it.Seam, k) || it.Key != "" {
			for _, key := range slices.Sorted(maps.Keys(own)) {
				if old, ok := properties[key]; ok && !reflect.DeepEqual(old, own[key]) {
					properties[key] = either(old.(object), own[key].(object))
				} else {
					properties[key] = own[key]
				}
			}
			continue
		}
		properties[k.Name] = object{"type": "object", "properties": own, "additionalProperties": false, "description": k.Doc}
	}
	return properties
}

// either returns the schema of a key that has a meaning for several kinds.
func either(a, b object) object {
	list, ok := a["anyOf"].([]any)
	if !ok || a["description"] != nil {
		list = []any{a}
	}
	return object{"anyOf": append(slices.Clone(list), b)}
}
