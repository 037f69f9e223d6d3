package memory

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files below a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The tightest limit of both versions of control groups counts, also that of a group around the own one, and files that
// are cached are free; a path of the host, as containers see it, leads to their root.
func TestLimitsOfControlGroups(t *testing.T) {
	for name, c := range map[string]struct {
		cgroup      string
		files       map[string]string
		free, limit float64
	}{
		"version 2": {"0::/user/job\n", map[string]string{
			"user/job/memory.max": "2000000000\n", "user/job/memory.current": "500000000\n", "user/job/memory.stat": "anon 3\ninactive_file 100000000\n",
			"user/memory.max": "max\n", "user/memory.current": "900000000\n",
		}, 1.6e9, 2e9},
		"group around it": {"0::/user/job\n", map[string]string{
			"user/job/memory.max": "2000000000\n", "user/job/memory.current": "500000000\n",
			"user/memory.max": "1000000000\n", "user/memory.current": "900000000\n",
		}, 1e8, 1e9},
		"version 1": {"4:cpu,memory:/job\n0::/\n", map[string]string{
			"memory/job/memory.limit_in_bytes": "3000000000\n", "memory/job/memory.usage_in_bytes": "1000000000\n", "memory/job/memory.stat": "total_inactive_file 5\n",
		}, 2e9 + 5, 3e9},
		"version 1 without a limit": {"4:memory:/job\n", map[string]string{
			"memory/job/memory.limit_in_bytes": "9223372036854771712\n", "memory/job/memory.usage_in_bytes": "1\n",
		}, math.Inf(1), math.Inf(1)},
		"container":         {"0::/../../host/path\n", map[string]string{"memory.max": "400000000\n", "memory.current": "100000000\n"}, 3e8, 4e8},
		"other controllers": {"4:cpu:/job\n", map[string]string{"memory/job/memory.limit_in_bytes": "3\n", "memory/job/memory.usage_in_bytes": "1\n"}, math.Inf(1), math.Inf(1)},
		"damaged":           {"nonsense\n0::/j\n", map[string]string{"j/memory.max": "x\n", "j/memory.current": "\n"}, math.Inf(1), math.Inf(1)},
	} {
		self, root := procSelf, cgroupRoot
		procSelf, cgroupRoot = tree(t, map[string]string{"cgroup": c.cgroup}), tree(t, c.files)
		got := Room{Free: math.Inf(1), Limit: math.Inf(1)}
		for _, r := range controlGroups(0) {
			if r.Free < got.Free {
				got = r
			}
		}
		procSelf, cgroupRoot = self, root
		if got.Free != c.free || got.Limit != c.limit {
			t.Errorf("%s: %g free of %g, want %g of %g", name, got.Free, got.Limit, c.free, c.limit)
		}
	}
}

// What is there may be taken, and what no machine has is refused with the numbers.
func TestNeed(t *testing.T) {
	if err := Need(1e6); err != nil {
		t.Error(err)
	}
	err := Need(1e18)
	if err == nil || !strings.Contains(err.Error(), "takes about 1e+09 GB more memory, and ") || !strings.Contains(err.Error(), " are free of ") {
		t.Error(err)
	}
}
