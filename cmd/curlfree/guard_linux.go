package main

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// restart runs the program anew in this process; it returns where that fails.
func restart(self string, env []string) { _ = syscall.Exec(self, os.Args, env) }

// asChild ends the child with the parent; apart, in a group of its own, it gets only the signals that the parent passes on.
func asChild(cmd *exec.Cmd, apart bool) {
	runtime.LockOSThread() // the thread counts as the parent
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: apart, Pdeathsig: syscall.SIGKILL}
}

// endedBySignal returns the exit code that shells give a process that a signal ended.
func endedBySignal(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return exitUsage
}
