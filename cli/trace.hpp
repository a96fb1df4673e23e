#pragma once

#include "core/export/export.hpp"

namespace crema::cli {

/// Chrome's trace events as JSON, for ui.perfetto.dev and chrome://tracing; times in microseconds
/// on the run axis. A worker is a process, each of its threads one of that. Computations lie on the
/// threads; what else is done for a task (transfers, reading from disk) overlaps with them and has
/// tracks of its own. Workers' series are counters, written where they change. Here and not in
/// core/export, since the page does not offer it.
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
extern const exports::Writer trace_writer;

}  // namespace crema::cli
