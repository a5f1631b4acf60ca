package task

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/command"
	"github.com/invbo/invbo/oracle/remote"
	"github.com/invbo/invbo/study"
)

// External are the options of an oracle of the user's own: a program or a service.
type External struct {
	OracleCmd       string   `json:"oracle_cmd,omitzero"`
	OracleURL       string   `json:"oracle_url,omitzero"`
	OracleProtocol  string   `json:"oracle_protocol,omitzero"` // of OracleCmd; empty: lines
	OracleProperty  string   `json:"oracle_property,omitzero"` // column or key of the scores; empty: the protocol's
	OracleDir       string   `json:"oracle_dir,omitzero"`      // that OracleCmd runs in; empty: the current one
	OracleTokenFile string   `json:"oracle_token_file,omitzero"`
	OracleJobs      int      `json:"oracle_jobs,omitzero"`    // calls at a time; 0: 1
	OracleTimeout   Duration `json:"oracle_timeout,omitzero"` // of a call; 0: none
	OracleRetries   int      `json:"oracle_retries,omitzero"` // of a call that fails
	OracleSize      int      `json:"oracle_size,omitzero"`    // strings in a call; 0: see CallSize
	OracleSkip      bool     `json:"oracle_skip,omitzero"`    // strings for which it fails count as failed; otherwise they end the run
}

// serviceURL is the URL of a service without secrets: it is kept with the study, and shown.
type serviceURL struct{ to *string }

func (u serviceURL) String() string { return *u.to }
func (u serviceURL) Type() string   { return "string" }

func (u serviceURL) Set(text string) error {
	remedy := fmt.Sprintf("give the secret in the environment variable %s, or in a file", TokenVariable)
	address, err := url.Parse(text)
	switch {
	case err != nil:
		return usage.Errorf("it is no URL; give one such as https://lab.example/score")
	case address.User != nil:
		return usage.Errorf("it holds a name or a password; %s", remedy)
	}
	for name, values := range address.Query() {
		if usage.IsSecret(name) || slices.ContainsFunc(values, usage.LooksSecret) {
			return usage.Errorf("its parameter %s looks like a secret, which would be kept with the study and shown; %s", usage.Visible(name), remedy)
		}
	}
	*u.to = text
	return nil
}

// ownScore says of tasks with an oracle of the user's own where their scores are from.
const ownScore = "by your own oracle"

// TokenVariable is the environment variable with the token of OracleURL, unless a file holds it.
const TokenVariable = "INVBO_ORACLE_TOKEN"

// persistent is the protocol of a program that goes on running.
const persistent = "persistent"

// protocols returns the names of the protocols of a command, the default first.
func protocols() []string {
	return []string{string(command.Lines), string(command.CSV), string(command.JSON), persistent}
}

// Values returns the options that scores depend on; the others say how they are asked for. Protocols by default are
// left out.
func (e External) Values() External {
	v := External{OracleCmd: e.OracleCmd, OracleURL: e.OracleURL, OracleProtocol: e.OracleProtocol, OracleProperty: e.OracleProperty}
	if v.OracleProtocol == string(command.Lines) {
		v.OracleProtocol = ""
	}
	return v
}

// Persists reports whether the oracle is a command that goes on running.
func (e External) Persists() bool { return e.OracleProtocol == persistent }

// CallSize returns how many strings are in one call if batches have that many: a batch divided by the calls at a time.
func (e External) CallSize(batch int) int {
	if e.OracleSize > 0 {
		return e.OracleSize
	}
	jobs := max(1, e.OracleJobs)
	return max(1, (batch+jobs-1)/jobs)
}

// lines reports whether the oracle is a command that writes a line for each string.
func (e External) lines() bool {
	return e.OracleURL == "" && (e.OracleProtocol == "" || e.OracleProtocol == string(command.Lines))
}

// Check refuses options that do not go together.
func (e External) Check() error {
	const cmd, url = option.Name("oracle-cmd"), option.Name("oracle-url")
	switch {
	case e.OracleCmd == "" && e.OracleURL == "":
		return option.Errorf("give a command that reads strings and writes a score for each: %s, for example; or a service: %s; for scores from a laboratory see invbo new",
			option.Setting{Name: cmd, Value: "'python3 score.py'"}, option.Setting{Name: url, Value: "URL"})
	case e.OracleCmd != "" && e.OracleURL != "":
		return option.Errorf("%s and %s: give one of them", cmd, url)
	case e.OracleURL != "" && e.OracleProtocol != "":
		return option.Errorf("%s is for %s, and %s has its own; leave it out", option.Name("oracle-protocol"), cmd, url)
	case e.OracleURL != "" && e.OracleDir != "":
		return option.Errorf("%s is for %s; leave it out", option.Name("oracle-dir"), cmd)
	case e.OracleCmd != "" && e.OracleTokenFile != "":
		return option.Errorf("%s is for %s; leave it out", option.Name("oracle-token-file"), url)
	case e.OracleCmd != "" && e.OracleProperty != "" && e.lines():
		return option.Errorf("%s names a column or a key, and lines have none; give %s", option.Name("oracle-property"), option.Setting{Name: "oracle-protocol", Value: "csv, json or persistent"})
	case e.lines() || e.OracleURL != "":
		return nil
	}
	_, err := usage.Find("protocol", e.OracleProtocol, protocols(), func(name string) string { return name })
	return err
}

// Open returns the oracle, which reads strings from a column of that name if it reads CSV, and how to end what it starts.
// Nothing is started yet.
func (e External) Open(column string) (o oracle.Oracle, end func(), err error) {
	if err := e.Check(); err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(cmp.Or(e.OracleDir, ".")); err != nil || !info.IsDir() {
		return nil, nil, option.Errorf("%s: there is no such folder; give the one that the command runs in", option.Setting{Name: "oracle-dir", Value: e.OracleDir})
	}
	end = func() {}
	switch {
	case e.OracleURL != "":
		token, err := e.token()
		if err != nil {
			return nil, nil, err
		}
		if o, err = remote.New(e.OracleURL, remote.Options{Property: e.OracleProperty, Token: token}); err != nil {
			return nil, nil, option.Errorf("%s: %w", option.Name("oracle-url"), err)
		}
	case e.Persists():
		p := command.NewPersistent(e.OracleCmd, command.PersistentOptions{Property: e.OracleProperty, Processes: e.OracleJobs, Dir: e.OracleDir})
		o, end = p, p.Close
	default:
		o = command.Oracle{Command: e.OracleCmd, Protocol: command.Protocol(e.OracleProtocol), Property: e.OracleProperty, Column: column, Dir: e.OracleDir}
	}
	return o, end, nil
}

// open is Open; there is no oracle if scores are told.
func (o Options) open(column string) (scores oracle.Oracle, end func(), err error) {
	if o.Measured {
		return nil, func() {}, nil
	}
	if o.calculates() && o.External == (External{}) {
		scores, err = o.first()
		return scores, func() {}, err
	}
	e := o.External
	e.OracleProperty = o.scoreProperty()
	scores, end, err = e.Open(column)
	if err != nil || len(o.Computed) == 0 {
		return scores, end, err
	}
	return &withoutComputed{Oracle: scores, computed: o.Computed}, end, nil
}

// oracleScore names the score of an oracle among its outcomes, where the score of a study is made of properties.
const oracleScore = "score"

// scoreProperty returns the column or key of the oracle's scores; empty: the protocol's. An oracle need not write a
// score that is neither a property nor bounded: then the first property takes its place.
func (o Options) scoreProperty() string {
	names := o.PropertyNames()
	switch {
	case o.calculates() && o.External == (External{}):
		return names[0]
	case o.OracleProperty != "" || len(names) == 0 || o.lines():
		return o.OracleProperty
	case slices.Contains(names, oracleScore) || slices.Contains(study.Outcomes(o.Constraints), oracleScore):
		return ""
	}
	asked := slices.DeleteFunc(slices.Concat(names, study.Outcomes(o.Constraints)), func(name string) bool { return slices.Contains(o.Computed, name) })
	return append(asked, "")[0]
}

// ScoreName returns the name that the oracle's score has among its outcomes, where the score is made of properties.
func (o Options) ScoreName() string { return cmp.Or(o.scoreProperty(), oracleScore) }

// Demand returns o with an error if it has answered for three strings and never reported an outcome that an objective,
// a property or a constraint of the options names: nothing that it scores could be the best. A single string may lack
// one. The error is that of the next call, so that no answer is lost.
func (o Options) Demand(of oracle.Oracle) oracle.Oracle {
	d := &demanding{Oracle: of, reported: map[string]bool{}}
	add := func(by, value, outcome string) {
		if !slices.Contains(o.Computed, outcome) && outcome != o.ScoreName() {
			d.demands = append(d.demands, demand{option.Setting{Name: option.Name(by), Value: value}, outcome})
		}
	}
	for _, p := range o.Properties {
		add("property", p.Name, p.Name)
	}
	for _, objective := range o.Objectives {
		add("objective", objective.String(), objective.Name)
	}
	for _, c := range o.Constraints {
		add("constraint", c.String(), c.Outcome)
	}
	if len(d.demands) == 0 || of == nil {
		return of
	}
	return d
}

// demand is an outcome that an option names.
type demand struct {
	by      option.Setting
	outcome string
}

type demanding struct {
	oracle.Oracle
	demands []demand

	mu       sync.Mutex
	answered int             // strings so far, with a score or other outcomes
	reported map[string]bool // outcomes so far
}

func (d *demanding) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if err := d.missing(); err != nil {
		return nil, err
	}
	results, err := d.Oracle.Score(ctx, x)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range results {
		if !math.IsNaN(r.Score) || len(r.Others) > 0 {
			d.answered++
			for name := range r.Others {
				d.reported[name] = true
			}
		}
	}
	return results, err
}

// missing returns an error if the answers so far lack an outcome.
func (d *demanding) missing() error {
	const enough = 3
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, demand := range d.demands {
		if d.answered >= enough && !d.reported[demand.outcome] {
			what := "no further outcomes"
			if len(d.reported) > 0 {
				what = strings.Join(slices.Sorted(maps.Keys(d.reported)), ", ")
			}
			return option.Errorf("%s: the oracle reports %s, and not %s as a number; have it report that as a column or key of this name", demand.by, what, demand.outcome)
		}
	}
	return nil
}

// Patient returns o with the options on calls that take long or fail. The logger, which may be nil, is told of those
// that are repeated.
func (e External) Patient(o oracle.Oracle, log *slog.Logger) oracle.Oracle {
	o = oracle.Timeout(o, time.Duration(e.OracleTimeout))
	if e.OracleRetries > 0 {
		o = oracle.Retry(o, e.OracleRetries, log)
	}
	if e.OracleSkip {
		o = oracle.Skip(o, log)
	}
	return o
}

// token returns the token of the service, or nothing.
func (e External) token() (string, error) {
	if e.OracleTokenFile == "" {
		return os.Getenv(TokenVariable), nil
	}
	text, err := os.ReadFile(e.OracleTokenFile)
	if err != nil {
		return "", option.Errorf("%s: %w", option.Name("oracle-token-file"), err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", option.Errorf("%s: it is empty", option.Setting{Name: "oracle-token-file", Value: e.OracleTokenFile})
	}
	return token, nil
}
