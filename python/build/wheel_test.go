package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Wheels of the same files are the same, have the program as one that may be executed, and the digests of all files.
func TestWheels(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "p")
	if err := os.WriteFile(program, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range platforms {
		var texts [2][]byte
		for k := range texts {
			out, err := writeWheel(t.TempDir(), "../..", program, "1.2", p)
			if err != nil {
				t.Fatal(err)
			}
			if texts[k], err = os.ReadFile(out); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(texts[0], texts[1]) {
			t.Errorf("%s/%s: two wheels of the same files differ", p.os, p.arch)
		}
		z, err := zip.NewReader(bytes.NewReader(texts[0]), int64(len(texts[0])))
		if err != nil {
			t.Fatal(err)
		}
		files, record := map[string][]byte{}, ""
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name] = text
			if strings.HasSuffix(f.Name, "RECORD") {
				record = string(text)
			}
			if executable := f.Mode()&0o111 != 0; executable != strings.HasPrefix(f.Name, "curlfree/bin/") {
				t.Errorf("%s has the mode %v", f.Name, f.Mode())
			}
		}
		if string(files["curlfree/bin/"+p.programName()]) != "program" || files["curlfree/__init__.py"] == nil || files["curlfree-1.2.dist-info/METADATA"] == nil {
			t.Errorf("%s/%s: files %v", p.os, p.arch, len(files))
		}
		for name, text := range files {
			sum := sha256.Sum256(text)
			if !strings.HasSuffix(name, "RECORD") && !strings.Contains(record, name+",sha256="+base64.RawURLEncoding.EncodeToString(sum[:])) {
				t.Errorf("%s is not in RECORD", name)
			}
		}
	}
}

func TestVersionsFollowTheChangelog(t *testing.T) {
	for text, want := range map[string]string{
		"# C\n\n## Unreleased\n\n## 0.10 · 2026\n- x\n":          "0.10",
		"# C\n\n## Unreleased\n\n- new\n\n## 0.10 · 2026\n- x\n": "0.11.dev0",
	} {
		if got, err := nextVersion(text); got != want || err != nil {
			t.Errorf("version %s (%v), want %s", got, err, want)
		}
	}
	if _, err := nextVersion("# C\n"); err == nil {
		t.Error("a changelog without releases has a version")
	}
}
