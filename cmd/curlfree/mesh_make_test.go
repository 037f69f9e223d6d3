package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/parts"
)

func TestMeshMakeMakesAllKindsOfParts(t *testing.T) {
	dir := t.TempDir()
	for _, k := range parts.Kinds() {
		name := flagName(k.Name)
		file := filepath.Join(dir, name+".stl")
		code, stdout, stderr := call(t, dir, "mesh make "+name+" -o "+file)
		if code != exitOK || !strings.Contains(stdout, "closed, 1 component") || !strings.Contains(stdout, "chord error") {
			t.Errorf("%s: code %d\n%s%s", name, code, stdout, stderr)
		}
		if st, err := os.Stat(file); err != nil || st.Size() == 0 {
			t.Errorf("%s is not written", file)
		}
		if code, stdout, _ := call(t, dir, "mesh make "+name+" --help"); code != exitOK || !strings.Contains(stdout, k.Doc) || !strings.Contains(stdout, "--"+flagName(k.Params[0].Name)) {
			t.Errorf("%s --help: code %d\n%s", name, code, stdout)
		}
	}
}

func TestMeshMakeTakesUnitsListsAndMates(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"mesh make spur --module 0.4mm --teeth 30 --bore 3mm -o DIR/a.vtk --picture DIR/a.png", exitOK, "pitch diameter: 12 mm"},
		{"mesh make shaft --steps 5mm,3mm,0.01,20mm -o DIR/a.stl --unit mm", exitOK, "largest diameter: 10 mm"},
		{"mesh make worm --left --pitch-diameter 0 --lead-angle-deg 5 -o DIR/a.stl", exitOK, "lead angle: 5 °"},
		{"mesh make spur --teeth 16 -o DIR/b.stl", exitInput, "shift of at least 0.0642"},
		{"mesh make spur --module 1furlong -o DIR/b.stl", exitUsage, "furlong"},
		{"mesh make spur", exitUsage, "needs -o"},
		{"mesh make", exitUsage, "spur, ring-gear"},
		{"mesh make wormwheel --teeth 30 -o DIR/w.stl", exitOK, "pitch diameter: 30 mm"},
		{"mesh make spurr -o DIR/b.stl", exitUsage, `mesh make: unknown kind "spurr": did you mean "spur"?`},
		{"mesh make spur -o DIR/b.xyz", exitUsage, "must end in one of .msh, .obj, "},
		{"mesh make finray -o DIR/b.xyz", exitUsage, "must end in one of .msh, .obj, "},
		{"mesh make spur --module 1 -o DIR/new/b.stl", exitOK, "warning: the part is 22 m large: lengths without a unit are in m"},
		{"mesh make screw --major 8mm --pitch 1.25mm -o DIR/m8.stl", exitOK, "pitch diameter: 7.1881 mm"},
	} {
		code, stdout, stderr := call(t, dir, strings.ReplaceAll(c.line, "DIR", dir))
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%s: code %d, want %d and %q in\n%s%s", c.line, code, c.code, c.says, stdout, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "a.png")); err != nil {
		t.Error(err)
	}
}

func TestMeshMakePlacesTheMate(t *testing.T) {
	part, err := parts.Make("worm", nil)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := pairFacts(part, "worm-wheel teeth=50 bore=5mm")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if f.Name == "centre distance" && math.Abs(f.Value-33e-3) > 1e-12 {
			t.Errorf("centre distance %g m, want 0.033", f.Value)
		}
	}
	for words, says := range map[string]string{
		"":                    "kind of part",
		"worm-wheel teeth":    "name=value",
		"worm-wheel teeth=x":  "teeth",
		"spur":                "do not make a pair",
		"worm-wheel lead=1mm": "no parameter",
	} {
		if _, err := pairFacts(part, words); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("--with %q: %v, want %q", words, err, says)
		}
	}
}
