// Package reference writes the help of kinds of scenes and the JSON Schema for editors. Its tests write and compare
// docs/reference.md, the manual of all keys and kinds.
//
// Everything here follows from the tags of package scene's structures and from the
// registries of kinds (see package kinds). No part is edited by hand.
package reference
