package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
)

// The committed page is the one that its sources make: it has their digest.
func TestPageIsBuiltFromItsSources(t *testing.T) {
	sources := []string{"build.mjs", "package-lock.json", "package.json"}
	pages, err := filepath.Glob("page/*") // sorted
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d files in web/page: %v", len(pages), err)
	}
	digest := sha256.New()
	for _, s := range append(sources, pages...) {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(digest, "%s\n%s", filepath.ToSlash(s), text)
	}
	if !bytes.Contains(bundle, fmt.Appendf(nil, "<!-- sources %x -->", digest.Sum(nil))) {
		t.Error("web/dist/page.html is older than its sources: run npm ci && npm run build in web")
	}
}

// The page carries the licences of all that is bundled into it, in the pinned versions, and
// asks no other machine for anything.
func TestPageCarriesLicencesAndNeedsNoNetwork(t *testing.T) {
	text, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Dependencies) == 0 {
		t.Fatal("no libraries")
	}
	head, _, _ := strings.Cut(string(bundle), "<style>")
	for name, version := range p.Dependencies {
		if !strings.Contains(head, name+" "+version+"\n\nThe MIT License") {
			t.Errorf("the page lacks the licence of %s %s", name, version)
		}
	}
	if strings.Count(head, "Permission is hereby granted") != len(p.Dependencies) {
		t.Error("licences are incomplete")
	}
	for _, attribute := range []string{`src="http`, `href="http`, `src='http`, "@import", "url(http"} {
		if bytes.Contains(bundle, []byte(attribute)) {
			t.Errorf("the page has %s: it must work offline", attribute)
		}
	}
}

// A page is known as a file of this program, which may be replaced; its configuration
// cannot end its own element.
func TestPageIsOwnAndEscapesItsConfiguration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WritePage(f, map[string]string{"kind": "</script><script>alert(1)"}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if authorship.Foreign(path) {
		t.Error("the page is taken for a file of somebody else")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("</script><script>alert")) || !bytes.Contains(text, []byte(`\u003c/script\u003e`)) {
		t.Error("a configuration ends its element")
	}
}
