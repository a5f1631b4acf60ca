package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/invbo/invbo/internal/process"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/internal/wire"
)

// Persistent scores by a command of the shell that goes on running, so that a model is loaded once. Each batch is a
// line of JSON on the program's standard input, and the answer a line on its standard output:
//
//	{"id": 7, "x": ["ACDW", "MNPQ"]}
//	{"id": 7, "scores": [0.71, null], "reasons": [null, "it does not fold"]}
//
// null or NaN is no score, "reasons" may be left out, and other lists of numbers are kept as oracle.Result.Others. The
// program has to flush its output after each line, and to end when its standard input does.
//
// A program starts with the first call that needs it. After an error it is killed, and the next call starts it anew.
type Persistent struct {
	command string
	opts    PersistentOptions
	turn    chan struct{} // holds an element for each call under way
	idle    chan *program
}

// PersistentOptions configure a Persistent. A zero field takes the value in the comment.
type PersistentOptions struct {
	Property  string        // key of the scores; "scores"
	Processes int           // that run side by side, if there are as many calls at a time; 1
	Grace     time.Duration // that a program has to end after its standard input; 5 s
	Dir       string        // folder that it runs in; the current one
}

// NewPersistent returns a Persistent, which must be closed. Nothing is started yet.
func NewPersistent(command string, opts PersistentOptions) *Persistent {
	opts.Processes = max(opts.Processes, 1)
	opts.Grace = cmp.Or(opts.Grace, 5*time.Second)
	return &Persistent{command: command, opts: opts, turn: make(chan struct{}, opts.Processes), idle: make(chan *program, opts.Processes)}
}

// String names the command in errors.
func (o *Persistent) String() string { return name(o.command) }

// Score implements oracle.Oracle. The error wraps ctx's cause, or says what is wrong with the program. The end of ctx
// kills the program with all programs that it started.
func (o *Persistent) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(x) == 0 {
		return nil, nil
	}
	var p *program
	var err error
	select {
	case p = <-o.idle:
	default:
		if p, err = start(o.command, o.opts.Dir); err != nil {
			return nil, fmt.Errorf("%v: %w", o, err)
		}
	}
	stop := context.AfterFunc(ctx, p.kill)
	results, err := p.ask(x, o.opts.Property)
	if alive := stop(); alive && err == nil {
		o.idle <- p
		return results, nil
	}
	if err != io.EOF {
		p.kill() // it would go on with an answer that nobody reads
	}
	status := p.end(o.opts.Grace)
	switch {
	case err == nil:
		return results, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%v: %w%s", o, context.Cause(ctx), p.stderr.after())
	case err == io.EOF && status != nil:
		return nil, fmt.Errorf("%v, ended without an answer: %w%s", o, status, p.stderr.after())
	case err == io.EOF:
		return nil, fmt.Errorf("%v, ended without an answer%s", o, p.stderr.after())
	}
	return nil, fmt.Errorf("%v, %w", o, err)
}

// Close ends the programs, once the calls under way have returned: by the end of their standard input or, if they do not end
// then, by force. A later call of Score starts one again.
func (o *Persistent) Close() {
	for range cap(o.turn) {
		o.turn <- struct{}{}
	}
	var all sync.WaitGroup
	for range len(o.idle) {
		p := <-o.idle
		all.Go(func() { p.end(o.opts.Grace) }) // it has done its work, however it ends
	}
	all.Wait()
	for range cap(o.turn) {
		<-o.turn
	}
}

// program is one that runs.
type program struct {
	stdin   io.WriteCloser
	stdout  *os.File
	answers *bufio.Reader // of stdout
	stderr  tail
	kill    context.CancelFunc // with all programs that it started
	writing sync.WaitGroup
	calls   int64

	ended  chan struct{} // closed when it has ended
	status error         // how, from then on; nil: well
}

func start(command, dir string) (*program, error) {
	ctx, kill := context.WithCancel(context.Background()) // it outlives the call that starts it
	p := &program{kill: kill, ended: make(chan struct{})}
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = dir
	cmd.Stderr = &p.stderr
	process.KillGroup(cmd)
	from, to, err := os.Pipe() // not cmd.StdoutPipe, which Wait closes even if an answer is in it
	if err != nil {
		kill()
		return nil, err
	}
	cmd.Stdout = to
	p.stdin, err = cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	to.Close()
	if err != nil {
		kill()
		from.Close()
		return nil, err
	}
	p.stdout, p.answers = from, bufio.NewReader(from)
	go func() {
		defer close(p.ended)
		if p.status = cmd.Wait(); errors.Is(p.status, context.Canceled) {
			p.status = nil // it was to be killed, and had already ended well
		}
		process.KillRest(cmd)
		from.SetReadDeadline(time.Now().Add(cmd.WaitDelay)) // should one have left the group, and hold the pipe
	}()
	return p, nil
}

// ask returns the program's answer to a batch. The error is io.EOF if there is none.
func (p *program) ask(x []string, property string) ([]oracle.Result, error) {
	p.calls++
	p.writing.Go(func() { p.stdin.Write(wire.Request(p.calls, x)) }) // a program that does not read it gives no answer
	line, err := p.readLine()
	if err != nil {
		return nil, err
	}
	results, err := wire.Answer(line, p.calls, property, len(x), p.stderr.line())
	if err != nil {
		return nil, fmt.Errorf("wrote %q: %w", shorten(string(line)), err)
	}
	p.writing.Wait()
	p.stderr.reset() // what it says from now on is about the next batch, or its end
	return results, nil
}

// readLine returns the next line, also if nothing ends it but the end of the output.
func (p *program) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := p.answers.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > wire.MostAnswer:
			return nil, fmt.Errorf("wrote a line of more than %d MB", wire.MostAnswer>>20)
		case err == nil, err != bufio.ErrBufferFull && len(line) > 0:
			return line, nil
		case err != bufio.ErrBufferFull: // the end, or the time that it may take after that of the program is up
			return nil, io.EOF
		}
	}
}

// end ends the program's standard input, kills it if it is still there after the time of grace, and returns how it ended.
func (p *program) end(grace time.Duration) error {
	p.stdin.Close()
	timer := time.AfterFunc(grace, p.kill)
	<-p.ended
	timer.Stop()
	p.kill()
	p.writing.Wait()
	p.stdout.Close()
	return p.status
}
