//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// limited is a run of ten million steps under a limit of memory, by a shell that it replaces.
type limited struct {
	*exec.Cmd
	dir   string
	said  *safeBuffer
	ended chan struct{}
}

// safeBuffer is a buffer for several goroutines.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String returns what was written.
func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// limits are those of address space and of data.
var limits = []string{"ulimit -v 3000000", "ulimit -d 2000000"}

// runUnder returns the line of a shell that runs the scene in a folder under a limit.
func runUnder(t *testing.T, limit, dir string) string {
	t.Helper()
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cart.yaml"), []byte(longCart), 0o666); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s; %s run %s/cart.yaml -o %s/out --no-picture", limit, bin, dir, dir)
}

// start starts a line of a shell, in a group of its own or, with a terminal, in a session of its own.
func start(t *testing.T, said *safeBuffer, dir, line string, terminal *os.File) *limited {
	t.Helper()
	l := &limited{Cmd: exec.Command("sh", "-c", line), dir: dir, said: said, ended: make(chan struct{})}
	l.Stdout, l.Stderr = said, said
	l.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if terminal != nil {
		l.Stdin, l.Stdout, l.Stderr = terminal, terminal, terminal
		l.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	}
	if err := l.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = l.Wait() // its exit code says it
		close(l.ended)
	}()
	t.Cleanup(func() {
		_ = l.Process.Kill()
		<-l.ended
	})
	l.await(t, "steps", func() bool {
		_, err := os.Stat(filepath.Join(dir, "out", "recording.curl.partial"))
		return err == nil
	})
	return l
}

// await waits until something is true.
func (l *limited) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for begin := time.Now(); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("%s: never\n%s", what, l.said)
		}
	}
}

// programs returns the states of the program and its children that work in the folder, as the kernel calls them: T is
// stopped.
func (l *limited) programs(t *testing.T) (states string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		line, _ := os.ReadFile(file) // processes end
		args := strings.Split(string(line), "\x00")
		if len(args) < 3 || args[1] != "run" || !strings.HasPrefix(args[2], l.dir) {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
		if _, rest, ok := strings.Cut(string(stat), ") "); ok {
			states += rest[:1]
		}
	}
	return states
}

// signal sends a signal to the process, or to its group.
func (l *limited) signal(t *testing.T, s syscall.Signal, group bool) {
	t.Helper()
	to := l.Process.Pid
	if group {
		to = -to
	}
	if err := syscall.Kill(to, s); err != nil {
		t.Fatal(err)
	}
}

// saved reports whether the run has saved its work, and nothing is left of it.
func (l *limited) saved(t *testing.T, what string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(l.dir, "out", "checkpoint.json")); err != nil {
		t.Errorf("%s: %v\n%s", what, err, l.said)
	}
	l.await(t, what+": a word how to continue", func() bool { return strings.Contains(l.said.String(), "--resume") })
	l.await(t, what+": no process is left", func() bool { return l.programs(t) == "" })
}

// Under a limit of memory, where the program runs as a child of itself, Ctrl-C, SIGTERM and SIGHUP end a run with its
// work saved, as without: whether they are sent to the process or to its group, with a terminal or without.
func TestSignalsUnderALimitEndARun(t *testing.T) {
	for i, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for k := range 4 {
			group, onTerminal := k%2 == 1, k >= 2
			what := fmt.Sprintf("%v, to its group %v, on a terminal %v", s, group, onTerminal)
			var program *os.File
			dir, said := t.TempDir(), &safeBuffer{}
			if onTerminal {
				var person *os.File
				person, program = openTerminal(t)
				defer person.Close()
				defer program.Close()
				go func() { _, _ = io.Copy(said, person) }() // ends with the terminal
			}
			l := start(t, said, dir, strings.Replace(runUnder(t, limits[(i+k)%2], dir), "; ", "; exec ", 1), program)
			l.signal(t, s, group)
			select {
			case <-l.ended:
			case <-time.After(time.Minute):
				t.Fatalf("%s: it goes on\n%s", what, l.said)
			}
			if code := l.ProcessState.ExitCode(); code != 128+int(s) {
				t.Errorf("%s: exit code %d\n%s", what, code, l.said)
			}
			l.saved(t, what)
		}
	}
}

// Both processes stop on SIGTSTP and continue with SIGCONT, sent to the process or to its group.
func TestRunsUnderALimitStopAndContinue(t *testing.T) {
	for i, group := range []bool{false, true} {
		what := fmt.Sprintf("to its group %v", group)
		dir := t.TempDir()
		l := start(t, &safeBuffer{}, dir, strings.Replace(runUnder(t, limits[i], dir), "; ", "; exec ", 1), nil)
		for range 3 {
			l.signal(t, syscall.SIGTSTP, group)
			l.await(t, what+": both stop", func() bool { return l.programs(t) == "TT" })
			l.signal(t, syscall.SIGCONT, group)
			l.await(t, what+": both continue", func() bool { return !strings.Contains(l.programs(t), "T") })
		}
		l.signal(t, syscall.SIGINT, group)
		<-l.ended
		if code := l.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%s: exit code %d\n%s", what, code, l.said)
		}
		l.saved(t, what)
	}
}

// openTerminal opens a terminal, with the end that a person has; what is written to that end are keys.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	conn, err := person.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err2 := conn.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}); err2 != nil || err != nil {
		t.Skip("no terminals here:", err, err2)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	return person, program
}

// On a terminal, in a shell with job control, Ctrl-Z stops a run under a limit and gives the shell back, fg has it
// continue, and Ctrl-C ends it with its work saved; so does the end of the terminal.
func TestRunsUnderALimitObeyTheTerminal(t *testing.T) {
	for _, hangUp := range []bool{false, true} {
		person, program := openTerminal(t)
		dir := t.TempDir()
		line := runUnder(t, limits[0], dir)
		said := &safeBuffer{}
		go func() { _, _ = io.Copy(said, person) }() // ends with the terminal
		l := start(t, said, dir, "set -m; "+line+"; printf '\\nSTOPPED %d\\n' $?; read line; fg; printf '\\nENDED %d\\n' $?", program)
		key := func(k string) {
			t.Helper()
			if _, err := person.WriteString(k); err != nil {
				t.Fatal(err)
			}
		}
		key("\x1a")
		l.await(t, "the shell is back", func() bool { return strings.Contains(l.said.String(), "STOPPED 147") })
		l.await(t, "both stop", func() bool { return l.programs(t) == "TT" })
		key("\n")
		l.await(t, "both continue", func() bool { states := l.programs(t); return len(states) == 2 && !strings.Contains(states, "T") })
		if hangUp {
			_ = program.Close()
			_ = person.Close()
		} else {
			key("\x03")
			l.await(t, "it ends", func() bool { return strings.Contains(l.said.String(), "ENDED 130") })
		}
		l.await(t, "no process is left", func() bool { return l.programs(t) == "" })
		if _, err := os.Stat(filepath.Join(dir, "out", "checkpoint.json")); err != nil {
			t.Errorf("hang-up %v: %v\n%s", hangUp, err, l.said)
		}
		if !hangUp {
			_ = program.Close()
			_ = person.Close()
		}
	}
}
