"""Labels of a run: from the user, and from the system for continuous integration that runs it."""

from __future__ import annotations

import os
from collections.abc import Mapping

# Environment variables of systems for continuous integration; of each list the first that is set counts.
# GitHub: docs.github.com, "Default environment variables"; GitLab: "Predefined CI/CD variables"; Jenkins: git plugin.
_VARIABLES = {
    "commit": ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"),
    "branch": ("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "GIT_BRANCH"),
    "tag": ("CI_COMMIT_TAG",),
}
_SHORT = 12  # characters that identify a commit


def labels_of(given: str | Mapping[str, object] | None) -> dict[str, str]:
    """The labels of a run: what was given, a text being its "label", and what the environment knows beside.

    Raises TypeError for anything else.
    """
    if given is not None and not isinstance(given, (str, Mapping)):
        raise TypeError(f"label is a text, or a mapping of names to texts, not {type(given).__name__}")
    found = {"label": given} if isinstance(given, str) else {str(name): str(value) for name, value in (given or {}).items()}
    for name, variables in _VARIABLES.items():
        value = next((os.environ[variable] for variable in variables if os.environ.get(variable)), "")
        if value:
            found.setdefault(name, value[:_SHORT] if name == "commit" else value)
    return found
