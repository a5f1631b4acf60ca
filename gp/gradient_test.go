package gp

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// checkGrad compares grad with central differences of f in the entries of theta.
func checkGrad(t *testing.T, name string, f func() float64, theta, grad []float64) {
	t.Helper()
	const h = 1e-5
	for i := range theta {
		v := theta[i]
		theta[i] = v + h
		up := f()
		theta[i] = v - h
		down := f()
		theta[i] = v
		want := (up - down) / (2 * h)
		if !(math.Abs(grad[i]-want) <= 1e-6*(1+math.Abs(want))) { // written this way, NaN fails
			t.Errorf("%s: gradient %d is %g, by differences %g", name, i, grad[i], want)
		}
	}
}

// sample returns inputs in d dimensions and a smooth function of them with noise of deviation 0.1.
func sample(n, d int, rng *rand.Rand) (x [][]float64, y []float64) {
	for range n {
		row := normals(d, rng)
		x = append(x, row)
		y = append(y, math.Sin(row[0])+0.5*row[d-1]+0.1*rng.NormFloat64())
	}
	return x, y
}

func TestGradients(t *testing.T) {
	for _, variance := range [][]float64{nil, {0, 0.3, 2, 0, 1e4, 0.01, 0.5, 1, 0}} {
		testGradients(t, variance)
	}
}

func testGradients(t *testing.T, variance []float64) {
	for _, opts := range []Options{{}, {Features: []int{3}}, {Features: []int{4, 2}}, {Features: []int{4, 3}, Skip: true}} {
		rng := rand.New(rand.NewPCG(5, 6))
		x, y := sample(9, 3, rng)
		features := opts.Features
		opts.Inducing, opts.Jitter = 4, 1e-3
		g, err := New(x, opts, rng)
		if err != nil {
			t.Fatal(err)
		}
		for i := range g.params.flat { // away from the special values that New starts from
			g.params.flat[i] += 0.2 * rng.NormFloat64()
		}
		loss, grad, err := g.Loss(x, y, variance, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := len(g.params.Mean)
		for i := range m {
			clear(g.params.Chol[i*m+i+1 : (i+1)*m])
		}
		value := func() float64 {
			loss, _, err := g.Loss(x, y, variance, nil)
			if err != nil {
				t.Fatal(err)
			}
			return loss
		}
		if again := value(); again != loss {
			t.Errorf("%v: the upper triangle of Chol changes the loss from %g to %g", features, loss, again)
		}
		checkGrad(t, "Loss", value, g.params.flat, grad.flat)
		for i := range x {
			checkGrad(t, "Loss, x", value, x[i], grad.X[i])
		}

		flat, err := flatten(x, 3)
		if err != nil {
			t.Fatal(err)
		}
		index := []int{7, 0, 3, 4}
		into := newParams(0, 3, features)
		evidence := func() float64 {
			opt, err := g.bound(data{flat, y, variance}, index, into)
			if err != nil {
				t.Fatal(err)
			}
			return opt.loss + prior{-1, 0.2, 0.5, 9}.add(g, into)
		}
		evidence()
		checkGrad(t, "bound", evidence, g.params.kernel, append([]float64(nil), into.kernel...))
	}
}

// Unlearned, a network around which x skips leaves the plain kernel; and it must fit the width of x.
func TestSkip(t *testing.T) {
	x, y := sample(12, 3, rand.New(rand.NewPCG(5, 6)))
	loss := func(opts Options) float64 {
		g, err := New(x, opts, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		clear(g.params.Mean)
		loss, _, err := g.Loss(x, y, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}
	plain := loss(Options{})
	if deep := loss(Options{Features: []int{5, 3}, Skip: true}); deep != plain {
		t.Errorf("loss %g with an unlearned network, %g without one", deep, plain)
	}
	for _, features := range [][]int{nil, {3, 5}} {
		if _, err := New(x, Options{Features: features, Skip: true}, rand.New(rand.NewPCG(1, 1))); err == nil {
			t.Errorf("layers %v were added to 3 dimensions", features)
		}
	}
}

func TestLikelihoodGradient(t *testing.T) {
	for _, extra := range [][]float64{nil, {0, 0.3, 2, 0, 1e4, 0.01, 0.5, 1, 0, 0, 0, 3}} {
		testLikelihoodGradient(t, extra)
	}
}

func testLikelihoodGradient(t *testing.T, extra []float64) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, y := sample(12, 3, rng)
	flat, err := flatten(x, 3)
	if err != nil {
		t.Fatal(err)
	}
	e := NewExact(3, ExactOptions{})
	e.data = data{flat, y, extra}
	p := prior{-1, 0.2, 0.5, 12}
	for i := range e.theta {
		e.theta[i] += 0.2 * rng.NormFloat64()
	}
	grad := make([]float64, len(e.theta))
	value := func() float64 {
		loss, err := e.likelihood(e.theta, make([]float64, len(e.theta)))
		if err != nil {
			t.Fatal(err)
		}
		return loss + e.addPrior(p, e.theta, make([]float64, len(e.theta)))
	}
	if _, err := e.likelihood(e.theta, grad); err != nil {
		t.Fatal(err)
	}
	e.addPrior(p, e.theta, grad)
	checkGrad(t, "likelihood", value, e.theta, grad)
}

// With all data as inducing points, Titsias's bound is the exact likelihood, but for the jitter.
func TestBoundIsTheLikelihood(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	extra := make([]float64, 20)
	for i := range extra {
		extra[i] = 2 * rng.Float64()
	}
	testBoundIsTheLikelihood(t, nil)
	testBoundIsTheLikelihood(t, extra)
}

func testBoundIsTheLikelihood(t *testing.T, extra []float64) {
	rng := rand.New(rand.NewPCG(9, 10))
	x, y := sample(20, 2, rng)
	flat, err := flatten(x, 2)
	if err != nil {
		t.Fatal(err)
	}
	e := NewExact(2, ExactOptions{})
	e.data = data{flat, y, extra}
	want, err := e.likelihood(e.theta, make([]float64, len(e.theta)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(x, Options{Jitter: 1e-10}, rng)
	if err != nil {
		t.Fatal(err)
	}
	*g.params.Constant = e.offset
	*g.params.RawOutputscale = unsoftplus(e.Outputscale())
	*g.params.RawLengthscale = unsoftplus(e.Lengthscales()[0])
	*g.params.RawNoise = unsoftplus(e.Noise() - minNoise)
	index := make([]int, len(x))
	for i := range index {
		index[i] = i
	}
	opt, err := g.bound(data{flat, y, extra}, index, newParams(0, 2, nil))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(opt.loss-want) > 1e-6 {
		t.Errorf("bound %.9f, likelihood %.9f", opt.loss, want)
	}
	fewer, err := g.bound(data{flat, y, extra}, index[:5], newParams(0, 2, nil))
	if err != nil {
		t.Fatal(err)
	}
	if fewer.loss <= opt.loss {
		t.Errorf("the bound with 5 inducing points is %g, not worse than %g with all 20", fewer.loss, opt.loss)
	}
}

func TestInducing(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	x := normals(30*2, rng)
	copy(x[10*2:20*2], x[:10*2]) // ten repeats
	chosen := inducing(x, 30, 2, 30, 1e-9)
	if len(chosen) > 20 {
		t.Errorf("%d of 20 different points chosen", len(chosen))
	}
	seen := map[float64]bool{}
	for _, i := range chosen {
		if seen[x[i*2]] {
			t.Errorf("row %d is chosen, and its repeat", i)
		}
		seen[x[i*2]] = true
	}
	if got := inducing(x, 30, 2, 3, 1e-9); len(got) != 3 {
		t.Errorf("%d points chosen, want 3", len(got))
	}
	if got := inducing(x, 30, 2, 3, 2); len(got) != 1 {
		t.Errorf("%d points chosen where none is worth it, want 1", len(got))
	}
}

// The optimum is the posterior that Predict knows: a target whose variance is huge is no data, and two of variance v at
// one point are their mean with half of it.
func TestBoundWeighsTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	x, y := sample(20, 2, rng)
	g, err := New(x, Options{}, rng)
	if err != nil {
		t.Fatal(err)
	}
	const v = 0.4
	index := []int{0, 1, 2, 3, 4}
	optimum := func(x [][]float64, y, extra []float64) []float64 {
		flat, err := flatten(x, 2)
		if err != nil {
			t.Fatal(err)
		}
		opt, err := g.bound(data{flat, y, extra}, index, newParams(0, 2, nil))
		if err != nil {
			t.Fatal(err)
		}
		return append(append([]float64(nil), opt.mean...), opt.cov...)
	}
	extra := make([]float64, 20)
	extra[19] = 1e14
	twice := make([]float64, 21)
	twice[19], twice[20] = v, v
	once := make([]float64, 20)
	once[19] = (v - g.Noise()) / 2 // so that the whole variance is halved
	mean := append([]float64(nil), y...)
	mean[19] = (y[19] + 7) / 2
	for _, test := range []struct {
		name      string
		got, want []float64
	}{
		{"a huge variance", optimum(x, y, extra), optimum(x[:19], y[:19], nil)},
		{"no variance", optimum(x, y, make([]float64, 20)), optimum(x, y, nil)},
		{"replicates", optimum(append(x, x[19]), append(y, 7), twice), optimum(x, mean, once)},
	} {
		for i, want := range test.want {
			if !(math.Abs(test.got[i]-want) <= 1e-9) {
				t.Errorf("%s: number %d of mean and covariance is %g, want %g", test.name, i, test.got[i], want)
			}
		}
	}
}

// Held-out rows are in the loss and have gradients of their own, but the parameters' gradient is that of the other rows
// alone, whatever the targets of the held-out ones.
func TestLossHoldsOutByID(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	x, y := sample(12, 3, rng)
	g, err := New(x, Options{Inducing: 5, Features: []int{4, 3}, Skip: true}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.params.flat {
		g.params.flat[i] += 0.2 * rng.NormFloat64()
	}
	variance := make([]float64, len(x))
	id := []int{7, 4, 0, 1, 9, 2, 3, 19, 5, 6, 8, 10} // 4, 9 and 19 are held out
	var others [][]float64
	var otherY, otherVariance []float64
	for i := range x {
		variance[i] = rng.Float64()
		if id[i]%5 != 4 {
			others, otherY, otherVariance = append(others, x[i]), append(otherY, y[i]), append(otherVariance, variance[i])
		}
	}
	loss := func(x [][]float64, y, variance []float64, id []int) (float64, *Gradient) {
		loss, grad, err := g.Loss(x, y, variance, id)
		if err != nil {
			t.Fatal(err)
		}
		return loss, grad
	}
	same := func(what string, got, want []float64, tolerance float64) {
		t.Helper()
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= tolerance) {
				t.Errorf("%s: number %d is %g, want %g", what, i, got[i], want[i])
			}
		}
	}
	all, full := loss(x, y, variance, nil)
	nats, grad := loss(x, y, variance, id)
	_, rest := loss(others, otherY, otherVariance, nil)
	same("loss", []float64{nats}, []float64{all}, 1e-12)
	for i := range x {
		same("gradient of x", grad.X[i], full.X[i], 1e-12)
	}
	same("gradient of parameters", grad.flat, rest.flat, 0)

	y[1], y[4], y[7] = 50, -50, 50
	_, moved := loss(x, y, variance, id)
	same("gradient of parameters at other targets", moved.flat, grad.flat, 0)
	if _, trained := loss(x, y, variance, nil); math.Abs(trained.Layers[0].Weight[0]-full.Layers[0].Weight[0]) < 1e-3 {
		t.Error("the targets of the held-out rows have no effect without IDs: this test cannot fail")
	}
	_, none := loss(x[:2], y[:2], nil, []int{4, 9})
	same("gradient of parameters of held-out rows", none.flat, make([]float64, len(none.flat)), 0)
	if none.X[0][0] == 0 {
		t.Error("held-out rows have no gradient")
	}
	if _, _, err := g.Loss(x, y, nil, id[1:]); !errors.Is(err, ErrData) {
		t.Errorf("error %v, want ErrData", err)
	}
}

func TestMixtureLossGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	const n = 12
	y := normals(n, rng)
	grams := make([][]float64, 2)
	for g, kernel := range []Kernel{Tanimoto, Overlap} {
		x := make([]Counts, n)
		for i := range x {
			for id := range uint64(6) {
				x[i].IDs, x[i].N = append(x[i].IDs, id), append(x[i].N, 1+rng.Uint32N(4))
			}
		}
		for i := range x {
			for j := range x {
				grams[g] = append(grams[g], Term{Kernel: kernel}.Similarity(x[i:i+1], x[j:j+1]))
			}
		}
	}
	for _, variance := range [][]float64{nil, {0, 0.3, 2, 0, 1e4, 0.01, 0.5, 1, 0, 0, 0, 3}} {
		theta, grad := []float64{-0.7, 0.2, -1.5}, make([]float64, 3)
		value := func() float64 {
			loss, err := mixtureLoss(new(workspace), grams, nil, nil, y, variance, 1.7, nil, theta, make([]float64, 3))
			if err != nil {
				t.Fatal(err)
			}
			return loss
		}
		if _, err := mixtureLoss(new(workspace), grams, nil, nil, y, variance, 1.7, nil, theta, grad); err != nil {
			t.Fatal(err)
		}
		checkGrad(t, "mixtureLoss", value, theta, grad)
	}
}
