package scene

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// wide returns a text in UTF-16 with its byte order mark, as editors on Windows save it.
func wide(text string) string {
	b := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return string(b)
}

// A byte order mark before a scene, and lines that end in a carriage return alone, change nothing: the mark was
// part of the first key. UTF-16 is named.
func TestScenesInOddEncodings(t *testing.T) {
	text := timeOf + ball
	want := mustLoad(t, t.TempDir(), text)
	for _, same := range []string{"\ufeff" + text, strings.ReplaceAll(text, "\n", "\r"), "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")} {
		if got := mustLoad(t, t.TempDir(), same); got.Model.Rigid.NumV() != want.Model.Rigid.NumV() || len(got.Warnings) != len(want.Warnings) {
			t.Errorf("%q: %d velocities, warnings %q", same[:8], got.Model.Rigid.NumV(), got.Warnings)
		}
	}
	if !IsScene([]byte("\ufeff" + text)) {
		t.Error("a scene with a byte order mark is taken for none")
	}
	if _, err := load(t, t.TempDir(), wide(text)); err == nil || !strings.Contains(err.Error(), "iconv -f UTF-16") {
		t.Errorf("a scene in UTF-16: %v", err)
	}
}

// So it is with robots and tables of parts: package csv takes lines that end in a carriage return alone for one.
func TestRobotsAndTablesInOddEncodings(t *testing.T) {
	dir := folder(t, map[string]string{"r.urdf": wide(shapedRobot(""))})
	if _, err := load(t, dir, timeOf+"robots: {r: {file: r.urdf}}\n"); err == nil || !strings.Contains(err.Error(), "r.urdf:1: the text is in UTF-16") {
		t.Errorf("a robot in UTF-16: %v", err)
	}
	const rows = "kind,x,y,z\nball,1,2,3\nball,4,5,6\n"
	want, err := loadTable(t, tray, rows)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := loadTable(t, tray, strings.ReplaceAll(rows, "\n", "\r")); err != nil || got.Model.Rigid.NumV() != want.Model.Rigid.NumV() {
		t.Errorf("a table with lines that end in a carriage return: %v", err)
	}
	if _, err := loadTable(t, tray, wide(rows)); err == nil || !strings.Contains(err.Error(), "parts.csv: the text is in UTF-16") {
		t.Errorf("a table in UTF-16: %v", err)
	}
	if _, err := readRobotTable("u.csv", []byte(wide("a,b\n1,2\n"))); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("a table of a control in UTF-16: %v", err)
	}
	if table, err := readRobotTable("u.csv", []byte("a,b\r1,2\r3,4\r")); err != nil || len(table.Columns) != 2 || len(table.Rows) != 2 {
		t.Errorf("a table of a control whose lines end in a carriage return: %v", err)
	}
}
