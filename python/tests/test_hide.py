"""What a recording does not tell where it was asked not to."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path

import pytest

from cremascope.hide import Hider


@pytest.fixture
def hider(monkeypatch: pytest.MonkeyPatch) -> Hider:
    monkeypatch.setattr(socket, "gethostname", lambda: "node7")
    monkeypatch.setattr(socket, "getfqdn", lambda: "node7.site.org")
    monkeypatch.setattr(getpass, "getuser", lambda: "jdoe")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/jdoe"))
    return Hider()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/home/jdoe/secret plans/x.py", "/folder1/x.py"),
        ("/home/jdoe/x.py:12 process", "/folder1/x.py:12 process"),
        ("process;/home/jdoe/x.py;120", "process;/folder1/x.py;120"),
        ("cannot open '/data/my run/f.root': gone", "cannot open '/folder1/f.root': gone"),
        ("/home/jdoe/env/lib/python3.12/site-packages/dask/core.py", "/folder1/lib/python3.12/site-packages/dask/core.py"),
        ("root://me:word@xrd.org:1094//store/user/jdoe/f.root?key=1", "root://host3:1094/folder1/f.root"),
        ("tcp://10.0.0.7:40001", "tcp://host3:40001"),
        ("tcp://127.0.0.1:40001", "tcp://127.0.0.1:40001"),
        (r"C:\Users\jdoe\f.root", "/folder1/f.root"),
        ("started on node7.site.org (node7) by jdoe", "started on host1 (host2) by user1"),
        ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap>"),
        ("outer/inner", "outer/inner"),
        ("node77 and 3/4 jdoes", "node77 and 3/4 jdoes"),
    ],
)
def test_folders_hosts_and_the_user_are_hidden(hider: Hider, text: str, shown: str) -> None:
    assert hider(text) == shown


def test_one_folder_has_one_name_and_relative_paths_are_paths_too(hider: Hider) -> None:
    assert [hider.path(name) for name in ("/a/x.root", "/b/x.root", "/a/y.root", "data/x.root", "x.root")] == [
        "/folder1/x.root",
        "/folder2/x.root",
        "/folder1/y.root",
        "/folder3/x.root",
        "x.root",
    ]


def test_json_keeps_the_names_of_its_fields(hider: Hider) -> None:
    hider._learn("data", "user")
    told = {"data": [1, {"host": "w1"}], "tcp://w1:80": {"file": "in/x.root", "text": "of w1"}, "n": None}
    assert hider.all(told) == {
        "data": [1, {"host": hider("w1")}],
        f"tcp://{hider('w1')}:80": {"file": "/folder1/x.root", "text": f"of {hider('w1')}"},
        "n": None,
    }
    assert hider("w1").startswith("host")
