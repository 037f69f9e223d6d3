package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// A wheel is a zip file with the package, the program and three files about them: METADATA, WHEEL and RECORD, the list
// of digests. Source: PyPA, "Binary distribution format", 2023.

// member is a file of a wheel.
type member struct {
	name string
	text []byte
	mode fs.FileMode
}

// wheelTime is the time of all files, the first that zip files can have: times on a clock would change the wheel.
var wheelTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// writeWheel writes the wheel of a platform and returns its path.
func writeWheel(dir, root, program, version string, p platform) (string, error) {
	members, err := packageFiles(root)
	if err != nil {
		return "", err
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	members = append(members, member{"curlfree/bin/" + p.programName(), binary, 0o755})
	info := "curlfree-" + version + ".dist-info/"
	for _, name := range []string{"LICENSE", "THIRD_PARTY_NOTICES.txt"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		members = append(members, member{info + "licenses/" + name, text, 0o644})
	}
	members = append(members, member{info + "METADATA", metadata(version), 0o644}, member{info + "WHEEL", wheelFile(p), 0o644})
	members = append(members, member{info + "RECORD", records(members, info+"RECORD"), 0o644})
	out := filepath.Join(dir, fmt.Sprintf("curlfree-%s-py3-none-%s.whl", version, p.tag))
	text, err := zipped(members)
	if err != nil {
		return "", err
	}
	return out, os.WriteFile(out, text, 0o666)
}

// packageFiles returns the files of the package, sorted by name.
func packageFiles(root string) (members []member, err error) {
	from := filepath.Join(root, "python")
	// WalkDir goes in the order of names
	err = filepath.WalkDir(filepath.Join(from, "curlfree"), func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "__pycache__" || d.Name() == "bin"):
			return filepath.SkipDir
		case d.IsDir() || path.Ext(d.Name()) != ".py" && d.Name() != "py.typed":
			return nil
		}
		name, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		members = append(members, member{filepath.ToSlash(name), text, 0o644})
		return err
	})
	return members, err
}

// metadata returns the file METADATA.
func metadata(version string) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.1
Name: curlfree
Version: %s
Summary: Simulation of soft fingers, hands, gears and the objects that they hold
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: all
Requires-Dist: gymnasium>=1.0; extra == "all"
Requires-Dist: pandas; extra == "all"
Requires-Dist: matplotlib; extra == "all"
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Physics
`, version)
}

// wheelFile returns the file WHEEL, with a tag for each platform of the name.
func wheelFile(p platform) []byte {
	text := "Wheel-Version: 1.0\nGenerator: curlfree\nRoot-Is-Purelib: false\n"
	for _, tag := range strings.Split(p.tag, ".") {
		text += "Tag: py3-none-" + tag + "\n"
	}
	return []byte(text)
}

// records returns the file RECORD, which has no digest of itself.
func records(members []member, self string) []byte {
	var b bytes.Buffer
	for i := range members {
		sum := sha256.Sum256(members[i].text)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", members[i].name, base64.RawURLEncoding.EncodeToString(sum[:]), len(members[i].text))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}

// zipped returns files as a zip file.
func zipped(members []member) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range members {
		m := &members[i]
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: wheelTime}
		h.SetMode(m.mode)
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(m.text)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
