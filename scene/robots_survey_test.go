package scene

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/curlfree/curlfree/scene/robot"
)

// surveyed is one robot file of a survey.
type surveyed struct {
	path, ext string
	elapsed   time.Duration
	err       error
}

// TestSurveyOfRobotFiles loads every URDF, SDFormat and MJCF file below the folder that
// CURLFREE_ROBOTS names, and logs which do not load, by cause, and which take long. It fails only
// where loading panics, because folders differ; docs/robots.md has a table of such a survey.
func TestSurveyOfRobotFiles(t *testing.T) {
	root := os.Getenv("CURLFREE_ROBOTS")
	if root == "" {
		t.Skip("CURLFREE_ROBOTS names no folder of robots")
	}
	files := robotFilesBelow(t, root)
	// each worker takes every n-th file
	var wait sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for w := range n {
		wait.Go(func() {
			for i := w; i < len(files); i += n {
				f := &files[i]
				start := time.Now()
				_, _, f.err = CheckRobot(f.path, false)
				f.elapsed = time.Since(start)
			}
		})
	}
	wait.Wait()
	logSurvey(t, root, files)
}

// robotFilesBelow lists the files of a folder that are robots by extension and content.
func robotFilesBelow(t *testing.T, root string) (files []surveyed) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		ext := strings.ToLower(filepath.Ext(path))
		if err != nil || e.IsDir() || !slices.Contains([]string{".urdf", ".sdf", ".xml", ".mjcf"}, ext) {
			return err
		}
		// XML of other kinds, and parts of MJCF files that others include, are no robots
		if ext == ".xml" || ext == ".mjcf" {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if robot.RootName(text) != "mujoco" || !bytes.Contains(text, []byte("<worldbody")) {
				return nil
			}
			ext = ".xml"
		}
		files = append(files, surveyed{path: path, ext: ext})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// particulars are parts of messages that differ from file to file.
var particulars = regexp.MustCompile(`"[^"]*"|'[^']*'|[-+]?\d[\d.e+-]*|\S*/\S+`)

// cause returns the first fault of an error without the particulars of its file.
func cause(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return particulars.ReplaceAllString(first, "…")
}

// logSurvey logs counts by folder and format, faults by cause, and the slowest files.
func logSurvey(t *testing.T, root string, files []surveyed) {
	var out strings.Builder
	loaded, all := map[string]int{}, map[string]int{}
	causes := map[string][]string{}
	for _, f := range files {
		rel, _ := filepath.Rel(root, f.path)
		top, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		all[top+" "+f.ext]++
		if f.err == nil {
			loaded[top+" "+f.ext]++
			continue
		}
		first, _, _ := strings.Cut(f.err.Error(), "\n")
		causes[cause(f.err)] = append(causes[cause(f.err)], "    "+rel+": "+first)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&out, "%-40s %4d of %4d\n", key, loaded[key], all[key])
	}
	// most frequent causes first
	for _, c := range slices.SortedFunc(maps.Keys(causes), func(a, b string) int {
		return cmp.Or(len(causes[b])-len(causes[a]), strings.Compare(a, b))
	}) {
		fmt.Fprintf(&out, "%d × %s\n%s\n", len(causes[c]), c, strings.Join(causes[c], "\n"))
	}
	slices.SortFunc(files, func(a, b surveyed) int { return cmp.Compare(b.elapsed, a.elapsed) })
	for _, f := range files[:min(len(files), 30)] {
		fmt.Fprintf(&out, "%8.2f s %s\n", f.elapsed.Seconds(), f.path)
	}
	t.Log("\n" + out.String())
}
