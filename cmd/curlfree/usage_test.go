package main

import (
	"strings"
	"testing"
)

// Arguments that are wrong are answered by the use of that command.
func TestWrongArgumentsAreAnsweredByTheUseOfTheCommand(t *testing.T) {
	for args, want := range map[string]string{
		"run":     "Usage: curlfree run SCENE [flags]\nTry 'curlfree run --help'.",
		"map .":   "Usage: curlfree map RUN BODY",
		"run --x": "Usage: curlfree run SCENE",
		"nix":     "Try 'curlfree --help'.",
	} {
		code, _, said := command(t, strings.Fields(args)...)
		if code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: %d %s", args, code, said)
		}
	}
}

func TestJSONScenesAreNamedAsSuch(t *testing.T) {
	code, out, _ := command(t, "check", "scene.json")
	if code != exitInput || !strings.Contains(out, ".yaml") {
		t.Errorf("%d %s", code, out)
	}
}
