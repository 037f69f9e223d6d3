package formats

import (
	"strings"
	"testing"
)

// Files that are something else than their names say are named, with what to do. Repositories with meshes are full
// of pointers of Git LFS, which were called cut short or said to have no triangles.
func TestForeignFilesAreNamed(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for _, ext := range readable() {
		for text, want := range map[string]string{
			pointer: "git lfs pull",
			"\n<!DOCTYPE HTML>\n<html><body>Not found</body></html>\n" + strings.Repeat(" ", 100): "a web page",
			"\x1f\x8b\x08\x00" + strings.Repeat("x", 100):                                         "packed by gzip",
			"PK\x03\x04" + strings.Repeat("x", 100):                                               "a ZIP archive",
			"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=X();\n":                                   "a STEP file",
		} {
			if _, _, err := ReadTriFrom(strings.NewReader(text), ext, ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q: %v, want %q", ext, text[:10], err, want)
			}
		}
	}
	// the header of a binary STL may begin as an archive does
	stl := append(append([]byte("PK\x03\x04"), make([]byte, 76)...), 1, 0, 0, 0)
	if _, _, err := parse(append(stl, make([]byte, 50)...), ".stl", nil); err != nil {
		t.Errorf("a binary STL: %v", err)
	}
}
