package reference

// Help is plain text for terminals: lines of at most 88 columns where the text allows it,
// parameters one a line, examples that can be pasted into a scene.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// List returns the seams with the names and one-line descriptions of their kinds, as
// text for a terminal. With a name it lists only the kinds of that seam.
func List(seam string) string {
	var b strings.Builder
	// All lists seams in the order of their names, and kinds likewise, so that the text is the
	// same in every run.
	for _, s := range kinds.All() {
		if seam != "" && !sameName(s.Name(), seam) {
			continue
		}
		// a heading for the seam, then one line for each of its kinds
		fmt.Fprintf(&b, "%s: %s\n", strings.ReplaceAll(s.Name(), "_", " "), s.Doc())
		for _, k := range s.Kinds() {
			fmt.Fprintf(&b, "  %-20s %s\n", k.Name, k.Doc)
		}
		b.WriteByte('\n')
	}
	// seams are separated by an empty line; the last one ends the text
	return strings.TrimSuffix(b.String(), "\n")
}

// sameName reports whether a user means a name: underscores stand for spaces.
func sameName(name, written string) bool {
	return strings.ReplaceAll(name, "_", " ") == strings.ReplaceAll(written, "_", " ")
}

// Names returns the names that Help has, sorted: those of seams, with underscores for spaces, and
// of kinds.
func Names() []string {
	var names []string
	for _, s := range kinds.All() {
		names = append(append(names, strings.ReplaceAll(s.Name(), " ", "_")), s.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Help returns the help of all kinds with a name, as text for a terminal. The error
// names the nearest kind or seam.
func Help(name string) (string, error) {
	var b strings.Builder
	// A name may belong to kinds of several seams (screw is a joint and a machine part): all of
	// them are shown. known are the names that a suggestion is chosen from.
	var known []string
	for _, s := range kinds.All() {
		known = append(append(known, s.Name()), s.Names()...)
		for _, k := range s.Kinds() {
			if k.Name == name {
				writeHelp(&b, s, k)
			}
		}
		// the name of a seam gives the list of its kinds
		if sameName(s.Name(), name) {
			b.WriteString(List(name) + "\n")
		}
	}
	// nothing has that name: say which known one is spelled most alike
	if b.Len() == 0 {
		return "", fmt.Errorf("no kind or seam is called %q%s", name, kinds.Suggest(name, known))
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// writeHelp writes the sections of one kind: name, further paragraphs, parameters, example.
func writeHelp(b *strings.Builder, s kinds.Seam, k kinds.Info) {
	fmt.Fprintf(b, "%s (%s): %s\n", k.Name, strings.ReplaceAll(s.Name(), "_", " "), k.Doc)
	// what the kind is in more than one line, such as its equations
	if k.About != "" {
		fmt.Fprintf(b, "\n%s\n", wrap(k.About, 88))
	}
	if len(k.Params) > 0 {
		b.WriteByte('\n')
	}
	// keys in a column of 20 characters: their meanings begin below each other
	for _, p := range k.Params {
		fmt.Fprintf(b, "  %-20s %s\n", p.Key, paramText(p))
	}
	// a line that a scene accepts as it stands
	if e := example(s, k); e != "" {
		fmt.Fprintf(b, "\nExample:\n  %s\n", e)
	}
	b.WriteByte('\n')
}

// paramText says meaning, unit, choices and default of a parameter on one line.
func paramText(p kinds.Param) string {
	// such as "radius, m (required)" or "method: auto, stuffing, extrude (default auto)"
	text := p.Doc
	if p.Unit != "" {
		text += ", " + p.Unit
	}
	if p.Choices != nil {
		text += ": " + strings.Join(p.Choices, ", ")
	}
	// a parameter that must be given has no default
	switch {
	case p.Required:
		text += " (required)"
	case p.Default != "":
		text += " (default " + p.Default + ")"
	}
	return text
}

// example writes the first sample of a kind as a scene does; empty for kinds that
// scenes do not write.
func example(s kinds.Seam, k kinds.Info) string {
	// The conformance suite of the seam runs over the same samples, so that an example is never
	// out of date.
	sample := k.Sample()
	// formats of files are chosen by the name of a file: scenes have nothing to write for them
	if sample == nil || !inScenes(s) {
		return ""
	}
	text := scene.Encode(s, k.Name, sample)
	// a name alone says nothing without the key that takes it, as in {contact: lagged}
	if key := keyOf(scene.Describe(), s); s.Style() == kinds.Plain && key != "" {
		text = "{" + key + ": " + text + "}"
	}
	return text
}

// keyOf returns the first key below k that names kinds of a seam; empty where none does.
func keyOf(k scene.Key, s kinds.Seam) string {
	for _, it := range k.Items {
		if it.Seam == s {
			return it.Key
		}
	}
	for _, c := range k.Keys {
		if key := keyOf(c, s); key != "" {
			return key
		}
	}
	return ""
}

// inScenes reports whether scene files name kinds of a seam. Others are chosen by the
// extension of a file or on the command line.
func inScenes(s kinds.Seam) bool { return !strings.HasSuffix(s.Name(), " format") }

// wrap breaks paragraphs into lines of at most width bytes.
func wrap(text string, width int) string {
	// out are the finished lines, line is the one that grows
	var out []string
	// Paragraphs are separated by empty lines, as in Markdown. Line ends within one have no meaning.
	for _, paragraph := range strings.Split(text, "\n\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			// a word that does not fit starts the next line; one that is longer than a line stays whole
			if line != "" && len(line)+1+len(word) > width {
				out = append(out, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		// the empty element separates this paragraph from the next
		out = append(out, line, "")
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}
