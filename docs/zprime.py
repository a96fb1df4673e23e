"""The slow run of "My run is slow: what now?" (tutorial.md): a search for a Z′ in toy events, on two processes.

    python zprime.py runs/before

The first time it also makes its events, ten files in toy-events/.
"""

import sys
from pathlib import Path

import awkward as ak
import cremascope as crema
import hist
import numpy as np
import uproot
from coffea import processor
from coffea.nanoevents import BaseSchema


def best_mass(muons):
    """The mass of the two muons of an event that is closest to the Z′, which has 500 GeV."""
    best = []
    for event in muons:
        mass = 0.0  # no pair yet
        for i in range(len(event)):
            for j in range(i + 1, len(event)):
                a, b = event[i], event[j]
                pair = np.sqrt(2 * a.pt * b.pt * (np.cosh(a.eta - b.eta) - np.cos(a.phi - b.phi)))
                if mass == 0 or abs(pair - 500) < abs(mass - 500):
                    mass = pair
        best.append(mass)
    return np.array(best)


def bootstrap(mass, toys=2000):
    """The spectrum, and its toys, in which each event counts as often as chance says: their spread is its error."""
    spectrum = hist.Hist.new.Reg(100, 0, 1000, name="mass").Int64()
    replicas = hist.Hist.new.Reg(100, 0, 1000, name="mass").Int(0, toys, name="toy").Int64()
    chance = np.random.default_rng(1)
    for toy in range(toys):
        replicas.fill(mass=np.repeat(mass, chance.poisson(1, len(mass))), toy=toy)
    return spectrum.fill(mass), replicas


class Search(processor.ProcessorABC):
    def process(self, events):
        muons = ak.zip({name: events[f"Muon_{name}"] for name in ("pt", "eta", "phi")})
        mass = best_mass(muons[(muons.pt > 20) & (abs(muons.eta) < 2.4)])
        spectrum, replicas = bootstrap(mass[mass > 0])
        return {"events": len(events), "spectrum": spectrum, "replicas": replicas}

    def postprocess(self, accumulator):
        return accumulator


def toy_events(folder, files=5, count=15_000):
    """Makes what is not there yet, and says where the files of each dataset are."""
    folder.mkdir(exist_ok=True)
    fileset = {}
    for dataset in ("dyjets", "zprime"):
        for number in range(files):
            path = folder / f"{dataset}_{number}.root"
            fileset.setdefault(dataset, []).append(str(path))
            if path.exists():
                continue
            chance = np.random.default_rng([number, len(dataset)])
            muons = chance.poisson(2.0, count)
            columns = {
                "pt": chance.exponential(60 if dataset == "dyjets" else 200, muons.sum()) + 5,
                "eta": chance.normal(0, 1.3, muons.sum()),
                "phi": chance.uniform(-np.pi, np.pi, muons.sum()),
            }
            with uproot.recreate(path) as file:
                file["Events"] = {f"Muon_{name}": ak.unflatten(values.astype("f4"), muons) for name, values in columns.items()}
    return fileset


if __name__ == "__main__":
    fileset = toy_events(Path("toy-events"))
    runner = processor.Runner(processor.FuturesExecutor(workers=2), schema=BaseSchema, chunksize=5_000)
    with crema.record(sys.argv[1]):
        out = runner(fileset, treename="Events", processor_instance=Search())
    print(f"{out['events']} events, {int(out['spectrum'].sum())} pairs: {sys.argv[1]}")
