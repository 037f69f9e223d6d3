// Command build makes wheels of the Python package, one for each platform, with the program in them:
//
//	go run ./python/build                     wheels of all platforms, in dist
//	go run ./python/build -platform host      that of this machine
//
// Wheels of one commit and one version of Go are the same byte for byte.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// platform is a system for which a wheel is made.
type platform struct {
	os, arch string
	tag      string // of the wheel; the program is static, so that any C library serves
}

// platforms are those of wheels.
var platforms = []platform{
	{"linux", "amd64", "manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win_amd64"},
	{"windows", "arm64", "win_arm64"},
}

func main() {
	dir := flag.String("o", "dist", "folder of the wheels")
	which := flag.String("platform", "all", "all, host, or OS/ARCH such as linux/arm64")
	program := flag.String("program", "", "a program that is built already, for one platform")
	flag.Parse()
	if err := build(*dir, *which, *program); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// build makes the wheels.
func build(dir, which, program string) error {
	if which == "host" {
		which = runtime.GOOS + "/" + runtime.GOARCH
	}
	list := slices.DeleteFunc(slices.Clone(platforms), func(p platform) bool { return which != "all" && which != p.os+"/"+p.arch })
	if len(list) == 0 {
		return fmt.Errorf("-platform %s: no wheel is made for it", which)
	}
	if program != "" && len(list) > 1 {
		return fmt.Errorf("-program is of one platform: name it by -platform")
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	version, err := nextVersion(string(changes))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range list {
		path := program
		if path == "" {
			if path, err = compile(root, p); err != nil {
				return err
			}
			defer os.RemoveAll(filepath.Dir(path))
		}
		out, err := writeWheel(dir, root, path, version, p)
		if err != nil {
			return err
		}
		fmt.Println(out)
	}
	return nil
}

// moduleRoot returns the folder of go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

// compile builds the program for a platform in a temporary folder.
func compile(root string, p platform) (string, error) {
	dir, err := os.MkdirTemp("", "curlfree-wheel")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, p.programName())
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/curlfree")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	if err := cmd.Run(); err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("%s/%s: %w", p.os, p.arch, err)
	}
	return path, nil
}

// programName is the name of the program on a platform.
func (p platform) programName() string {
	if p.os == "windows" {
		return "curlfree.exe"
	}
	return "curlfree"
}

// release finds the newest release of a changelog.
var release = regexp.MustCompile(`(?m)^## (\d+)\.(\d+)\b`)

// nextVersion returns the version of the package: that of the newest release, or a development version of the one
// that follows where there are changes since.
func nextVersion(changelog string) (string, error) {
	at := release.FindStringSubmatchIndex(changelog)
	if at == nil {
		return "", fmt.Errorf("CHANGELOG.md has no release")
	}
	major, minor := changelog[at[2]:at[3]], changelog[at[4]:at[5]]
	if !strings.Contains(changelog[:at[0]], "\n- ") {
		return major + "." + minor, nil
	}
	n, err := strconv.Atoi(minor)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s.%d.dev0", major, n+1), nil
}
