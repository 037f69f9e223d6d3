// factor times the sparse Cholesky factorizations of SuiteSparse (CHOLMOD, supernodal) and of
// Eigen (SimplicialLLT) on matrices in Matrix Market format, one line of JSON each:
//
//	factor REPEAT FILE.mtx ...
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <suitesparse/cholmod.h>
#include <vector>

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

// quickest runs f a number of times and returns the least time by the clock, ms, and of
// processors in cpu.
static double quickest(int repeat, const std::function<void()> &f, double *cpu = nullptr) {
	double best = 1e300, least = 1e300;
	for (int i = 0; i < repeat; i++) {
		const auto begin = std::chrono::steady_clock::now();
		const std::clock_t used = std::clock();
		f();
		const std::chrono::duration<double, std::milli> t = std::chrono::steady_clock::now() - begin;
		best = std::min(best, t.count());
		least = std::min(least, 1e3 * double(std::clock() - used) / CLOCKS_PER_SEC);
	}
	if (cpu)
		*cpu = least;
	return best;
}

// residual is the largest of |b − A x| over the largest of |b| + |A| |x|.
static double residual(const Matrix &lower, const Vector &x) {
	const Vector b = Vector::Ones(x.size());
	const Vector r = b - lower.selfadjointView<Eigen::Lower>() * x;
	const Matrix size = lower.cwiseAbs();
	const Vector s = b + size.selfadjointView<Eigen::Lower>() * x.cwiseAbs();
	return r.cwiseAbs().maxCoeff() / s.maxCoeff();
}

static void print(const char *solver, const char *order, const std::string &file, double n, double analyze, double factor,
		  double cpu, double solve, double mflop, double res) {
	std::printf("{\"solver\":\"%s\",\"ordering\":\"%s\",\"matrix\":\"%s\",\"size\":%.0f,\"analyze_ms\":%.4g,\"factor_ms\":%.4g,\"factor_cpu_ms\":%.4g,"
		    "\"solve_ms\":%.4g,\"mflop\":%.5g,\"residual\":%.2g}\n",
		    solver, order, file.c_str(), n, analyze, factor, cpu, solve, mflop, res);
	std::fflush(stdout);
}

// withCholmod tries both orderings.
static void withCholmod(const std::string &file, cholmod_sparse *A, const Matrix &lower, int repeat, cholmod_common *c) {
	const struct {
		const char *name;
		int method;
	} orders[] = {{"AMD", CHOLMOD_AMD}, {"METIS", CHOLMOD_METIS}};
	for (const auto &order : orders) {
		c->nmethods = 1;
		c->method[0].ordering = order.method;
		c->postorder = 1;
		c->supernodal = CHOLMOD_SUPERNODAL;
		c->final_ll = 1;
		cholmod_factor *L = nullptr;
		const double analyze = quickest(std::min(repeat, 5), [&] {
			cholmod_free_factor(&L, c);
			L = cholmod_analyze(A, c);
		});
		if (L == nullptr || c->status < 0)
			return;
		double cpu;
		const double factor = quickest(repeat, [&] { cholmod_factorize(A, L, c); }, &cpu);
		if (c->status != CHOLMOD_OK) {
			std::fprintf(stderr, "%s: CHOLMOD failed with status %d\n", file.c_str(), c->status);
			return;
		}
		cholmod_dense *b = cholmod_ones(A->nrow, 1, CHOLMOD_REAL, c);
		cholmod_dense *x = nullptr, *y = nullptr, *e = nullptr;
		const double solve = quickest(repeat, [&] { cholmod_solve2(CHOLMOD_A, L, b, nullptr, &x, nullptr, &y, &e, c); });
		const Vector solution = Eigen::Map<const Vector>(static_cast<const double *>(x->x), x->nrow);
		print("CHOLMOD", order.name, file, double(A->nrow), analyze, factor, cpu, solve, c->fl / 1e6, residual(lower, solution));
		cholmod_free_dense(&b, c);
		cholmod_free_dense(&x, c);
		cholmod_free_dense(&y, c);
		cholmod_free_dense(&e, c);
		cholmod_free_factor(&L, c);
	}
}

static void withEigen(const std::string &file, const Matrix &lower, int repeat) {
	Eigen::SimplicialLLT<Matrix, Eigen::Lower> llt;
	const double analyze = quickest(std::min(repeat, 5), [&] { llt.analyzePattern(lower); });
	double cpu;
	double factor = quickest(1, [&] { llt.factorize(lower); }, &cpu);
	if (factor < 1000) // those of seconds are not repeated
		factor = quickest(repeat, [&] { llt.factorize(lower); }, &cpu);
	if (llt.info() != Eigen::Success) {
		std::fprintf(stderr, "%s: Eigen failed\n", file.c_str());
		return;
	}
	const Vector b = Vector::Ones(lower.rows());
	Vector x;
	const double solve = quickest(repeat, [&] { x = llt.solve(b); });
	print("Eigen", "AMD", file, double(lower.rows()), analyze, factor, cpu, solve, 0, residual(lower, x));
}

int main(int argc, char **argv) {
	const int repeat = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
	cholmod_common c;
	cholmod_start(&c);
	int failed = 0;
	for (int i = 2; i < argc; i++) {
		FILE *f = std::fopen(argv[i], "r");
		cholmod_sparse *read = f ? cholmod_read_sparse(f, &c) : nullptr;
		if (f)
			std::fclose(f);
		if (read == nullptr || read->stype == 0) {
			std::fprintf(stderr, "%s cannot be read, or is not symmetric\n", argv[i]);
			failed = 1;
			continue;
		}
		cholmod_sparse *A = cholmod_copy(read, -1, 1, &c); // the lower triangle
		cholmod_free_sparse(&read, &c);
		std::string name = argv[i];
		name = name.substr(name.find_last_of('/') + 1);
		name = name.substr(0, name.find_last_of('.'));
		const int *p = static_cast<const int *>(A->p), *row = static_cast<const int *>(A->i);
		const Matrix lower = Eigen::Map<const Matrix>(A->nrow, A->ncol, p[A->ncol], p, row, static_cast<const double *>(A->x));
		withCholmod(name, A, lower, repeat, &c);
		withEigen(name, lower, repeat);
		cholmod_free_sparse(&A, &c);
	}
	cholmod_finish(&c);
	return failed;
}
