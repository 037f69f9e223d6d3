package memory

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Where the kernel reports it; tests have files of their own.
var (
	procSelf   = "/proc/self"
	memInfo    = "/proc/meminfo"
	cgroupRoot = "/sys/fs/cgroup"
)

// systemRooms lists the limits of the system. idle is memory that the process has and does not use, bytes.
func systemRooms(idle float64) []Room {
	rooms := controlGroups(idle)
	if info := entries(memInfo); info != nil {
		rooms = append(rooms, Room{info["MemAvailable"] + idle, info["MemTotal"], machine})
	}
	return append(rooms, resourceRooms(idle)...)
}

// resourceRooms lists the limits of resources of the process.
func resourceRooms(idle float64) (rooms []Room) {
	status := entries(filepath.Join(procSelf, "status"))
	for _, l := range []struct {
		resource int
		used, of string
	}{
		{unix.RLIMIT_AS, "VmSize", "the limit of address space (ulimit -v), of which the runtime reserves 1.4 GB that it does not use"},
		{unix.RLIMIT_DATA, "VmData", "the limit of data (ulimit -d)"},
	} {
		var limit unix.Rlimit
		if unix.Getrlimit(l.resource, &limit) == nil && limit.Cur < 1<<62 && status != nil {
			rooms = append(rooms, Room{float64(limit.Cur) - status[l.used] + idle, float64(limit.Cur), l.of})
		}
	}
	return rooms
}

// entries reads a file of lines "key: value kB" into bytes; nil where it cannot be read.
func entries(path string) map[string]float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	out := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, ":")
		if f := strings.Fields(value); ok && len(f) == 2 && f[1] == "kB" {
			if x, err := strconv.ParseFloat(f[0], 64); err == nil {
				out[key] = 1024 * x
			}
		}
	}
	return out
}

// controlGroups lists the limits of the control groups of the process and of those around them, each of which applies
// to all its processes together. Files that are cached and can be dropped count as free.
func controlGroups(idle float64) (rooms []Room) {
	text, err := os.ReadFile(filepath.Join(procSelf, "cgroup"))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(text) {
		// hierarchy:controllers:path; version 2 has the hierarchy 0 and no controllers
		parts := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root, limit, used, cached := cgroupRoot, "memory.max", "memory.current", "inactive_file"
		if parts[0] != "0" {
			if !hasField(parts[1], "memory") {
				continue
			}
			root, limit, used, cached = filepath.Join(cgroupRoot, "memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		}
		// in a container the path may be that of the host, and the root its own group
		for path := filepath.Clean("/" + parts[2]); ; path = filepath.Dir(path) {
			dir := filepath.Join(root, path)
			most, ok := number(filepath.Join(dir, limit))
			if now, known := number(filepath.Join(dir, used)); ok && known && most < 1<<60 {
				rooms = append(rooms, Room{most - now + idle + stat(filepath.Join(dir, "memory.stat"), cached), most, "the limit of the control group (" + limit + ")"})
			}
			if path == "/" {
				break
			}
		}
	}
	return rooms
}

// hasField reports whether a list separated by commas has a field.
func hasField(list, field string) bool { return strings.Contains(","+list+",", ","+field+",") }

// number reads a file of one number; "max" is infinite.
func number(path string) (float64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	word := strings.TrimSpace(string(text))
	if word == "max" {
		return math.Inf(1), true
	}
	x, err := strconv.ParseFloat(word, 64)
	return x, err == nil
}

// stat reads a number of a file of lines "key value"; 0 without it.
func stat(path, key string) float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), " "); ok && k == key {
			x, _ := strconv.ParseFloat(v, 64) // no number: none
			return x
		}
	}
	return 0
}
