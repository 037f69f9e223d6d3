//go:build !amd64 || purego

package fem

// haveKernels is whether there are kernels.
const haveKernels = false

func elements(*elementLanes, *restLanes, *[9]float64) int                 { panic("fem: no kernels") }
func (f *freeMotion) assemble(A []float64, lo, hi int32, law *[3]float64) { panic("fem: no kernels") }
func (f *freeMotion) collect(dst *[columnChunk]padded, j, n int)          { panic("fem: no kernels") }
