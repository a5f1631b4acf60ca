"""What the server answers, as dataclasses. Fields are those of /openapi.json, but trial is called number here."""

from __future__ import annotations

import dataclasses
import html
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Optional, Tuple

Bound = Literal["", ">", "<"]  # whether the true score lies above or below the one that is given; empty where it is exact


@dataclass(frozen=True)
class Measurement:
    """One answer about a string: a score, with its standard error if known, or why it failed."""

    number: int  # from 1, by which it is corrected or struck
    score: Optional[float] = None
    se: Optional[float] = None
    others: Mapping[str, float] = dataclasses.field(default_factory=dict)  # further outcomes
    failed: str = ""
    bound: Bound = ""  # ">" or "<": the true score lies above or below score
    other_bounds: Mapping[str, Bound] = dataclasses.field(default_factory=dict)  # of others that are bounds; those without one are exact


@dataclass(frozen=True)
class Trial:
    """A string with what is known about it."""

    number: int  # from 1
    input: str  # the string to measure
    state: str  # pending, scored, partial (further outcomes, and no score yet), failed or invalid
    kind: str  # initial, acquired, recentered or external
    name: str = ""
    mutant: str = ""  # substitutions of the wild type, such as K2R:T3S
    predicted: Optional[float] = None  # score that was predicted when it was proposed
    sd: Optional[float] = None  # standard deviation of the prediction
    forecast: Optional[Mapping[str, Any]] = None  # of several objectives, or of bounded outcomes: lists mean and sd, and the chance of the front, or of keeping the bounds, which is kept where there are both
    score: Optional[float] = None  # mean of the measurements
    bound: Bound = ""  # ">" or "<": the true score lies above or below score
    reason: str = ""  # why there is no score
    violates: str = ""  # constraints that it violates
    measurements: Tuple[Measurement, ...] = ()
    groups: Mapping[str, str] = dataclasses.field(default_factory=dict)  # at the core's attachment points by R1, R2 and so on, in a study with one
    route: Optional[Mapping[str, Any]] = None  # how the molecule is made, in a study with building blocks
    until: Optional[datetime] = None  # end of the lease (UTC) of a proposal of ask

    def _repr_html_(self) -> str:
        return Trials([self])._repr_html_()


@dataclass(frozen=True)
class Answer:
    """What was measured. Give score, failed, or in a study with further outcomes others."""

    trial: "Trial | int | str"  # a trial, its number, or the string, which need not have been proposed
    score: Optional[float] = None
    failed: str = ""  # why there is no score
    se: Optional[float] = None  # standard error of the score
    others: Optional[Mapping[str, float]] = None  # further outcomes by name: those of Status.outcomes
    name: str = ""  # what people call the string
    bound: Bound = ""  # ">" or "<" where the true score lies above or below score, as beyond the range of an assay
    other_bounds: Optional[Mapping[str, Bound]] = None  # the same of others, by name; those without one are exact
    unit: str = ""  # of score and se, such as "nM", if they are to be converted to Status.unit and Status.scale


@dataclass(frozen=True)
class Outcome:
    """What became of an answer."""

    trial: int
    what: str  # such as measured, another measurement, corrected, known already or failed
    score: Optional[float] = dataclasses.field(default=None, compare=False)  # that the study keeps of the measurement, also where the answer has others alone
    note: str = dataclasses.field(default="", compare=False)  # what to look at, although the answer is stored


@dataclass(frozen=True)
class Front:
    """What is reached of several objectives."""

    objectives: Tuple[str, ...]  # each with max or min, such as "hERG min"
    trials: Trials  # that no other dominates, the best in the first objective first
    values: Tuple[Tuple[float, ...], ...]  # the objectives of each of the trials
    hypervolume: Optional[float]  # what the trials dominate above the reference point; None if no number is as large
    reference: Tuple[float, ...]  # a value of each objective; empty before a trial has all of them
    predictions: Tuple[Mapping[str, Any], ...] = ()  # how those of each objective compare with its values


@dataclass(frozen=True, repr=False)
class Status:
    """Where a study stands."""

    study: str
    direction: str  # maximize or minimize
    task: str  # what the strings are, such as molecules or strings
    score: str  # what the score is called; of several objectives, the first one
    calls: int  # proposals that were answered
    pending: int  # proposals without an answer
    leased: int  # those of pending whose lease has not ended
    scored: int  # strings with a score
    measurements: int
    failed: int  # strings whose measurements failed, or that are invalid, without those that are counted in unreadable, struck and withdrawn
    violating: int  # strings with a score that violate a constraint
    ranked: Trials  # the three best
    contradictory: Trials  # trials whose measurements contradict each other, at most ten
    best: Optional[Trial] = None
    front: Optional[Front] = None  # of several objectives
    unreadable: int = 0  # strings that were measured, whose value could not be read
    struck: int = 0  # strings whose measurements were struck
    withdrawn: int = 0  # proposals that were taken back all at once, and never measured
    partial: int = 0  # strings with further outcomes, and no score yet
    noise: Optional[float] = None  # standard deviation of a measurement, from replicates
    outcome_noise: Mapping[str, float] = dataclasses.field(default_factory=dict)  # the same of further outcomes, by name
    outcomes: Tuple[str, ...] = ()  # further outcomes to tell
    constraints: Tuple[str, ...] = ()
    predictions: Optional[Mapping[str, Any]] = None  # how predictions compare with scores
    unit: str = ""  # of what is measured, and of scores unless there is a scale; empty if the study states none
    scale: str = ""  # of scores, such as pIC50 (-log10 of mol/L), if they are not what is measured
    budget: Optional[int] = None  # measurements after the initial data; None: as many as wanted
    left: Optional[int] = None  # how many of budget are neither made nor pending

    def aim(self) -> str:
        """Return what is maximized or minimized, such as "maximize pIC50", or "pIC50 max, hERG min" of several objectives."""
        return f"{self.direction} {self.score}" if self.front is None else ", ".join(self.front.objectives)

    def __repr__(self) -> str:
        best = ""
        if self.front is not None:
            best = f", on the front {len(self.front.trials)}"
        elif self.best is not None:
            best = f", best {self.best.bound}{_number(self.best.score)} (trial {self.best.number})"
        budget = "" if self.budget is None else f" of {self.budget}"
        return (
            f"<Status of {self.study}: {self.aim()}, calls {self.calls}{budget}, scored {self.scored}, "
            f"failed {self.failed}, pending {self.pending}{best}>"
        )


@dataclass(frozen=True)
class Event:
    """A change of a study. Trials are as they are when the event is sent."""

    kind: str  # proposals (new ones), answer (measured, corrected, withdrawn) or best
    trials: Trials
    id: Optional[int] = None  # for watch(after=...); None if more about the same change follows


class Trials(List[Trial]):
    """A list of trials that a notebook shows as a table, with drawings of molecules if RDKit can be imported."""

    def __init__(self, trials: Any = (), molecules: bool = False) -> None:
        super().__init__(trials)
        self.molecules = molecules

    def __repr__(self) -> str:
        counts: Dict[str, int] = {}
        for t in self:
            counts[t.state] = counts.get(t.state, 0) + 1
        states = ", ".join(f"{state} {n}" for state, n in counts.items())
        return f"<Trials: {len(self)}{' (' + states + ')' if states else ''}>"

    def _repr_html_(self) -> str:
        columns = {
            "trial": [str(t.number) for t in self],
            "name": [_text(t.name) for t in self],
            "mutant": [_text(t.mutant) for t in self],
            "input": [self._input(t.input) for t in self],
            "predicted": [_number(t.predicted) + (f" ± {_number(t.sd)}" if t.sd is not None else "") for t in self],
            "score": [_text(t.bound) + _number(t.score) for t in self],
            "state": [_text(": ".join(filter(None, (t.state, t.reason or t.violates)))) for t in self],
        }
        shown = [name for name, cells in columns.items() if any(cells)]
        head = "".join(f"<th>{name}</th>" for name in shown)
        rows = "".join(
            "<tr>" + "".join(f"<td>{columns[name][i]}</td>" for name in shown) + "</tr>" for i in range(len(self))
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def _input(self, text: str) -> str:
        drawing = _draw(text) if self.molecules else ""
        return f'{drawing}<code style="overflow-wrap:anywhere">{_text(text)}</code>'


def trial(data: Mapping[str, Any]) -> Trial:
    """Return a trial of the API."""
    known: Dict[str, Any] = _known(Trial, data)
    known["number"] = data["trial"]
    for name in ("predicted", "sd", "score"):
        known[name] = number(data.get(name))
    known["bound"] = data.get("bound") or ""
    known["measurements"] = tuple(_measurement(m) for m in data.get("measurements") or ())
    if "until" in data:
        known["until"] = _time(data["until"])
    return Trial(**known)


def status(data: Mapping[str, Any]) -> Status:
    """Return the status of the API."""
    molecules = data["task"] == "molecules"
    known = _known(Status, data)
    known["ranked"] = Trials(map(trial, data["ranked"]), molecules)
    known["contradictory"] = Trials(map(trial, data.get("contradictory") or ()), molecules)
    known["best"] = trial(data["best"]) if data.get("best") else None
    known["front"] = _front(data["front"], molecules) if data.get("front") else None
    known["noise"] = number(data.get("noise"))
    for name in ("outcomes", "constraints"):
        known[name] = tuple(data.get(name) or ())
    return Status(**known)


def _front(data: Mapping[str, Any], molecules: bool) -> Front:
    return Front(
        tuple(data["objectives"]),
        Trials(map(trial, data["trials"]), molecules),
        tuple(tuple(map(float, values)) for values in data["values"]),
        number(data.get("hypervolume")),
        tuple(map(float, data["reference"])),
        tuple(data.get("predictions") or ()),
    )


def _measurement(data: Mapping[str, Any]) -> Measurement:
    others = {name: float(value) for name, value in (data.get("others") or {}).items()}
    return Measurement(
        data["measurement"],
        number(data.get("score")),
        number(data.get("se")),
        others,
        data.get("failed", ""),
        data.get("bound") or "",
        dict(data.get("other_bounds") or {}),
    )


def _known(cls: Any, data: Mapping[str, Any]) -> Dict[str, Any]:
    """Return the items that a dataclass has fields for: a later server may send more."""
    names = {field.name for field in dataclasses.fields(cls)}
    return {name: value for name, value in data.items() if name in names}


def number(value: Optional[float]) -> Optional[float]:
    """Return a float: JSON writes 1.0 as 1."""
    return None if value is None else float(value)


def _time(text: str) -> datetime:
    form = "%Y-%m-%dT%H:%M:%S.%f%z" if "." in text else "%Y-%m-%dT%H:%M:%S%z"
    return datetime.strptime(text, form)


def _text(text: str) -> str:
    return html.escape(text)


def _number(value: Optional[float]) -> str:
    return "" if value is None else f"{value:.4g}"


def _draw(smiles: str) -> str:
    """Return a drawing (SVG) of a molecule; empty without RDKit, or if RDKit cannot read it."""
    try:
        from rdkit import Chem  # type: ignore[import]
        from rdkit.Chem.Draw import rdMolDraw2D  # type: ignore[import]
    except ImportError:
        return ""
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        return ""
    drawer = rdMolDraw2D.MolDraw2DSVG(200, 130)
    rdMolDraw2D.PrepareAndDrawMolecule(drawer, molecule)
    drawer.FinishDrawing()
    svg: str = drawer.GetDrawingText()
    return svg[svg.index("<svg") :]
