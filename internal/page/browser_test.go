package page_test

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/invbo/invbo/internal/page"
	"github.com/invbo/invbo/internal/serve"
)

var (
	inBrowser = flag.Bool("browser", false, "run the tests in Chromium, too")
	shots     = flag.String("shots", "", "take screenshots of the studies that are arguments, into this `FOLDER`")
)

// chromium returns a browser of its own for a test, which is skipped where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	if !*inBrowser && *shots == "" {
		t.Skip("without -browser: make page-test runs it")
	}
	if page.Bundle() == nil {
		t.Skip("the bundle is missing: make page makes it")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("Chromium is missing: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1440, 1000), chromedp.Flag("hide-scrollbars", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	quiet(t, ctx)
	t.Cleanup(cancel) // first, which ends what quiet waits for
	return ctx
}

// quiet fails the test if the console of a tab has an error: such as a script or a style that the content security policy blocks.
func quiet(t *testing.T, tab context.Context) {
	t.Helper()
	messages := chromedp.Console(tab)
	var watching sync.WaitGroup
	watching.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" && m.Source != "network" { // forms that are refused are answered with 422
				t.Errorf("the console says: %s", m)
			}
		}
	})
	t.Cleanup(watching.Wait)
}

// do runs actions in a tab.
func do(t *testing.T, tab context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	for i, action := range actions {
		if _, err := chromedp.Run(tab, action); err != nil {
			t.Fatalf("action %d: %v, at %s:\n%.1500s", i+1, err, read[string](t, tab, "location.href"), read[string](t, tab, "document.body.innerText"))
		}
	}
}

// read returns the value of an expression.
func read[T any](t *testing.T, tab context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Errorf("%s: %v", expression, err)
	}
	return v
}

// holds waits until an expression is true.
func holds(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(10*time.Second))
}

// look sets the width of the window, and light or dark.
func look(t *testing.T, tab context.Context, width int64, scheme string) {
	t.Helper()
	if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		t.Fatal(err)
	}
	do(t, tab, chromedp.EmulateViewport(width, 900))
}

// serving serves studies until the test ends.
func serving(t *testing.T, paths ...string) string {
	t.Helper()
	s, _, err := serve.Open(t.Context(), paths, serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve.NewAPI(s, nil, "test", serve.DefaultLimits()))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		s.Close()
	})
	return server.URL
}

// TestScreenshots takes screenshots to look at, of all views of studies:
//
//	go test ./internal/page -run Screenshots -shots /tmp/shots -args lab.db …
func TestScreenshots(t *testing.T) {
	if *shots == "" {
		t.Skip("without -shots")
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	base := serving(t, flag.Args()...)
	tab := chromium(t)
	drawn := holds(`[...document.querySelectorAll(".plot")].every(p => p.dataset.drawn !== undefined) && [...document.images].every(i => i.complete || i.loading === "lazy")`)
	views := map[string]string{"studies": "/"}
	compared := "/compare?"
	for _, path := range flag.Args() {
		name := filepath.Base(path)
		if ext := filepath.Ext(name); ext == ".db" {
			name = name[:len(name)-len(ext)]
		}
		views[name+"-results"] = "/study/" + name
		views[name+"-proposals"] = "/study/" + name + "/proposals"
		views[name+"-trial"] = "/study/" + name + "/trial/5"
		compared += "study=" + name + "&"
	}
	views["compare"] = compared
	for name, path := range views {
		for _, of := range []struct {
			name   string
			width  int64
			scheme string
		}{{"", 1440, "light"}, {"-dark", 1440, "dark"}, {"-narrow", 380, "light"}} {
			look(t, tab, of.width, of.scheme)
			do(t, tab, chromedp.Navigate(base+path), drawn)
			picture, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*shots, fmt.Sprintf("%s%s.png", name, of.name)), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
