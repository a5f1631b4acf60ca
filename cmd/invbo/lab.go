package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/mutation"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

// newFlags is `invbo new`.
type newFlags struct {
	*specFlags
	tableFlags
	data                                 []string
	maximize, minimize, log10, keepSalts bool
}

func newCommand() *cobra.Command {
	f := newFlags{specFlags: newSpecFlags(option.New)}
	c := &cobra.Command{
		Use:   "new STUDY [FILE.toml] --data FILE --score COLUMN --maximize|--minimize [flags]",
		Short: "Begin a study whose scores come from a laboratory",
		Long: `new makes the file STUDY, such as lab.db, from a table of what has been measured. Then

  invbo ask lab.db -n 5 --out week1.csv   proposes what to measure next
  invbo tell lab.db week1.csv             takes the same table with the scores filled in
  invbo status lab.db                     says where the study stands
  invbo export lab.db all.csv             writes all that is known

FILE is CSV, TSV, a list of SMILES, SDF, Excel or FASTA, with the delimiter, decimal
sign and encoding that it has; it may be gzipped. Columns are found by their usual
names, or named by --input, --score and --id. Rows without a value, or with one such
as n.d., are left out; several rows of one compound are several measurements. Rows
that are equal are copies of one, unless few different scores occur, as of 0 and 1,
or a column replicate, well, plate, run or date tells them apart. Nothing is dropped
silently: new says what became of the rows, and --report lists them.

FILE.toml is a study file: it holds options, and flags override it. --write makes one
with every option, of invbo run, too. Its paths are relative to its folder.`,
		Example: `  invbo new lab.db --data assay.csv --input SMILES --score pIC50 --id compound --maximize
  invbo new lab.db --data assay.xlsx --score IC50 --minimize --forbid alerts.smarts
  invbo new --write study.toml
  invbo new lab.db study.toml
  invbo new enzyme.db --task strings --data variants.csv --score activity --maximize`,
		Args: atMost(2),
		RunE: func(c *cobra.Command, args []string) error {
			if f.write != "" {
				return f.fromFile(c, args, nil)
			}
			if len(args) == 0 || strings.HasSuffix(args[0], ".toml") {
				return usage.Errorf("%s: give the name of the file to make, such as lab.db", c.CommandPath())
			}
			return f.fromFile(c, args[1:], func() error {
				switch {
				case f.maximize && f.minimize:
					return usage.Errorf("say which scores are better: --maximize or --minimize")
				case len(f.data) == 0:
					return usage.Errorf("give a table of what has been measured: --data FILE")
				case f.log10 && f.Scale != "":
					return usage.Errorf("--log10 and --as: give one of them")
				}
				return f.run(c.Context(), args[0], c.Flags(), c.OutOrStdout())
			})
		},
	}
	data := newGroup("Data")
	data.declare(
		&option.Option{Name: "data", Value: option.List(&f.data, asIs), Help: "table `FILE` of what has been measured; several are read as one, in which a name stands for its string", Table: "data", Key: "file"},
		&option.Option{Name: "input", Value: option.Once(&f.Options.Input, oneInput), Help: "`COLUMN` of the strings", Unset: "by its name, such as SMILES or sequence", Table: "columns"},
		&option.Option{Name: "score", Value: option.List(&f.Options.Score, asIs), Help: "`COLUMN` of the scores; several hold replicates", Unset: "the only one of measurements", Table: "columns"},
		&option.Option{Name: "id", Value: option.Once(&f.Options.ID, oneID), Help: "`COLUMN` of names", Unset: "by its name, such as ID or compound", Table: "columns"},
		&option.Option{Name: "maximize", Value: option.Switch(&f.maximize), Help: "higher scores are better"},
		&option.Option{Name: "minimize", Value: option.Switch(&f.minimize), Help: "lower scores are better"},
		&option.Option{Name: "log10", Value: option.Switch(&f.log10), Help: "search on the decimal logarithm of the scores", Table: "columns"},
		&option.Option{Name: "keep-salts", Value: option.Switch(&f.keepSalts), Help: "keep salts, solvents and charges of molecules, which are stripped otherwise", Tasks: []string{task.KindMolecules}, Table: "molecules"},
		&option.Option{Name: "task", Value: option.Text(&f.Task), Help: "`NAME`: molecules or strings", Unset: "by the data"})
	f.tableFlags.add(data)
	return withGroups(c, append(append([]flagGroup{data}, f.groups...), f.writeGroup())...)
}

// run carries out invbo new.
func (f newFlags) run(ctx context.Context, path string, given *pflag.FlagSet, stdout io.Writer) (err error) {
	defer func() { err = usage.Stopped(ctx, err, fmt.Sprintf("stopped; %s was not made", path)) }()
	if files.Exists(path) {
		return usage.Errorf("%s exists already; give another name, or go on with it: invbo ask %s", path, usage.Quoted(path))
	}
	data, mutants, err := f.open()
	if err != nil {
		return err
	}
	guessed, err := f.chooseTask(data, given)
	if err != nil {
		return err
	}
	columns, objective, err := f.prepare(data)
	if err != nil {
		return err
	}
	if err := f.direct(objective); err != nil {
		return err
	}
	read, err := f.read(ctx, data, objective)
	if err := f.ask(data[0], read, err, guessed, given); err != nil {
		return err
	}
	say(strings.Join(slices.Concat(read.Notes, read.Remarks), "\n"))
	if read.WildType != "" && f.RunSpec.Lengths == (task.Lengths{}) && !f.RunSpec.BothStrands {
		f.RunSpec.WildType, f.RunSpec.Offset = read.WildType, read.First-1
		say(fmt.Sprintf("the sequences without their mutations are the wild type %s, whose first letter has position %d", usage.Shorten(read.WildType, 60), read.First))
	}
	if err := f.separate(read); err != nil {
		return err
	}
	f.remark(read)
	columns.Columns, columns.Sequences = read.Columns, read.Sequences
	f.RunSpec.Options.Column = columns.Input
	if mutants && slices.ContainsFunc(read.Records, func(r table.Record) bool { return mutation.IsPlain(r.Text) }) { // proposals are whole sequences
		columns.Input = ""
	}
	return f.create(ctx, path, data[0], read, columns, given, stdout)
}

// open finds the tables, and the wild type that was given, if the table has mutants of it.
func (f *newFlags) open() (data []task.File, mutants bool, _ error) {
	for _, name := range f.data {
		file, err := f.tableFile(name)
		if err != nil {
			return nil, false, err
		}
		data = append(data, file)
	}
	wild, err := f.wild.options()
	f.tableFlags.WildType, f.tableFlags.Offset = wild.WildType, wild.Offset
	return data, wild.WildType != "", err
}

// chooseTask sets the task, by the data unless it was given, and checks that the flags are of it.
func (f *newFlags) chooseTask(data []task.File, given *pflag.FlagSet) (guessed bool, err error) {
	guessed = f.Task == ""
	if guessed {
		for i := len(data) - 1; i >= 0 && f.Task != task.OwnMolecules; i-- { // a table of names and values looks like strings
			if f.Task, err = task.Guess(data[i], f.Options); err != nil {
				return guessed, explained(encoded(err), given)
			}
		}
	}
	if f.Task != task.OwnMolecules && f.Task != task.OwnStrings {
		return guessed, usage.Errorf("--task %s: give molecules or strings", f.Task)
	}
	if err := f.check(given); err != nil && guessed {
		return guessed, usage.Errorf("%w, or give --task if the data are not %s", err, f.Task)
	} else if err != nil {
		return guessed, err
	}
	return guessed, nil
}

// prepare sets how strings of the task are read, and returns the objective that scores are made for; nil: a column has them.
func (f *newFlags) prepare(data []task.File) (columns experiment.Columns, objective *oracle.Objective, err error) {
	columns.KeepSalts, columns.Neutral = f.keepSalts, !f.keepSalts
	searched, err := task.Named(f.Task)
	if err != nil {
		return columns, nil, err
	}
	if f.Normalize, err = columns.Normalize(searched); err != nil {
		return columns, nil, usage.Wrap(err)
	}
	if f.Alphabet != "" {
		check, err := task.InAlphabet(f.Alphabet)
		if err != nil {
			return columns, nil, err
		}
		f.Normalize = func(x string) (string, string, error) { return x, "", check(x) }
	}
	f.tableFlags.BothStrands = f.RunSpec.BothStrands
	f.Alike = task.Alike(f.Alphabet, nil)
	f.Sequences = table.Detect // unless there is a Normalize
	f.RunSpec.Options.Measured, f.RunSpec.Options.Strip = true, columns.Strip()
	computed, err := f.SetComputed(searched, data...)
	if err != nil {
		return columns, nil, err
	}
	say(computed)
	if err := f.SetPoolBounds(searched, data...); err != nil {
		return columns, nil, err
	}
	f.Molecules, f.Others = f.Task == task.OwnMolecules, f.Asked()
	objective, err = f.Objective()
	return columns, objective, err
}

// errDesirable refuses a direction that contradicts zero and one of the properties.
var errDesirable = usage.Errorf("--minimize: desirabilities are always maximized; leave it out: zero and one of a --property say which of its values are better")

// direct sets which scores are better, and checks what else the flags say of a score, or of several objectives.
func (f *newFlags) direct(objective *oracle.Objective) error {
	f.Scored = objective == nil
	if !f.Scored && len(f.Score) > 0 {
		return usage.Errorf("--score and --property or --objective: the score is either a column or made of others; give one of them")
	}
	if len(f.Objectives) > 0 { // each says which values are better
		if f.Scale != "" || f.log10 {
			return usage.Errorf("--as and --log10 are of one score, and there are objectives; one that is named pIC50 is made of a column IC50 with its unit; for other quantities add a column of logarithms to the table, and give that as the --objective")
		}
		if f.maximize || f.minimize {
			return usage.Errorf("--maximize and --minimize are of one score, and each --objective says max or min; leave them out")
		}
		if f.Noise > 0 {
			return usage.Errorf("--noise is of one score, and there are several objectives, whose noise replicates tell; leave it out")
		}
		f.minimize = f.Objectives[0].Minimize
		f.maximize = !f.minimize
	}
	if f.Desirable() {
		if f.minimize {
			return errDesirable
		}
		f.maximize = true
	}
	f.maximize = f.maximize || f.Scale != "" && !f.minimize // -log10: higher is better
	if f.log10 {
		f.Scale = quantity.Log10
	}
	return nil
}

// remark says what of the scores is hardly meant, or tells the search little.
func (f *newFlags) remark(read *table.Table) {
	if f.Scored {
		f.offerLog(read)
		if read.Flat() {
			say("all scores are the same: predictions tell nothing apart until others are told")
		}
	}
	offerLogs(read, f.Objectives)
	for _, o := range f.Objectives {
		if n := read.Valued(o.Name); n < evolve.LeastOutcomes && !slices.Contains(f.Computed, o.Name) {
			say(fmt.Sprintf("strings with a value of %s: %d; proposals need %d: tell more before invbo ask", o.Name, n, evolve.LeastOutcomes))
		}
	}
	switch name := read.Columns.Score; {
	case !f.Scored:
	case f.minimize && f.Scale != "" && read.Columns.Scale != quantity.Log10:
		say(fmt.Sprintf("the search is for lower %s, which are higher concentrations: leave --minimize out if low concentrations are better", read.Columns.Scale))
	case f.minimize && f.Scale == "" && quantity.IsNegativeLog(name):
		say(fmt.Sprintf("the search is for lower %s, which are higher concentrations: give --maximize if low concentrations are better", name))
	case f.maximize && f.Scale == "" && quantity.IsPotency(name):
		say(fmt.Sprintf("the search is for higher %s: give --minimize if low concentrations are better", name))
	case f.maximize && quantity.IsEnergy(name):
		say(fmt.Sprintf("the search is for higher %s: give --minimize if low energies are better", name))
	}
}

// create makes the study of a table and says what was read. first is the first file of the table.
func (f *newFlags) create(ctx context.Context, path string, first task.File, read *table.Table, columns experiment.Columns, given *pflag.FlagSet, stdout io.Writer) error {
	noun := "strings"
	if f.Molecules {
		noun = "compounds"
	}
	summary := read.Summary(noun)
	f.Minimize = f.minimize
	f.Init.File = task.File{Name: first.Name, SHA256: first.SHA256}
	at, err := experiment.ParsePlace(path)
	if err != nil {
		return err
	}
	var b *experiment.Experiment
	p, err := f.BuildMeasured(ctx, read)
	if err == nil {
		b, err = experiment.Create(ctx, at, p, experiment.Options{Columns: columns})
	}
	few := len(slices.DeleteFunc(read.Compounds(), func(c table.Compound) bool { return len(c.Scores) == 0 })) < 2
	switch {
	case err != nil && few && read.Counts()[table.Invalid] > 0:
		return fmt.Errorf("%w; %s has %s", err, first.Source(), summary)
	case err != nil:
		return err
	}
	say(b.Plan.Notes.Say(flagName(given)))
	say(read.Doubtful())
	sayLimits(b.Plan, given)
	fmt.Fprintf(stdout, "Read        %s\n%sNext        invbo ask %s -n 5 --out week1.csv\n", summary, b.Status(), usage.Quoted(path))
	return b.Close()
}

// sayLimits says which limits on proposals hold by default, mostly from the data, as flags of the command, or of invbo
// new, that change them.
func sayLimits(p *experiment.Plan, flags *pflag.FlagSet) {
	var given, parameters []string
	for _, l := range p.Limits() {
		if flags != nil && flags.Lookup(string(l.Name)) == nil {
			parameters = append(parameters, string(l.Name)+"="+l.Value)
		} else {
			given = append(given, fmt.Sprintf("--%s %s", l.Name, l.Value))
		}
	}
	if len(parameters) > 0 {
		given = append(given, fmt.Sprintf("--task %s:%s", p.Task.Name, strings.Join(parameters, ",")))
	}
	if len(given) > 0 {
		say("default limits: " + strings.Join(given, " "))
	}
}

// limited returns the error of an outcome that is no column of the data with the flag that bounds it: what the program
// computes, or a column of the pool.
func (f newFlags) limited(err error, flags *pflag.FlagSet) error {
	e, ok := errors.AsType[*table.ColumnError](err)
	if !ok || !e.Absent || e.Role != table.RoleOther {
		return err
	}
	if column, ok := f.poolColumn(e.Name); ok {
		return usage.Errorf("%w; the file of --pool has a column %s, but --objective and --property are of measured outcomes: bound it by --constraint", err, column)
	}
	name := strings.ToLower(e.Name)
	if name == "mw" {
		name = "weight"
	}
	property, _ := molecules.PropertyNamed(name) // nil with an error
	switch {
	case f.Task == task.OwnStrings && name == "mutations":
		return usage.Errorf("%w; the program counts them: limit them with --mutations N", err)
	case f.Task != task.OwnMolecules || property == nil:
		return err
	case flags.Lookup(name) != nil:
		return usage.Errorf("%w; the program computes it: limit it with --%s MIN:MAX", err, name)
	}
	return usage.Errorf("%w; the program computes it: take it as an --objective", err)
}

// poolColumn returns the column of a name in the file of the pool, if that has one.
func (f newFlags) poolColumn(name string) (column string, ok bool) {
	if !f.Pool.Given() {
		return "", false
	}
	opened, err := task.AnyStrings().Open(f.Pool, table.Options{}, nil)
	if err != nil { // which is not what is wrong first
		return "", false
	}
	return opened.Find(name)
}

// ask returns what a table and flags leave open, or why a table cannot be read, with the flags that help.
func (f newFlags) ask(data task.File, read *table.Table, err error, guessed bool, given *pflag.FlagSet) error {
	open := !f.maximize && !f.minimize
	q, asked := errors.AsType[*table.Question](err)
	switch u, unusable := errors.AsType[*table.Unusable](err); {
	case asked:
		return question(data.Source(), q, open)
	case unusable && f.Task == task.OwnMolecules && guessed && (u.Reason.Code == table.BadString || u.Reason.Code == table.IsReaction):
		return usage.Errorf("%w; column %s does not hold molecules: give --task strings if text is meant", err, u.Column)
	case err != nil:
		return explained(f.limited(err, given), given)
	case open:
		about := ""
		if read.Columns.Score != "" {
			about = "; the score is " + read.Columns.Score
		}
		return usage.Errorf("say which scores are better: --maximize or --minimize%s", about)
	}
	return nil
}

// separate gives compounds that share a name names of their own, and says so.
func (f newFlags) separate(read *table.Table) error {
	column := read.Columns.ID
	conflicts := read.SeparateNames()
	if len(conflicts) == 0 {
		return nil
	}
	c := conflicts[0]
	clash := fmt.Sprintf("column %s: lines %d and %d are both named %q and hold different strings", column, c.Lines[0], c.Lines[1], usage.Shorten(c.Name, 40))
	switch {
	case c.Named == nil && f.Options.ID != "":
		return usage.Errorf("--id: %s; correct one of them, or give another column", clash)
	case c.Named == nil:
		say(clash + "; the column is not used for names")
	default:
		for _, c := range conflicts {
			say(fmt.Sprintf("column %s: %q names different strings, which are called %s", column, usage.Shorten(c.Name, 40), strings.Join(c.Named, ", ")))
		}
	}
	return nil
}

// manyDecades returns over how many powers of ten differences of an outcome's largest values hide all others.
func manyDecades(outcome string) float64 {
	if quantity.IsDoseResponse(outcome) {
		return 2
	}
	return 3
}

// offerLogs says which objectives span several powers of ten, and how their logarithms are taken instead.
func offerLogs(read *table.Table, objectives []study.Objective) {
	for _, o := range objectives {
		offer := "write logarithms into the table"
		if p := read.Logarithm(o.Name); p != "" {
			offer = fmt.Sprintf("give --objective '%s'", study.Objective{Name: p, Minimize: !o.Minimize})
		}
		offerLogOf(o.Name, read.DecadesOf(o.Name), o.Minimize, offer)
	}
}

// offerLog is offerLogs of the scores.
func (f *newFlags) offerLog(read *table.Table) {
	offer := "give --log10"
	if p := read.PScale(); p != "" {
		offer += fmt.Sprintf(" or --as %s", p)
	}
	name := read.Columns.Score
	if read.Columns.Type != "" {
		name += " (" + read.Columns.Type + ")"
	}
	offerLogOf(name, read.Decades(), f.minimize, offer)
}

// offerLogOf says what the powers of ten of an outcome do, and how its logarithms are taken instead. What is minimized
// the search compares by ratios itself, and only the deviations of predictions are hard to read.
func offerLogOf(name string, decades float64, minimize bool, offer string) {
	why := "so that differences of the largest values hide all others"
	if minimize {
		why = "so that predicted_sd says little, as errors of such values are factors"
	}
	if decades >= manyDecades(name) {
		say(fmt.Sprintf("%s spans %.0f decades, %s; for logarithms %s", name, decades, why, offer))
	}
}

// labCommand returns a command on an open study.
func labCommand(c *cobra.Command, readOnly bool, run func(ctx context.Context, b *experiment.Experiment, args []string, stdout io.Writer) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		defer func() {
			err = usage.Stopped(c.Context(), err, "stopped; all that was stored before is kept in "+args[0])
		}()
		b, err := experiment.Open(c.Context(), args[0], experiment.Options{ReadOnly: readOnly})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
		say(strings.Join(b.Notes, "\n"))
		return run(c.Context(), b, args[1:], c.OutOrStdout())
	}
	return c
}

func statusCommand() *cobra.Command {
	return labCommand(&cobra.Command{
		Use:   "status STUDY",
		Short: "Say where a study stands",
		Long: `status prints what was measured, the best, how large the noise is, how good the
predictions of proposals were, and what waits for a measurement.`,
		Example: "  invbo status lab.db",
		Args:    exactly(1, "the file of a study"),
	}, true, func(ctx context.Context, b *experiment.Experiment, _ []string, stdout io.Writer) (err error) {
		s := b.Status()
		if s.Expected, err = b.Expect(ctx); err != nil { // all else is known without a model
			if ctx.Err() != nil {
				return err
			}
			say(fmt.Sprintf("the best expected score is not known: %v", err))
		}
		place := usage.Quoted(b.Place().String())
		next := fmt.Sprintf("ask %s -n 5 --out next.csv", place)
		switch calls := b.Study.Status().Calls; {
		case b.HasOracle() && (len(s.Waiting) > 0 || calls < b.Spec.Budget):
			next = fmt.Sprintf("resume %s, to continue up to %d oracle calls", place, b.Spec.Budget)
		case len(s.Waiting) > 0:
			next = fmt.Sprintf("tell %s FILE, with what has been measured", place)
		}
		fmt.Fprintf(stdout, "%sNext        invbo %s\n", s, next)
		return nil
	})
}

func exportCommand() *cobra.Command {
	var overwrite bool
	c := labCommand(&cobra.Command{
		Use:   "export STUDY FILE",
		Short: "Write all that a study knows",
		Long: `export writes a table with a row for each measurement, and one for each string without any:
names, strings, scores, errors, states and predictions. FILE.csv and FILE.xlsx have them in
the order of the study, FILE.sdf has the best molecules first, and FILE.smi is a list of the
strings that have a score, the best first. Whatever is written may be told again, and
changes nothing.`,
		Example: "  invbo export lab.db all.csv",
		Args:    exactly(2, "the file of a study, and that to write"),
	}, true, func(_ context.Context, b *experiment.Experiment, args []string, _ io.Writer) error {
		if files.Same(args[0], b.Place().String()) {
			return usage.Errorf("%s is the study; give another name", args[0])
		}
		if err := refuseTable(args[0], b.Molecules()); err != nil {
			return err
		}
		if files.Exists(args[0]) && !overwrite {
			return usage.Errorf("%s exists already; give another name, or --overwrite", args[0])
		}
		ending := strings.ToLower(filepath.Ext(args[0]))
		return usage.Wrap(b.Export(ending == ".smi" || ending == ".sdf").WriteFile(args[0]))
	})
	g := newGroup("Flags")
	g.BoolVar(&overwrite, "overwrite", false, "overwrite FILE")
	return withGroups(c, g)
}
