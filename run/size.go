package run

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/scene"
)

// largeRecording is the size of a recording that is told beforehand, bytes.
const largeRecording = 1e9

// SizeWarning says how large the recording of a run will be; empty below 1 GB. Its
// vertices hardly shrink when they are packed; contacts, of which nobody knows, come on
// top.
func SizeWarning(sc *scene.Scene) string {
	t := sc.File.Time
	frames := math.Min(t.Duration*sc.File.Output.Rate, t.Duration/t.Step) + 1
	size := frames * float64(sc.Static.FrameSize())
	if size < largeRecording {
		return ""
	}
	return fmt.Sprintf("the recording will take some %.2g GB, %.0f frames of %.3g kB and their contacts: a lower output.rate than %g makes it smaller",
		size/1e9, frames, float64(sc.Static.FrameSize())/1e3, sc.File.Output.Rate)
}
