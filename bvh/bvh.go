// Package bvh is a bounding-volume hierarchy of axis-aligned boxes over items
// that are numbered 0..n−1: triangles, tets, bodies. The tree is built once by
// median splits and refitted when the items move; queries allocate nothing and
// may run concurrently between refits.
package bvh

import (
	"slices"

	"curlfree/r3"
)

// leafSize is the largest number of items in a leaf: a handful of item tests
// costs about as much as one more level of boxes.
const leafSize = 4

// maxDepth bounds the traversal stacks. Median splits halve the items, so that
// a tree of 2³¹ items is 30 levels deep.
const maxDepth = 32

// Node is one node of a Tree.
type Node struct {
	Box    r3.Box
	Right  int32 // right child; the left one is the next node; 0 in a leaf
	Lo, Hi int32 // its items are Order()[Lo:Hi], also in inner nodes
}

// Leaf reports whether the node has no children.
func (n *Node) Leaf() bool { return n.Right == 0 }

// Tree is a binary tree of boxes in preorder: a node's left child follows it.
type Tree struct {
	nodes []Node
	order []int32  // items in the order of the leaves
	boxes []r3.Box // of the items, in that order
}

// Build returns the tree over the items' boxes, deterministically: the longest
// axis of the centres' bounds is split at the median, ties by item number.
func Build(boxes []r3.Box) *Tree {
	t := &Tree{order: make([]int32, len(boxes)), boxes: make([]r3.Box, len(boxes))}
	centers := make([]r3.Vec, len(boxes))
	for i, b := range boxes {
		t.order[i], centers[i] = int32(i), b.Center()
	}
	if len(boxes) > 0 {
		t.nodes = make([]Node, 0, len(boxes))
		t.split(centers, 0, len(boxes))
	}
	t.Refit(boxes)
	return t
}

// split appends the subtree over order[lo:hi].
func (t *Tree) split(centers []r3.Vec, lo, hi int) {
	at := len(t.nodes)
	t.nodes = append(t.nodes, Node{Lo: int32(lo), Hi: int32(hi)})
	if hi-lo <= leafSize {
		return
	}
	b := r3.EmptyBox()
	for _, i := range t.order[lo:hi] {
		b = b.Extend(centers[i])
	}
	size, axis := b.Size(), 0
	for k := 1; k < 3; k++ {
		if size[k] > size[axis] {
			axis = k
		}
	}
	slices.SortFunc(t.order[lo:hi], func(i, j int32) int {
		switch x, y := centers[i][axis], centers[j][axis]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(i - j)
	})
	mid := (lo + hi) / 2
	t.split(centers, lo, mid)
	t.nodes[at].Right = int32(len(t.nodes))
	t.split(centers, mid, hi)
}

// Refit moves the items to new boxes; the topology stays. It panics when the
// number of items differs from Build's.
func (t *Tree) Refit(boxes []r3.Box) {
	if len(boxes) != len(t.order) {
		panic("bvh: Refit with another number of items than Build")
	}
	for k, i := range t.order {
		t.boxes[k] = boxes[i]
	}
	for k := len(t.nodes) - 1; k >= 0; k-- { // children follow their parents
		n := &t.nodes[k]
		if !n.Leaf() {
			n.Box = t.nodes[k+1].Box.Union(t.nodes[n.Right].Box)
			continue
		}
		n.Box = r3.EmptyBox()
		for _, b := range t.boxes[n.Lo:n.Hi] {
			n.Box = n.Box.Union(b)
		}
	}
}

// Len returns the number of items.
func (t *Tree) Len() int { return len(t.order) }

// Bounds returns the box of all items.
func (t *Tree) Bounds() r3.Box {
	if len(t.nodes) == 0 {
		return r3.EmptyBox()
	}
	return t.nodes[0].Box
}

// Nodes returns the nodes in preorder, the root first; none for an empty tree.
// It is for hierarchical sums over the items; do not change it.
func (t *Tree) Nodes() []Node { return t.nodes }

// Order returns the items in the order of the leaves; do not change it.
func (t *Tree) Order() []int32 { return t.order }
