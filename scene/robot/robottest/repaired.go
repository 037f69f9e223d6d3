package robottest

import (
	"io"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
)

// Readers repair what real robot files have wrong, and say so: silence would hide a fault of the file from
// its author.

// Repaired checks that a text is read without an error and with a warning that it was repaired, at a
// line and with a part of its message, and returns the robot.
func Repaired(t *testing.T, parse func(io.Reader, string) (*robot.Robot, []robot.Warning, error), text, file string, line int, want string) *robot.Robot {
	t.Helper()
	r, warnings, err := parse(strings.NewReader(text), file)
	if err != nil {
		t.Fatal(err)
	}
	// others may stand beside it: a fault often has consequences
	for _, w := range warnings {
		if w.Repaired && w.Line == line && strings.Contains(w.Text, want) {
			return r
		}
	}
	t.Errorf("%s: warnings %v, want line %d and %q", text, warnings, line, want)
	return r
}
