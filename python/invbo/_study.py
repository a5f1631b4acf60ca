"""Study: the verbs of Optuna for a study of invbo."""

from __future__ import annotations

import csv
import html
import math
import operator
import os
import tempfile
import urllib.parse
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, Union

from . import _server, _trial
from ._client import Client, events
from ._errors import Error, InvalidError
from ._trial import Answer, Event, Front, Outcome, Status, Trial, Trials

Path_ = Union[str, "os.PathLike[str]"]
Of = Union[Trial, int, str]  # a trial, its number, or the string


class Study:
    """A study at a server, or a study file with a server of its own, which ends with close or with the interpreter.

    Every method raises an Error, with the server's sentence. Requests are repeated for up to patience seconds where
    that is safe. An answer is never counted twice: the server knows it already when it arrives again.
    A study may be used from several threads.
    """

    def __init__(self, client: Client, server: Optional[_server.Server], report: str) -> None:
        """Use Study.open or Study.create."""
        self._client, self._server = client, server
        self.report = report  # what invbo new said about the data; empty after open
        now = self.status()
        self.name, self.direction, self.score_name = now.study, now.direction, now.score
        self._molecules, self._outcomes = now.task == "molecules", now.outcomes

    @classmethod
    def create(
        cls, study: Path_, data: Any, direction: Optional[str] = None, *, program: Optional[str] = None, patience: float = 60, **options: Any
    ) -> Study:
        """Create the study file and open it.

        data is what has been measured: a table file, a pandas DataFrame, rows (mappings from column to value), or
        pairs of a string and its score. direction is "maximize" or "minimize"; leave it out where objectives say it, as in
        objective=["pIC50 max", "hERG min"]. Options are the flags of invbo new:
        score="pIC50" is --score=pIC50, keep_salts=True is --keep-salts, and a list gives a flag several times.

            study = Study.create("lab.db", [("ACDEFA", 0.5), ("CCDEAG", 1.5)], direction="maximize")
        """
        if direction not in ("maximize", "minimize") and not (direction is None and "objective" in options):
            raise InvalidError(f'direction {direction!r}: give "maximize" or "minimize"')
        program = _server.find(program)
        with tempfile.TemporaryDirectory(prefix="invbo-") as folder:
            table = os.fspath(data) if isinstance(data, (str, os.PathLike)) else str(Path(folder, "data.csv"))
            if hasattr(data, "to_csv"):
                data.to_csv(table, index=False)
            elif not isinstance(data, (str, os.PathLike)):
                options = {**_write(table, list(data)), **options}
            flags = [f"--data={table}"] + ([f"--{direction}"] if direction else [])
            for name, value in options.items():
                flags += _flags("--" + name.replace("_", "-"), value)
            report = _server.run(program, ["new", *flags, "--", os.fspath(study)])
        return cls._start(program, os.fspath(study), patience, report)

    @classmethod
    def open(
        cls, study: Path_, *, token: Optional[str] = None, program: Optional[str] = None, patience: float = 60
    ) -> Study:
        """Open a study at a URL, such as http://localhost:8080/studies/lab, or else what invbo serve takes: a file.

        token is for a URL (default: the environment variable INVBO_TOKEN). program is the path of invbo, for a file
        (default: the environment variable INVBO, else the invbo on PATH).
        """
        place = os.fspath(study)
        if urllib.parse.urlsplit(place).scheme in ("http", "https"):
            client = Client(place, token or os.environ.get("INVBO_TOKEN"), patience, lambda: None)
            return cls(client, None, "")
        return cls._start(_server.find(program), place, patience, "")

    @classmethod
    def _start(cls, program: str, study: str, patience: float, report: str) -> Study:
        server = _server.Server(program, study)
        try:
            return cls(Client(server.url, server.token, patience, server.check), server, report)
        except BaseException:
            server.close()
            raise

    def ask(self, n: int = 1, lease: Union[str, timedelta] = "1h") -> Trials:
        """Return up to n strings to measure, reserved for lease ("90m", or a timedelta of 1 s to 90 days).

        After that they are handed out again; an answer then still counts. It waits for as long as the search takes. A
        ConflictError says that there is nothing more to ask. A lost connection is not repeated, as the proposals
        may be reserved already.
        """
        if isinstance(lease, timedelta):
            lease = f"{lease.total_seconds():.6f}s"
        answer = self._client.post("/ask", {"n": n, "lease": lease}, safe=False, silence=None)
        return Trials(map(_trial.trial, answer["proposals"]), self._molecules)

    def tell(
        self,
        trial: Of,
        score: Optional[float] = None,
        *,
        se: Optional[float] = None,
        others: Optional[Mapping[str, float]] = None,
        name: str = "",
    ) -> Outcome:
        """Store what was measured. trial is one of ask, its number, or any string.

        se is the standard error of the score, others are further outcomes by name. The same score of the same string
        told again is "known already"; another score is another measurement, and the search uses the mean. Tell
        replicates with equal scores in one call of tell_many.
        """
        return self.tell_many([Answer(trial, score, se=se, others=others, name=name)])[0]

    def fail(self, trial: Of, reason: str) -> Outcome:
        """Store that the measurement failed: the string has no score."""
        return self.tell_many([Answer(trial, failed=reason)])[0]

    def tell_many(self, answers: Iterable[Answer]) -> List[Outcome]:
        """Store up to 1000 answers. After an InvalidError those that it does not name are stored; all may be told again."""
        return self._tell({"answers": [_answer(a) for a in answers]})

    def correct(
        self, trial: Of, score: float, *, measurement: Optional[int] = None, se: Optional[float] = None
    ) -> Outcome:
        """Replace the score of a measurement. Its number is needed if the trial has several. Needs the role admin."""
        answer = _answer(Answer(trial, score, se=se))
        if measurement is None:
            return self._tell({"answers": [answer], "correct": True})[0]
        return self._tell({"answers": [{**answer, "measurement": measurement}]})[0]

    def strike(self, trial: Union[Trial, int], reason: str, *, measurement: Optional[int] = None) -> Trial:
        """Take out a measurement that is not one of this string, as of a wrong sample. Needs the role admin."""
        body: Dict[str, Any] = {"trial": _number(trial), "reason": reason}
        if measurement is not None:
            body["measurement"] = measurement
        return _trial.trial(self._client.post("/strike", body, safe=True))

    def withdraw(self, trial: Union[Trial, int], reason: str = "withdrawn") -> Trial:
        """Take back a proposal that nobody will measure. The search learns from it as from a failure."""
        return _trial.trial(self._client.post("/withdraw", {"trial": _number(trial), "reason": reason}, safe=True))

    def optimize(
        self,
        func: Callable[[str], Union[float, Mapping[str, float]]],
        n_trials: int,
        *,
        catch: Union[Type[Exception], Tuple[Type[Exception], ...]] = (),
        lease: Union[str, timedelta] = "1h",
    ) -> None:
        """Ask for a string, call func with it and tell what it returns, n_trials times.

        func returns the score, or numbers by name where a study has further outcomes or several objectives, such as
        {"pIC50": 7.1, "hERG": 5.2}; the score's name is score_name.
        An exception in catch is stored as a failure, with its text as the reason, and so is a number that is not finite.
        Other exceptions are raised: the proposal then waits, and is handed out again after its lease.
        """
        for _ in range(n_trials):
            for proposal in self.ask(lease=lease):
                try:
                    found = func(proposal.input)
                except catch as e:
                    self.fail(proposal, _reason(f"{type(e).__name__}: {e}"))
                    continue
                numbers = dict(found) if isinstance(found, Mapping) else {"the score": found}
                if self.score_name in numbers and self.score_name not in self._outcomes:
                    numbers["the score"] = numbers.pop(self.score_name)
                numbers = {name: _float(name, value) for name, value in numbers.items()}
                odd = next((f"{name} is {value}" for name, value in numbers.items() if not math.isfinite(value)), None)
                if odd is not None:
                    self.fail(proposal, odd)
                else:
                    score = numbers.pop("the score", None)
                    self.tell(proposal, score, others=numbers or None)

    @property
    def trials(self) -> Trials:
        """All trials, in the order in which they were begun."""
        trials = Trials(molecules=self._molecules)
        page: Dict[str, Any] = {"more": True, "next": ""}
        while page["more"]:
            page = self._client.get("/trials?" + urllib.parse.urlencode({"limit": 1000, "cursor": page["next"]}))
            trials.extend(map(_trial.trial, page["trials"]))
        return trials

    def trials_dataframe(self) -> Any:
        """Return the trials as a pandas DataFrame with a column for each field of Trial. Needs pandas."""
        import pandas  # type: ignore[import]

        names = list(Trial.__dataclass_fields__)
        return pandas.DataFrame([[getattr(t, name) for name in names] for t in self.trials], columns=names)

    @property
    def best(self) -> Optional[Trial]:
        """The trial with the best score within the constraints; None if there is none."""
        return self.status().best

    @property
    def front(self) -> Optional[Front]:
        """What is reached of several objectives; None if there is one."""
        return self.status().front

    def status(self) -> Status:
        """Return where the study stands."""
        return _trial.status(self._client.get())

    def watch(self, after: Optional[int] = None) -> Iterator[Event]:
        """Yield changes of the study from the call on, or those after the event with this id; 0 is for all.

        After a lost connection it goes on after the latest id, and may repeat events of one change. It ends when the study
        is closed. A stream stays open until the iterator is closed or deleted.
        """
        return self._watch(self._client.stream("/events", after), after)

    def _watch(self, stream: Any, after: Optional[int]) -> Iterator[Event]:
        while True:
            for id, kind, data in events(stream):
                after = after if id is None else id
                if not kind:
                    continue
                trials = map(_trial.trial, data if kind == "proposals" else [data])
                yield Event(kind, Trials(trials, self._molecules), id)
            try:
                stream = self._client.stream("/events", after)
            except Error:
                if self._server is not None and self._server.closed:
                    return
                raise

    def log(self) -> str:
        """Return the log of the study's own server; empty for a study at a URL."""
        return self._server.log() if self._server else ""

    def close(self) -> None:
        """End the study's own server, and wait for it. Nothing happens to a study at a URL."""
        if self._server:
            self._server.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _tell(self, body: Mapping[str, Any]) -> List[Outcome]:
        outcomes = self._client.post("/tell", body, safe=True)["outcomes"]
        return [Outcome(o["trial"], o["what"]) for o in outcomes]

    def _repr_html_(self) -> str:
        try:
            now = self.status()
        except Error as e:
            return f"<p>{html.escape(f'{self.name}: {e}')}</p>"
        text = (
            f"{now.study}: {now.direction} {now.score}; strings with a score {now.scored}, failed {now.failed}, "
            f"pending {now.pending}"
        )
        return f"<p>{html.escape(text)}</p>{now.ranked._repr_html_()}"


def _write(table: str, rows: List[Any]) -> Dict[str, Any]:
    """Write rows or pairs as CSV, and return the flags that they need."""
    flags: Dict[str, Any] = {}
    if not all(isinstance(row, Mapping) for row in rows):
        try:
            rows = [{"input": input, "score": score} for input, score in rows]
        except (TypeError, ValueError):
            raise InvalidError("data: give a file, a DataFrame, mappings, or pairs of a string and its score") from None
        flags = {"input": "input", "score": "score"}
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with open(table, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    return flags


def _flags(flag: str, value: Any) -> List[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    values = value if isinstance(value, (list, tuple)) else [value]
    return [f"{flag}={v}" for v in values]


def _answer(a: Answer) -> Dict[str, Any]:
    """Return an answer for the API. Numbers are checked here, as JSON has neither NaN nor those of NumPy."""
    body: Dict[str, Any] = {"input": a.trial} if isinstance(a.trial, str) else {"trial": _number(a.trial)}
    if a.score is not None:
        body["score"] = _finite("the score", a.score)
    if a.se is not None:
        body["se"] = _finite("se", a.se)
    if a.others is not None:
        body["others"] = {name: _finite(name, value) for name, value in a.others.items()}
    if a.failed:
        body["failed"] = _reason(a.failed)
    if a.name:
        body["name"] = a.name
    return body


def _number(trial: Union[Trial, int]) -> int:
    return trial.number if isinstance(trial, Trial) else operator.index(trial)


def _float(what: str, value: Any) -> float:
    """Return a number as a float: of Python, NumPy and others, but no text."""
    if not hasattr(value, "__float__"):
        raise InvalidError(f"{what} is {value!r}, not a number")
    return float(value)


def _finite(what: str, value: Any) -> float:
    number = _float(what, value)
    if not math.isfinite(number):
        raise InvalidError(f"{what} is {number}; call fail for a measurement without a score")
    return number


def _reason(text: str) -> str:
    """Return text as the server takes it: one line of at most 1000 characters."""
    return " ".join(text.split())[:1000] or "failed"
