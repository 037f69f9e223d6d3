// Package authorship distinguishes files that this program wrote from those of others,
// so that it never replaces or removes what somebody else made.
//
// A file is known by its content, wherever it was copied or moved to:
//
//	pictures, charts, films, meshes   carry the text Mark, as a comment of their format
//	tables, summaries, recordings     begin with columns or keys that no other program writes
//
// What has neither is foreign: files of others, of a version that wrote no Mark yet, and
// anything that is not a regular file. An empty file has nothing that could be lost.
package authorship

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Mark is the text that a file carries in a comment, within the first or the last
// markWindow bytes.
const Mark = "Written by curlfree"

// markWindow is the number of bytes at both ends of a file that are searched.
const markWindow = 4096

// heads are the beginnings of files that carry no Mark, because their format has no
// comments or because versions before the Mark wrote them.
var heads = []*regexp.Regexp{
	// recordings
	regexp.MustCompile(`^curlfree recording [0-9]+\n`),
	// run.json, checkpoint.json, study.json, plan.json, the outcome of a case
	regexp.MustCompile(`^\{\n  "scene": "[^\n]*",\n  "version": "[^\n]*",\n  "contact_model": "`),
	regexp.MustCompile(`^\{\n  "Model": "[^\n]*",\n  "Step": [0-9]+,\n  "Time": "`),
	regexp.MustCompile(`^\{\n  "study": "[^\n]*"\n\}\n$`),
	regexp.MustCompile(`^\{\n  "plan": [0-9]+,\n  "study": "`),
	regexp.MustCompile(`^\{\n  "fingerprint": "[0-9a-f]*",\n  "status": "`),
	// inputs of operators
	regexp.MustCompile(`^\{"format":"curlfree inputs [0-9]+","time_step":`),
	// steps.csv, and the tables of exports
	regexp.MustCompile(`^time_s,newton_iterations,line_search_evaluations,`),
	regexp.MustCompile(`^time_s,body,x_m,y_m,z_m,`),
	regexp.MustCompile(`^time_s,a,b,x_m,y_m,z_m,`),
	regexp.MustCompile(`^time_s,contact_surface,a,b,`),
	regexp.MustCompile(`^time_s,along_m,across_m,area_m2,`),
	// binary STL, OBJ, legacy VTK, results of benchmarks
	regexp.MustCompile(`^curlfree\x00`),
	regexp.MustCompile(`^# curlfree, lengths in m\n`),
	regexp.MustCompile(`^# vtk DataFile Version 3\.0\ncurlfree, lengths in m\n`),
	regexp.MustCompile(`^kind\tvertices\tdofs\tstep_cpu_ms\t`),
	regexp.MustCompile(`^\{"scene":"[^"]*","version":"`),
}

// Foreign reports whether there is a file of this name that this program did not write.
// A name that does not exist is not foreign; one that cannot be examined is.
func Foreign(path string) bool {
	// links are not followed: what they point to belongs to somebody else
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil || !info.Mode().IsRegular():
		return true
	case info.Size() == 0:
		return false
	}
	head, tail, err := ends(path, info.Size())
	return err != nil || !written(head, tail)
}

// ends returns the first and the last bytes of a file of the given size.
func ends(path string, size int64) (head, tail []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	n := min(size, markWindow)
	head, tail = make([]byte, n), make([]byte, n)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, nil, err
	}
	_, err = f.ReadAt(tail, size-n)
	return head, tail, err
}

// written reports whether a file with this head and tail is one of this program.
func written(head, tail []byte) bool {
	return bytes.Contains(head, []byte(Mark)) || bytes.Contains(tail, []byte(Mark)) ||
		slices.ContainsFunc(heads, func(r *regexp.Regexp) bool { return r.Match(head) })
}

// ErrForeign is the error of Check.
var ErrForeign = errors.New("not written by curlfree")

// listed is how many files an error names.
const listed = 5

// Check returns an error with ErrForeign that names those of the files that are Foreign.
func Check(paths ...string) error {
	foreign := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !Foreign(path) })
	return Refuse(foreign)
}

// Refuse returns an error with ErrForeign that names the given files; nil for none.
func Refuse(foreign []string) error {
	if len(foreign) == 0 {
		return nil
	}
	more := ""
	if n := len(foreign) - listed; n > 0 {
		foreign, more = foreign[:listed], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%s%s: %w, and would be replaced or removed: choose another place with -o, or replace with --force", strings.Join(foreign, ", "), more, ErrForeign)
}
