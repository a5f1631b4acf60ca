// Package docking scores molecules by how tightly they bind to a protein: by the best affinity that AutoDock Vina finds
// for them in a box of it.
//
// The recipe is that of dockstring (García-Ortegón et al. 2022, J. Chem. Inf. Model. 62, 3486): charges are removed, Open
// Babel protonates for pH 7.4, RDKit makes one conformer (ETKDG, relaxed with MMFF94, or UFF where that lacks parameters),
// Open Babel writes it as PDBQT, and Vina docks it. Score reads so; ligand.go is the way to PDBQT and vina.go the docking.
//
// It needs RDKit (see package molecule) and the programs vina and obabel. dockstring brings Vina 1.1.2 along; version 1.2
// corrects some of its terms, and its scores differ a little.
package docking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

// Options say what to dock to, and how. A zero field takes the value after the semicolon.
type Options struct {
	Receptor string // file of the protein, rigid, as PDBQT
	Box      string // file of where to look: see ReadBox

	Exhaustiveness int           // Vina's effort, which its time grows with; 8
	MaxTorsions    int           // bonds of a ligand that may turn; 32, which is AutoDock's own limit
	Timeout        time.Duration // for one ligand; 30 minutes
	Jobs           int           // ligands at a time, each on one processor; GOMAXPROCS
	Seed           int           // of conformer and docking, positive; 974528263, which is dockstring's

	Vina, OpenBabel string // programs, by path or name; vina, obabel
}

// Oracle scores SMILES by docking. A score is an affinity in kcal/mol: lower is better, and one above zero does not fit.
// It may be used from several goroutines: beyond Options.Jobs of them wait.
//
// The same molecule has the same score, bit for bit, with the same versions of the three programs, unless it ran out of time.
type Oracle struct {
	opts Options
	box  Box
	jobs chan struct{} // one place for each ligand in work
}

// New returns an Oracle. It has Open Babel prepare methane and Vina score a single atom, so that a program that does not work or a
// receptor that cannot be read is an error here and not the reason of every ligand.
//
// The error is molecule.ErrNoRDKit, exec.ErrNotFound (fs.ErrNotExist of a path) with how to install what is missing, or says what
// is wrong with a program or a file.
func New(ctx context.Context, opts Options) (*Oracle, error) {
	opts.Exhaustiveness = cmp.Or(opts.Exhaustiveness, 8)
	opts.MaxTorsions = cmp.Or(opts.MaxTorsions, 32)
	opts.Timeout = cmp.Or(opts.Timeout, 30*time.Minute)
	opts.Jobs = cmp.Or(opts.Jobs, runtime.GOMAXPROCS(0))
	opts.Seed = cmp.Or(opts.Seed, 974528263)
	if opts.Exhaustiveness < 0 || opts.MaxTorsions < 0 || opts.Timeout < 0 || opts.Jobs < 0 || opts.Seed < 0 || opts.Seed > math.MaxInt32 {
		return nil, fmt.Errorf("docking: a number is negative or too large in %+v", opts)
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
	f, err := os.Open(opts.Box)
	if err != nil {
		return nil, fmt.Errorf("box: %w", err)
	}
	defer f.Close()
	box, err := ReadBox(f)
	if err != nil {
		return nil, fmt.Errorf("box %s: %w", opts.Box, err)
	}
	removeAbandoned()
	o := &Oracle{opts: opts, box: box, jobs: make(chan struct{}, opts.Jobs)}
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

// Score docks molecules, given as SMILES, up to Options.Jobs at a time. A molecule has no score if RDKit rejects it, if it is
// several molecules or a radical, has other elements than H, C, N, O, F, P, S, Cl, Br and I, has no conformer or too many torsions,
// or if a program failed or took too long. The error is ctx's cause, or says why no molecule can be docked: a program that no
// longer starts, a full disk.
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
	affinity, err := o.dock(limited, dir, smiles)
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

// broken reports whether err is this machine's, not a ligand's: a program that cannot be started, a file that cannot be written.
func broken(err error) bool {
	_, file := errors.AsType[*fs.PathError](err) // or a program, by its path
	_, name := errors.AsType[*exec.Error](err)
	_, call := errors.AsType[*os.SyscallError](err) // as of a pipe
	return file || name || call
}

// dock returns the affinity of a molecule, or the reason why it has none. Its files are in dir.
func (o *Oracle) dock(ctx context.Context, dir, smiles string) (affinity float64, err error) {
	ligand, err := o.prepare(ctx, smiles)
	if err != nil {
		return 0, err
	}
	return o.vina(ctx, dir, ligand)
}

// run gives a program its input and returns what it wrote to its output. The error has the program's own words, on one line.
func run(ctx context.Context, input, program string, args ...string) (string, error) {
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	killAll(cmd)
	cmd.WaitDelay = time.Second // what is left of it may keep the pipes open
	err := cmd.Run()
	if words := strings.Join(strings.Fields(stderr.String()), " "); err != nil && words != "" {
		err = fmt.Errorf("%w: %.200s", err, words)
	}
	return stdout.String(), err
}
