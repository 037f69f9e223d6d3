package convex

// Numbers the solver relies on: what each is compared with, a normal value, and what a
// change would spoil. Those with a field in Solver are its defaults.
const (
	// unitRoundOff is the relative error of one rounding of a float64.
	unitRoundOff = 0x1p-53

	// defaultRelTol is the residual against the largest momentum of the step. Coarser
	// ones lose stiction, finer ones cost iterations.
	defaultRelTol = 1e-5
	// bodyShare is the tolerance of a body relative to its own momenta, over that of the
	// island. At 1 scenes of similar bodies take up to a seventh more iterations; at 100 a
	// light body may err by a thousandth of its momentum.
	bodyShare = 30.0
	// lightShare is the tolerance of a light velocity of a body, over that of the island: smaller ones cost
	// iterations where masses differ by less than 1e4.
	lightShare = 300.0
	// motionTol is the residual that counts as zero against the momenta at the start of the step: some of their
	// round-off.
	motionTol = 1e-14
	// leastMomentum is the residual, √J, whose square has lost digits to underflow.
	leastMomentum = 1e-145
	// defaultMaxIter bounds Newton steps; ordinary steps need 1 to 10.
	defaultMaxIter = 100
	// defaultAlphaMax is the longest step in Newton directions. More helps some laws and
	// harms others.
	defaultAlphaMax = 1.0

	// refreshEvery is the number of iterations after which incremental products are
	// computed afresh, against drift.
	refreshEvery = 10

	// flatSlope is the slope ℓ'(0), in units of its round-off, below which a line
	// search has no digits to work with.
	flatSlope = 4.0
	// progress is the residual over the least one so far that full steps should reach.
	progress = 0.5
	// floorSlack is the multiple of the estimated round-off floor at which a residual
	// that full steps do not lower is accepted.
	floorSlack = 4.0

	// fullTol is the slope over the first slope at which a line search takes the
	// longest step, slopeTol that at which it takes another. Finer ones save no Newton
	// iterations.
	fullTol  = 1e-3
	slopeTol = 3e-2
	// stepTol is the change of α over its first guess below which the bracket has closed
	// on a jump of the slope.
	stepTol = 1e-8
	// lineIter bounds evaluations; 100 bisections are more than a float64 has bits.
	lineIter = 100

	// shareFrom is the number of values in the Hessians of small islands for which
	// waking workers takes less than they save.
	shareFrom = 5000

	// refineAbove is the cancellation of an elimination, as a factor, above which a
	// solution is refined once: six digits are left.
	refineAbove = 1e10

	// lambdaFirst and lambdaLast are the least and largest regularization after a
	// failed direction, in units of max H_ii/A_ii; lambdaGrow is the factor between
	// tries.
	lambdaFirst = 1e-8
	lambdaLast  = 1e-2
	lambdaGrow  = 10.0

	// manySteps is the number of Newton steps after which continuation begins: without
	// need it costs iterations.
	manySteps = 40
	// firstRatio is the cap on G with which it begins, in units of 1/w, ratioGrow the
	// factor between stages.
	firstRatio = 10.0
	ratioGrow  = 10.0
	// ratioGrowFiner is that factor after a failure.
	ratioGrowFiner = 2.0
	// coarseTol is the relative tolerance of stages but the last.
	coarseTol = 1e-3
	// stagesShare is the number of Newton steps that stages may take besides MaxIter, in
	// units of it.
	stagesShare = 10
)
