package scene

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pandaScene returns a scene with the Panda in a folder with tables, and a drive of its arm.
func pandaScene(t *testing.T, tables map[string]string, drive string) (dir, text string) {
	t.Helper()
	dir = t.TempDir()
	urdf, err := filepath.Abs("../examples/panda-circle/panda.urdf")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range tables {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, "time: {step: 0.01, duration: 0.1}\nrobots: {arm: {file: " + urdf + ", joints: {panda_joint4: -1.57, panda_joint6: 1.57}}}\n" +
		"drives: {d: {robot: arm, " + drive + "}}\n"
}

// Wrong drives of robots are reported with file and line, those of tables with the table's.
func TestFaultyRobotDrivesSayWhereWhatAndHow(t *testing.T) {
	const pose = "poses: [{pose: {xyz: [0.4, 0, 0.5], rpy: [3.14159, 0, 0]}}]"
	const twists = "time_s, vx, vy, vz, wx, wy, wz, gripper\n"
	for _, c := range []struct {
		name, drive string
		tables      map[string]string
		want        string
	}{
		{"no such robot", "joints: [panda_joint9]", nil, `scene.yaml:3:10: drives.d: unknown joint "arm.panda_joint9": did you mean "arm.panda_joint1"?`},
		{"gains", "kp: [1, 2, 3]", nil, "scene.yaml:3:10: drives.d: kp has 3 numbers: give one for all, or one for each of 8"},
		{"negative gain", "kp: [-1]", nil, "drives.d.kp is -1"},
		{"frame", "target: {link: panda_palm, " + pose + "}", nil, `drives.d: target: unknown body "arm.panda_palm"`},
		{"no frame", "target: {" + pose + "}", nil, "drives.d.target.link is required"},
		{"out of reach", "target: {link: panda_hand, poses: [{pose: {xyz: [2, 0, 0.5]}}]}", nil, "scene.yaml:3:10: drives.d: target: poses[0]: out of reach"},
		{"kind of target", "target: {spiral: {}}", nil, "unknown key drives.d.target.spiral"},
		{"no file", "target: {joint_table: q.csv}", nil, "q.csv: there is no such file"},
		{"empty cell", "target: {twist_table: t.csv, link: panda_hand}", map[string]string{"t.csv": twists + "0,0,0,0,0,0,0,0\n1,0,,0,0,0,0,0\n"}, "t.csv:3:5: vy: is empty"},
		{"text in a cell", "target: {twist_table: t.csv, link: panda_hand}", map[string]string{"t.csv": twists + "0,0,0,fast,0,0,0,0\n"}, `t.csv:2:7: vz: "fast" is no finite number`},
		{"short row", "target: {twist_table: t.csv, link: panda_hand}", map[string]string{"t.csv": twists + "0,0,0,0\n"}, "t.csv:2:1: wrong number of fields"},
		{"time that falls", "target: {twist_table: t.csv, link: panda_hand}", map[string]string{"t.csv": twists + "0,0,0,0,0,0,0,0\n# a pause\n-1,0,0,0,0,0,0,0\n"}, "t.csv:4: times must increase: -1 s follows 0 s"},
		{"column", "target: {twist_table: t.csv, link: panda_hand}", map[string]string{"t.csv": "time_s,vx,vy,vz,wx,wy,w\n0,0,0,0,0,0,0\n"}, `t.csv: unknown column "w"`},
		{"empty file", "target: {twist_table: t.csv, link: panda_hand}", map[string]string{"t.csv": ""}, "t.csv: the file is empty"},
		{"gripper", "target: {twist_table: t.csv, link: panda_hand, gripper: [panda_finger]}", map[string]string{"t.csv": twists + "0,0,0,0,0,0,0,0\n"}, `the drive moves no joint "panda_finger"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, text := pandaScene(t, c.tables, c.drive)
			if _, err := load(t, dir, text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %q in it", err, c.want)
			}
		})
	}
}

// All joints of the robot but those that mimic others are driven, each with a signal of its effort,
// and the gripper follows its column.
func TestRobotDrivesFromScenes(t *testing.T) {
	table := "time_s, vx, vy, vz, wx, wy, wz, gripper\n0, 0.1, 0, 0, 0, 0, 0, 0\n0.5, 0.1, 0, 0, 0, 0, 0, 0.02\n"
	dir, text := pandaScene(t, map[string]string{"t.csv": table},
		"kp: 1000, kd: 50, target: {twist_table: t.csv, link: panda_hand, gripper: [panda_finger_joint1]}")
	text = strings.Replace(text, "duration: 0.1", "duration: 0.8", 1) + "signals:\n  u: {drive_effort: d.panda_joint2}\n  grip: {joint: arm.panda_finger_joint1, joint_state: position}\n" +
		"  x: {body: arm.panda_hand, position: x, since: 0}\n"
	sc := mustLoad(t, dir, text)
	if n := len(sc.Model.Names.Drives); n != 8 {
		t.Errorf("%d joints are driven, want 7 and a finger", n)
	}
	v := simulate(t, sc, 0.8)
	near(t, "finger", v["grip"], 0.02, 1e-3)
	near(t, "hand", v["x"], 0.05, 2e-3)
	if v["u"] == 0 {
		t.Error("the shoulder has no effort")
	}
	// the table counts for the fingerprint
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(table+"0.6, 0, 0, 0, 0, 0, 0, 0.02\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if mustLoad(t, dir, text).Fingerprint == sc.Fingerprint {
		t.Error("another table has the same fingerprint")
	}
}
