"""The views of the page by the names that links use; written by tests/web/permalink.test.ts."""

VIEWS = (
    "summary",
    "timelines",
    "fine",
    "flame",
    "data",
    "compute",
    "read",
    "runs",
    "compare",
    "scaling",
    "history",
    "recording",
    "workers",
    "chunks",
    "access",
    "notes",
)
