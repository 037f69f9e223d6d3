package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A soft block of 5 N on a plate: the map's force is that of the contact signal, which the stepper sums from impulses,
// and at rest that is the weight; taxels in the table add up to it.
func TestMapsHaveTheForceOfTheContactSignal(t *testing.T) {
	dir := t.TempDir()
	scene := `
title: block
time: {step: 0.01, duration: 0.6}
materials:
  rubber: {youngs_modulus: 1e5, poissons_ratio: 0.3, density: 1250, friction: 0.5, mass_damping: 40, pressure_gradient: 1e9}
  plate: {friction: 0.5}
bodies:
  plate:
    fixed: true
    shapes: [{half_space: {size: 1}, material: plate}]
meshes:
  block: {box: {size: [0.1, 0.04, 0.1019367991845056], cells: [5, 2, 4]}}
deformables:
  block: {mesh: block, material: rubber, pose: {xyz: [0, 0, 0.051]}}
signals:
  down_N: {body: block, from: [plate], contact_force: z}
output: {rate: 20}
`
	file, run := filepath.Join(dir, "scene.yaml"), filepath.Join(dir, "run")
	if err := os.WriteFile(file, []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	do := func(code int, args ...string) {
		t.Helper()
		stdout.Reset()
		stderr.Reset()
		if got := newApp(&stdout, &stderr).execute(t.Context(), args); got != code {
			t.Fatalf("%v: code %d\n%s%s", args, got, &stdout, &stderr)
		}
	}
	do(0, "run", file, "-o", run, "--no-picture")
	f, err := os.Open(filepath.Join(run, "signals.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	signal := func(time float64) float64 {
		for _, r := range rows[1:] {
			if at, _ := strconv.ParseFloat(r[0], 64); math.Abs(at-time) < 1e-9 {
				v, _ := strconv.ParseFloat(r[1], 64)
				return v
			}
		}
		t.Fatalf("no row at %g s", time)
		return 0
	}
	do(0, "map", run, "block", "--time", "0.2,0.6", "--json", "-o", filepath.Join(dir, "out", "map.svg"))
	var got mapResult
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || len(got.Maps) != 2 {
		t.Fatalf("%v: %s", err, &stdout)
	}
	// the plate touches the lowest edges of the sides too
	total := map[float64]float64{}
	for _, side := range []string{"-x", "+x", "-y", "+y", "-z", "+z"} {
		do(0, "map", run, "block:"+side, "--time", "0.2,0.6", "--json", "-o", filepath.Join(dir, "out", "side.svg"))
		var one mapResult
		if err := json.Unmarshal(stdout.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		for _, m := range one.Maps {
			total[m.Time] += m.Force[2]
		}
	}
	for time, force := range total {
		// forces of contacts are recorded with 24 bits
		if want := signal(time); math.Abs(force-want) > 1e-6*want {
			t.Errorf("at %g s the maps have %g N, the signal %g N", time, force, want)
		}
	}
	if last := got.Maps[1].Normal; math.Abs(last-5) > 0.05 {
		t.Errorf("at rest %g N, want the weight of 5 N", last)
	}
	if math.Abs(got.Size[0]-0.1) > 1e-9 || math.Abs(got.Size[1]-0.04) > 1e-9 {
		t.Errorf("the face is %v m, want 0.1 and 0.04", got.Size)
	}
	table, err := os.Open(filepath.Join(dir, "out", "map.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if rows, err = csv.NewReader(table).ReadAll(); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, r := range rows[1:] {
		if strings.HasPrefix(r[0], "0.6") {
			v, _ := strconv.ParseFloat(r[4], 64)
			sum += v
		}
	}
	if math.Abs(sum/got.Maps[1].Normal-1) > 1e-9 {
		t.Errorf("taxels of the table carry %g N of %g N", sum, got.Maps[1].Normal)
	}
	do(exitUsage, "map", run, "block:up")
	do(exitUsage, "map", run, "blok")
	do(exitUsage, "map", run, "block", "--time", "9")
	do(exitUsage, "map", run, "block", "-o", "a.txt")
	do(0, "map", run, "block:-z", "--taxel", "10")
}
