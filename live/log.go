package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/curlfree/curlfree/record"
)

// inputLog writes the inputs of a session to a file while it goes on, so that a session that is killed leaves them. The
// first error ends the writing and is returned at the end: a full disk does not stop a run.
type inputLog struct {
	path string
	// timeStep is h of the session, s; the head of the file has it.
	timeStep float64
	file     *os.File
	written  int // inputs in the file
	// last is the time of the last write.
	last time.Time
	err  error
}

// logPeriod is the time between two writes.
const logPeriod = time.Second

// openLog replaces a file; an empty path is none.
func openLog(path string, timeStep float64) (*inputLog, error) {
	l := &inputLog{path: path, timeStep: timeStep}
	if path == "" {
		return l, nil
	}
	// a file that cannot be written is told before the run, not after it
	l.rewrite(nil)
	return l, l.err
}

// rewrite replaces the file by inputs, without an end, and keeps it open for more.
func (l *inputLog) rewrite(list []record.Input) {
	if l.path == "" || l.err != nil {
		return
	}
	// a file that is open would be written behind its new content
	if l.file != nil {
		l.err = l.file.Close()
		l.file = nil
	}
	in := record.Inputs{TimeStep: l.timeStep, List: list}
	// Write replaces the file; from now on lines are appended
	l.err = errors.Join(l.err, in.Write(l.path))
	// the operating system has it: a kill of this program loses nothing more
	if l.err == nil {
		l.file, l.err = os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0o666)
	}
	// what follows is appended
	l.written = len(list)
}

// rewind notes that only the first n inputs are left.
func (l *inputLog) rewind(n int) {
	if l.written > n {
		l.written = -1 // the file has inputs that never were
	}
}

// flush writes inputs before a step, to which no more can come.
func (l *inputLog) flush(now time.Time, list []record.Input, step int) {
	if l.path == "" || l.err != nil || now.Sub(l.last) < logPeriod {
		return
	}
	l.last = now
	n := len(list)
	// inputs of the coming step wait: more of them may come
	for n > 0 && list[n-1].Step >= step {
		n--
	}
	// the run went back: lines of the old future leave the file
	if l.written < 0 {
		l.rewrite(list[:n])
		return
	}
	// nothing new, or the coming step's inputs alone
	if n <= l.written {
		return
	}
	// one write of whole lines
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i := l.written; i < n; i++ {
		l.err = errors.Join(l.err, e.Encode(&list[i]))
	}
	if l.err == nil {
		_, l.err = l.file.Write(b.Bytes())
	}
	l.written = n
}

// finish writes the whole session with its end.
func (l *inputLog) finish(in *record.Inputs) error {
	if l.path == "" {
		return nil
	}
	if l.file != nil {
		l.err = errors.Join(l.err, l.file.Close())
	}
	// the file with the end replaces the one without
	return errors.Join(l.err, in.Write(l.path))
}
