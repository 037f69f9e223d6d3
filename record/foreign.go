package record

// Files of others in a run folder. A run must not replace or remove them: it is given a
// folder by name, and a name may be mistyped.

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/curlfree/curlfree/internal/authorship"
)

// ForeignFiles lists the files of a folder that a run would replace or remove although
// this program did not write them: those of its results, also unfinished, and of its
// checkpoint. Links count as such: what they lead to is not part of the folder.
func ForeignFiles(dir string) []string {
	var foreign []string
	for _, n := range append(resultFiles[:len(resultFiles):len(resultFiles)], checkpointFile) {
		for _, path := range []string{filepath.Join(dir, n), filepath.Join(dir, n+partial)} {
			if authorship.Foreign(path) && !(n == SignalsFile && isSignals(path)) && !isUnfinished(path) {
				foreign = append(foreign, path)
			}
		}
	}
	return foreign
}

// isSignals reports whether a file is the table of signals of the recording beside it.
// Its columns are named by the scene, except for the first, so that it cannot be known
// by itself.
func isSignals(path string) bool {
	// a link is none, whatever it leads to
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := bufio.NewReader(io.LimitReader(f, tableBuffer)).ReadString('\n')
	if err != nil || !strings.HasPrefix(head, "time_s,") && head != "time_s\n" {
		return false
	}
	// beside it: a recording of this program
	for _, n := range []string{RecordingFile, RecordingFile + partial} {
		path := filepath.Join(filepath.Dir(path), n)
		if _, err := os.Lstat(path); err == nil && !authorship.Foreign(path) {
			return true
		}
	}
	return false
}

// isUnfinished reports whether a file is one that the checkpoint beside it continues,
// also if it is damaged.
func isUnfinished(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(path, partial) {
		return false
	}
	c := filepath.Join(filepath.Dir(path), checkpointFile)
	_, err = os.Lstat(c)
	return err == nil && !authorship.Foreign(c)
}

// leftover is the name of a temporary file of atomicfile for a file of a run folder, which
// stays where a run was killed while it wrote a checkpoint or its summary.
var leftover = regexp.MustCompile(`^\.(checkpoint\.json|run\.json\.partial)\.[0-9]+$`)

// sweep removes the leftovers of killed runs from a folder that the caller has locked.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // other calls report a folder that cannot be read
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if leftover.MatchString(e.Name()) && !authorship.Foreign(path) {
			os.Remove(path) // one that cannot be removed does no harm
		}
	}
}

// createPartial makes an empty file for the time of the run. A file of that name that an
// earlier run left is removed; a link is removed itself and not followed.
func createPartial(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, name+partial)
	if _, err := os.Lstat(path); err == nil {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return openGrowing(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// openGrowing opens a file that grows during a run. Tests replace it by one that fails.
var openGrowing = os.OpenFile
