package textcell

import "testing"

func TestNamesAreNoFormulasAndReadBack(t *testing.T) {
	for name, cell := range map[string]string{
		"":                  "",
		"tip_x":             "tip_x",
		"a=b":               "a=b",
		"=1+1":              "'=1+1",
		"=HYPERLINK(\"x\")": "'=HYPERLINK(\"x\")",
		"+up":               "'+up",
		"-x":                "'-x",
		"@SUM(A1)":          "'@SUM(A1)",
		"\t=1":              "'\t=1",
		"\r=1":              "'\r=1",
		"-":                 "'-",
		"-1.5":              "-1.5", // numbers stay numbers
		"+1e-3":             "+1e-3",
		"-inf":              "-inf",
		"-1+1":              "'-1+1",
		"-1_0.2":            "'-1_0.2",
		"[-1, 0]":           "[-1, 0]",
		"'quoted'":          "'quoted'",
		"'=1":               "''=1", // a name that looks escaped
		"''@x":              "'''@x",
		"'-1":               "'-1", // a number behind an apostrophe is no escaped name
		"φ":                 "φ",
		"'":                 "'",
	} {
		if got := Escape(name); got != cell {
			t.Errorf("%q is written as %q, not %q", name, got, cell)
		}
		if got := Unescape(Escape(name)); got != name {
			t.Errorf("%q reads back as %q", name, got)
		}
	}
}

func FuzzEveryNameReadsBack(f *testing.F) {
	f.Add("'=1")
	f.Fuzz(func(t *testing.T, name string) {
		cell := Escape(name)
		if got := Unescape(cell); got != name {
			t.Errorf("%q is written as %q and reads back as %q", name, cell, got)
		}
	})
}
