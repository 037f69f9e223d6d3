package run

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/scene"
)

// largeRecording is the size of a recording above which SizeWarning warns, bytes.
const largeRecording = 1e9

// SizeWarning returns a warning with the estimated size of the recording of a run;
// empty below 1 GB.
//
// The estimate is the number of frames times the uncompressed size of the poses and
// vertices in a frame. Compression hardly reduces vertices; contacts, whose number is
// not known before the run, are not included.
func SizeWarning(sc *scene.Scene) string {
	t := sc.File.Time
	frames := math.Min(t.Duration*sc.File.Output.Rate, t.Duration/t.Step) + 1
	size := frames * float64(sc.Static.FrameSize())
	if size < largeRecording {
		return ""
	}
	return fmt.Sprintf("the recording will take about %.2g GB (%.0f frames of %.3g kB, without contacts): reduce output.rate, which is %g, to make it smaller",
		size/1e9, frames, float64(sc.Static.FrameSize())/1e3, sc.File.Output.Rate)
}
