package convex

// Numbers the solver relies on. Those with a field in Solver are its defaults.
const (
	defaultRelTol   = 1e-5  // residual against the largest momentum; coarser loses stiction, finer costs iterations
	defaultAbsTol   = 1e-14 // √J: residual that counts as none
	defaultMaxIter  = 100   // ordinary steps need 1 to 10
	defaultAlphaMax = 1.0   // longest step in Newton directions

	refresh = 10 // iterations after which incremental products are computed afresh, against drift

	flatSlope     = 1e-15 // slope over cost below which a line search cannot see anything
	stallRelative = 1e-15 // change over cost that is round-off
	stallAbsolute = 1e-30 // J
	stallSlack    = 1e3   // a stall counts as converged within this many tolerances
	floorSlack    = 4.0   // or within this many estimated round-off floors

	lineTol  = 1e-8 // of the line search: slope over first slope, and step over guess
	lineIter = 100

	refineAbove = 1e10 // digits that elimination cancels, as a factor, above which a solution is refined once

	lambdaFirst = 1e-8 // regularisation after a failed direction, in units of max H_ii/A_ii
	lambdaLast  = 1e-2
	lambdaGrow  = 10.0

	delassusFloor = 1e-12 // of the largest entry of a constraint's Delassus diagonal
)
