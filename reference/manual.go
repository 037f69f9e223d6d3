package reference

// The manual has a section for every key at the top of a scene, with a table of the keys below
// it, then a section for every seam with a table of parameters and an example for each kind.
// Its order follows the file's structures and the sorted names of kinds, so that a change of
// one key changes one line of the committed file.

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// Manual returns the reference manual of scene files in Markdown: a table of keys for
// each section, and a section for each kind.
func Manual() string {
	m := manual{file: scene.Describe()}
	m.line("# Scene reference")
	m.line("")
	m.line("Every key and kind that a scene file can name. `curlfree kinds NAME` prints the same in the terminal,")
	m.line("`curlfree schema` a JSON Schema for completion in editors. The manual is generated from the program:")
	m.line("`go test ./reference -update`. [scene.md](scene.md) explains how scenes work.")
	m.line("")
	m.line("Units are SI, angles are in radians unless a key ends in `_deg`. File names are relative to the scene.")
	m.line("Names of bodies are `BODY`, or `ROBOT.LINK` for a link of a robot; names of joints are the body that the")
	m.line("joint carries, or `ROBOT.JOINT`.")
	m.line("")
	m.contents()
	for _, k := range m.file.Keys {
		m.section(k)
	}
	for _, s := range kinds.All() {
		m.seam(s)
	}
	return m.b.String()
}

// manual is a manual under construction.
type manual struct {
	b    strings.Builder
	file scene.Key
}

// line writes a formatted line.
func (m *manual) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

// contents writes the linked table of contents.
func (m *manual) contents() {
	m.line("## Contents")
	m.line("")
	var names []string
	for _, k := range m.file.Keys {
		if len(k.Keys)+len(k.Items) > 0 {
			names = append(names, link(k.Key, k.Key))
		}
	}
	m.line("Sections: %s", strings.Join(names, " · "))
	m.line("")
	for _, s := range kinds.All() {
		names = nil
		for _, k := range s.Kinds() {
			names = append(names, link(k.Name, anchor(s, k.Name)))
		}
		m.line("- %s: %s", link(title(s), title(s)), strings.Join(names, " · "))
	}
	m.line("")
}

// section writes a key at the top of the file with all keys below it.
func (m *manual) section(k scene.Key) {
	if len(k.Keys)+len(k.Items) == 0 {
		m.line("## %s", k.Key)
		m.line("")
		m.line("%s.", upper(describe(k)))
		if k.Default != "" {
			m.line("Default: %s.", code(k.Default))
		}
		m.line("")
		return
	}
	m.line("## %s", k.Key)
	m.line("")
	m.line("%s.", upper(k.Doc))
	m.line("")
	m.table(k)
	m.nested(k.Key, k)
}

// nested writes the tables of the mappings below a key.
func (m *manual) nested(path string, k scene.Key) {
	for _, c := range k.Keys {
		if len(c.Keys) == 0 || c.Key == "pose" || c.Key == "NAME" {
			continue
		}
		m.line("### %s.%s", path, c.Key)
		m.line("")
		m.table(c)
		m.nested(path+"."+c.Key, c)
	}
}

// table writes the keys of a mapping, and which kinds it holds.
func (m *manual) table(k scene.Key) {
	if len(k.Keys) > 0 {
		m.line("| key | meaning | form, unit | default |")
		m.line("|---|---|---|---|")
		for _, c := range k.Keys {
			m.row(c)
		}
		m.line("")
	}
	for _, it := range k.Items {
		seam := link(it.Seam.Name(), title(it.Seam))
		switch {
		case it.Key != "" && it.Default != "":
			m.line("`%s` names a %s (default `%s`); its parameters stand beside it.", it.Key, seam, it.Default)
		case it.Key != "":
			m.line("`%s` names a %s; its parameters stand beside it.", it.Key, seam)
		default:
			m.line("One kind of %s is given with its parameters.", seam)
		}
		m.line("")
	}
}

// row writes the line of a key in a table: key, meaning, form with unit, default.
func (m *manual) row(k scene.Key) {
	form := k.Form.String()
	if k.Count > 0 {
		form = fmt.Sprintf("%d numbers", k.Count)
	}
	if k.Scalar && k.Form == scene.Mapping {
		form = "number or mapping"
	}
	if k.Unit != "" {
		form += ", " + k.Unit
	}
	meaning := k.Doc
	if k.Choices != nil {
		meaning += ": `" + strings.Join(k.Choices, "`, `") + "`"
	}
	usual := code(k.Default)
	switch {
	case k.Required:
		usual = "required"
	case k.Default == "" || k.Form == scene.Mapping || k.Form == scene.ByName:
		usual = "–"
	}
	m.line("| `%s` | %s | %s | %s |", k.Key, cell(meaning), form, cell(usual))
}

// seam writes a section with all kinds of a seam.
func (m *manual) seam(s kinds.Seam) {
	m.line("## %s", title(s))
	m.line("")
	m.line("%s", s.Doc())
	m.line("")
	for _, k := range s.Kinds() {
		m.line(`### <a id="%s"></a>%s: %s`, anchor(s, k.Name), s.Name(), k.Name)
		m.line("")
		m.line("%s", k.Doc)
		m.line("")
		if k.About != "" {
			m.line("%s", k.About)
			m.line("")
		}
		if len(k.Params) > 0 {
			m.line("| key | meaning | form, unit | default |")
			m.line("|---|---|---|---|")
			for _, p := range k.Params {
				m.row(scene.DescribeParam(p))
			}
			m.line("")
		}
		if e := example(s, k); e != "" {
			m.line("```yaml\n%s\n```", e)
			m.line("")
		}
	}
}

// title returns the heading of a seam's section.
func title(s kinds.Seam) string {
	return "Kinds of " + s.Name()
}

// anchor returns the name by which links find a kind: names of kinds are unique only within
// their seam.
func anchor(s kinds.Seam, kind string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(s.Name() + "-" + kind)
}

// link returns a link to a heading or anchor of the manual.
func link(text, heading string) string {
	return fmt.Sprintf("[%s](#%s)", text, strings.ReplaceAll(strings.ToLower(heading), " ", "-"))
}

// code marks a default as code, unless it is a sentence such as "at the start".
func code(text string) string {
	if text == "" || strings.ContainsAny(text, " ") && !strings.HasPrefix(text, "[") {
		return text
	}
	return "`" + text + "`"
}

// cell protects the columns of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// describe returns the meaning of a key with its unit.
func describe(k scene.Key) string {
	if k.Unit == "" {
		return k.Doc
	}
	return k.Doc + ", " + k.Unit
}

// upper begins a text with a capital letter.
func upper(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
