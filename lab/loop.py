"""An analysis of tracks that goes event by event for a part of them, and evaluates a small model on all of them."""

from __future__ import annotations

import math
from typing import Any

import awkward as ak
import hist
import numpy as np
from coffea.processor import ProcessorABC, column_accumulator
from cremascope import section

from . import habits
from .cost import spend

ROLES = {
    "first": ("unpack_tracks", "unpacking"),
    "heavy": ("score_events", "model"),
    "vary": ("fit_vertices", "vertices"),
    "weigh": ("calibrate_scores", "calibration"),
    "fill": ("summarise", "summary"),
}


def unpack_tracks(events: Any) -> list[list[list[float]]]:
    """Lists of pt, eta and phi by event, of every other."""
    few = events.Jet[::2]
    return [ak.to_list(few[name]) for name in ("pt", "eta", "phi")]


def fit_vertices(tracks: list[list[list[float]]]) -> list[float]:
    found = []
    for pts, etas, phis in zip(*(column * 4 for column in tracks), strict=True):
        best = math.inf
        for place, (pt, eta, phi) in enumerate(zip(pts, etas, phis, strict=True)):
            for other in range(place + 1, len(pts)):
                angle = math.remainder(phi - phis[other], 2 * math.pi)
                best = min(best, math.hypot(eta - etas[other], angle) * math.log1p(pt + pts[other]))
        found.append(best)
    return found


def score_events(features: Any, layers: list[Any]) -> Any:
    """A small network, on all events at once, with features a little off each time."""
    scores = []
    for scale in np.linspace(0.95, 1.05, 4):
        values = features * scale
        for layer in layers:
            values = np.tanh(values @ layer)
        scores.append(values[:, 0])
    return np.mean(scores, axis=0)


def calibrate_scores(scores: Any) -> Any:
    for _ in range(100):
        scores = np.interp(scores, np.sort(scores)[::50], np.linspace(-1, 1, len(scores[::50])))
    return scores


def summarise(histogram: Any, dataset: str, scores: Any, vertices: list[float]) -> None:
    for value in vertices:
        if value < 100:
            histogram.fill(dataset=dataset, score=[value / 100], pt=[value])
    histogram.fill(dataset=dataset, score=scores, pt=np.abs(scores) * 100)


class Processor(ProcessorABC):  # type: ignore[misc]
    """``setup`` is a plan's: what is done besides."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.setup = setup
        chance = np.random.default_rng(3)
        self.layers = [chance.normal(size=shape) / 10 for shape in ((8, 256), (256, 256), (256, 256), (256, 1))]

    def process(self, events: Any) -> dict[str, Any]:
        setup, about, count = self.setup, events.metadata, len(events)
        bins = setup.get("bins", 1)
        histogram = (
            hist.Hist.new.StrCat([], growth=True, name="dataset")
            .Reg(50 * bins, -1, 1, name="score")
            .Reg(50 * bins, 0, 100, name="pt")
            .Weight()
        )
        out: dict[str, Any] = {"events": count, "h": histogram}
        with section("unpacking"):
            spend(setup, "unpack_tracks", about, count)
            tracks = unpack_tracks(events)
        with section("vertices"):
            spend(setup, "fit_vertices", about, count)
            vertices = fit_vertices(tracks)
        with section("model"):
            spend(setup, "score_events", about, count)
            columns = [ak.to_numpy(ak.sum(events.Jet[name], axis=1)) for name in ("pt", "eta", "phi", "tag")]
            columns += [ak.to_numpy(events.MET[name]) for name in ("pt", "phi")]
            columns += [ak.to_numpy(ak.num(events.Jet.pt)), ak.to_numpy(ak.num(events.Muon.pt))]
            scores = score_events(np.stack(columns, axis=1) / 100, self.layers)
            with section("checks"):
                habits.follow(setup, events, scores)
        with section("calibration"):
            spend(setup, "calibrate_scores", about, count)
            scores = calibrate_scores(scores)
        with section("summary"):
            spend(setup, "summarise", about, count)
            summarise(histogram, about["dataset"], scores, vertices[: count // 8])
        if kept := setup.get("keep_rows", 0):
            out["rows"] = column_accumulator(np.random.default_rng(1).normal(size=kept * count))
        return out

    def postprocess(self, accumulator: Any) -> Any:
        return accumulator
