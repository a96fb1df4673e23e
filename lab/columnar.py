"""A columnar search with muons and jets, as on NanoAOD: whole columns at a time, histograms, systematic variations."""

from __future__ import annotations

from typing import Any

import awkward as ak
import hist
import numpy as np
from coffea.processor import ProcessorABC, column_accumulator
from cremascope import section

from . import habits
from .cost import spend

#: Functions by what they are in an analysis, and the sections that they are in.
ROLES = {
    "first": ("select_objects", "objects"),
    "heavy": ("pair_masses", "masses"),
    "vary": ("vary_energy", "variations"),
    "weigh": ("tag_weights", "weights"),
    "fill": ("fill_all", "histograms"),
}


def padded(array: Any, most: int) -> Any:
    """The first ``most`` entries of each event, zero where there are fewer."""
    return ak.to_numpy(ak.fill_none(ak.pad_none(array, most, clip=True), 0.0))


def select_objects(events: Any) -> tuple[Any, Any]:
    muons, jets = events.Muon, events.Jet
    for step in range(6):
        muons = muons[(muons.pt > 5 + 0.1 * step) & (abs(muons.eta) < 2.4)]
        jets = jets[(jets.pt > 10 + 0.1 * step) & (abs(jets.eta) < 2.5)]
    return muons, jets


def pair_masses(jets: Any) -> Any:
    pt, eta, phi = padded(jets.pt, 6), padded(jets.eta, 6), padded(jets.phi, 6)
    first, second = np.triu_indices(6, 1)
    best = np.zeros(len(pt))
    for scale in np.linspace(0.9, 1.1, 60):
        product = scale * pt[:, first] * pt[:, second]
        squared = 2 * product * (np.cosh(eta[:, first] - eta[:, second]) - np.cos(phi[:, first] - phi[:, second]))
        best = np.maximum(best, np.sqrt(np.abs(squared)).max(axis=1))
    return best


def vary_energy(jets: Any, met: Any) -> Any:
    pt, counts = ak.to_numpy(ak.flatten(jets.pt)), ak.to_numpy(ak.num(jets.pt))
    owner = np.repeat(np.arange(len(counts)), counts)
    total = np.zeros(len(counts))
    for step in range(400):
        scale = 1 + 0.01 * np.sin(pt / (30.0 + step)) + 0.002 * np.log1p(pt)
        total = np.hypot(np.bincount(owner, weights=pt * scale, minlength=len(counts)), met)
    return total


def tag_weights(jets: Any) -> Any:
    tag, counts = ak.to_numpy(ak.flatten(jets.tag)), ak.to_numpy(ak.num(jets.tag))
    owner = np.repeat(np.arange(len(counts)), counts)
    weight = np.ones(len(counts))
    for step in range(60):
        edges = np.linspace(0, 1, 40 + step)
        factor = np.log(0.5 + np.interp(tag, edges, np.exp(-0.5 * ((edges - 0.4) / 0.3) ** 2)))
        weight = np.exp(np.bincount(owner, weights=factor, minlength=len(counts)) / 10)
    return weight


def fill_all(histogram: Any, dataset: str, mass: Any, ht: Any, weight: Any) -> None:
    for shift in np.linspace(0.95, 1.05, 300):
        histogram.fill(dataset=dataset, mass=mass * shift, ht=ht, weight=weight)


class Processor(ProcessorABC):  # type: ignore[misc]
    """``setup`` is a plan's: what is done besides."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.setup = setup

    def process(self, events: Any) -> dict[str, Any]:
        setup, about, count = self.setup, events.metadata, len(events)
        bins = setup.get("bins", 1)
        histogram = (
            hist.Hist.new.StrCat([], growth=True, name="dataset")
            .Reg(60 * bins, 0, 1500, name="mass")
            .Reg(40 * bins, 0, 2000, name="ht")
            .Weight()
        )
        out: dict[str, Any] = {"events": count, "h": histogram}
        with section("objects"):
            spend(setup, "select_objects", about, count)
            muons, jets = select_objects(events)
        with section("masses"):
            spend(setup, "pair_masses", about, count)
            mass = pair_masses(jets)
            with section("checks"):
                habits.follow(setup, events, mass)
        with section("variations"):
            spend(setup, "vary_energy", about, count)
            ht = vary_energy(jets, ak.to_numpy(events.MET.pt))
        with section("weights"):
            spend(setup, "tag_weights", about, count)
            weight = tag_weights(jets) * (1 + 0.1 * ak.to_numpy(ak.num(muons.pt)))
        with section("histograms"):
            spend(setup, "fill_all", about, count)
            fill_all(histogram, about["dataset"], mass, ht, weight)
        if kept := setup.get("keep_rows", 0):
            out["rows"] = column_accumulator(np.random.default_rng(1).normal(size=kept * count))
        return out

    def postprocess(self, accumulator: Any) -> Any:
        return accumulator
