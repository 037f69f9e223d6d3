package study

// Files of others in a study folder, which a study must not replace.

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/record"
)

// ForeignFiles lists the files of a study folder that the study would replace although
// this program did not write them: its mark, table and charts, and those in folders of
// cases. The folders of cases in a folder with the mark of a study belong to this program
// even if their files are damaged.
func (s *Study) ForeignFiles(dir string) []string {
	// files that every study writes, and the charts of this one
	mark, table := filepath.Join(dir, studyFile), filepath.Join(dir, TableFile)
	paths := []string{mark, table}
	for i := range s.plots {
		base := filepath.Join(dir, s.plots[i].name)
		paths = append(paths, base+".png", base+".svg")
	}
	// a table has no mark of its own: it is CSV, which has no comments
	var foreign []string
	for _, path := range paths {
		if authorship.Foreign(path) && !(path == table && !authorship.Foreign(mark) && isTable(path)) {
			foreign = append(foreign, path)
		}
	}
	// Lstat: a link to a mark elsewhere proves nothing about this folder
	if info, err := os.Lstat(mark); err == nil && info.Mode().IsRegular() {
		return foreign
	}
	// a folder that looks like one of a study, without its mark: each file is looked at
	for i := range s.Cases {
		folder := filepath.Join(dir, casesFolder, s.Cases[i].Name)
		foreign = append(foreign, record.ForeignFiles(folder)...)
		if path := filepath.Join(folder, outcomeFile); authorship.Foreign(path) {
			foreign = append(foreign, path)
		}
	}
	return foreign
}

// isTable reports whether a file begins as the table of a study does. Its other columns
// depend on the study, so that it is known only together with the mark beside it.
func isTable(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := inputfile.Read(path)
	head, _, _ := bytes.Cut(text, []byte("\n"))
	return err == nil && bytes.HasPrefix(head, []byte("case,")) && bytes.HasSuffix(bytes.TrimSpace(head), []byte(",status"))
}
