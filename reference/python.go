package reference

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// Python writes the module curlfree/_kinds.py of the Python package: a function for each kind, grouped by seam, and the
// class Sections with a method for each section of scene files, all with types, units and defaults, so that editors
// complete them. The functions return what a scene has in their place.
func Python() []byte {
	var b strings.Builder
	b.WriteString(pythonHead)
	for _, s := range kinds.All() {
		if inScenes(s) {
			writePythonSeam(&b, s)
		}
	}
	b.WriteString(pythonSections)
	for _, k := range scene.Describe().Keys {
		writePythonSection(&b, k)
	}
	return []byte(b.String())
}

const pythonHead = `"""Kinds and sections of scenes. Made by: go test ./reference -update"""

# ruff: noqa
from typing import Any, Mapping, Sequence


def _given(arguments):
    """Return the arguments that are given, by their keys: a trailing underscore keeps apart words of Python."""
    return {k.rstrip("_"): v for k, v in arguments.items() if v is not None and k != "self"}

`

const pythonSections = `

class Sections:
    """Sections of a scene. What is not given has the default of scene files."""

    def __init__(self):
        self._scene = {}

    def _merge(self, section, parts, arguments):
        at = self._scene.setdefault(section, {})
        for part in parts:
            at.update(part)
        at.update(arguments)
        return self

    def _item(self, section, name, parts, arguments):
        at = self._scene.setdefault(section, {})
        if name in at:
            raise ValueError(f"{section}.{name} is there already")
        item = {}
        for part in parts:
            item.update(part)
        item.update(arguments)
        at[name] = item
        return self
`

// pythonWords are words of Python that keys of scenes must not be as they are.
var pythonWords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
	"if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None", "True", "False", "self",
}

// pythonName returns a key as a name of Python.
func pythonName(key string) string {
	if slices.Contains(pythonWords, key) {
		return key + "_"
	}
	return key
}

// pythonType returns the type of a key's value.
func pythonType(k scene.Key) string {
	t := map[scene.Form]string{
		scene.Number: "float", scene.Whole: "int", scene.Truth: "bool", scene.Text: "str", scene.Mapping: "Mapping[str, Any]", scene.ByName: "Mapping[str, Any]",
		scene.List: "Sequence[Mapping[str, Any]]", scene.TextList: "Sequence[str]", scene.Vector: "Sequence[float]",
	}[k.Form]
	if k.Scalar && k.Form != scene.Number {
		t = "float | " + t
	}
	return t
}

// writePythonSeam writes a class with a function for each kind of a seam.
func writePythonSeam(b *strings.Builder, s kinds.Seam) {
	fmt.Fprintf(b, "\nclass %s:\n    %s\n", strings.ReplaceAll(s.Name(), " ", "_"), docText(s.Doc(), nil, "    "))
	for _, k := range s.Kinds() {
		var keys []scene.Key
		for _, p := range k.Params {
			keys = append(keys, scene.DescribeParam(p))
		}
		name := pythonName(k.Name)
		fmt.Fprintf(b, "\n    @staticmethod\n    def %s(%s) -> dict:\n        %s\n", name, signature("", keys), docText(k.Doc, keys, "        "))
		key := keyOf(scene.Describe(), s)
		switch {
		case s.Style() == kinds.Typed || s.Style() == kinds.Plain:
			fmt.Fprintf(b, "        return {%q: %q, **_given(locals())}\n", key, k.Name)
		case scene.Flat(s, k):
			b.WriteString("        return _given(locals())\n")
		default:
			fmt.Fprintf(b, "        return {%q: _given(locals())}\n", k.Name)
		}
	}
}

// writePythonSection writes the method of a section.
func writePythonSection(b *strings.Builder, k scene.Key) {
	doc := k.Doc
	// kinds that a key names, such as elements: hex12
	k.Keys = slices.Clone(k.Keys)
	for _, it := range k.Items {
		if it.Key != "" {
			doc := strings.TrimSuffix(it.Seam.Doc(), ".") + ": " + strings.Join(it.Seam.Names(), ", ")
			k.Keys = append(k.Keys, scene.Key{Param: kinds.Param{Key: it.Key, Doc: doc, Default: it.Default}, Form: scene.Text})
		}
	}
	switch k.Form {
	case scene.Mapping:
		fmt.Fprintf(b, "\n    def %s(%s):\n        %s\n        given = _given(locals())\n        return self._merge(%q, given.pop(\"of_kind\"), given)\n",
			pythonName(k.Key), signature("self, *of_kind: Mapping[str, Any]", k.Keys), docText(doc, k.Keys, "        "), k.Key)
	case scene.ByName:
		fmt.Fprintf(b, "\n    def %s(%s):\n        %s\n        given = _given(locals())\n        return self._item(%q, given.pop(\"name_of\"), given.pop(\"of_kind\"), given)\n",
			singular(k.Key), signature("self, name_of: str, /, *of_kind: Mapping[str, Any]", k.Keys), docText(doc, k.Keys, "        "), k.Key)
	case scene.List:
		fmt.Fprintf(b, "\n    def %s(%s):\n        %s\n        self._scene.setdefault(%q, []).append(_given(locals()))\n        return self\n",
			singular(k.Key), signature("self", k.Keys), docText(doc, k.Keys, "        "), k.Key)
	default:
		fmt.Fprintf(b, "\n    def %s(self, value: %s):\n        %s\n        self._scene[%q] = value\n        return self\n",
			pythonName(k.Key), pythonType(k), docText(doc, nil, "        "), k.Key)
	}
}

// singular returns the name of the method that adds an item of a section.
func singular(section string) string {
	switch section {
	case "bodies":
		return "body"
	case "meshes":
		return "mesh"
	}
	return pythonName(strings.TrimSuffix(section, "s"))
}

// signature returns the parameters of a function: required keys have no default.
func signature(first string, keys []scene.Key) string {
	var list []string
	if first != "" {
		list = append(list, first)
	}
	if len(keys) > 0 && !strings.Contains(first, "*") {
		list = append(list, "*")
	}
	for _, k := range keys {
		t := pythonName(k.Key) + ": "
		if k.Required {
			list = append(list, t+fmt.Sprintf("%q", pythonType(k)))
		} else {
			list = append(list, t+fmt.Sprintf("%q", pythonType(k)+" | None")+" = None")
		}
	}
	return strings.Join(list, ", ")
}

// docText returns a docstring of a meaning and of parameters.
func docText(doc string, keys []scene.Key, indent string) string {
	clean := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"""`, `'''`) }
	r := []rune(strings.TrimSuffix(clean(doc), "."))
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	text := string(r) + "."
	if len(r) == 0 {
		text = "Section of the scene."
	}
	if len(keys) == 0 {
		return `"""` + text + `"""`
	}
	var b strings.Builder
	b.WriteString(`"""` + text + "\n\n" + indent + "Parameters:\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "%s    %s: %s\n", indent, pythonName(k.Key), clean(paramText(k.Param)))
	}
	b.WriteString(indent + `"""`)
	return b.String()
}
