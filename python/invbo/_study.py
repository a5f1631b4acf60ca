"""Study: the verbs of Optuna for a study of invbo."""

from __future__ import annotations

import html
import os
import re
import urllib.parse
from datetime import timedelta
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, Union

from . import _check, _new, _server, _trial
from ._client import Client, events
from ._errors import Error, InvalidError, PackageError
from ._server import Path_
from ._trial import Answer, Bound, Event, Front, Outcome, Status, Trial, Trials

Of = Union[Trial, int, str]  # a trial, its number, or the string


class Study:
    """A study at a server, or a study file with a server of its own, which ends with close or with the interpreter.

    Every method raises an Error: an InvalidError if an argument is wrong, otherwise with the server's sentence. Requests are repeated for up to patience seconds where
    that is safe. An answer is never counted twice: the server knows it already when it arrives again.
    A study may be used from several threads.
    """

    def __init__(self, client: Client, server: Optional[_server.Server], report: str) -> None:
        """Use Study.open or Study.create."""
        self._client, self._server = client, server
        self.report = report  # what invbo new said about the data; empty after open
        now = self.status()
        self.name, self.direction, self.score_name = now.study, now.direction, now.score
        self._aim = now.aim()
        self._molecules, self._outcomes = now.task == "molecules", now.outcomes

    @classmethod
    def create(
        cls,
        study: Path_,
        data: Any,
        direction: Optional[str] = None,
        *,
        program: Optional[Path_] = None,
        patience: float = 60,
        **options: Any,
    ) -> Study:
        """Create the study file and open it.

        data is what has been measured: a table file, a pandas DataFrame, rows (mappings from column to value), or
        pairs of a string and its score. direction is "maximize" or "minimize"; leave it out where objectives say it, as in
        objective=["pIC50 max", "hERG min"]. Options are the flags of invbo new: score="pIC50" is --score=pIC50,
        keep_salts=True is --keep-salts, as_="pIC50" is --as=pIC50, and a list gives a flag several times.

            study = Study.create("lab.db", [("ACDEFA", 0.5), ("CCDEAG", 1.5)], direction="maximize")
        """
        place, patience = _new.place(study), _check.seconds("patience", patience)
        objective = options.get("objective")
        objectives = objective is not None and objective is not False and objective not in ("", [], ())
        if not (isinstance(direction, str) and direction in ("maximize", "minimize") or direction is None and objectives):
            raise InvalidError(f'direction is {_check.show(direction)}; it must be "maximize" or "minimize"')
        if direction and objectives:
            raise InvalidError("direction: leave it out, as each objective says max or min")
        found = _server.find(program)
        return cls._start(found, place, patience, _new.make(found, place, data, direction, options))

    @classmethod
    def open(
        cls, study: Path_, *, token: Optional[str] = None, program: Optional[Path_] = None, patience: float = 60
    ) -> Study:
        """Open a study at a URL, such as http://localhost:8080/studies/lab, or else what invbo serve takes: a file.

        token is for a URL (default: the environment variable INVBO_TOKEN). program is the path of invbo, for a file
        (default: the environment variable INVBO, else the invbo on PATH).
        """
        place, patience = _check.path("study", study, "a path or a URL"), _check.seconds("patience", patience)
        if re.match(r"https?:", place, re.IGNORECASE):
            return cls(Client(place, _token(token), patience, lambda: None), None, "")
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
        body = {"n": _check.whole("n", n), "lease": _check.lease(lease)}
        return self._client.post("/ask", body, lambda a: self._trials(a["proposals"]), safe=False, silence=None)

    def tell(
        self,
        trial: Of,
        score: Optional[float] = None,
        *,
        bound: Bound = "",
        se: Optional[float] = None,
        others: Optional[Mapping[str, float]] = None,
        other_bounds: Optional[Mapping[str, Bound]] = None,
        name: str = "",
        unit: str = "",
    ) -> Outcome:
        """Store what was measured. trial is one of ask, its number, or any string.

        The score is on the scale and in the unit of the study (status().scale, status().unit), unless unit="nM" says
        otherwise: then score and se are converted. Look at the note of the outcome, too.
        bound=">" says that the true score lies above score, as beyond the range of an assay, and "<" that it lies below.
        se is the standard error of the score, others are further outcomes by name, and other_bounds says which of these are
        bounds: others={"hERG": 30}, other_bounds={"hERG": ">"}. The same score of the same string told again is "known
        already"; another score is another measurement, and the search uses the mean. Tell replicates with equal scores in
        one call of tell_many.
        """
        answer = Answer(trial, score, se=se, others=others, name=name, bound=bound, other_bounds=other_bounds, unit=unit)
        missing = "score is missing; call fail for a measurement without a score"
        return self._tell_one(_check.answer(answer, missing))

    def fail(self, trial: Of, reason: str) -> Outcome:
        """Store that the measurement failed: the string has no score."""
        return self._tell_one(_check.answer(Answer(trial, failed=_check.reason("reason", reason))))

    def tell_many(self, answers: Iterable[Answer]) -> List[Outcome]:
        """Store up to 1000 answers. After an InvalidError those that it does not name are stored; all may be told again."""
        if not isinstance(answers, Iterable):
            raise InvalidError(f"answers is {_check.show(answers)}; it must be a list of Answer")
        told = []
        for i, answer in enumerate(answers):
            try:
                told.append(_check.answer(answer))
            except InvalidError as e:
                raise InvalidError(f"answers[{i}]: {e}") from None
        if not told:
            raise InvalidError("answers is empty")
        return self._tell({"answers": told})

    def correct(
        self,
        trial: Of,
        score: Optional[float] = None,
        *,
        bound: Bound = "",
        measurement: Optional[int] = None,
        se: Optional[float] = None,
        others: Optional[Mapping[str, float]] = None,
        other_bounds: Optional[Mapping[str, Bound]] = None,
        unit: str = "",
    ) -> Outcome:
        """Replace the score, or others, of a measurement; what is not given stays. Needs the role admin.

        The number of the measurement is needed if the trial has several. unit is as for tell.
        """
        answer = _check.answer(Answer(trial, score, se=se, others=others, bound=bound, other_bounds=other_bounds, unit=unit), "give score or others")
        if measurement is None:
            return self._tell_one(answer, correct=True)
        return self._tell_one({**answer, "measurement": _check.whole("measurement", measurement)})

    def strike(self, trial: Union[Trial, int], reason: str, *, measurement: Optional[int] = None) -> Trial:
        """Take out a measurement that is not one of this string, as of a wrong sample. Needs the role admin."""
        body: Dict[str, Any] = {"trial": _check.trial(trial), "reason": _check.reason("reason", reason)}
        if measurement is not None:
            body["measurement"] = _check.whole("measurement", measurement)
        return self._client.post("/strike", body, _trial.trial, safe=True)

    def withdraw(self, trial: Union[Trial, int], reason: str = "withdrawn") -> Trial:
        """Take back a proposal that nobody will measure. The search learns from it as from a failure."""
        body = {"trial": _check.trial(trial), "reason": _check.reason("reason", reason)}
        return self._client.post("/withdraw", body, _trial.trial, safe=True)

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
        {"pIC50": 7.1, "hERG": 5.2}; the score's name is score_name. An InvalidError says which of them it leaves out.
        An exception in catch is stored as a failure, with its text as the reason, and so is a number that is not finite
        or beyond ±1e100. Other exceptions are raised: the proposal then waits, and is handed out again after its lease.
        """
        if not callable(func):
            raise InvalidError(f"func is {_check.show(func)}; it must be a function of a string")
        kinds = catch if isinstance(catch, tuple) else (catch,)
        if not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds):
            raise InvalidError(f"catch is {_check.show(catch)}; it must be a class of exceptions, or a tuple of them")
        lease = _check.lease(lease)
        for _ in range(_check.whole("n_trials", n_trials, 0)):
            for proposal in self.ask(lease=lease):
                try:
                    found = func(proposal.input)
                except kinds as e:
                    self.fail(proposal, f"{type(e).__name__}: {e}")
                    continue
                if isinstance(found, Mapping) and not found:
                    raise InvalidError("func returned no number")
                numbers = dict(found) if isinstance(found, Mapping) else {"the score": found}
                if self.score_name in numbers and self.score_name not in self._outcomes:
                    numbers["the score"] = numbers.pop(self.score_name)
                numbers = {name: _check.number(name, value) for name, value in numbers.items()}
                odd = next((f"{name} is {value}" for name, value in numbers.items() if not _check.usable(value)), None)
                if odd is not None:
                    self.fail(proposal, odd)
                else:
                    score = numbers.pop("the score", None)
                    lacks = [name for name in self._outcomes if name not in numbers] if score is None else []
                    if not lacks and self.tell(proposal, score, others=numbers or None).what == "kept until the rest is told":
                        lacks = [self.score_name]
                    if lacks:
                        raise InvalidError(
                            f"func returned {', '.join(numbers)}, and not {', '.join(lacks)}: trial {proposal.number} still waits; "
                            "return a number for each, or raise an exception of catch"
                        )

    @property
    def trials(self) -> Trials:
        """All trials, in the order in which they were begun."""
        trials = Trials(molecules=self._molecules)
        more, cursor = True, ""
        while more:
            query = urllib.parse.urlencode({"limit": 1000, "cursor": cursor})
            page, more, cursor = self._client.get(
                f"/trials?{query}", lambda p: (self._trials(p["trials"]), bool(p["more"]), str(p["next"]))
            )
            trials.extend(page)
        return trials

    def trials_dataframe(self) -> Any:
        """Return the trials as a pandas DataFrame with a column for each field of Trial. Needs pandas."""
        try:
            import pandas  # type: ignore[import]
        except ImportError as e:
            raise PackageError(f"trials_dataframe needs pandas: {e}") from e
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
        return self._client.get("", _trial.status)

    def watch(self, after: Optional[int] = None) -> Iterator[Event]:
        """Yield changes of the study from the call on, or those after the event with this id; 0 is for all.

        After a lost connection it goes on after the latest id, and may repeat events of one change. It ends when the study
        is closed. A stream stays open until the iterator is closed or deleted.
        """
        if after is not None:
            after = _check.whole("after", after, 0, 10**18 - 1)
        return self._watch(self._client.stream("/events", after), after)

    def _watch(self, stream: Any, after: Optional[int]) -> Iterator[Event]:
        while True:
            for id, event in events(stream, self._event):
                after = after if id is None else id
                if event is not None:
                    yield event
            try:
                stream = self._client.stream("/events", after)
            except Error:
                if self._server is not None and self._server.closed:
                    return
                raise

    def _event(self, kind: str, data: Any, id: Optional[int]) -> Event:
        return Event(kind, self._trials(data if kind == "proposals" else [data]), id)

    def log(self) -> str:
        """Return the log of the study's own server; empty for a study at a URL."""
        return self._server.log() if self._server else ""

    def close(self) -> None:
        """End the study's own server, and wait for it. Nothing happens to a study at a URL."""
        if self._server:
            self._server.close()

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self._aim}>"

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _tell(self, body: Mapping[str, Any]) -> List[Outcome]:
        def read(response: Any) -> List[Outcome]:
            return [
                Outcome(o["trial"], o["what"], _trial.number(o.get("score")), o.get("note") or "")
                for o in response["outcomes"]
            ]

        try:
            return self._client.post("/tell", body, read, safe=True)
        except InvalidError as e:
            raise InvalidError(re.sub(r"(answers\[\d+\])\.input: ", r"\1.trial: ", str(e))) from None

    def _tell_one(self, answer: Mapping[str, Any], correct: bool = False) -> Outcome:
        body: Dict[str, Any] = {"answers": [answer]}
        if correct:
            body["correct"] = True
        try:
            return self._tell(body)[0]
        except InvalidError as e:
            raise _about_one(e) from None

    def _trials(self, data: Iterable[Any]) -> Trials:
        return Trials(map(_trial.trial, data), self._molecules)

    def _repr_html_(self) -> str:
        try:
            now = self.status()
        except Error as e:
            return f"<p>{html.escape(f'{self.name}: {e}')}</p>"
        text = (
            f"{now.study}: {now.aim()}; strings with a score {now.scored}, failed {now.failed}, "
            f"pending {now.pending}"
        )
        return f"<p>{html.escape(text)}</p>{now.ranked._repr_html_()}"


def _token(token: Any) -> Optional[str]:
    """Return the token for a URL. Errors do not show it."""
    name = "token" if token else "the environment variable INVBO_TOKEN"
    found = token or os.environ.get("INVBO_TOKEN") or ""
    if not isinstance(found, str):
        raise InvalidError(f"{name} is of type {type(found).__name__}; it must be text")
    found = found.strip()  # a file of it ends with a newline
    if not found.isascii() or not found.isprintable():
        raise InvalidError(f"{name} must be of ASCII letters, digits and signs")
    return found or None


def _about_one(error: InvalidError) -> InvalidError:
    """Return the error of several answers as that of the only one."""
    return InvalidError(re.sub(r"^(?:.*: )?answers\[0\](?:: |\.)", "", str(error), flags=re.DOTALL))
