// Package optimal solves optimal control problems (trajectory optimization): it finds the
// controls of a system in discrete time that minimize a cost, by the iterative
// linear-quadratic regulator (iLQR), that is differential dynamic programming (DDP) with
// first derivatives of the dynamics, with box constraints on the controls:
//
//	min_u Σ_{k<N} l_k(x_k, u_k) + l_N(x_N),   x_{k+1} = f_k(x_k, u_k),   lo ≤ u_k ≤ hi        (1)
//
// Around a trajectory, f is linearized and l taken to second order. With the value function V of
// the steps that follow, from the last to the first,
//
//	Q_x = l_x + f_xᵀ V_x          Q_xx = l_xx + f_xᵀ V_xx f_x
//	Q_u = l_u + f_uᵀ V_x          Q_uu = l_uu + f_uᵀ V_xx f_u + μ 1,  Q_ux = l_ux + f_uᵀ V_xx f_x  (2)
//	k = argmin ½ kᵀ Q_uu k + Q_uᵀ k  for lo ≤ u + k ≤ hi,   K = −Q_uu⁻¹ Q_ux on controls inside        (3)
//	V_x = Q_x + Kᵀ Q_uu k + Kᵀ Q_u + Q_uxᵀ k,  V_xx = Q_xx + Kᵀ Q_uu K + Kᵀ Q_ux + Q_uxᵀ K            (4)
//
// and the next trajectory is u + α k + K (x' − x), with the largest α of 1, ½, ¼ … whose cost
// falls by a share of what (2) expects. Where none does, the regularization μ is raised; it falls again after success.
//
// The package does not depend on mechanics: a system is a Dynamics. Its state is a vector of
// numbers, and differences of states are tangent vectors of a size of their own, since a state
// may have quaternions.
//
// Sources: Li, Todorov, Iterative linear quadratic regulator design, 2004; Tassa, Mansard, Todorov,
// Control-limited differential dynamic programming, 2014 (bounds, regularization).
package optimal
