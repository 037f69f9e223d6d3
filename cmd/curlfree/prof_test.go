package main

import (
	"os"
	"testing"
)

func TestProfCheck(t *testing.T) {
	os.Chdir("/tmp/daily/so101")
	for range 3 {
		if c, o, e := command(t, "check", "s.yaml"); c != 0 {
			t.Log(c, o, e)
		}
	}
}
