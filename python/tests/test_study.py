"""Tests against invbo serve: the program in the environment variable INVBO, or on PATH (make python)."""

import ast
import contextlib
import functools
import http.client
import io
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

import invbo

DATA = [("ACDEFA", 0.5), ("CCDEAG", 1.5), ("ACDDFG", 0.25), ("AADEFG", 0.75)]

CHILDREN = {**os.environ, "PYTHONPATH": str(Path(invbo.__file__).parents[1])}  # environment of programs that import invbo


def setUpModule():
    """Create a study that tests copy."""
    global BEGUN, REPORT
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    BEGUN = Path(folder.name, "lab.db")
    with invbo.Study.create(BEGUN, DATA, direction="maximize") as study:
        REPORT = study.report


class WithStudy(unittest.TestCase):
    """Has a study of four strings, which proposes strings 5, 6 and so on."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "lab.db")
        shutil.copy(BEGUN, self.file)

    @functools.cached_property
    def study(self):
        return self.closing(invbo.Study.open(self.file))

    def closing(self, study):
        self.addCleanup(study.close)
        return study

    def address(self):
        """Return the URL and the token of the study's own server."""
        return self.study._server.url, self.study._server.token


class TestStudy(WithStudy):
    def test_create(self):
        self.assertEqual((self.study.name, self.study.direction, self.study.score_name), ("lab", "maximize", "score"))
        self.assertIn("4 strings", REPORT)
        self.assertEqual([(t.input, t.score, t.kind) for t in self.study.trials], [(*d, "initial") for d in DATA])

    def test_create_from_rows_and_tables(self):
        rows = [{"sequence": s, "activity": v, "note": "x,\n"} for s, v in DATA] + [{"sequence": "AAAAAA"}]
        study = self.closing(
            invbo.Study.create(self.file.with_name("rows.db"), rows, "minimize", score="activity", length="6", seed=3)
        )
        self.assertEqual(study.status().best.input, "ACDDFG")
        table = self.file.with_name("table.csv")
        table.write_text("sequence,activity\n" + "".join(f"{s},{v}\n" for s, v in DATA))
        study = self.closing(invbo.Study.create(self.file.with_name("table.db"), table, "maximize"))
        self.assertEqual(study.best.score, 1.5)

    def test_create_errors(self):
        with self.assertRaisesRegex(invbo.ProgramError, "lab.db"):  # there is one
            invbo.Study.create(self.file, DATA, direction="maximize")
        other = self.file.with_name("other.db")
        with self.assertRaisesRegex(invbo.InvalidError, "direction 'up'"):
            invbo.Study.create(other, DATA, direction="up")
        with self.assertRaisesRegex(invbo.InvalidError, "pairs of a string and its score"):
            invbo.Study.create(other, ["ACDEFA"], direction="maximize")
        with self.assertRaisesRegex(invbo.ProgramError, "unknown flag: --colour"):
            invbo.Study.create(other, DATA, direction="maximize", colour="red")

    def test_objectives(self):
        rows = [{"sequence": x, "fit": y, "cost": len(x.strip("AC"))} for x, y in DATA]
        objectives = ["fit max", "cost min zero=9"]
        study = self.closing(invbo.Study.create(self.file.with_name("two.db"), rows, objective=objectives, input="sequence"))
        first = study.ask()[0]
        study.tell_many([invbo.Answer(first, others={"fit": 2.5, "cost": 3.0})])
        front = study.front
        self.assertEqual(front.objectives, tuple(objectives))
        self.assertIn((2.5, 3.0), front.values)
        self.assertEqual(len(front.trials), len(front.values))
        self.assertEqual(front.reference[1], 9)
        self.assertGreater(front.hypervolume, 0)
        self.assertIsNone(self.study.front)
        study.optimize(lambda string: {"fit": string.count("C"), "cost": len(string.strip("AC"))}, 2)
        last = study.trials[-1]
        self.assertEqual(last.measurements[0].others["cost"], len(last.input.strip("AC")))
        study.optimize(lambda string: {"fit": 1, "cost": float("inf")}, 1)
        self.assertEqual(study.trials[-1].reason, "cost is inf")

    def test_ask_and_tell(self):
        first, second = self.study.ask(2, lease=timedelta(minutes=90))
        self.assertEqual((first.number, first.state, first.until.utcoffset()), (5, "pending", timedelta(0)))
        self.assertEqual(self.study.tell(first, 2.5, se=0.1, name="W-7"), invbo.Outcome(5, "measured"))
        self.assertEqual(self.study.tell(second.number, 2).what, "measured")
        self.assertEqual(self.study.tell("ACDEFF", 1.25), invbo.Outcome(7, "measured"))
        self.assertEqual((self.study.best.input, self.study.best.name), (first.input, "W-7"))
        self.assertEqual(self.study.best.measurements, (invbo.Measurement(1, 2.5, 0.1),))
        self.assertEqual([t.number for t in self.study.status().ranked], [5, 6, 2])

    def test_told_again(self):
        twice = [invbo.Answer(1, 0.75), invbo.Answer(1, 0.75)]
        self.assertEqual([o.what for o in self.study.tell_many(twice)], ["another measurement"] * 2)
        self.assertEqual([o.what for o in self.study.tell_many(twice)], ["known already"] * 2)

    def test_text_instead_of_a_number(self):
        with self.assertRaisesRegex(invbo.InvalidError, "the score is '7.2', not a number"):
            self.study.tell(1, "7.2")
        with self.assertRaisesRegex(invbo.InvalidError, "the score is nan; call fail"):
            self.study.tell(1, float("nan"))
        self.assertEqual(self.study.status().measurements, 4)

    def test_fail_and_withdraw(self):
        first, second = self.study.ask(2)
        self.assertEqual(self.study.fail(first, "does not\nfold").what, "failed")
        self.assertEqual(self.study.withdraw(second, "cannot be made").reason, "cannot be made")
        self.assertEqual(self.study.withdraw(second, "cannot be made").state, "failed")  # known already
        self.assertEqual([t.reason for t in self.study.trials[4:]], ["does not fold", "cannot be made"])
        with self.assertRaisesRegex(invbo.ConflictError, "trial 1 waits for no measurement"):
            self.study.withdraw(1)

    def test_correct_and_strike(self):
        self.assertEqual(self.study.correct(1, 0.75).what, "corrected")
        self.study.tell(1, 1.25)
        self.assertEqual(self.study.correct(1, 2.25, measurement=2).what, "corrected")
        self.assertEqual(self.study.trials[0].score, 1.5)
        self.assertEqual(self.study.strike(1, "wrong well", measurement=1).score, 2.25)

    def test_errors_of_the_server(self):
        with self.assertRaisesRegex(invbo.InvalidError, r"1 of 2; .*: answers\[1\]: there is no trial 50$"):
            self.study.tell_many([invbo.Answer(1, 2.0), invbo.Answer(50, 1.0)])
        with self.assertRaisesRegex(invbo.InvalidError, "lease 'soon'|lease \"soon\""):
            self.study.ask(lease="soon")
        with self.assertRaisesRegex(invbo.InvalidError, "n: expected number <= 1000"):
            self.study.ask(5000)
        url, token = self.address()
        with self.assertRaisesRegex(invbo.AccessError, "give a token of the server"):
            invbo.Study.open(url, token="wrong")
        with self.assertRaisesRegex(invbo.NotFoundError, 'there is no study "lap"; did you mean "?lab"?'):
            invbo.Study.open(url.replace("/lab", "/lap"), token=token)
        with self.assertRaisesRegex(invbo.InvalidError, "is not the URL of a study"):
            invbo.Study.open("http://localhost:8080")

    def test_open_a_url(self):
        url, token = self.address()
        with mock.patch.dict(os.environ, INVBO_TOKEN=token), invbo.Study.open(url) as study:
            study.tell(1, 3.5)
        self.assertEqual(self.study.best.number, 1)  # close left the server of another study alone

    def test_optimize(self):
        def count(string):
            if string[0] == "A":
                raise LookupError("no <A>")
            return string.count("C") if string[0] == "C" else float("nan")

        self.study.optimize(count, 8, catch=(LookupError, OSError))
        trials = self.study.trials[4:]
        self.assertEqual(len(trials), 8)
        for t in trials:
            if t.input[0] == "C":
                self.assertEqual(t.score, t.input.count("C"))
            else:
                reason = "LookupError: no <A>" if t.input[0] == "A" else "the score is nan"
                self.assertEqual((t.state, t.reason), ("failed", reason))

    def test_optimize_with_a_constraint(self):
        rows = [{"sequence": x, "fit": y, "cost": len(x)} for x, y in DATA]
        study = self.closing(
            invbo.Study.create(self.file.with_name("within.db"), rows, "maximize", score="fit", input="sequence", constraint="cost<=9")
        )
        study.optimize(lambda string: {"fit": string.count("C"), "cost": 2}, 1)
        last = study.trials[-1]
        self.assertEqual((last.score, dict(last.measurements[0].others)), (last.input.count("C"), {"cost": 2}))

    def test_optimize_raises(self):
        with self.assertRaises(ZeroDivisionError):
            self.study.optimize(lambda string: 1 / 0, 3)
        with self.assertRaisesRegex(invbo.InvalidError, "the score is None, not a number"):
            self.study.optimize(lambda string: None, 3)
        self.assertEqual((self.study.status().pending, self.study.status().failed), (2, 0))

    def test_watch(self):
        events = self.study.watch()
        (proposal,) = self.study.ask()
        self.study.tell(proposal, 2.5)
        seen = [next(events) for _ in range(3)]
        self.assertEqual([e.kind for e in seen], ["proposals", "answer", "best"])
        self.assertEqual({t.number for e in seen for t in e.trials}, {5})
        events.close()
        again = self.study.watch(after=seen[0].id - 1)
        self.assertEqual([next(again).id for _ in range(3)], [e.id for e in seen])
        self.study.close()
        self.assertEqual(list(again), [])

    def test_stale_proposal(self):
        (proposal,) = self.study.ask(lease="8h")
        self.study.close()
        self.study = self.closing(invbo.Study.open(self.file))
        self.assertNotEqual(self.study.ask()[0].number, proposal.number)  # the lease goes on
        self.study.withdraw(proposal, "lost")
        self.study.tell(proposal, 2.5)  # found again
        self.assertEqual(self.study.best.input, proposal.input)

    def test_html(self):
        proposals = self.study.ask(2)
        self.study.tell(proposals[0], 2.5, name="<b>&")
        self.assertIn("&lt;b&gt;&amp;", self.study._repr_html_())
        self.assertIn("maximize score", self.study._repr_html_())
        self.assertIn(f">{proposals[1].input}<", proposals._repr_html_())
        self.study.close()
        self.assertIn("the study is closed", self.study._repr_html_())

    def test_molecules(self):
        trial = invbo.Trial(5, "c1ccccc1", "pending", "acquired")
        drawn = invbo.Trials([trial], molecules=True)._repr_html_()
        try:
            import rdkit  # noqa: F401
        except ImportError:
            self.assertNotIn("<svg", drawn)
        else:
            self.assertIn("<svg", drawn)
        self.assertIn(">c1ccccc1<", drawn)

    def test_dataframe(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.study.trials_dataframe()
        self.assertEqual(list(zip(frame.input, frame.score)), DATA)
        again = self.closing(invbo.Study.create(self.file.with_name("f.db"), frame, "maximize", input="input", score="score"))
        self.assertEqual([t.score for t in again.trials], [score for _, score in DATA])


    def test_example(self):
        script = Path(__file__).parents[1] / "examples" / "optimize.py"
        found = subprocess.run(
            [sys.executable, script, self.file.with_name("helix.db")], stdout=subprocess.PIPE, text=True, env=CHILDREN
        )
        self.assertRegex(found.stdout, r"(?s)strings with a score 20.*\n\d+ [A-Z]{12} \d\.\d+\n$")


class TestServer(WithStudy):
    def test_close(self):
        self.study.close()
        self.study.close()
        with self.assertRaisesRegex(invbo.ProgramError, "the study is closed"):
            self.study.status()
        self.closing(invbo.Study.open(self.file))  # nobody else writes to it

    def test_file_in_use(self):
        self.study.status()
        with self.assertRaisesRegex(invbo.ProgramError, "another process is writing to it"):
            invbo.Study.open(self.file)

    def test_missing_file(self):
        with self.assertRaisesRegex(invbo.ProgramError, "none.db: no such file"):
            invbo.Study.open(self.file.with_name("none.db"))

    def test_missing_program(self):
        with self.assertRaisesRegex(invbo.ProgramError, "the program /no/invbo was not found; give its path as program="):
            invbo.Study.open(self.file, program="/no/invbo")
        with mock.patch.dict(os.environ, INVBO="", PATH=""):
            with self.assertRaisesRegex(invbo.ProgramError, "the program invbo was not found"):
                invbo.Study.create(self.file.with_name("b.db"), DATA, direction="maximize")

    def test_server_that_was_killed(self):
        self.study._server._process.kill()
        self.study._server._process.wait()
        with self.assertRaisesRegex(invbo.ProgramError, "the server has ended"):
            self.study.ask()

    def test_log(self):
        self.study.ask()
        self.assertIn("path=/studies/lab/ask", self.study.log())

    @unittest.skipUnless(hasattr(signal, "SIGKILL"), "needs SIGKILL")
    def test_server_ends_with_its_parent(self):
        program = (
            "import invbo, os, signal, sys\n"
            "study = invbo.Study.open(sys.argv[1])\n"
            "print(study._server.url, study._server.token, flush=True)\n"
            "sys.stdin.readline()\n"
            "if sys.argv[2] == 'die': os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        for how in ("die", "return"):
            with self.subTest(how), subprocess.Popen(
                [sys.executable, "-c", program, str(self.file), how],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=CHILDREN,
            ) as child:
                url, token = child.stdout.readline().split()
                events = self.closing(invbo.Study.open(url, token=token, patience=0)).watch()
                child.stdin.write("\n")
                child.stdin.close()
                with self.assertRaises(invbo.ConnectionLost):
                    next(events)


class Proxy:
    """Passes connections on to a server, but drops the answer to the first request for a path."""

    def __init__(self, url, path):
        parts = urlsplit(url)
        self.dropped = 0

        class Handler(BaseHTTPRequestHandler):
            def forward(handler):
                upstream = http.client.HTTPConnection(parts.hostname, parts.port)
                body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
                headers = {k: v for k, v in handler.headers.items() if k in ("Authorization", "Content-Type")}
                upstream.request(handler.command, handler.path, body, headers)
                response = upstream.getresponse()
                answer = response.read()
                upstream.close()
                if handler.path.endswith(path) and not self.dropped:
                    self.dropped += 1
                    return
                handler.send_response(response.status)
                handler.end_headers()
                handler.wfile.write(answer)

            do_GET = do_POST = forward

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}{parts.path}"
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class TestLostConnection(WithStudy):
    def through(self, path):
        url, token = self.address()
        proxy = Proxy(url, path)
        self.addCleanup(proxy.close)
        return proxy, invbo.Study.open(proxy.url, token=token)

    def test_tell_is_repeated_and_counts_once(self):
        proxy, study = self.through("/tell")
        self.assertEqual([o.what for o in study.tell_many([invbo.Answer(1, 0.75)] * 2)], ["known already"] * 2)
        self.assertEqual(proxy.dropped, 1)
        self.assertEqual([m.score for m in study.trials[0].measurements], [0.5, 0.75, 0.75])

    def test_changes_are_repeated_and_count_once(self):
        changes = [
            ("/tell", lambda study: study.correct(1, 0.75)),
            ("/strike", lambda study: study.strike(2, "wrong well")),
            ("/withdraw", lambda study: study.withdraw(self.study.ask()[0], "lost")),
        ]
        for path, change in changes:
            with self.subTest(path):
                proxy, study = self.through(path)
                change(study)
                self.assertEqual(proxy.dropped, 1)
        self.assertEqual([len(t.measurements) for t in self.study.trials], [1, 1, 1, 1, 1])
        self.assertEqual(self.study.trials[0].score, 0.75)

    def test_ask_is_not_repeated(self):
        _, study = self.through("/ask")
        with self.assertRaisesRegex(invbo.ConnectionLost, "the connection was lost"):
            study.ask()
        self.assertEqual(self.study.status().leased, 1)

    def test_nobody_listens(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))  # does not listen
            with self.assertRaisesRegex(invbo.ConnectionLost, "cannot be reached"):
                invbo.Study.open(f"http://127.0.0.1:{free.getsockname()[1]}/studies/lab")


class TestBusy(unittest.TestCase):
    """A server that is busy at times."""

    STATUS = {
        "study": "lab", "direction": "maximize", "task": "strings", "score": "y", "budget": 9, "calls": 0, "left": 9,
        "pending": 0, "leased": 0, "scored": 0, "measurements": 0, "failed": 0, "violating": 0, "ranked": [], "later": 1,
    }  # fmt: skip

    def setUp(self):
        self.answers = [(200, {}, json.dumps(self.STATUS))]  # the last one is for all further requests
        self.requests = []  # their headers

        class Handler(BaseHTTPRequestHandler):
            def answer(handler):
                handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
                self.requests.append(handler.headers)
                status, headers, text = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                handler.send_response(status)
                for name, value in headers.items():
                    handler.send_header(name, value)
                handler.end_headers()
                handler.wfile.write(text.encode())

            do_GET = do_POST = answer

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        self.study = invbo.Study.open(f"http://127.0.0.1:{server.server_port}/studies/lab")
        self.requests.clear()

    def test_repeated_when_the_server_says_so(self):
        told = (200, {}, '{"outcomes": [{"trial": 1, "what": "measured"}]}')
        past = "Wed, 21 Oct 2015 07:28:00 GMT"
        self.answers = [(429, {"Retry-After": "0"}, "{}"), (503, {"Retry-After": past}, "{}"), told]
        self.assertEqual(self.study.tell(1, 2.0).what, "measured")
        self.assertEqual(len(self.requests), 3)

    def test_not_repeated(self):
        answers = [
            ((503, {}, '{"detail": "the server is shutting down"}'), invbo.BusyError, "^the server is shutting down$"),
            ((429, {"Retry-After": "86400"}, '{"detail": "too many"}'), invbo.BusyError, "^too many$"),  # beyond patience
            ((302, {"Location": "/"}, ""), invbo.ServerError, "the server answers 302"),
            ((500, {}, "<html>"), invbo.ServerError, "the server answers 500"),
            ((200, {}, "<html>"), invbo.ServerError, "not JSON"),
        ]
        for answer, error, message in answers:
            with self.subTest(message):
                self.answers, self.requests = [answer], []
                with self.assertRaisesRegex(error, message):
                    self.study.status()
                self.assertEqual(len(self.requests), 1)

    def test_watch_goes_on_after_the_latest_id(self):
        trial = '{"trial": 1, "input": "A", "state": "scored", "kind": "initial", "score": 1}'
        self.answers = [
            (200, {}, ": follows\nid: 4\n\n"),  # and is cut off before the first event
            (200, {}, f": follows\nid: 4\n\nevent: answer\ndata: {trial}\n\nid: 5\nevent: best\ndata: {trial}\n\nevent: ans"),
            (200, {}, f"id: 6\nevent: answer\ndata: {trial}\n\n"),
        ]
        events = self.study.watch()
        self.assertEqual([(e.kind, e.id) for e in itertools.islice(events, 3)], [("answer", None), ("best", 5), ("answer", 6)])
        self.assertEqual([headers["Last-Event-ID"] for headers in self.requests], [None, "4", "5"])


class TestNotebook(unittest.TestCase):
    def test_cells_run_and_show(self):
        path = Path(__file__).parents[1] / "examples" / "loop.ipynb"
        cells = ["".join(c["source"]) for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
        variables, shown = {}, []
        for source in cells:
            cell = ast.parse(source)
            last = cell.body.pop() if isinstance(cell.body[-1], ast.Expr) else None
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell, str(path), "exec"), variables)
                if last is not None:  # what a notebook shows
                    value = eval(compile(ast.Expression(last.value), str(path), "eval"), variables)
                    shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
        self.assertIn("ACDEFF", "".join(shown))


if __name__ == "__main__":
    unittest.main()
