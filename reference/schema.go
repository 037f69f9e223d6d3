package reference

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// The schema follows JSON Schema, draft 2020-12 (https://json-schema.org/draft/2020-12). An editor
// reads a scene in YAML as the JSON value that it stands for. The forms of keys become
//
// 	number, whole          {"type": "number" or "integer"} with bounds
// 	truth                  {"type": "boolean"}
// 	text                   {"type": ["string", "number", "boolean"]}, or {"enum": [...]}
// 	mapping                {"type": "object", "properties": {...}}
// 	names to items         {"type": "object", "additionalProperties": item}
// 	list, vector           {"type": "array", "items": ...}
//
// References between names and conditions across keys are left to the decoder. Draft 2020-12 has no
// words for them.

// object is a JSON object. Go writes its keys sorted.
type object map[string]any

// Schema returns a JSON Schema (draft 2020-12) of scene files, for completion and hover
// help in editors. It is looser than the decoder of scenes: where several kinds may be
// meant, it takes the keys of all of them.
func Schema() []byte {
	s := mapping(scene.Describe(), nil)
	// which draft the schema is written in, and what editors call it
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "curlfree scene"
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("reference: " + err.Error()) // an object of texts and numbers is valid JSON
	}
	return append(text, '\n')
}

// value returns the schema of a key's value, below items of the seams in.
func value(k scene.Key, in []kinds.Seam) object {
	o := object{}
	// the form decides the type; single keys refine it below
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
		o = mapping(k, in)
	case scene.ByName:
		// Each name has an item with the same keys. Where the items are no mappings, such as
		// labels, the only key NAME describes their value.
		item := mapping(k, in)
		if len(k.Keys) == 1 && k.Keys[0].Key == "NAME" {
			item = value(k.Keys[0], in)
		}
		o = object{"type": "object", "additionalProperties": item}
	case scene.List:
		o = object{"type": "array", "items": mapping(k, in)}
	case scene.TextList:
		o = object{"type": "array", "items": object{"type": "string"}}
	case scene.Vector:
		o = object{"type": "array", "items": object{"type": "number"}}
		// a vector has a fixed number of components, m or rad
		if k.Count > 0 {
			o["minItems"], o["maxItems"] = k.Count, k.Count
		}
	}
	// a bare number is accepted in place of the mapping
	if k.Scalar {
		o = object{"anyOf": []any{object{"type": "number"}, o}}
	}
	// what editors show beside the cursor: meaning, unit and default
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
	// inclusive and exclusive bounds, where the key has them
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
func mapping(k scene.Key, in []kinds.Seam) object {
	// Keys of kinds come first: a key of the mapping itself has precedence over one of the same
	// name.
	properties := object{}
	for _, it := range k.Items {
		// a kind that contains another one of its seam, such as a delayed motion: what is in the inner one is left open
		if slices.Contains(in, it.Seam) {
			return object{"type": "object"}
		}
		maps.Copy(properties, itemProperties(it, append(slices.Clone(in), it.Seam)))
	}
	for _, c := range k.Keys {
		properties[c.Key] = value(c, in)
		// former names are accepted, and editors strike them through
		for _, old := range c.Formerly {
			properties[old] = object{"deprecated": true, "description": "now called " + c.Key}
		}
	}
	// a key with a spelling mistake is marked as one that is not allowed
	return object{"type": "object", "properties": properties, "additionalProperties": false}
}

// itemProperties returns the keys that the kinds of a seam add to a mapping.
func itemProperties(it scene.ItemKey, in []kinds.Seam) object {
	properties := object{}
	// the key that names the kind, such as type: revolute
	if it.Key != "" {
		properties[it.Key] = object{"enum": it.Seam.Names(), "description": it.Seam.Doc()}
	}
	for _, k := range it.Seam.Kinds() {
		// parameters of this kind by key
		own := object{}
		for _, p := range k.Params {
			own[p.Key] = value(scene.DescribeParam(p), in)
		}
		// Parameters that stand beside the name of the kind. Kinds may share a key with different
		// meanings: then any of them is valid. Sorted keys make the order of alternatives the same in
		// every run.
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
		// a mapping of its own under the name of the kind, as in sphere: {radius: 0.1}
		properties[k.Name] = object{"type": "object", "properties": own, "additionalProperties": false, "description": k.Doc}
	}
	return properties
}

// either returns the schema of a key that has a meaning for several kinds.
func either(a, b object) object {
	// A schema that is a list of alternatives already gets one more. One with a description is a
	// single key whose value has alternatives, and stays whole.
	list, ok := a["anyOf"].([]any)
	if !ok || a["description"] != nil {
		list = []any{a}
	}
	return object{"anyOf": append(slices.Clone(list), b)}
}

// describe returns the meaning of a key with its unit.
func describe(k scene.Key) string {
	// such as "radius, m"
	if k.Unit == "" {
		return k.Doc
	}
	// as in "edge lengths, m"
	return k.Doc + ", " + k.Unit
}
