"""The views of the page by the names that links use; written by tests/web/permalink.test.ts."""

VIEWS = (
    "summary",
    "timelines",
    "fine",
    "chunks",
    "access",
    "flame",
    "workers",
    "compare",
    "scaling",
    "history",
    "notes",
)
