// Command packaging builds what users install, into the folder dist: a Debian package with molecules, an RPM package
// and archives without, a bill of materials of each program, and checksums. make dist runs it, on Debian with RDKit,
// after make page.
//
// The same commit gives the same bytes if Go, the C++ compiler and RDKit are the same: paths are trimmed, and all files
// have the time of the commit.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const dist = "dist"

// target is a platform, with or without molecules.
type target struct {
	goos, goarch string
	molecules    bool
}

// targets begins with the one that runs here, whose program writes the manual and the completions.
var targets = []target{
	{"linux", "amd64", true},
	{"linux", "amd64", false},
	{"linux", "arm64", false},
	{"darwin", "amd64", false},
	{"darwin", "arm64", false},
	{"windows", "amd64", false},
}

// name returns the name of what is made of version for t, without an ending.
func (t target) name(version string) string {
	name := fmt.Sprintf("invbo_%s_%s_%s", strings.TrimPrefix(version, "v"), t.goos, t.goarch)
	if t.molecules {
		name += "_molecules"
	}
	return name
}

func (t target) program() string {
	if t.goos == "windows" {
		return "invbo.exe"
	}
	return "invbo"
}

// release is a version in the making.
type release struct {
	version   string    // of git describe
	commit    time.Time // when
	nfpm      string    // the tools, as go run takes them
	cyclonedx string
	stage     string            // a temporary folder: common files, and a folder for each target
	modules   map[string]string // the folder of each module by its path
}

func main() {
	log.SetFlags(0)
	var r release
	flag.StringVar(&r.version, "version", "", "the `VERSION`, from git describe")
	flag.StringVar(&r.nfpm, "nfpm", "", "make packages with `COMMAND@VERSION`")
	flag.StringVar(&r.cyclonedx, "cyclonedx", "", "make bills of materials with `COMMAND@VERSION`")
	flag.Parse()
	if err := r.make(); err != nil {
		log.Fatal("packaging: ", err)
	}
}

func (r *release) make() (err error) {
	if r.commit, err = commitTime(); err != nil {
		return err
	}
	if r.modules, err = moduleFolders(); err != nil {
		return err
	}
	if r.stage, err = os.MkdirTemp("", "invbo-dist-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.stage)
	if err := errors.Join(os.RemoveAll(dist), os.Mkdir(dist, 0o755)); err != nil {
		return err
	}
	for i, t := range targets {
		if err := r.compile(t); err != nil {
			return err
		}
		if i == 0 {
			if err := r.document(t); err != nil {
				return err
			}
		}
		if err := r.pack(t); err != nil {
			return err
		}
	}
	return writeChecksums()
}

func (r *release) folder(t target) string { return filepath.Join(r.stage, t.name(r.version)) }

// compile builds the program of t, and writes down its parts and their licenses.
func (r *release) compile(t target) error {
	folder := r.folder(t)
	program := filepath.Join(folder, t.program())
	cgo, tags := "0", ""
	if t.molecules {
		cgo, tags = "1", "rdkit"
	}
	// Without a stamp of version control, which the linker's version replaces: it depends on how the commit was checked out.
	if _, err := run([]string{"GOOS=" + t.goos, "GOARCH=" + t.goarch, "CGO_ENABLED=" + cgo},
		"go", "build", "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags", "-s -w -X github.com/invbo/invbo/internal/experiment.built="+r.version,
		"-o", program, "./cmd/invbo"); err != nil {
		return err
	}
	bill := filepath.Join(dist, t.name(r.version)+".cdx.json")
	if _, err := run(nil, "go", "run", r.cyclonedx, "bin", "-json", "-noserial", "-notimestamp", "-std", "-version", r.version, "-output", bill, program); err != nil {
		return err
	}
	if err := addScripts(bill, "internal/page/web/package-lock.json"); err != nil {
		return err
	}
	text, err := r.copyright(program)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "copyright"), []byte(text), 0o644)
}

// document writes the manual and the completions, which all targets share.
func (r *release) document(t target) error {
	program := filepath.Join(r.folder(t), t.program())
	manual, completions := filepath.Join(r.stage, "man"), filepath.Join(r.stage, "completions")
	if err := errors.Join(os.Mkdir(manual, 0o755), os.Mkdir(completions, 0o755)); err != nil {
		return err
	}
	if _, err := run(nil, program, "manual", manual); err != nil {
		return err
	}
	for shell, file := range map[string]string{"bash": "invbo.bash", "zsh": "_invbo", "fish": "invbo.fish"} {
		script, err := run(nil, program, "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(completions, file), []byte(script), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pack makes the Debian package of the target with molecules, an archive of each other one, and the RPM package of
// linux/amd64.
func (r *release) pack(t target) error {
	switch {
	case t.molecules:
		libraries, err := libraryPackages(filepath.Join(r.folder(t), t.program()))
		if err != nil {
			return err
		}
		return r.packages(t, "deb", "DEPENDS="+libraries, "MOLECULES=Molecules are read with RDKit.", "ZSH=/usr/share/zsh/vendor-completions")
	case t.goos == "linux" && t.goarch == "amd64":
		if err := r.packages(t, "rpm", "DEPENDS=", "MOLECULES=This package is built without RDKit and does not read molecules.", "ZSH=/usr/share/zsh/site-functions"); err != nil {
			return err
		}
	}
	return r.archive(t)
}

// packages makes a package of t in that format; env are further variables of nfpm.yaml.
func (r *release) packages(t target, format string, env ...string) error {
	gzipped := filepath.Join(r.folder(t), "man")
	if err := compressAll(filepath.Join(r.stage, "man"), gzipped); err != nil {
		return err
	}
	_, err := run(append(env,
		"VERSION="+packageVersion(r.version, r.commit), "STAGE="+r.folder(t), "SHARED="+r.stage, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.commit.Unix()),
	), "go", "run", r.nfpm, "package", "--config", "packaging/nfpm.yaml", "--packager", format, "--target", dist)
	return err
}

// archive makes the archive of t, a zip for Windows.
func (r *release) archive(t target) error {
	files := []entry{
		{name: t.program(), path: filepath.Join(r.folder(t), t.program()), mode: 0o755},
		{name: "LICENSE", path: "LICENSE", mode: 0o644},
		{name: "README.md", path: "packaging/README.archive.md", mode: 0o644},
		{name: "copyright", path: filepath.Join(r.folder(t), "copyright"), mode: 0o644},
	}
	for _, folder := range []string{"completions", "man"} {
		entries, err := os.ReadDir(filepath.Join(r.stage, folder))
		if err != nil {
			return err
		}
		for _, e := range entries {
			files = append(files, entry{name: folder + "/" + e.Name(), path: filepath.Join(r.stage, folder, e.Name()), mode: 0o644})
		}
	}
	name := t.name(r.version)
	for i := range files {
		files[i].name = name + "/" + files[i].name
	}
	if t.goos == "windows" {
		return writeZip(filepath.Join(dist, name+".zip"), files, r.commit)
	}
	return writeTar(filepath.Join(dist, name+".tar.gz"), files, r.commit)
}

// copyright returns the notices of all that is linked into a program: ours, Go's and those of its modules.
func (r *release) copyright(program string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	goroot, err := run(nil, "go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString("InvBO in Go: copyright its authors, Apache License 2.0, which is in the file LICENSE.\nIt contains what follows.\n")
	add := func(title, folder string, patterns ...string) error {
		found := 0
		for _, pattern := range patterns {
			names, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				return err
			}
			for _, name := range names {
				if about, err := os.Stat(name); err != nil || about.IsDir() {
					continue // gonum has a folder of them
				}
				notice, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(&text, "\n%s\n%s, %s\n\n%s\n", strings.Repeat("=", 80), title, filepath.Base(name), strings.TrimSpace(string(notice)))
				found++
			}
		}
		if found == 0 {
			return fmt.Errorf("%s: no license in %s", title, folder)
		}
		return nil
	}
	if err := add("Parts of RDKit", "molecule", "NOTICE"); err != nil {
		return "", err
	}
	if err := add(info.GoVersion, goroot, "LICENSE"); err != nil {
		return "", err
	}
	if err := add("Scripts of the page", "internal/page/bundle", "licenses.txt"); err != nil {
		return "", err
	}
	for _, m := range info.Deps {
		if err := add(m.Path+" "+m.Version, r.modules[m.Path], "*LICEN[CS]E*", "*LICEN[CS]ES/*", "COPYING*", "NOTICE*"); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

// libraryPackages returns the Debian packages of the libraries that a program is linked with, as in a field Depends.
func libraryPackages(program string) (string, error) {
	folder, err := os.MkdirTemp("", "invbo-shlibdeps-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	// dpkg-shlibdeps reads the control file of a source package.
	if err := os.Mkdir(filepath.Join(folder, "debian"), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "debian", "control"), []byte("Source: invbo\n\nPackage: invbo\nArchitecture: any\n"), 0o644); err != nil {
		return "", err
	}
	c := exec.Command("dpkg-shlibdeps", "-O", program)
	c.Dir = folder
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("dpkg-shlibdeps: %w", err)
	}
	packages, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "shlibs:Depends=")
	if !ok || !strings.Contains(packages, "librdkit") {
		return "", fmt.Errorf("dpkg-shlibdeps: %q does not name RDKit", out)
	}
	return packages, nil
}

// commitTime returns the time of the commit that is checked out.
func commitTime() (time.Time, error) {
	out, err := run(nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(out, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// moduleFolders returns the folder of each module that the build uses.
func moduleFolders() (map[string]string, error) {
	out, err := run(nil, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{}
	for line := range strings.Lines(out) {
		path, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		folders[path] = folder
	}
	return folders, nil
}

// writeChecksums writes SHA256SUMS, which sha256sum --check reads.
func writeChecksums() error {
	entries, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dist, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return os.WriteFile(filepath.Join(dist, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// run runs a command with further variables, and returns what it prints without the last line break.
func run(env []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
