"""A file server with ranges: ``python -m lab.server FOLDER LATENCY RATE``, seconds of each request, bytes a second of all."""

from __future__ import annotations

import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

folder, latency, rate = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
lock, free_at = threading.Lock(), 0.0


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, wbufsize = "HTTP/1.1", True, 1 << 20

    def do_GET(self) -> None:
        global free_at  # noqa: PLW0603
        content = (folder / self.path.strip("/")).read_bytes()
        first, _, last = self.headers.get("Range", f"bytes=0-{len(content) - 1}").removeprefix("bytes=").partition("-")
        part = content[int(first) : int(last or len(content) - 1) + 1]
        time.sleep(latency)
        if rate:
            with lock:
                free_at = max(time.time(), free_at) + len(part) / rate
                wait = free_at - time.time()
            time.sleep(max(0.0, wait))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str((folder / self.path.strip("/")).stat().st_size))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
    print(running.server_port, flush=True)
    running.serve_forever()
