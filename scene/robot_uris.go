package scene

// Names of files in robot files: plain paths and file:// are relative to the folder of the robot
// file; package:// and model:// name a ROS package or a model of Gazebo, which is where the scene
// says, or in a folder above the robot file.

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

// robotURIs finds the files that a robot file names.
type robotURIs struct {
	*loader
	spec *Robot
	// file is the robot file, dir its folder.
	file, dir string
}

// open reads a file that a robot file names and that decides its mechanics, such as one that it
// includes: it counts for the fingerprint.
func (u *robotURIs) open(name string) ([]byte, error) {
	path, err := u.path(name)
	if err != nil {
		return nil, err
	}
	text, err := readInput(path)
	// names that are only tried are no inputs
	if err == nil {
		u.digestFile(path, text)
	}
	return text, err
}

var _ robot.Open = (*robotURIs)(nil).open

// path returns where a file is. A name of a package must lie in that package: robot files come from
// others, and a package is the folder that their names are given.
func (u *robotURIs) path(name string) (string, error) {
	// ROS and Gazebo name files by package, others by path
	rest, ok := strings.CutPrefix(name, "package://")
	if !ok {
		rest, ok = strings.CutPrefix(name, "model://")
	}
	if ok {
		// three slashes mean two; a name without any is that of a file beside the robot file
		pkg, inside, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
		if inside == "" && filepath.IsLocal(pkg) && exists(filepath.Join(u.dir, pkg)) {
			return filepath.Join(u.dir, pkg), nil
		}
		if !filepath.IsLocal(filepath.FromSlash(inside)) || pkg == "" || pkg == "." || pkg == ".." {
			return "", fmt.Errorf("%s leaves its package: write the path of the file relative to the robot file", name)
		}
		// the scene decides where a package lies
		if dir := u.spec.Packages.Get(pkg); dir != nil {
			return filepath.Join(u.rel(*dir), filepath.FromSlash(inside)), nil
		}
		path := findPackage(u.dir, pkg, inside)
		// a package whose folder has another name, as checkouts of repositories have
		// a model that is missing is not the one that includes it, though every model.sdf has that name
		if at := folderAbove(u.dir, inside); at != "" && !exists(path) && !u.itself(filepath.Join(at, filepath.FromSlash(inside))) {
			u.warn("%s: no folder above it is called %s: %s is taken for this package; name it under packages", u.file, pkg, at)
			return filepath.Join(at, filepath.FromSlash(inside)), nil
		}
		return path, nil
	}
	if scheme, _, ok := strings.Cut(name, "://"); ok && (scheme == "http" || scheme == "https") {
		return "", fmt.Errorf("nothing is read over the network: save the file, or the folder of the model, and name it by its path or by model://")
	}
	path := filepath.FromSlash(strings.TrimPrefix(name, "file://"))
	if !filepath.IsAbs(path) {
		return filepath.Join(u.dir, path), nil
	}
	// an absolute path of another machine, or one that means the folder of the robot
	if inside := strings.TrimLeft(filepath.ToSlash(path), "/"); !exists(path) {
		if at := folderAbove(u.dir, inside); at != "" {
			u.warn("%s: there is no file %s: the one in %s is used", u.file, path, at)
			return filepath.Join(at, filepath.FromSlash(inside)), nil
		}
	}
	return path, nil
}

// itself reports whether a path is that of the robot file.
func (u *robotURIs) itself(path string) bool {
	own, err := filepath.Abs(u.file)
	return err == nil && own == path
}

// folderAbove returns the nearest folder above another, or that itself, in which there is a file of a
// name; empty: there is none.
func folderAbove(dir, name string) string {
	d, err := filepath.Abs(dir)
	if err != nil || name == "" {
		return ""
	}
	// upwards to the root, whose parent is itself
	for ; ; d = filepath.Dir(d) {
		if exists(filepath.Join(d, filepath.FromSlash(name))) {
			return d
		}
		if filepath.Dir(d) == d {
			return ""
		}
	}
}

// findPackage looks for a ROS package, or a model of Gazebo, in the folders above the robot file: one
// of that name, or the one with package.xml.
func findPackage(dir, pkg, inside string) string {
	inside = filepath.FromSlash(inside)
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	for d := abs; ; d = filepath.Dir(d) {
		// the file lies in the package, or the package lies beside one of its folders
		if filepath.Base(d) == pkg {
			return filepath.Join(d, inside)
		}
		if exists(filepath.Join(d, pkg, inside)) {
			return filepath.Join(d, pkg, inside)
		}
		// the root: name the place where it should have been
		if filepath.Dir(d) == d {
			return filepath.Join(abs, pkg, inside)
		}
	}
}
