// Package hydroelastic computes contact surfaces (contact patches) of bodies with
// pressure fields: hydroelastic contact, the pressure field model of Drake (Elandt,
// Drumwright, Sherman and Ruina 2019, "A pressure field model for fast, robust
// approximation of net contact force and moment between nominally rigid objects";
// Masterjohn, Guoy, Shepherd and Castro 2022, "Velocity level approximation of pressure
// field contact patches").
//
// A compliant body carries a pressure p(x), linear on each cell of its mesh: zero on the
// surface, the hydroelastic modulus E on an inner core, and negative in a layer outside
// of the surface whose width is the margin. A rigid body carries a triangle surface. Two
// bodies that overlap touch on the contact surface
//
//	{x : p_A(x) = p_B(x)}, of a rigid side its surface                    (1)
//
// which is cut into convex planar faces, one for each pair of cells. A face of area S at
// its centroid x_C, with unit normal n̂ from A to B, carries
//
//	p = p(x_C), force at rest p S n̂ on B, −p S n̂ on A                     (2)
//	g_A = −∇p_A·n̂, g_B = ∇p_B·n̂, 1/g = 1/g_A + 1/g_B                     (3)
//	φ = −p/g, stiffness k = S g                                           (4)
//
// so that a contact law with k and φ at x_C reproduces the force and its change with the
// distance. As p is linear on a face, (2) is exact. The force is minus the gradient of ∫
// min(p_A, p_B) dV over the overlap.
//
// Units are SI: pressures in Pa, gradients in Pa/m, lengths in m. Fields are built once
// and are immutable; a Query has the working memory for finding contact surfaces, and a
// ContactSurface receives one.
//
//	symbol   meaning                              in code
//	E        hydroelastic modulus, Pa             Options.HydroelasticModulus
//	p        pressure, Pa                         Face.Pressure
//	g        pressure gradient along n̂, Pa/m      Face.PressureGradient
//	φ        gap, m; negative in contact          Face.Phi
//	S        area, m²                             Face.Area
package hydroelastic
