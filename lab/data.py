"""Files of toy events: NanoAOD-like columns, of a seed, in any codec."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import awkward as ak
import numpy as np
import uproot

CODECS = {"zstd": uproot.ZSTD(3), "zlib": uproot.ZLIB(1), "lz4": uproot.LZ4(4), "lzma": uproot.LZMA(8)}


def _rounded(values: Any) -> Any:
    """Ten bits of mantissa, as NanoAOD has them: it compresses like real data."""
    return ((values.astype("f4").view("u4") + 0x1000) & 0xFFFFE000).view("f4")


def _collection(chance: Any, count: int, mean: float, names: list[str]) -> Any:
    counts = chance.poisson(mean, count)
    kinematics = {
        "pt": lambda size: chance.exponential(35, size) + 8,
        "eta": lambda size: chance.normal(0, 1.4, size),
        "phi": lambda size: chance.uniform(-3.14, 3.14, size),
    }
    total = int(counts.sum())
    columns = {name: _rounded(kinematics.get(name, lambda size: chance.uniform(0, 1, size))(total)) for name in names}
    return ak.zip({name: ak.unflatten(values, counts) for name, values in columns.items()})


def write_file(path: Path, events: int, basket: int, codec: str) -> None:
    """Writes a file, by a name and numbers that decide what is in it, where it is not there yet."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(zlib.crc32(f"{path.name} {events}".encode()))
    draft = path.with_name(f".{path.name}")
    with uproot.recreate(draft, compression=CODECS[codec]) as file:
        for begin in range(0, events, basket):
            count = min(basket, events - begin)
            columns = {
                "run": np.ones(count, "u4"),
                "luminosityBlock": np.full(count, begin // 1000, "u4"),
                "event": np.arange(begin, begin + count, dtype="u8"),
                "MET_pt": _rounded(chance.exponential(40, count)),
                "MET_phi": _rounded(chance.uniform(-3.14, 3.14, count)),
                "genWeight": _rounded(chance.normal(1, 0.1, count)),
                "Muon": _collection(chance, count, 1.5, ["pt", "eta", "phi", "mass", "charge", "iso", "dxy"]),
                "Jet": _collection(chance, count, 5.0, ["pt", "eta", "phi", "mass", "tag", "area", "chf", "qgl"]),
                "FatJet": _collection(chance, count, 0.7, ["pt", "eta", "phi", "mass", "tau1", "tau2"]),
            }
            if begin == 0:
                types = {name: one.dtype if isinstance(one, np.ndarray) else one.type.content for name, one in columns.items()}
                file.mktree("Events", types)
            file["Events"].extend(columns)
    draft.rename(path)


def _damage(path: Path, bad: Path, how: str) -> None:
    """A copy that ends in its middle, whose middle is overwritten, or none."""
    content = bytearray(path.read_bytes())
    half = len(content) // 2
    bad.unlink(missing_ok=True)
    if how == "cut":
        bad.write_bytes(content[:half])
    elif how == "overwritten":
        content[half : half + 100_000] = b"\xa5" * 100_000
        bad.write_bytes(content)


def make_files(plan: Any, folder: Path) -> dict[str, list[Path]]:
    """The files of a plan, by dataset, made where they are not there yet."""
    found: dict[str, list[Path]] = {}
    for dataset, sizes in plan.datasets.items():
        for number, events in enumerate(sizes, 1):
            name = f"{dataset}_{number}.root"
            codec = plan.compression.get(name) or plan.compression.get(dataset) or plan.compression.get("*") or "zstd"
            path = folder / f"{codec}-{plan.basket}-{events}" / name
            write_file(path, events, plan.basket, codec)
            if name == plan.bad_file:
                bad = folder / "bad" / name
                bad.parent.mkdir(exist_ok=True)
                _damage(path, bad, plan.damage)
                path = bad
            found.setdefault(dataset, []).append(path)
    return found
