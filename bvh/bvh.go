// Package bvh is a bounding-volume hierarchy of axis-aligned boxes over items
// that are numbered 0..n−1: triangles, tets, bodies.
package bvh
