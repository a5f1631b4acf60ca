// Package docking scores molecules by their binding affinity to a protein: the best affinity that AutoDock Vina finds in a
// given box.
//
// The protocol is that of dockstring (García-Ortegón et al. 2022, J. Chem. Inf. Model. 62, 3486): charges are
// neutralized, Open Babel protonates for pH 7.4, RDKit makes one conformer (ETKDG, relaxed with MMFF94, or UFF where
// that lacks parameters), Open Babel writes it as PDBQT (ligand.go), and Vina docks it (vina.go).
//
// It requires RDKit (see package molecule) and the programs vina and obabel. dockstring ships Vina 1.1.2; version 1.2
// corrects some terms, and its scores differ slightly.
//
// Temporary folders are removed after each ligand. Those of a process that was killed are removed by the next New.
package docking

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/lock"
	"github.com/invbo/invbo/internal/process"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// Defaults of Options.
const (
	Exhaustiveness = 8
	Timeout        = 30 * time.Minute
)

// Options configure an Oracle. A zero field takes the default after the semicolon.
type Options struct {
	Receptor string // PDBQT file of the rigid protein
	Box      string // file of the search space: see ReadBox

	ReadFile func(path string) ([]byte, error) // reads Receptor and Box, once each; os.ReadFile

	Exhaustiveness int           // Vina's search effort, proportional to its time; Exhaustiveness
	Timeout        time.Duration // per ligand; Timeout
	Jobs           int           // ligands docked at a time, each on one processor; GOMAXPROCS
	Seed           int           // for conformer and docking, positive; 974528263, as in dockstring

	Vina, OpenBabel string // programs, as path or name; vina, obabel
}

// Oracle scores SMILES by docking. A score is an affinity in kcal/mol: lower is better, and positive values mean that the
// molecule does not fit. It is safe for concurrent use; all calls together dock at most Options.Jobs ligands at a time.
//
// Scores are reproducible bit for bit with the same versions of RDKit, Open Babel and Vina, except for timeouts.
type Oracle struct {
	opts     Options
	receptor []byte             // PDBQT
	box      map[string]float64 // by boxKeys
	jobs     chan struct{}      // a semaphore: one element per ligand that is being docked
}

// New returns an Oracle. It prepares methane with Open Babel and scores a single atom with Vina, so that a broken
// program or an unreadable receptor is an error of New instead of a failure of every ligand.
//
// The error is molecule.ErrNoRDKit, wraps exec.ErrNotFound (fs.ErrNotExist for a path) and says how to install the missing
// program, or says what is wrong with a program or a file.
func New(ctx context.Context, opts Options) (*Oracle, error) {
	opts.Exhaustiveness = cmp.Or(opts.Exhaustiveness, Exhaustiveness)
	opts.Timeout = cmp.Or(opts.Timeout, Timeout)
	opts.Jobs = cmp.Or(opts.Jobs, runtime.GOMAXPROCS(0))
	opts.Seed = cmp.Or(opts.Seed, 974528263)
	if opts.Exhaustiveness < 0 || opts.Timeout < 0 || opts.Jobs < 0 || opts.Seed < 0 || opts.Seed > math.MaxInt32 {
		return nil, fmt.Errorf("docking: a number is negative or too large: exhaustiveness %d, timeout %v, jobs %d, seed %d", opts.Exhaustiveness, opts.Timeout, opts.Jobs, opts.Seed)
	}
	if err := molecule.Available(); err != nil {
		return nil, err
	}
	var err error
	if opts.Vina, err = find(cmp.Or(opts.Vina, "vina"), "autodock-vina", "https://github.com/ccsb-scripps/AutoDock-Vina/releases"); err != nil {
		return nil, err
	}
	if opts.OpenBabel, err = find(cmp.Or(opts.OpenBabel, "obabel"), "openbabel", "https://openbabel.org"); err != nil {
		return nil, err
	}
	if opts.ReadFile == nil {
		opts.ReadFile = os.ReadFile
	}
	text, err := opts.ReadFile(opts.Box)
	if err != nil {
		return nil, fmt.Errorf("box: %w", err)
	}
	box, err := ReadBox(string(text))
	if err != nil {
		return nil, fmt.Errorf("box %s: %w", opts.Box, err)
	}
	receptor, err := opts.ReadFile(opts.Receptor)
	if err != nil {
		return nil, fmt.Errorf("receptor: %w", err)
	}
	removeAbandoned()
	o := &Oracle{opts: opts, receptor: receptor, box: box, jobs: make(chan struct{}, opts.Jobs)}
	if _, err := o.prepare(ctx, "C"); err != nil {
		return nil, fmt.Errorf("docking: methane: %w", err)
	}
	if err := o.probe(ctx); err != nil {
		return nil, fmt.Errorf("receptor %s: %w", opts.Receptor, err)
	}
	return o, nil
}

// find returns the path of a program.
func find(program, pkg, site string) (string, error) {
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("docking: %w: install it (Debian, Ubuntu: apt-get install %s; elsewhere: %s) or give its path", err, pkg, site)
	}
	return path, err
}

// Score docks molecules, given as SMILES, up to Options.Jobs at a time. A molecule has no score if RDKit rejects it, if
// it is several molecules or a radical, has other elements than H, C, N, O, F, P, S, Cl, Br and I, has no conformer or
// too many torsions, or if a program failed or took too long. The error is ctx's cause, or says why no molecule can be
// docked: a program that no longer starts, a full disk.
func (o *Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	return oracle.Each(o.opts.Jobs, o.score).Score(ctx, x)
}

// score docks one molecule, after waiting for its turn.
func (o *Oracle) score(ctx context.Context, smiles string) (oracle.Result, error) {
	select {
	case o.jobs <- struct{}{}:
		defer func() { <-o.jobs }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return oracle.Result{}, context.Cause(ctx)
	}
	dir, remove, err := makeFolder()
	if err != nil {
		return oracle.Result{}, fmt.Errorf("docking: folder for a ligand: %w", err)
	}
	defer remove()

	limited, cancel := context.WithTimeout(ctx, o.opts.Timeout)
	defer cancel()
	ligand, err := o.prepare(limited, smiles)
	var affinity float64
	if err == nil {
		affinity, err = o.vina(limited, dir, ligand)
	}
	switch {
	case err == nil:
		return oracle.Result{Score: affinity}, nil
	case ctx.Err() != nil:
		return oracle.Result{}, context.Cause(ctx)
	case limited.Err() != nil:
		err = fmt.Errorf("not docked within %v", o.opts.Timeout)
	case broken(err):
		return oracle.Result{}, fmt.Errorf("docking: %w", err)
	}
	return oracle.Result{Score: math.NaN(), Reason: err.Error()}, nil
}

// broken reports whether err is due to the machine and not the ligand: a program that cannot be started, a file that
// cannot be written.
func broken(err error) bool {
	_, file := errors.AsType[*fs.PathError](err) // also of a program given by path
	_, name := errors.AsType[*exec.Error](err)
	_, call := errors.AsType[*os.SyscallError](err) // for example of a pipe
	return file || name || call
}

// run runs a program with input as its standard input and returns its standard output. The error includes the program's
// standard error, on one line.
func run(ctx context.Context, input, program string, args ...string) (string, error) {
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	process.KillGroup(cmd)
	err := cmd.Run()
	process.KillRest(cmd)
	if words := strings.Join(strings.Fields(stderr.String()), " "); err != nil && words != "" {
		err = fmt.Errorf("%w: %.200s", err, words)
	}
	return stdout.String(), err
}

const folderPrefix, lockSuffix = "invbo-dock-", ".lock"

// makeFolder returns a new temporary folder and what removes it. A lock beside the folder is held before the folder is
// made and until it is removed, so that removeAbandoned of any process leaves it alone.
func makeFolder() (dir string, remove func(), err error) {
	for {
		dir := filepath.Join(os.TempDir(), folderPrefix+rand.Text())
		inUse, err := lock.Take(dir + lockSuffix)
		if _, held := errors.AsType[*lock.HeldError](err); held {
			continue // the name of another's folder
		}
		release := func() {}
		if err == nil { // otherwise the file system has no locks, so nobody removes dir, or it takes no files, which Mkdir says
			release = func() { inUse.Release() }
		}
		err = os.Mkdir(dir, 0o700)
		if err == nil {
			return dir, func() { os.RemoveAll(dir); release() }, nil
		}
		release()
		if !errors.Is(err, fs.ErrExist) {
			return "", nil, err
		}
	}
}

// removeAbandoned removes the temporary folders of processes that were killed, and their locks. Errors are no concern
// of this process: the folder may be another user's, or a Vina that outlived the kill may still write to it.
func removeAbandoned() {
	names, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*")) // the pattern is well-formed
	for _, name := range names {
		dir := strings.TrimSuffix(name, lockSuffix)
		if abandoned, err := lock.Take(dir + lockSuffix); err == nil {
			os.RemoveAll(dir)
			abandoned.Release()
		}
	}
}
