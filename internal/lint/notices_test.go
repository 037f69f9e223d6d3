package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The binary contains code of other modules and of Go, whose licences ask that their text goes with
// it: THIRD_PARTY_NOTICES.txt, which is made from the files of the modules.

const noticesHead = `Third-party notices

The program curlfree holds code of the modules below and of the Go standard library. Their licences
follow, as the modules give them. This file is made by: go test ./internal/lint -run Notices -update

`

// linked is a module of which the program has code.
type linked struct{ path, version, dir string }

// linkedModules returns the modules of the program for a system, and an error where their sources
// are not there and cannot be fetched.
func linkedModules(goos string) ([]linked, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "github.com/curlfree/curlfree/cmd/curlfree")
	if goos != "" {
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64")
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var all []linked
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 {
			all = append(all, linked{f[0], f[1], f[2]})
		}
	}
	return all, nil
}

// licenseName are the names of files and folders with the licence of a module. Of FreeType, which
// has two, its own is taken and not the GPL.
var licenseName = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|notice|patents|third_party_licenses)([-._].*)?$`)

// licenses returns the texts of a module's licences with the names of their files.
func licenses(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, e := range entries {
		if !licenseName.MatchString(e.Name()) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(dir, e.Name()), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "gpl") {
				return err
			}
			b, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			fmt.Fprintf(&text, "-- %s --\n\n%s\n\n", filepath.ToSlash(name), strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n")))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	if text.Len() == 0 {
		return "", fmt.Errorf("%s has no licence: the module cannot be passed on", dir)
	}
	return text.String(), nil
}

// section returns the notice of a module.
func (m *linked) section() (string, error) {
	text, err := licenses(m.dir)
	return fmt.Sprintf("%s\n%s %s\n\n%s", strings.Repeat("=", 100), m.path, m.version, text), err
}

// TestNoticesHaveTheLicencesOfAllModules compares the notices with the modules that the program
// contains on Linux, macOS and Windows, in their versions, and with the licence of Go.
func TestNoticesHaveTheLicencesOfAllModules(t *testing.T) {
	var all []linked
	for _, goos := range []string{"", "linux", "darwin", "windows"} {
		modules, err := linkedModules(goos)
		if err != nil && (goos == "" || *update) {
			t.Fatal(err)
		} else if err != nil {
			t.Logf("modules of %s are not known here: %v", goos, err)
		}
		all = append(all, modules...)
	}
	if root, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		if dir := strings.TrimSpace(string(root)); *update || haveLicense(dir) {
			all = append(all, linked{"Go standard library and runtime", "", dir})
		}
	}
	slices.SortFunc(all, func(a, b linked) int { return cmp.Compare(a.path, b.path) })
	all = slices.CompactFunc(all, func(a, b linked) bool { return a.path == b.path })
	if len(all) < 10 {
		t.Fatalf("only %d modules", len(all))
	}
	const path = "../../THIRD_PARTY_NOTICES.txt"
	made := noticesHead + pageNotices(t)
	have, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if !*update && !bytes.HasPrefix(have, []byte(made)) {
		t.Error("THIRD_PARTY_NOTICES.txt lacks the licences of the libraries of the page: run go test ./internal/lint -run Notices -update")
	}
	for i := range all {
		section, err := all[i].section()
		if err != nil {
			t.Error(err)
		}
		made += section
		if !*update && !bytes.Contains(have, []byte(section)) {
			t.Errorf("THIRD_PARTY_NOTICES.txt lacks the licence of %s %s: run go test ./internal/lint -run Notices -update", all[i].path, all[i].version)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(made), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// pageNotices returns the notice of the libraries that the page for browsers contains, which the
// page carries as a comment.
func pageNotices(t *testing.T) string {
	page, err := os.ReadFile("../../web/dist/page.html")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := bytes.Cut(page, []byte("This page contains the following libraries.\n\n"))
	text, _, ended := bytes.Cut(rest, []byte("-->"))
	if !found || !ended {
		t.Fatal("web/dist/page.html has no comment with the licences of its libraries")
	}
	return fmt.Sprintf("%s\nlibraries of the page web/dist/page.html\n\n%s\n\n", strings.Repeat("=", 100), bytes.TrimSpace(text))
}

// haveLicense reports whether a folder has a licence: distributions keep that of Go elsewhere.
func haveLicense(dir string) bool {
	_, err := licenses(dir)
	return err == nil
}
