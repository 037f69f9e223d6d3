package scene

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The fingerprint changes with the content of every input and with overrides, and with
// nothing else: neither names of folders nor times of files.
func TestFingerprintsFollowTheContentOfAllInputs(t *testing.T) {
	files := map[string]string{
		"table.csv": "x,y\n0,0\n3,0\n",
		"arm.urdf":  shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="cube.obj"/>`)),
		"cube.obj":  strings.SplitN(crossedCubes(), "v 0.05 0 0", 2)[0],
		"other.obj": strings.SplitN(crossedCubes(), "v 0.05 0 0", 2)[0],
	}
	text := timeOf + "meshes: {m: {file: other.obj}}\ntables: {t: {file: table.csv, kinds: {ball: {shapes: [{sphere: {radius: 0.1}}]}}}}\n" +
		"bodies: {b: {pose: {xyz: [9, 9, 9]}, shapes: [{convex: {mesh: m}}]}}\nrobots: {r: {file: arm.urdf, pose: {xyz: [0, 0, 5]}}}\n"
	print := func(change, with string, set ...string) string {
		t.Helper()
		dir := folder(t, files)
		scene := text
		switch {
		case change == "scene":
			scene += with
		case change != "":
			if err := os.WriteFile(filepath.Join(dir, change), []byte(files[change]+with), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return mustLoad(t, dir, scene, set...).Fingerprint
	}
	first := print("", "")
	if again := print("", ""); again != first || len(first) != 64 {
		t.Errorf("two folders of the same files: %s and %s", first, again)
	}
	seen := map[string]string{first: "nothing"}
	for name, p := range map[string]string{
		"a comment of the scene": print("scene", "# another\n"), "the table": print("table.csv", "6,0\n"),
		"the robot": print("arm.urdf", "\n"), "its mesh": print("cube.obj", "# another\n"), "the mesh": print("other.obj", "# another\n"),
		"an override": print("", "", "time.step=0.01"), "another override": print("", "", "time.step=0.010"),
	} {
		if was, ok := seen[p]; ok {
			t.Errorf("a change of %s gives the fingerprint of a change of %s", name, was)
		}
		seen[p] = name
	}
}

func TestInputsThatAreNoFilesAreNamed(t *testing.T) {
	dir := folder(t, map[string]string{"sub/scene.yaml": "time: {}\n"})
	for path, want := range map[string]string{
		filepath.Join(dir, "gone"): "gone: there is no such file", filepath.Join(dir, "sub"): "sub is a folder: name the scene file in it", os.DevNull: "is a device, not a file",
	} {
		if _, err := readInput(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", path, err)
		}
	}
	in := inputs{dir: "/scenes/hand"}
	for name, want := range map[string]string{"mesh.stl": "/scenes/hand/mesh.stl", "../mesh.stl": "/scenes/mesh.stl", "/abs.stl": "/abs.stl"} {
		if got := filepath.ToSlash(in.rel(name)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
