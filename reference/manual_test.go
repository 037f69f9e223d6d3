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

// manualText returns the reference manual of scene files in Markdown: a table of keys for
// each section, and a section for each kind.
func manualText() string {
	// The description is read off the structures that the decoder of scenes fills in, so that the
	// manual has every key that a scene accepts and no other.
	m := manual{file: scene.Describe()}
	// what the manual is and what applies to all keys
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
	// first the keys by their place in the file, then the kinds that stand below them
	m.contents()
	for _, k := range m.file.Keys {
		m.section(k)
	}
	// each seam once, though several sections may have its kinds
	for _, s := range kinds.All() {
		m.seam(s)
	}
	m.index()
	return m.b.String()
}

// manual is a manual under construction.
type manual struct {
	// b is the text so far, Markdown.
	b strings.Builder
	// file is the whole scene file as one mapping, whose keys are its sections.
	file scene.Key
}

// line writes a formatted line.
func (m *manual) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

// contents writes the linked table of contents.
func (m *manual) contents() {
	m.line("## Contents")
	m.line("")
	// sections without keys of their own, such as title, are too short for a link
	var names []string
	for _, k := range m.file.Keys {
		if len(k.Keys)+len(k.Items) > 0 {
			names = append(names, link(k.Key, k.Key))
		}
	}
	m.line("Sections: %s · [index of keys](#index)", strings.Join(names, " · "))
	m.line("")
	// one line for each seam: a link to its section, and one to each of its kinds
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
	// a single value has a sentence, a mapping has tables
	if len(k.Keys)+len(k.Items) == 0 {
		m.line("## %s", k.Key)
		m.line("")
		m.line("%s.", upper(describe(k)))
		// what applies where a scene does not have the key
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
	// the keys of the mapping itself, then those of mappings below it, each under its full path
	m.table(k)
	m.nested(k.Key, k)
}

// nested writes the tables of the mappings below a key.
func (m *manual) nested(path string, k scene.Key) {
	for _, c := range k.Keys {
		// Poses stand at many places and are explained once. NAME stands for the names that users
		// choose; its keys are shown in the table above.
		if len(c.Keys) == 0 || c.Key == "pose" || c.Key == "NAME" {
			continue
		}
		m.line("### %s.%s", path, c.Key)
		m.line("")
		m.table(c)
		m.nested(path+"."+c.Key, c)
	}
}

// table writes the keys of a mapping, and which kinds it has.
func (m *manual) table(k scene.Key) {
	// keys with a fixed name
	if len(k.Keys) > 0 {
		m.line("| key | meaning | form, unit | default |")
		m.line("|---|---|---|---|")
		for _, c := range k.Keys {
			m.row(c)
		}
		m.line("")
	}
	// Kinds whose parameters stand in the same mapping: their keys are in the sections of the
	// kinds, to which the sentence links.
	for _, it := range k.Items {
		// the link leads to the section of the seam, which lists its kinds
		seam := link(it.Seam.Name(), title(it.Seam))
		// a seam with a default need not be named, one without a key is named by the key of the kind
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
	// form: how the value is written, with its unit
	form := k.Form.String()
	if k.Count > 0 {
		form = fmt.Sprintf("%d numbers", k.Count)
	}
	// a bare number is short for a mapping with one key, as in friction: 0.5
	if k.Scalar && k.Form == scene.Mapping {
		form = "number or mapping"
	}
	if k.Unit != "" {
		form += ", " + k.Unit
	}
	// meaning, with the words that are allowed where there are few
	meaning := k.Doc
	if k.Choices != nil {
		meaning += ": `" + strings.Join(k.Choices, "`, `") + "`"
	}
	// default: what applies without the key; mappings have none of their own
	usual := code(k.Default)
	switch {
	case k.Required:
		usual = "required"
	case k.Default == "" || k.Form == scene.Mapping || k.Form == scene.ByName:
		usual = "–"
	}
	// a stroke in a text would end its column
	m.line("| `%s` | %s | %s | %s |", k.Key, cell(meaning), form, cell(usual))
}

// seam writes a section with all kinds of a seam.
func (m *manual) seam(s kinds.Seam) {
	m.line("## %s", title(s))
	m.line("")
	m.line("%s", s.Doc())
	m.line("")
	// Kinds are in the order of their names. The anchor has the name of the seam in it, so that
	// links from tables find the right one of two kinds with the same name.
	for _, k := range s.Kinds() {
		m.line(`### <a id="%s"></a>%s: %s`, anchor(s, k.Name), s.Name(), k.Name)
		m.line("")
		m.line("%s", k.Doc)
		m.line("")
		if k.About != "" {
			m.line("%s", k.About)
			m.line("")
		}
		// parameters with the same columns as keys of sections
		if len(k.Params) > 0 {
			m.line("| key | meaning | form, unit | default |")
			m.line("|---|---|---|---|")
			for _, p := range k.Params {
				m.row(scene.DescribeParam(p))
			}
			m.line("")
		}
		// an example that a scene accepts, not only its form
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
	// such as joint-revolute, or contact-law-similar
	return strings.NewReplacer("_", "-", " ", "-").Replace(s.Name() + "-" + kind)
}

// link returns a link to a heading or anchor of the manual.
func link(text, heading string) string {
	// renderers of Markdown make headings to anchors in the same way
	return fmt.Sprintf("[%s](#%s)", text, strings.ReplaceAll(strings.ToLower(heading), " ", "-"))
}

// code marks a default as code, unless it is a sentence such as "at the start".
func code(text string) string {
	// [0, 0, 0] has spaces and is a value, "at the start" is none
	if text == "" || strings.ContainsAny(text, " ") && !strings.HasPrefix(text, "[") {
		return text
	}
	return "`" + text + "`"
}

// cell protects the columns of a table.
// A stroke ends a column in Markdown unless a backslash stands before it.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// upper begins a text with a capital letter.
func upper(text string) string {
	if text == "" {
		return text
	}
	// texts of tags begin with a lower-case ASCII letter, because they follow the name of a key
	return strings.ToUpper(text[:1]) + text[1:]
}
