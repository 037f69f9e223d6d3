package main

import (
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// restart runs the program again in this process; it returns where that fails.
func restart(self string, env []string) { _ = syscall.Exec(self, os.Args, env) }

// asChild ends the child with the parent.
func asChild(cmd *exec.Cmd) {
	runtime.LockOSThread() // the thread counts as the parent
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// stopWith has the child stop and continue where this process is asked to, and this process stop where the child has: a
// group that no shell has in hand is not stopped by Ctrl-Z, nor are processes that ignore it. It is called when the
// child runs: a child begins with signals ignored that are ignored here, but not with those that are waited for.
func stopWith(child *os.Process) {
	came := make(chan os.Signal, 4)
	signal.Notify(came, syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGCHLD)
	go func() {
		for s := range came {
			if s != syscall.SIGCHLD {
				_ = child.Signal(s) // one that has ended needs none
				continue
			}
			var is unix.Siginfo
			if unix.Waitid(unix.P_PID, child.Pid, &is, unix.WSTOPPED|unix.WNOHANG, nil) == nil && is.Signo == int32(unix.SIGCHLD) {
				_ = unix.Kill(os.Getpid(), unix.SIGSTOP)
			}
		}
	}()
}

// orders returns the signals that the parent passes on to this child; nil: there is no parent.
func orders() <-chan os.Signal {
	var is unix.Stat_t
	if os.Getenv(guardedKey) != "child" || unix.Fstat(orderFile, &is) != nil || is.Mode&unix.S_IFMT != unix.S_IFIFO {
		return nil
	}
	unix.CloseOnExec(orderFile)
	_ = unix.SetNonblock(orderFile, true) // a reader that waits takes no thread
	came := make(chan os.Signal, 4)
	go func() {
		from := os.NewFile(orderFile, "signals")
		for b := make([]byte, 1); ; {
			if n, err := from.Read(b); n == 0 || err != nil {
				return
			}
			came <- syscall.Signal(b[0])
		}
	}()
	return came
}

// endedBySignal returns the exit code that shells give a process that a signal ended.
func endedBySignal(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return exitUsage
}
