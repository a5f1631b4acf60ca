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
        other = self.file.with_name("other.db")
        with self.assertRaisesRegex(invbo.InvalidError, "direction is 'up'"):
            invbo.Study.create(other, DATA, direction="up")
        with self.assertRaisesRegex(invbo.InvalidError, "pairs of a string and its score"):
            invbo.Study.create(other, ["ACDEFA"], direction="maximize")

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
        self.assertEqual(len(front.predictions), 2)
        self.assertEqual(study.score_name, "fit")  # there is no score: it is the first objective's
        self.assertEqual(repr(study), "<Study two: fit max, cost min zero=9>")
        self.assertIn("<Status of two: fit max, cost min zero=9, calls", repr(study.status()))
        self.assertIsNone(self.study.front)
        study.optimize(lambda string: {"fit": string.count("C"), "cost": len(string.strip("AC"))}, 2)
        last = study.trials[-1]
        self.assertEqual(last.measurements[0].others["cost"], len(last.input.strip("AC")))
        study.optimize(lambda string: {"fit": 1, "cost": float("inf")}, 1)
        self.assertEqual(study.trials[-1].reason, "cost is inf")
        study.optimize(lambda string: {"fit": 10**400, "cost": 1}, 1)
        self.assertEqual(study.trials[-1].reason, "fit is inf")
        with self.assertRaisesRegex(invbo.InvalidError, "func returned no number"):
            study.optimize(lambda string: {}, 1)
        with self.assertRaisesRegex(invbo.InvalidError, r"^func returned fit, and not cost: trial \d+ still waits; "):
            study.optimize(lambda string: {"fit": 1}, 1)
        self.assertEqual(study.trials[-1].state, "pending")
        self.assertEqual(study.trials[-1].measurements, ())

    def test_ask_and_tell(self):
        first, second = self.study.ask(2, lease=timedelta(minutes=90))
        self.assertEqual((first.number, first.state, first.until.utcoffset()), (5, "pending", timedelta(0)))
        self.assertEqual(self.study.tell(first, 2.5, se=0.1, name="W-7"), invbo.Outcome(5, "measured"))
        self.assertEqual(self.study.tell(second.number, 2).what, "measured")
        self.assertEqual(self.study.tell("ACDEFF", 1.25), invbo.Outcome(7, "measured"))
        self.assertEqual((self.study.best.input, self.study.best.name), (first.input, "W-7"))
        self.assertEqual(self.study.best.measurements, (invbo.Measurement(1, 2.5, 0.1),))
        self.assertEqual([t.number for t in self.study.status().ranked], [5, 6, 2])

    def test_repr(self):
        self.assertRegex(repr(self.study), r"^<Study \w+: maximize score>$")

    def test_units(self):
        """Scores are on the scale that the status states, unless a unit says otherwise."""
        rows = [{"sequence": "ACDEFA", "Ki (nM)": 100}, {"sequence": "ACDEFC", "Ki (nM)": 1000}]
        study = self.closing(invbo.Study.create(self.file.with_name("units.db"), rows, direction="maximize", as_="pKi"))
        now = study.status()
        self.assertEqual((now.score, now.unit, now.scale), ("pKi", "nM", "pKi"))
        told = study.tell("ACDEAA", 10, se=1, unit="nM")
        self.assertEqual((told.what, told.score, told.note), ("measured", 8, ""))
        self.assertAlmostEqual(study.trials[-1].measurements[0].se, 0.0434294, 6)
        self.assertEqual(study.correct("ACDEAA", 0.1, unit="uM").score, 7)
        self.assertAlmostEqual(study.trials[-1].measurements[0].se, 0.0434294, 6)
        self.assertRegex(study.tell("ACDEAC", 12, se=5000, unit="nM").note, "the standard error is 181 units of pKi")
        with self.assertRaisesRegex(invbo.InvalidError, "a pKi of 120 is that of no concentration"):
            study.tell("ACDEAF", 120)
        for unit, words in (("mg/mL", "it is in mg/mL, not nM"), (7, "unit is 7; it must be text")):
            with self.assertRaisesRegex(invbo.InvalidError, words):
                study.tell("ACDEFF", 1, unit=unit)
        with self.assertRaisesRegex(invbo.InvalidError, "the study states no unit of score; leave unit out"):
            self.study.tell("ACDEFF", 1, unit="nM")

    def test_bounds(self):
        first, second = self.study.ask(2)
        self.assertEqual(self.study.tell(first, 2.5, bound=">").what, "measured")
        self.study.tell(second, 1.5)
        self.assertEqual([(t.score, t.bound) for t in self.study.trials[4:]], [(2.5, ">"), (1.5, "")])
        self.assertEqual(self.study.correct(second, 0.5, bound="<").what, "corrected")
        self.assertEqual(self.study.trials[5].measurements[0].bound, "<")

    def test_told_again(self):
        twice = [invbo.Answer(1, 0.75), invbo.Answer(1, 0.75)]
        self.assertEqual([o.what for o in self.study.tell_many(twice)], ["another measurement"] * 2)
        self.assertEqual([o.what for o in self.study.tell_many(twice)], ["known already"] * 2)

    def test_text_instead_of_a_number(self):
        with self.assertRaisesRegex(invbo.InvalidError, "^score is '7.2', not a number"):
            self.study.tell(1, "7.2")
        with self.assertRaisesRegex(invbo.InvalidError, "^score is nan; .*call fail"):
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
        first, second = self.study.ask(2)
        for trial in first, second:
            self.study.fail(trial, "melted")
        self.study.strike(first, "wrong well")
        now = self.study.status()
        self.assertEqual((now.failed, now.struck, now.unreadable, now.withdrawn), (1, 1, 0, 0))

    def test_errors_of_the_server(self):
        with self.assertRaisesRegex(invbo.InvalidError, r"1 of 2 answers .*: answers\[1\]: there is no trial 50$"):
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
        self.assertEqual(study.correct(last, others={"cost": 3}).score, last.score)  # which is kept

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
        with mock.patch.dict(sys.modules, pandas=None), self.assertRaisesRegex(invbo.PackageError, "needs pandas"):
            self.study.trials_dataframe()
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


class WithFake(unittest.TestCase):
    """Has a study at a server that gives the answers of a test."""

    STATUS = {
        "study": "lab", "direction": "maximize", "task": "strings", "score": "y", "budget": 9, "calls": 0, "left": 9,
        "pending": 0, "leased": 0, "scored": 0, "measurements": 0, "failed": 0, "violating": 0, "ranked": [], "later": 1,
    }  # fmt: skip

    def setUp(self):
        self.answers = [(200, {}, json.dumps(self.STATUS))]  # the last one is for all further requests
        self.requests = []  # their headers
        self.bodies = []  # of requests that have one

        class Handler(BaseHTTPRequestHandler):
            def answer(handler):
                body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
                self.requests.append(handler.headers)
                if body:
                    self.bodies.append(json.loads(body))
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


TOLD = (200, {}, '{"outcomes": [{"trial": 1, "what": "measured"}]}')


class TestBusy(WithFake):
    """A server that is busy at times."""

    def test_repeated_when_the_server_says_so(self):
        past = "Wed, 21 Oct 2015 07:28:00 GMT"
        self.answers = [(429, {"Retry-After": "0"}, "{}"), (503, {"Retry-After": past}, "{}"), TOLD]
        self.assertEqual(self.study.tell(1, 2.0).what, "measured")
        self.assertEqual(len(self.requests), 3)

    def test_not_repeated(self):
        answers = [
            ((503, {}, '{"detail": "the server is shutting down"}'), invbo.BusyError, "^the server is shutting down$"),
            ((429, {"Retry-After": "86400"}, '{"detail": "too many"}'), invbo.BusyError, "^too many$"),  # beyond patience
            ((302, {"Location": "/"}, ""), invbo.ServerError, "the server answers 302"),
            ((500, {}, "<html>"), invbo.ServerError, "the server answers 500"),
            ((200, {}, "<html>"), invbo.ServerError, "not JSON"),
            ((200, {}, "{}"), invbo.ServerError, "not that of a study"),
            ((200, {}, "[1]"), invbo.ServerError, "not that of a study"),
            ((200, {}, "[" * 100_000), invbo.ServerError, "not JSON"),
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


    def test_watch_another_server(self):
        for text in ("id: x\n\n", "id: 1\nevent: best\ndata: {\n\n", "id: 1\nevent: best\ndata: 5\n\n", "id: 1\nevent: \xff\ndata: {}\n\n"):
            with self.subTest(text):
                self.answers = [(200, {}, text)]
                with self.assertRaisesRegex(invbo.ServerError, "not that of a study"):
                    next(self.study.watch())


class TestBound(WithFake):
    """Scores of which only a bound is known."""

    def test_told(self):
        self.answers = [TOLD]
        self.study.tell(1, 9, bound=">")
        self.study.tell_many([invbo.Answer(1, 2.0, bound="<"), invbo.Answer(1, 2.0)])
        self.study.correct(1, 3.0, bound="<", measurement=2)
        self.study.tell(1, 9, bound="")
        self.study.tell(1, others={"cost": 3.0}, other_bounds={"cost": "<"})
        self.study.correct(1, others={"cost": 4.0}, other_bounds={"cost": ">"})
        answers = [answer for body in self.bodies for answer in body["answers"]]
        self.assertEqual([answer.get("bound") for answer in answers], [">", "<", None, "<", None, None, None])
        self.assertEqual([answer.get("other_bounds") for answer in answers[5:]], [{"cost": "<"}, {"cost": ">"}])
        self.assertNotIn("bound", answers[2])

    def test_refused(self):
        for bound in (">=", "=", "above", 5, True, [">"], b">"):
            with self.subTest(bound), self.assertRaisesRegex(invbo.InvalidError, '^bound is .*; it must be ">" or "<"$'):
                self.study.tell(1, 9, bound=bound)
        with self.assertRaisesRegex(invbo.InvalidError, "^bound needs a score$"):
            self.study.tell(1, others={"cost": 3.0}, bound=">")
        for bounds, message in (
            ({"size": ">"}, "^other_bounds has 'size', and others has not; give its number there$"),
            ({"cost": "="}, '^the bound of cost is \'=\'; it must be ">" or "<"$'),
            (">", "^other_bounds is '>'; it must be a mapping from names to"),
        ):
            with self.subTest(bounds), self.assertRaisesRegex(invbo.InvalidError, message):
                self.study.tell(1, others={"cost": 3.0}, other_bounds=bounds)
        self.assertEqual(self.requests, [])

    def test_known(self):
        measured = {"trial": 1, "input": "A", "state": "scored", "kind": "initial", "score": 9, "bound": ">"}
        first = {"measurement": 1, "score": 9, "bound": ">", "others": {"cost": 3, "size": 1}, "other_bounds": {"cost": "<"}}
        measured["measurements"] = [first, {"measurement": 2, "score": 9}]
        exact = {"trial": 2, "input": "C", "state": "scored", "kind": "initial", "score": 9, "bound": None}
        self.answers = [(200, {}, json.dumps({"trials": [measured, exact], "next": "2", "more": False}))]
        trials = self.study.trials
        self.assertEqual([t.bound for t in trials], [">", ""])
        self.assertEqual([m.bound for m in trials[0].measurements], [">", ""])
        self.assertEqual([m.other_bounds for m in trials[0].measurements], [{"cost": "<"}, {}])
        self.assertIn("<td>&gt;9</td>", trials._repr_html_())
        self.assertIn("<td>9</td>", trials._repr_html_())
        self.assertEqual(repr(trials), "<Trials: 2 (scored 2)>")
        self.assertEqual(repr(invbo.Trials()), "<Trials: 0>")

    def test_status(self):
        self.assertEqual(repr(self.study.status()), "<Status of lab: maximize y, calls 0 of 9, scored 0, failed 0, pending 0>")
        without = {k: v for k, v in self.STATUS.items() if k not in ("budget", "left")}
        best = {"trial": 1, "input": "A", "state": "scored", "kind": "initial", "score": 9.25, "bound": ">"}
        self.answers = [(200, {}, json.dumps({**without, "best": best}))]
        now = self.study.status()
        self.assertEqual((now.budget, now.left), (None, None))
        self.assertEqual(repr(now), "<Status of lab: maximize y, calls 0, scored 0, failed 0, pending 0, best >9.25 (trial 1)>")


ODD = (None, True, 1.5, b"x", [], {}, object(), 10**5000, "\ud800")  # what few arguments may be


class TestArguments(WithFake):
    """A wrong argument gives an InvalidError that names it, and no request."""

    def refused(self, name, call, *values):
        for value in values:
            with self.subTest(name, value=type(value)), self.assertRaisesRegex(invbo.InvalidError, rf"^{name}\b"):
                call(value)
        self.assertEqual(self.requests, [])

    def without(self, *types):
        return [value for value in ODD if not isinstance(value, types)]

    def test_numbers(self):
        self.refused("n", lambda v: self.study.ask(v), 0, -1, "5", *ODD)
        self.refused("n_trials", lambda v: self.study.optimize(len, v), -1, "5", *ODD)
        self.refused("after", lambda v: self.study.watch(v), -1, "5", 10**18, *self.without(type(None)))
        for call in (lambda v: self.study.correct(1, 2.0, measurement=v), lambda v: self.study.strike(1, "x", measurement=v)):
            self.refused("measurement", call, 0, -1, "5", *self.without(type(None)))
        scores = (10**400, -(10**400), 1e101, float("nan"), float("inf"), "7", 1j, *self.without(type(None), float))
        self.refused("score", lambda v: self.study.tell(1, v), None, *scores)
        self.refused("score", lambda v: self.study.correct(1, v), *scores)
        self.refused("se", lambda v: self.study.tell(1, 2.0, se=v), -1, *scores)
        self.refused("cost", lambda v: self.study.tell(1, others={"cost": v}), None, *scores)

    def test_numbers_of_few_bits(self):
        class Number:
            def __init__(self, value, dtype):
                self.value, self.dtype = value, dtype

            def __float__(self):
                return self.value

        class Torch:
            def __str__(self):
                return "torch.float32"

        for value, dtype, want in (
            (1.100000023841858, "float32", 1.1),  # numpy.float32(1.1)
            (1.100000023841858, Torch(), 1.1),
            (1.099609375, "float16", 1.1),
            (0.30000001192092896, "float32", 0.3),
            (16777216.0, "float32", 16777216.0),
            (3.4028234663852886e38, "float32", 3.4028235e38),
            (1.100000023841858, "float64", 1.100000023841858),
            (float("inf"), "float32", float("inf")),
        ):
            with self.subTest(value, dtype=dtype):
                self.assertEqual(invbo._check.number("score", Number(value, dtype)), want)
        self.answers = [TOLD]
        self.study.tell(1, Number(1.100000023841858, "float32"), se=Number(0.10000000149011612, "float32"))
        self.assertEqual([self.bodies[0]["answers"][0][key] for key in ("score", "se")], [1.1, 0.1])

    def test_trials(self):
        self.refused("trial", lambda v: self.study.tell(v, 2.0), 0, -1, "", invbo.Trial("A", "A", "scored", "initial"), *ODD)
        self.refused("trial", lambda v: self.study.fail(v, "x"), 0, -1, "", *ODD)
        self.refused("trial", lambda v: self.study.correct(v, 2.0), 0, -1, "", *ODD)
        self.refused("trial", lambda v: self.study.strike(v, "x"), 0, -1, "", "ACDEFA", *ODD)
        self.refused("trial", lambda v: self.study.withdraw(v), 0, -1, "", "ACDEFA", *ODD)

    def test_others(self):
        self.refused("others", lambda v: self.study.tell(1, 2.0, others=v), 5, "x", [1], {1: 2}, *self.without(type(None), dict))
        self.refused("name", lambda v: self.study.tell(1, 2.0, name=v), 5, "a\nb", *self.without(type(None)))
        self.refused("score", lambda v: self.study.tell(1, others=v), None, {})

    def test_answers(self):
        self.refused("answers", self.study.tell_many, 5, "x", invbo.Answer(1, 2.0), *ODD)
        for answer in (5, None, {"trial": 1, "score": 2.0}, invbo.Answer(1), invbo.Answer(1, "7"), invbo.Answer(1, 2.0, failed="x")):
            with self.subTest(answer), self.assertRaisesRegex(invbo.InvalidError, r"^answers\[1\]: "):
                self.study.tell_many([invbo.Answer(1, 2.0), answer])

    def test_leases_and_functions(self):
        leases = ("", "9" * 21, timedelta(0), timedelta(-1), timedelta.max, *ODD[:-1])
        self.refused("lease", lambda v: self.study.ask(lease=v), *leases)
        self.refused("lease", lambda v: self.study.optimize(len, 1, lease=v), *leases)
        self.refused("func", lambda v: self.study.optimize(v, 1), *ODD)
        self.refused("catch", lambda v: self.study.optimize(len, 1, catch=v), LookupError("x"), [LookupError], (LookupError, 5), *ODD)

    def test_reasons(self):
        calls = (
            lambda reason: self.study.fail(1, reason),
            lambda reason: self.study.strike(1, reason),
            lambda reason: self.study.withdraw(1, reason),
        )
        for call in calls:
            self.refused("reason", call, "", " \n", "\0", *self.without(str))
        trial = {"trial": 1, "input": "A", "state": "failed", "kind": "initial"}
        self.answers = [(200, {}, json.dumps({**trial, **json.loads(TOLD[2])}))]
        for call in calls:
            call("does\n not\tfold \x1b[31m\x00 \ud800" + "!" * 2000)
        sent = [body.get("reason") or body["answers"][0]["failed"] for body in self.bodies]
        self.assertEqual(set(sent), {("does not fold [31m ?" + "!" * 2000)[:1000]})

    def test_places(self):
        for url in (
            "http://127.0.0.1:abc/studies/x",
            "http://127.0.0.1:99999/studies/x",
            "http://127.0.0.1:0/studies/x",
            "http://127.0.0.1:-1/studies/x",
            "http://no..host/studies/x",
            f"http://{'a' * 64}.org/studies/x",
            "http://.org/studies/x",
            "http://a b/studies/x",
            "http://[::1/studies/x",
            "http://h/studies/a b",
            "http://h/studies/größe",
            "http://h/studies/",
            "http:h/studies/x",
            "https:///studies/x",
            "HTTP://h",
            "",
            "a\0b",
            5,
        ):
            with self.subTest(url), self.assertRaisesRegex(invbo.InvalidError, "^study"):
                invbo.Study.open(url)
        self.refused("study", invbo.Study.open, *self.without(str))
        self.refused("study", lambda v: invbo.Study.create(v, DATA, "maximize"), "", "http://h/studies/x", "a b.db", "größe.db", "x.toml", *self.without(str))

    def test_settings(self):
        url = "http://127.0.0.1:1/studies/x"
        for call in (lambda v: invbo.Study.open(url, patience=v), lambda v: invbo.Study.create("x.db", DATA, "maximize", patience=v)):
            self.refused("patience", call, "5", -1, float("nan"), None, *self.without(type(None), bool, float, int))
        self.refused("token", lambda v: invbo.Study.open(url, token=v), "a\nb", "ł", 5, b"x", object())
        with mock.patch.dict(os.environ, INVBO_TOKEN="a\nb"), self.assertRaisesRegex(invbo.InvalidError, "INVBO_TOKEN"):
            invbo.Study.open(url)
        self.refused("program", lambda v: invbo.Study.open("x.db", program=v), 5, "a\0b", *self.without(type(None), str))
        self.refused("direction", lambda v: invbo.Study.create("x.db", DATA, v), "up", "", *ODD)

    def test_token_of_a_file(self):
        invbo.Study.open(f"http://127.0.0.1:{self.study._client._port}/studies/lab", token="secret\n")
        self.assertEqual(self.requests[-1]["Authorization"], "Bearer secret")

    def test_ports_of_urls(self):
        for url, port in (("http://[::1]/studies/x", 80), ("https://h/studies/x", 443), ("http://[::1]:81/studies/x", 81)):
            with self.subTest(url):
                self.assertEqual(invbo._client.Client(url, None, 0, lambda: None)._port, port)

    def test_sentences_of_the_server(self):
        def problem(detail, *errors):
            errors = [{"location": location, "message": message} for location, message in errors]
            return (422, {}, json.dumps({"detail": detail, "errors": errors}))

        cannot = "answers that cannot be taken: 1 of 1; the others are stored, and all may be told again"
        for answer, message in (
            (problem("the request is wrong at answers[0].input", ("body.answers[0].input", "expected length <= 10000")), "trial: expected length <= 10000"),
            (problem(cannot, ("body.answers[0]", "there is no trial 50")), "there is no trial 50"),
            (problem("too large"), "too large"),
        ):
            with self.subTest(message):
                self.answers = [answer]
                with self.assertRaisesRegex(invbo.InvalidError, f"^{message}$"):
                    self.study.tell("A", 2.0)
        self.answers = [problem("the request is wrong at query.cursor", ("query.cursor", "is wrong"))]
        with self.assertRaisesRegex(invbo.InvalidError, "^cursor: is wrong$"):
            self.study.trials


class TestCreate(WithStudy):
    """What invbo new refuses is said in the names of arguments."""

    def check(self, cases):
        for i, (data, options, message) in enumerate(cases):
            with self.subTest(message), self.assertRaisesRegex(invbo.InvalidError, message) as found:
                invbo.Study.create(self.file.with_name(f"{i}.db"), data, **{"direction": "maximize", **options})
            for leak in ("--", "invbo new", "invbo-", ".csv"):
                self.assertNotIn(leak, str(found.exception))

    def test_data(self):
        rows = [{"a": x, "b": y, "c": y} for x, y in DATA]
        self.check(
            [
                (None, {}, "^data: give a file, a DataFrame, rows .*; it is None$"),
                (5, {}, "^data: .*; it is 5$"),
                (b"x", {}, "^data: .*; it is b'x'$"),
                (dict(DATA), {}, "^data: .*; it is {"),
                ({"AB": 1}, {}, "^data: .*; it is {'AB': 1}$"),
                ([], {}, "^data is empty: give a file"),
                (iter([]), {}, "^data is empty: give a file"),
                ([(b"ACDEFA", 0.5), (b"ACDEFC", 0.7)], {}, r"^data\[0\] has b.ACDEFA., which is bytes and not text: decode it$"),
                ([{}], {}, "^data: it is empty$"),
                (["AB", "CD"], {}, r"^data: .*; data\[0\] is 'AB'$"),
                ([("A", 1), 5], {}, r"^data: .*; data\[1\] is 5$"),
                ([("A", 1), {"a": 1, "b": 2}], {}, r"^data: .*; data\[1\] is {"),
                ([("A", 1, 2)], {}, r"^data: .*; data\[0\] is \('A', 1, 2\)$"),
                ([("\ud800", 1)], {}, "^data cannot be written as a table: "),
                ([("A\nC", 1), ("C", "x"), ("D", "y")], {}, r"most of them like data\[1\]: \"x\" is not a number$"),
                (DATA, {"direction": None, "objective": ["a max", "b min"]}, "^data: pairs have only one score"),
                (rows, {}, r"^data: say how it is to be read:\n  score=COLUMN: .*(\n     score [bc]  4 values.*){2}$"),
            ]
        )

    def test_report(self):
        study = self.closing(invbo.Study.create(self.file.with_name("report.db"), [*DATA, ("A\nA", 1), ("AAA", "x")], "maximize"))
        self.assertIn('data[5] invalid ("x" is not a number)', study.report)
        self.assertNotIn("invbo ask", study.report)
        rows = [{"sequence": "ACDEFA", "Ki": 100, "SEM": 9000}, {"sequence": "ACDEFC", "Ki": 1000, "SEM": None}]
        study = self.closing(invbo.Study.create(self.file.with_name("notes.db"), rows, "maximize", unit="nM", as_="pKi"))
        self.assertRegex(study.report, r"data\[0\] doubtful \(the standard error is 39.1 units of pKi")

    def test_index(self):
        class Frame:
            def __init__(self, index, **columns):
                self.index, self.columns = index, columns

            def to_csv(self, path, index):
                rows = zip(*self.columns.values())
                Path(path).write_text("".join(",".join(row) + "\n" for row in [self.columns, *rows]))

        strings, scores = zip(*DATA)
        scores = [str(score) for score in scores]
        self.check([(Frame(strings, score=scores), {}, "the index of data is not read: .* give data.reset_index()")])
        for name, index, noted in (("named", ["P-1", "P-2", "P-3", "P-4"], True), ("plain", range(4), False)):
            frame = Frame(index, sequence=strings, score=scores)
            study = self.closing(invbo.Study.create(self.file.with_name(f"{name}.db"), frame, "maximize"))
            self.assertEqual("the index of data is not read" in study.report, noted, study.report)

    def test_options(self):
        objectives = {"objective": ["b max", "c min"]}
        self.check(
            [
                (DATA, {"foo": 1}, "^foo: there is no such option; there are alerts, .*first_position"),
                (DATA, {"foo": None}, "^foo: there is no such option"),
                (DATA, {"lenght": 6}, r"^lenght: there is no such option; did you mean length\?$"),
                (DATA, {"help": True}, "^help: there is no such option"),
                (DATA, {"write": "x"}, "^write: there is no such option"),
                (DATA, {"minimize": True}, '^minimize: there is no such option; give direction="minimize"$'),
                (DATA, {"maximize": False}, '^maximize: there is no such option; give direction="maximize"$'),
                (DATA, objectives, "^direction: leave it out"),
                (DATA, {"direction": None, "objective": []}, "^direction is None"),
                (DATA, {"length": -3}, "^length=-3: give a length"),
                (DATA, {"seed": "x"}, "^seed='x': give a whole number$"),
                (DATA, {"seed": True}, "^seed is True; it must be text, a number"),
                (DATA, {"score": {"a": 1}}, "^score is {'a': 1}; it must be text, a number"),
                (DATA, {"score": ["score", None]}, "^score is None; it must be text, a number"),
                (DATA, {"score": "zz"}, "^data: score='zz': there is no such column"),
                (DATA, {"score": "a\0b"}, "^score is 'a.x00b'; it must be text"),
                (DATA, {"task": ""}, "^task is empty$"),
                (DATA, {"keep_salts": 5}, "^keep_salts is 5; it must be True or False$"),
                (DATA, {"keep_salts": True}, "^keep_salts does not apply .* or give task if"),
                (DATA, {"constraint": ["cost<1", "cost"]}, "^constraint='cost': "),
                (DATA, {"log10": True, "as_": "pIC50"}, "^log10 and as: give one of them$"),
            ]
        )

    def test_study_that_exists(self):
        with self.assertRaisesRegex(invbo.InvalidError, r"lab.db exists already; .*: Study.open\('.*lab.db'\)$"):
            invbo.Study.create(self.file, DATA, "maximize")

    def test_program_that_is_another(self):
        script = self.file.with_name("script")
        script.write_text("no program")
        script.chmod(0o755)
        for program in (script, "/bin/echo", "/bin/true", "/bin/pwd"):
            for call in (
                lambda: invbo.Study.open(self.file, program=program),
                lambda: invbo.Study.create(self.file.with_name("x.db"), DATA, "maximize", program=program),
            ):
                with self.subTest(program), self.assertRaises(invbo.ProgramError):
                    call()


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
