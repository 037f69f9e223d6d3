//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// restart is for Linux, whose limits are known.
func restart(string, []string) {}

// asChild is for Linux, whose limits are known.
func asChild(*exec.Cmd, bool) {}

// endedBySignal is for Linux.
func endedBySignal(*os.ProcessState) int { return exitUsage }
