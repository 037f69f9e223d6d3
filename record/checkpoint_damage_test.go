package record

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/supernodal"
)

// No byte of a checkpoint, nor of the tables up to it, can change without notice.
func TestCheckpointsNoticeEveryChange(t *testing.T) {
	for _, name := range []string{checkpointFile, StepsFile + partial, SignalsFile + partial} {
		dir, _ := stopped(t)
		path := filepath.Join(dir, name)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		end := len(whole)
		if name != checkpointFile {
			end = bytes.LastIndexByte(whole[:end-1], '\n') + 1 // the last row is later
		}
		for i := range end {
			bad := bytes.Clone(whole)
			if bad[i]++; bad[i] == ':' { // 9 becomes 0, so that numbers stay numbers
				bad[i] = '0'
			}
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if r, err := Resume(dir, "model"); err == nil {
				r.Folder.Close()
				// the last digit of a number may read back as the same bits
				if name != checkpointFile || !reflect.DeepEqual(r.State, stateAt(2)) || r.Wall != 1.5 || !slices.Equal(r.Memory, []float64{7, math.E}) {
					t.Errorf("%s: byte %d, %q, may be %q", name, i, whole[i], bad[i])
				}
			}
		}
	}
}

// A run that continues with other vector instructions detects it.
func TestResumedRunsCompareTheirKernels(t *testing.T) {
	for _, c := range []struct {
		before []string
		parts  int
	}{{nil, 1}, {[]string{"another"}, 2}, {[]string{supernodal.Kernel(), "another"}, 3}, {[]string{"another", supernodal.Kernel()}, 2}} {
		dir, _ := stopped(t)
		edit(t, dir, func(k *checkpoint) { k.Kernels = c.before })
		r, err := Resume(dir, "model")
		if err != nil {
			t.Fatal(err)
		}
		r.Folder.Close()
		if len(r.Kernels) != c.parts || r.Kernels[c.parts-1] != supernodal.Kernel() {
			t.Errorf("after %v: %v", c.before, r.Kernels)
		}
	}
}

// What killed runs left while they wrote is removed; files of others stay.
func TestLeftoversOfKilledRunsAreRemoved(t *testing.T) {
	dir, rec := t.TempDir(), swing()
	left := []string{".checkpoint.json.1234", ".checkpoint.json.9", ".run.json.partial.77"}
	stay := []string{".checkpoint.json.old", ".notes", "checkpoint.json.1", ".checkpoint.json.5"}
	for _, name := range slices.Concat(left, stay) {
		text := "{\n  \"Model\": \"a\",\n  \"Step\": 1,\n  \"Time\": \"" // cut off
		switch {
		case name == ".run.json.partial.77":
			text = ""
		case slices.Contains(stay, name):
			text = "mine"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Create(dir, &rec.Static, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range stay {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
