//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// restart is for Linux, whose limits are known.
func restart(string, []string) {}

// asChild is for Linux, whose limits are known.
func asChild(*exec.Cmd) {}

// stopWith is for Linux.
func stopWith(*os.Process) {}

// orders is for Linux.
func orders() <-chan os.Signal { return nil }

// endedBySignal is for Linux.
func endedBySignal(*os.ProcessState) int { return exitUsage }
