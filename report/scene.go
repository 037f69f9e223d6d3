package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// sceneFile returns the path of the scene of a run folder: from the run, wherever the report is made; else as it was
// given, from the folder where the run was started, which most often is one above the run's, or from the present one.
func sceneFile(dir string, s *record.Summary) string {
	there := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	if path := filepath.Join(dir, filepath.FromSlash(s.SceneFromRun)); s.SceneFromRun != "" && there(path) {
		return path
	}
	if filepath.IsAbs(s.Scene) {
		return s.Scene
	}
	above, err := filepath.Abs(dir)
	for err == nil && above != filepath.Dir(above) {
		above = filepath.Dir(above)
		if path := filepath.Join(above, s.Scene); there(path) {
			return path
		}
	}
	return s.Scene
}

// sceneParts returns tables of the sections of a scene file that say what bodies are made of. The file may be gone,
// which the note says.
func sceneParts(path string) (tables []*Table, note string) {
	// the report continues without it: the run is what it is about
	text, err := inputfile.Read(path)
	if err != nil {
		return nil, "The scene file " + path + " is not found from the run, the folders above it or the present one: materials and masses are not listed."
	}
	var file yaml.MapSlice
	text, _ = inputfile.Text(text) // nothing where it is no text
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.UseOrderedMap()); err != nil {
		return nil, "The scene file has changed and cannot be read: materials are not listed."
	}
	// in this order, whatever that of the file
	for _, name := range []string{"materials", "robots", "solver"} {
		for _, item := range file {
			if value, ok := item.Value.(yaml.MapSlice); ok && fmt.Sprint(item.Key) == name {
				tables = append(tables, partTable(name, value))
			}
		}
	}
	if len(tables) > 0 {
		note = "Materials, robots and solver are those of the scene file as it is now."
	}
	return tables, note
}

// partTable makes a row for each item of a section: its name, and its keys and values with their units.
func partTable(name string, section yaml.MapSlice) *Table {
	units := unitsOf(name)
	t := &Table{Head: []string{strings.TrimSuffix(name, "s"), "values"}}
	for _, item := range section {
		key := fmt.Sprint(item.Key)
		text := inline(item.Value, units[key], units)
		if text == "" {
			text = "as default" // only its colour was given, which says nothing about the physics
		}
		t.Rows = append(t.Rows, TableRow{Cells: []string{key, text}})
	}
	return t
}

// unitsOf returns the units of the keys of a section, from the same description as the manual of scene files.
func unitsOf(section string) map[string]string {
	units := map[string]string{}
	for _, k := range scene.Describe().Keys {
		if k.Key != section {
			continue
		}
		for _, p := range k.Keys {
			units[p.Param.Key] = p.Unit
		}
		// kinds that the section may have, such as a law of contact, add parameters
		for _, item := range k.Items {
			for _, kind := range item.Seam.Kinds() {
				for _, p := range kind.Params {
					units[p.Key] = p.Unit
				}
			}
		}
	}
	return units
}

// unitOfPath returns the unit of the values at a path of a scene, such as materials.rubber.youngs_modulus; empty for
// pure numbers, words, and what lies deeper than the items of a section.
func unitOfPath(path string) string {
	section, _, _ := strings.Cut(path, ".")
	return unitsOf(section)[path[strings.LastIndex(path, ".")+1:]]
}

// withUnit writes a text that is a number with its unit.
func withUnit(text, unit string) string { return inline(text, unit, nil) }

// inline writes a value of a file in one line, a number with its unit. units are those of the keys of a mapping.
func inline(v any, unit string, units map[string]string) string {
	switch v := v.(type) {
	case yaml.MapSlice:
		// in the order of the file, as its writer thought of them
		var out []string
		for _, item := range v {
			// what a body looks like is no part of what it is made of
			if key := fmt.Sprint(item.Key); key != "color" {
				out = append(out, key+": "+inline(item.Value, units[key], nil))
			}
		}
		return strings.Join(out, ", ")
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, inline(x, "", units))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	// numbers have several types in a file: 1e6 without a point is a text in YAML
	x, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	if err != nil {
		return fmt.Sprint(v)
	}
	return quantity(x, unit)
}
