package record

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Exporter writes a recording as files of another program's format.
type Exporter struct {
	Name  string // as on the command line
	About string // one line: what is written, for whom
	// Write makes the files in dir, which exists, and returns the names of those
	// to open first. The recording is valid.
	Write func(rec *Recording, dir string) ([]string, error)
}

var exporters []Exporter

// RegisterExporter adds a format. Each format registers itself in its own file.
func RegisterExporter(e Exporter) {
	if slices.Contains(ExporterNames(), e.Name) {
		panic("record: exporter " + e.Name + " is registered twice")
	}
	exporters = append(exporters, e)
	slices.SortFunc(exporters, func(a, b Exporter) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

// Exporters lists the formats by name.
func Exporters() []Exporter { return slices.Clone(exporters) }

// ExporterNames lists the names of the formats.
func ExporterNames() []string {
	var s []string
	for i := range exporters {
		s = append(s, exporters[i].Name)
	}
	return s
}

// Export writes the recording in a format into dir, which is made, and returns
// the names, within dir, of the files to open first.
func Export(rec *Recording, format, dir string) ([]string, error) {
	for i := range exporters {
		e := &exporters[i]
		if e.Name != format {
			continue
		}
		if err := rec.Valid(); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		return e.Write(rec, dir)
	}
	return nil, fmt.Errorf("no export format %q: the formats are %s", format, strings.Join(ExporterNames(), ", "))
}

// bodyName names a scene body, −1 the world.
func (st *Static) bodyName(b int) string {
	switch {
	case b < 0:
		return "world"
	case b < len(st.Bodies):
		return st.Bodies[b]
	}
	return st.Deformables[b-len(st.Bodies)].Name
}
