//go:build !amd64 || purego

package fem

// haveKernels is whether there are kernels.
const haveKernels = false

func elements(*elementLanes, *restLanes, *kernelLaw) int { panic("fem: no kernels") }
func laneEnergies(*[8]float64, *[9][8]float64, *[9][8]float64, *restLanes, *kernelLaw) {
	panic("fem: no kernels")
}
func adjointFrames(*adjointLanes, *restLanes, *kernelLaw) int             { panic("fem: no kernels") }
func adjointBars(*adjointLanes, *restLanes, *kernelLaw) int               { panic("fem: no kernels") }
func cellFrames(*cellLanes, *restCellLanes, *kernelLaw) int               { panic("fem: no kernels") }
func cellForces(*cellLanes, *restCellLanes)                               { panic("fem: no kernels") }
func cellModels(*cellLanes, *restCellLanes, *kernelLaw)                   { panic("fem: no kernels") }
func (f *freeMotion) assemble(A []float64, lo, hi int32, law *[3]float64) { panic("fem: no kernels") }
func (f *freeMotion) assembleSet(A []float64, lo, hi int32, law *[2]float64) {
	panic("fem: no kernels")
}
func (f *freeMotion) collect(dst *[columnChunk]padded, j, n int) { panic("fem: no kernels") }
