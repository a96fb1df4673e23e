"""A small program for profilers: about one second, of which `select` takes most."""

import json
import threading


def mass(pairs):
    return sum((a * a + b * b) ** 0.5 for a, b in pairs)


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def select(events):
    kept = 0.0
    for _ in range(120):
        kept += mass((event, event + 1) for event in range(events))
        factorial(200)
    return kept


def fill(events):
    text = json.dumps({str(event): [event] * 8 for event in range(events)}, indent=1)
    return len(json.loads(text))


def process(events):
    return select(events) + fill(events)


if __name__ == "__main__":
    thread = threading.Thread(target=process, args=(8_000,), name="worker")
    thread.start()
    process(24_000)
    thread.join()
