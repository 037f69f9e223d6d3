package live

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/curlfree/curlfree/record"
)

// inputLog writes the inputs of a session to a file while it continues, so that a session that is killed leaves them.
// The file is locked and stays the same one to the end: lines are appended, and what a jump back forgets is cut off, so
// that no other session can write between. The first error ends the writing and is returned at the end: a full disk
// does not stop a run.
type inputLog struct {
	path   string
	file   *os.File // nil: there is no log
	unlock func()
	// lines encodes into text, which is written to the file in one call.
	lines *record.InputsWriter
	text  bytes.Buffer
	// ends[n] is the size of the file with n inputs, bytes; it has one more element than the file has inputs.
	ends []int64
	// last is the time of the last write.
	last time.Time
	err  error
}

// logPeriod is the time between two writes.
const logPeriod = time.Second

// openLog takes a file for a session and empties it; an empty path is none. A file that another session writes is left
// as it is.
func openLog(path string, timeStep, minStep float64) (l *inputLog, err error) {
	l = &inputLog{path: path}
	if path == "" {
		return l, nil
	}
	// the lock comes before the first change of the file
	l.unlock, err = record.LockFile(path)
	if errors.Is(err, record.ErrBusy) {
		return nil, fmt.Errorf("%s: another session writes its inputs there: choose another file", path)
	}
	if err != nil {
		return nil, err
	}
	// a file that cannot be written is reported before the run, not after it
	if l.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_TRUNC, 0); err == nil {
		l.lines, err = record.NewInputsWriter(&l.text, timeStep, minStep)
		err = errors.Join(err, l.write())
		l.ends = []int64{int64(l.text.Len())}
		l.text.Reset()
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// write appends the text to the file.
func (l *inputLog) write() error {
	_, err := l.file.Write(l.text.Bytes())
	return err
}

// written is the number of inputs in the file.
func (l *inputLog) written() int { return len(l.ends) - 1 }

// add appends inputs, in one write of whole lines.
func (l *inputLog) add(list []record.Input) {
	from := l.ends[l.written()]
	l.text.Reset()
	for i := range list {
		if l.err = l.lines.Add(&list[i]); l.err != nil {
			return
		}
		l.ends = append(l.ends, from+int64(l.text.Len()))
	}
	// the operating system has it: a kill of this program loses nothing more
	l.err = l.write()
}

// rewind leaves the first n inputs only: the run went back to before the others.
func (l *inputLog) rewind(n int) {
	if l.file == nil || l.err != nil || n >= l.written() {
		return
	}
	l.err = l.file.Truncate(l.ends[n])
	l.ends = l.ends[:n+1]
}

// flush writes inputs before a step, to which no more can come.
func (l *inputLog) flush(now time.Time, list []record.Input, step int) {
	if l.file == nil || l.err != nil || now.Sub(l.last) < logPeriod {
		return
	}
	l.last = now
	n := len(list)
	// inputs of the coming step wait: more of them may come
	for n > 0 && list[n-1].Step >= step {
		n--
	}
	// nothing new, or the coming step's inputs alone
	if n > l.written() {
		l.add(list[l.written():n])
	}
}

// finish writes what is left of the session, and its end, and gives the file back.
func (l *inputLog) finish(in *record.Inputs) error {
	if l.file == nil {
		return nil
	}
	if l.err == nil {
		l.add(in.List[l.written():])
	}
	if l.err == nil && in.Steps > 0 {
		l.text.Reset()
		l.err = errors.Join(l.lines.End(in.Steps, in.Hash), l.write())
	}
	if l.err == nil {
		l.err = l.file.Sync()
	}
	return errors.Join(l.err, l.close())
}

// close gives the file back.
func (l *inputLog) close() (err error) {
	if l.file != nil {
		err = l.file.Close()
	}
	l.file = nil
	// after the file is closed: who gets the lock finds it complete
	l.unlock()
	return err
}
