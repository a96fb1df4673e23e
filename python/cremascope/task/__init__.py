"""Measures tasks where they run, and hands over a row for each attempt at one.

The text of this package travels to workers that have no Crema (``cremascope.carry``), so it needs nothing but Python's own
library, and imports itself only relatively.
"""
