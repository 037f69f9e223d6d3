package convex

// Numbers the solver relies on. Those with a field in Solver are its defaults.
const (
	unitRoundOff = 0x1p-53

	defaultRelTol   = 1e-5  // residual against the largest momentum; coarser loses stiction, finer costs iterations
	defaultAbsTol   = 1e-14 // √J: residual that counts as none
	defaultMaxIter  = 100   // ordinary steps need 1 to 10; continuation has its own allowance
	defaultAlphaMax = 1.0   // longest step in Newton directions

	refresh = 10 // iterations after which incremental products are computed afresh, against drift

	flatSlope  = 4.0 // slope in units of its round-off below which a line search cannot see anything
	progress   = 0.5 // residual over the least so far that full steps should reach
	floorSlack = 4.0 // where they do not, a residual below this many estimated round-off floors is there

	fullTol  = 1e-3 // slope over first slope, at which a line search takes the longest step
	slopeTol = 3e-2 // and at which others
	stepTol  = 1e-8 // change of α over its first guess that says that g jumps
	lineIter = 100

	shareFrom = 5000 // values in Hessians of small islands that are worth waking workers

	refineAbove = 1e10 // digits that elimination cancels, as a factor, above which a solution is refined once

	lambdaFirst = 1e-8 // regularisation after a failed direction, in units of max H_ii/A_ii
	lambdaLast  = 1e-2
	lambdaGrow  = 10.0

	manySteps   = 40   // after which continuation begins
	firstRatio  = 10.0 // cap on G it begins with, in units of 1/w
	ratioGrow   = 10.0
	coarseTol   = 1e-3 // relative tolerance of its stages
	stagesShare = 3    // of MaxIter that they may take besides
)
