package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link, a body and a file whose names contain escape sequences and marks of right-to-left writing
// are reported, but no byte of them reaches the terminal raw; names in other letters stay.
func TestNamesReachTheTerminalSpelled(t *testing.T) {
	const hostile, letters = "\x1b]0;owned\x07\u202efdp\u009b2J", "Größe_手_יד"
	dir := t.TempDir()
	scene := filepath.Join(dir, letters+hostile+".yaml")
	text := "time: {step: 0.01, duration: 0.01}\nbodies:\n  " + `"` + letters + strings.NewReplacer("\x1b", `\e`, "\x07", `\a`).Replace(hostile) + `"` + ": {mas: 1}\n"
	if err := os.WriteFile(scene, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"check", scene}, {"run", scene, "--json"}, {"mesh", "info", scene + ".stl"}, {"check", scene, "--" + hostile}} {
		var stdout, stderr bytes.Buffer
		if code := newApp(&stdout, &stderr).execute(context.Background(), args); code == exitOK {
			t.Fatalf("%q succeeded", args)
		}
		out := stdout.String() + stderr.String()
		for _, raw := range []string{"\x1b", "\x07", "\u202e", "\u009b", "\xc2\x9b"} {
			if strings.Contains(out, raw) {
				t.Errorf("%q: %q reaches the terminal", args, raw)
			}
		}
		if !strings.Contains(out, letters) && len(args) < 3 || !strings.Contains(out, `\u202e`) {
			t.Errorf("%q: the name is not there: %q", args, out)
		}
		if len(args) == 3 && args[2] == "--json" {
			var v failure
			if err := json.Unmarshal(stdout.Bytes(), &v); err != nil || !strings.Contains(v.Error, hostile) {
				t.Errorf("JSON: %v, %q", err, v.Error)
			}
		}
	}
}

// Characters may be cut by writes at any byte; bytes that are no text are spelled.
func TestPrintableTakesCharactersInPieces(t *testing.T) {
	const text = "a\t手\u202e\n\xff🙂\u200f."
	const want = "a\t手\\u202e\n\\u00ff🙂\\u200f."
	for cut := range len(text) {
		var out bytes.Buffer
		p := &printable{w: &out}
		for _, part := range []string{text[:cut], text[cut:]} {
			if n, err := p.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != want {
			t.Errorf("cut at %d: %q, want %q", cut, out.String(), want)
		}
	}
}
