// Package reference writes the reference of scenes: the manual of all keys and
// kinds, the help of single kinds, and the JSON Schema for editors.
//
// Everything here follows from the tags of package scene's structures and from the
// registries of kinds (see package kinds). No part is edited by hand.
package reference
