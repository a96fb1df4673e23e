"""Change points of Apache Otava (PyPI: apache-otava), for tests/bench/changes.mjs: lists of numbers in, lists of places out."""

import json
import logging
import sys

from otava.series import AnalysisOptions, Metric, Series

logging.disable(logging.CRITICAL)
found = []
for values in json.load(sys.stdin):
    series = Series("series", None, list(range(len(values))), {"value": Metric(1, 1.0)}, {"value": values}, {})
    changes = series.analyze(AnalysisOptions()).change_points["value"]
    found.append([int(change.index) for change in changes])
json.dump(found, sys.stdout)
