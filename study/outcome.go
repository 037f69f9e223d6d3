package study

// Digests of the results of a case. The table and the charts of a study are made of files
// that a user may have deleted, edited or copied in part; a case whose files are not those
// that its run left has no result.

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/curlfree/curlfree/record"
)

// digests returns the digests of the results in a run folder: SHA-256, and for the
// recording, which may be large and has checksums of its own, the length.
func digests(dir string) (map[string]string, error) {
	d := map[string]string{}
	for _, name := range []string{record.SummaryFile, record.SignalsFile, record.StepsFile, record.RecordingFile} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		// reading gigabytes for each table would take longer than the table
		if name == record.RecordingFile {
			d[name] = strconv.FormatInt(info.Size(), 10)
			continue
		}
		if d[name], err = digestOfFile(path, nil); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// intact reports whether the results in a run folder are those of the outcome. An outcome
// without digests, of an earlier version, says nothing about them.
func (o *outcome) intact(dir string) bool {
	if o.Files == nil {
		return true
	}
	// a file that cannot be read counts as one that is missing
	now, err := digests(dir)
	if err != nil {
		return false
	}
	for name, d := range o.Files {
		if now[name] != d {
			return false
		}
	}
	return true
}
