package record

import (
	"encoding/json"
	"path/filepath"

	"github.com/curlfree/curlfree/internal/inputfile"
)

// SignalUnits returns the units that the summary of a run folder states for its signals;
// nil for a run that has not ended.
func SignalUnits(dir string) map[string]string {
	var s Summary
	text, err := inputfile.Read(filepath.Join(dir, SummaryFile))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return nil
	}
	return s.SignalUnits
}
