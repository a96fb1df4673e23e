"""``python -m cremascope serve``: what it gives out, and what it does not."""

from __future__ import annotations

import http.client
import io
import signal
import subprocess
import sys
import threading
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cremascope.server import Server, find_runs

PATIENCE = 300  # [s] an answer always comes: this ends what hangs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "served"
    for name in ("a b/metrics.json", "deep/er/dask_profiles.json.gz", ".hidden/metrics.json", "notes/readme.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("{}")
    with zipfile.ZipFile(root / "packed.zip", "w") as archive:
        archive.writestr("run/metrics.json", "{}")
    (tmp_path / "secret.json").write_text("secret")
    (root / "notes" / "way-out").symlink_to(tmp_path)
    (root / "a b" / "linked.json").symlink_to(tmp_path / "secret.json")
    return root


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    with Server(folder, origins=["https://user.github.io"]) as running:
        threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
        yield running
        running.shutdown()


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=PATIENCE)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, dict(response.getheaders()), content


def test_runs_are_found_in_folders_and_archives(folder: Path) -> None:
    assert [(str(run.path), run.url) for run in find_runs(folder)] == [
        ("a b", "runs/a%20b.zip"),
        ("deep/er", "runs/deep/er.zip"),
        ("packed.zip", "runs/packed.zip"),
    ]
    assert [run.url for run in find_runs(folder / "a b")] == ["runs/.zip"]
    (folder / "tables").mkdir()
    (folder / "tables" / "metrics.csv").write_text("id,value\n")  # an answer that was saved
    assert len(find_runs(folder)) == 3


def test_the_list_links_every_run_to_the_page(server: Server) -> None:
    status, _, content = ask(server, "/")
    assert status == 200
    assert b'href="crema.html#url=runs/a%2520b.zip"' in content
    assert b"Open all 3" in content


def test_a_recording_that_goes_on_is_opened_as_a_folder_which_the_page_follows(server: Server) -> None:
    live = server.folder / "live"
    live.mkdir()
    (live / "tasks.json").write_text('{"state": "running"}')
    (live / "tasks-000000.json.gz").write_bytes(b"rows")
    assert [run.url for run in find_runs(server.folder) if run.is_running] == ["runs/live/"]
    assert b'href="crema.html#url=runs/live/">live</a> being recorded' in ask(server, "/")[2]
    for path, content in (("tasks.json", b'{"state": "running"}'), ("tasks-000000.json.gz", b"rows")):
        status, headers, found = ask(server, f"/runs/live/{path}")
        assert (status, found, headers["Cache-Control"]) == (200, content, "no-cache")
    (live / "tasks.json").write_text('{"state": "complete"}')
    assert [run.url for run in find_runs(server.folder) if str(run.path) == "live"] == ["runs/live.zip"]


def test_the_page_may_fetch_from_its_own_server_only(server: Server) -> None:
    status, headers, content = ask(server, "/crema.html")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert content.count(b"connect-src 'self' blob: data:") == 1


def test_a_folder_comes_as_an_archive_and_a_file_as_itself(server: Server) -> None:
    status, headers, content = ask(server, "/runs/a%20b.zip")
    assert (status, headers["Content-Type"]) == (200, "application/zip")
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["a b/metrics.json"]
    status, headers, content = ask(server, "/runs/a%20b/metrics.json")
    assert (status, headers["Content-Type"], content) == (200, "application/json", b"{}")
    assert ask(server, "/runs/packed.zip")[2] == (server.folder / "packed.zip").read_bytes()
    assert ask(server, "/runs/packed.zip", "HEAD")[2] == b""


def test_no_run_is_held_in_memory(server: Server) -> None:
    large = server.folder / "large"
    large.mkdir()
    size = 48 * 2**20
    for name in ("metrics.json", "dask_profiles.json.gz"):
        with (large / name).open("wb") as file:
            file.truncate(size)
    tracemalloc.start()
    try:
        for path in ("/runs/large.zip", "/runs/large/metrics.json"):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=PATIENCE)
            connection.request("GET", path)
            response = connection.getresponse()
            received = 0
            while piece := response.read(2**16):
                received += len(piece)
            connection.close()
            assert (response.status, received >= size) == (200, True)
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "path",
    [
        "/runs/../secret.json",
        "/runs/%2e%2e/secret.json",
        "/runs/..%2fsecret.json",
        "/runs//etc/passwd",
        "/runs/%2fetc/passwd",
        "/runs/notes/way-out/secret.json",
        "/runs/notes/way-out.zip",
        "/runs/.hidden/metrics.json",
        "/runs/a%00b",
        "/runs/nothing.zip",
        "/secret.json",
    ],
)
def test_nothing_outside_the_folder_and_nothing_hidden_is_given_out(server: Server, path: str) -> None:
    status, _, content = ask(server, path)
    assert status == 404
    assert b"secret" not in content


def test_only_pages_of_the_allowed_origins_may_read(server: Server) -> None:
    allowed = ask(server, "/runs/packed.zip", Origin="https://user.github.io")[1]
    assert allowed["Access-Control-Allow-Origin"] == "https://user.github.io"
    assert "Access-Control-Allow-Origin" not in ask(server, "/runs/packed.zip", Origin="https://elsewhere.org")[1]
    status, headers, _ = ask(server, "/runs/packed.zip", "OPTIONS", Origin="https://user.github.io")
    assert (status, headers["Access-Control-Allow-Private-Network"]) == (204, "true")


def test_a_foreign_name_that_points_here_gets_nothing(server: Server) -> None:
    assert ask(server, "/", Host="evil.example:80")[0] == 403
    assert ask(server, "/", Host=f"localhost:{server.server_address[1]}")[0] == 200
    assert server.url.startswith("http://127.0.0.1:")


def test_a_file_is_no_folder_to_serve(folder: Path) -> None:
    with pytest.raises(NotADirectoryError, match="is no folder"):
        Server(folder / "packed.zip")


def test_the_command_serves_until_it_is_interrupted(folder: Path) -> None:
    command = [sys.executable, "-m", "cremascope", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        assert line.startswith(f"3 runs of {folder} at http://127.0.0.1:")
        connection = http.client.HTTPConnection(line.split("//")[1].split("/")[0], timeout=PATIENCE)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 0
