# Written by `npm run contract` from the core; a test fails when it is out of date.
# ruff: noqa: E501
# fmt: off
"""What ``crema ask`` can be asked: names, options and columns of all questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, overload

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cremascope.answer import Answer

QuestionName = Literal["runs", "sources", "summary", "budget", "core_time_tree", "core_time_bins", "core_time_part", "findings", "rules", "advice", "quality", "timeline", "machines", "client", "worker_matrix", "worker_spread", "workers", "worker_changes", "throughput", "concurrency", "chunks", "chunk_columns", "groups", "distribution", "sections", "custom_metrics", "input", "host_load", "access", "bytes", "branches", "fine", "fine_functions", "fine_activities", "task_prefixes", "phases", "tail", "excess", "progress", "now", "failures", "system", "task_states", "chunk_sizes", "memory", "tasks", "profiles", "flame", "sandwich", "stacks", "frames", "worker_frames", "profile_spread", "flame_diff", "compare", "compare_matrix", "compare_steps", "compare_pairs", "verdict", "check", "scaling", "scaling_curve", "whatif", "bounds", "efficiency", "why", "history", "history_series", "history_levels", "check_history", "datasets", "files", "hosts", "sites", "runtime_histogram", "compression_histogram", "access_histogram", "branch_histogram", "callers", "callees"]

#: The columns of each answer. Those of ``chunks`` can be more: sections and numbers of the analysis itself.
COLUMNS: dict[QuestionName, tuple[str, ...]] = {
    "runs": ("run", "title", "source_files", "schema", "started_at", "time_zone_offset", "elapsed", "started_naive", "recorded_at", "clock_basis", "workers", "chunks", "digest", "running", "damaged", "bytes",),
    "sources": ("file", "size", "format", "schema",),
    "summary": ("id", "label", "value", "unit", "stored", "stored_differs", "better", "formula", "note", "group", "whole_run", "stored_key",),
    "budget": ("part", "parent", "core_seconds", "fraction", "source", "label", "split", "shortfall", "share", "small",),
    "core_time_tree": ("id", "parent", "depth", "label", "kind", "core_seconds", "share", "least", "most", "on_cpu", "waiting", "split_measured", "blocked", "uncertain", "certainty", "note", "category", "file", "line", "samples", "children", "begin", "end",),
    "core_time_bins": ("part", "label", "is_rest", "exact", "cores", "top",),
    "core_time_part": ("aspect", "label", "core_seconds", "least", "most", "share", "note",),
    "findings": ("id", "severity", "title", "evidence", "gain_core_seconds", "gain_elapsed", "grounds", "view", "selection",),
    "rules": ("id", "looks_at", "view", "needs", "grounds", "rivals", "recorded",),
    "advice": ("setting", "now", "code", "gain_core_seconds", "certainty", "cores", "elapsed", "elapsed_low", "elapsed_high", "finding", "why", "assumed",),
    "quality": ("id", "severity", "file", "offset", "path", "message", "count",),
    "timeline": ("t", "workers", "cores", "active_tasks", "executing_tasks", "slot_use_mean", "slot_use_min", "slot_use_max", "cpu_mean", "cpu_min", "cpu_max", "memory_mean", "memory_min", "memory_max", "memory_limit", "memory_utilization_mean", "memory_utilization_min", "memory_utilization_max", "nbytes", "occupancy", "last_seen_lag_max",),
    "machines": ("t", "cpus_busy", "cpus_own", "cpus_others", "cpus_usable", "throttled", "pressure_cpu", "pressure_memory", "pressure_io", "swap_used", "disk_read_rate", "disk_written_rate", "received_rate", "sent_rate", "client_cpus", "client_function", "scheduler_cpus", "loop_lag",),
    "client": ("when", "function", "file", "line", "seconds", "cpu_seconds", "share", "looks",),
    "worker_matrix": ("worker", "cpu_share", "memory_utilization", "memory", "memory_limit", "active_tasks", "cores", "nbytes", "occupancy", "executing", "last_seen", "cpu", "workers",),
    "worker_spread": ("t", "workers", "total", "mean", "p10", "p90", "min", "max",),
    "workers": ("worker", "name", "host", "nthreads", "memory_limit", "first_seen", "last_seen", "memory_mean", "memory_peak", "cpu_mean", "active_mean", "executing_mean", "joined_late", "left_early", "restarted_from", "executions", "lost", "chunks", "times_others", "slow",),
    "worker_changes": ("t", "worker", "change", "reason", "workers",),
    "throughput": ("t0", "t1", "bytes_per_second", "events_per_second", "chunks_running", "events_done", "coverage",),
    "concurrency": ("dataset", "file", "host", "site", "compression", "kind", "chunks_running", "bytes_per_second",),
    "chunks": ("chunk", "dataset", "file", "host", "site", "entry_start", "entry_stop", "t_start", "t_end", "duration", "events", "bytes_read", "memory_before", "memory_after", "memory_delta", "seconds_per_event", "memory_delta_per_event", "bytes_per_second", "host_load", "branches_accessed", "accessed_bytes", "lane", "times_expected", "outlier", "early",),
    "chunk_columns": ("column", "unit", "formula", "known",),
    "groups": ("name", "chunks", "seconds", "share", "events", "events_per_second", "seconds_per_event", "bytes", "bytes_share", "bytes_per_second", "mean", "min", "p50", "p95", "max", "std", "seconds_per_event_cv", "memory_delta_mean", "fixed_seconds", "seconds_per_event_slope", "outliers",),
    "distribution": ("dataset", "lo", "hi", "count", "density",),
    "sections": ("dataset", "name", "chunks", "seconds", "share_of_process", "mean", "p95", "max", "memory_delta", "bytes", "may_overlap", "kind",),
    "custom_metrics": ("dataset", "name", "chunks", "sum", "mean", "min", "p50", "p95", "max",),
    "input": ("name", "files", "chunks", "tree_bytes", "used_bytes", "read_bytes", "used_share", "times_read",),
    "host_load": ("host", "chunks_open", "chunks", "p25", "p50", "p75",),
    "access": ("file", "dataset", "host", "chunks", "compression_ratio", "branches_total", "branches_read", "branches_read_fraction", "tree_bytes", "bytes_read", "bytes_read_fraction", "chunk_bytes", "times_read", "bytes_per_second", "times_others", "slow",),
    "bytes": ("id", "label", "bytes", "share_of_report", "meaning",),
    "branches": ("branch", "files", "chunks", "share_of_chunks", "datasets", "dataset_names", "always_in", "bytes", "requests", "baskets", "compressed", "uncompressed", "outside_share", "wait", "cpu", "codec",),
    "fine": ("context", "prefix", "activity", "unit", "value", "is_processor",),
    "fine_functions": ("function", "activity", "value", "share", "total", "share_of_available", "total_of_available", "tasks", "per_task", "functions", "is_processor", "is_idle",),
    "fine_activities": ("context", "activity", "value", "total", "share", "share_of_available",),
    "task_prefixes": ("prefix", "tasks", "seconds_per_task",),
    "phases": ("phase", "t0", "t1", "seconds", "share", "core_seconds", "note", "client_function", "client_seconds", "client_cpu_seconds",),
    "tail": ("t95", "end", "length", "core_seconds_wasted", "ideal_makespan", "actual_makespan", "ideal_end", "critical_chunk", "cores", "outliers",),
    "excess": ("part", "label", "core_seconds", "baseline", "excess", "explained", "unknown", "causes",),
    "progress": ("kind", "dataset", "planned", "done", "skipped", "failed", "events_planned", "events", "share", "core_seconds",),
    "now": ("part", "kind", "name", "text", "low", "high",),
    "failures": ("task", "exception", "message", "frame", "attempts", "items", "recovered", "skipped", "repeated", "lost", "core_seconds", "files", "workers", "dataset", "file", "entry_start", "entry_stop", "first", "last", "text", "advice",),
    "system": ("t", "cpu", "memory", "network_read", "network_write", "disk_read", "disk_write", "open_files",),
    "task_states": ("state", "entered", "most", "tasks",),
    "chunk_sizes": ("chunk_events", "present", "chunks", "inside_seconds", "outside_low", "outside_high", "longest_chunk", "elapsed", "elapsed_low", "elapsed_high", "tail", "memory", "limited_by",),
    "memory": ("kind", "name", "chunks", "lost", "at_once", "events_p50", "memory_fixed", "memory_per_event", "memory_per_event_low", "memory_per_event_high", "memory", "memory_low", "memory_high", "memory_largest", "above", "above_low", "above_high", "memory_requested", "memory_request", "above_request", "memory_no_spill", "memory_no_pause", "memory_no_kill", "events_within",),
    "tasks": ("key", "prefix", "worker", "thread", "action", "t0", "t1", "duration", "nbytes", "status", "exception", "lane", "lost",),
    "profiles": ("profile", "label", "worker", "kind", "total", "unit", "depth", "nodes", "interval", "seconds_per_sample", "source", "alternative", "ordered",),
    "flame": ("node", "depth", "x0", "x1", "frame", "file", "line", "total", "self", "self_min", "self_max", "unresolved", "category", "matched", "parent", "is_unresolved", "candidates", "frame_id", "estimated", "path", "more", "package",),
    "sandwich": ("node", "depth", "x0", "x1", "frame", "file", "line", "total", "self", "self_min", "self_max", "unresolved", "category", "matched", "parent", "is_unresolved", "candidates", "frame_id", "estimated", "path", "more", "package",),
    "stacks": ("stack", "depth", "count", "seconds", "fraction",),
    "frames": ("frame", "name", "file", "line", "category", "total", "self", "self_min", "self_max", "unresolved", "own", "total_fraction", "recursive", "line_seen", "source_line", "estimated", "boxes",),
    "worker_frames": ("frame", "name", "file", "category", "mean", "min", "max", "range", "lowest", "highest", "shares",),
    "profile_spread": ("profile", "worker", "total", "distance", "function", "share", "usual",),
    "flame_diff": ("node", "depth", "x0", "x1", "frame", "file", "line", "category", "a", "b", "delta", "ratio", "noise", "noteworthy", "a_self", "b_self", "total", "parent", "frame_id", "path", "matched", "more",),
    "compare": ("id", "group", "label", "a", "b", "a_text", "b_text", "delta", "ratio", "unit", "expected", "noise", "noise_from", "noteworthy", "verdict", "note",),
    "compare_matrix": ("dataset", "section", "a", "b", "delta", "ratio", "beyond_pace", "noise", "noteworthy",),
    "compare_steps": ("kind", "label", "a", "b", "delta", "ratio", "begin", "end",),
    "compare_pairs": ("dataset", "file", "entry_start", "entry_stop", "a", "b", "chunks_a", "chunks_b",),
    "verdict": ("kind", "label", "dataset", "section", "file", "seconds", "in_b", "error", "low", "high", "elapsed", "share", "ratio", "chunks",),
    "check": ("kind", "rule", "state", "kept", "id", "group", "line", "baseline", "candidate", "limit", "unit", "noise", "verdict", "note",),
    "scaling": ("run", "number", "cores", "rate", "event_rate_khz", "data_rate_gbps", "rate_per_core", "efficiency_vs_ideal", "ideal", "differs",),
    "scaling_curve": ("cores", "ideal", "likely", "low", "high",),
    "whatif": ("scenario", "cores", "chunk_events", "elapsed", "elapsed_low", "elapsed_high", "ideal", "contended", "measured", "calibration_error", "note", "assumed", "seen", "unseen",),
    "bounds": ("bound", "cores", "elapsed", "elapsed_low", "speedup", "note",),
    "efficiency": ("run", "number", "cores", "available", "load_balance", "start_and_end", "scheduling", "outside", "lost", "on_cpu", "useful", "useful_seconds", "differs", "missing",),
    "why": ("feature", "value", "selected", "of_all", "lift", "explained", "p_value", "significant", "p_value_then", "significant_then",),
    "history": ("title", "run", "day", "started_at", "label", "note", "commit", "branch", "coffea", "awkward", "digest", "split", "left_out",),
    "history_series": ("id", "label", "unit", "better", "basis", "values", "outliers",),
    "history_levels": ("series", "begin", "end", "level", "low", "high", "slope", "change", "change_low", "change_high", "p_value", "first", "last", "is_worse", "event", "labels", "findings",),
    "check_history": ("kind", "rule", "state", "kept", "id", "group", "line", "baseline", "candidate", "limit", "unit", "noise", "verdict", "note",),
    "datasets": ("name", "chunks", "seconds", "share", "events", "events_per_second", "seconds_per_event", "bytes", "bytes_share", "bytes_per_second", "mean", "min", "p50", "p95", "max", "std", "seconds_per_event_cv", "memory_delta_mean", "fixed_seconds", "seconds_per_event_slope", "outliers",),
    "files": ("name", "chunks", "seconds", "share", "events", "events_per_second", "seconds_per_event", "bytes", "bytes_share", "bytes_per_second", "mean", "min", "p50", "p95", "max", "std", "seconds_per_event_cv", "memory_delta_mean", "fixed_seconds", "seconds_per_event_slope", "outliers",),
    "hosts": ("name", "chunks", "seconds", "share", "events", "events_per_second", "seconds_per_event", "bytes", "bytes_share", "bytes_per_second", "mean", "min", "p50", "p95", "max", "std", "seconds_per_event_cv", "memory_delta_mean", "fixed_seconds", "seconds_per_event_slope", "outliers",),
    "sites": ("name", "chunks", "seconds", "share", "events", "events_per_second", "seconds_per_event", "bytes", "bytes_share", "bytes_per_second", "mean", "min", "p50", "p95", "max", "std", "seconds_per_event_cv", "memory_delta_mean", "fixed_seconds", "seconds_per_event_slope", "outliers",),
    "runtime_histogram": ("dataset", "lo", "hi", "count",),
    "compression_histogram": ("dataset", "lo", "hi", "count",),
    "access_histogram": ("dataset", "lo", "hi", "count",),
    "branch_histogram": ("dataset", "lo", "hi", "count",),
    "callers": ("node", "depth", "x0", "x1", "frame", "file", "line", "total", "self", "self_min", "self_max", "unresolved", "category", "matched", "parent", "is_unresolved", "candidates", "frame_id", "estimated", "path", "more", "package",),
    "callees": ("node", "depth", "x0", "x1", "frame", "file", "line", "total", "self", "self_min", "self_max", "unresolved", "category", "matched", "parent", "is_unresolved", "candidates", "frame_id", "estimated", "path", "more", "package",),
}


class Filters(TypedDict, total=False):
    """What narrows an answer. A name, or several, of datasets, input files, storage hosts, workers, task prefixes."""

    select: tuple[float, float] | None
    """from when to when [s] since the start"""
    dataset: str | Sequence[str] | None
    file: str | Sequence[str] | None
    host: str | Sequence[str] | None
    worker: str | Sequence[str] | None
    prefix: str | Sequence[str] | None
    ranges: Mapping[str, tuple[float, float]] | None
    """from how much to how much, by columns of ``chunks``"""


class SummaryOptions(Filters, total=False):
    """Options of the question ``summary``."""

    processor: str


class BudgetOptions(Filters, total=False):
    """Options of the question ``budget``."""

    processor: str


class CoreTimeTreeOptions(Filters, total=False):
    """Options of the question ``core_time_tree``."""

    by: Literal["functions", "datasets", "sections", "activities"]
    under: str
    depth: int
    most: int
    processor: str


class CoreTimeBinsOptions(Filters, total=False):
    """Options of the question ``core_time_bins``."""

    by: Literal["functions", "datasets", "sections", "activities"]
    bins: int
    processor: str


class CoreTimePartOptions(Filters, total=False):
    """Options of the question ``core_time_part``."""

    by: Literal["functions", "datasets", "sections", "activities"]
    under: str
    factor: float
    most: int
    processor: str


class FindingsOptions(Filters, total=False):
    """Options of the question ``findings``."""

    processor: str


class AdviceOptions(Filters, total=False):
    """Options of the question ``advice``."""

    processor: str
    run_spread: float


class QualityOptions(Filters, total=False):
    """Options of the question ``quality``."""

    processor: str


class WorkerMatrixOptions(Filters, total=False):
    """Options of the question ``worker_matrix``."""

    series: Literal["cpu_share", "memory_utilization", "memory", "memory_limit", "active_tasks", "cores", "nbytes", "occupancy", "executing", "last_seen", "cpu"]
    bins: int
    stat: Literal["mean", "min", "max", "tick"]
    rows: int
    rows_stat: Literal["mean", "min", "max"]
    sort: Literal["first_seen", "mean", "peak", "name", "host"]


class WorkerSpreadOptions(Filters, total=False):
    """Options of the question ``worker_spread``."""

    series: Literal["cpu_share", "memory_utilization", "memory", "memory_limit", "active_tasks", "cores", "nbytes", "occupancy", "executing", "last_seen", "cpu"]


class WorkersOptions(Filters, total=False):
    """Options of the question ``workers``."""

    processor: str


class ThroughputOptions(Filters, total=False):
    """Options of the question ``throughput``."""

    bins: int
    window: Literal["run", "selection"]


class ConcurrencyOptions(Filters, total=False):
    """Options of the question ``concurrency``."""

    bins: int
    by: Literal["dataset", "file", "host", "site", "compression"]
    most: int


class ChunksOptions(Filters, total=False):
    """Options of the question ``chunks``."""

    columns: str
    most: int
    by: str
    rank: str


class GroupsOptions(Filters, total=False):
    """Options of the question ``groups``."""

    by: Literal["dataset", "file", "host", "site"]


class DistributionOptions(Filters, total=False):
    """Options of the question ``distribution``."""

    column: str
    of: Literal["chunks", "files"]
    by: Literal["dataset"]
    bins: int
    scale: Literal["linear", "log"]


class SectionsOptions(Filters, total=False):
    """Options of the question ``sections``."""

    by: Literal["dataset"]


class CustomMetricsOptions(Filters, total=False):
    """Options of the question ``custom_metrics``."""

    by: Literal["dataset"]


class InputOptions(Filters, total=False):
    """Options of the question ``input``."""

    by: Literal["dataset", "host", "site"]
    processor: str


class BytesOptions(Filters, total=False):
    """Options of the question ``bytes``."""

    processor: str


class FineOptions(Filters, total=False):
    """Options of the question ``fine``."""

    processor: str


class FineFunctionsOptions(Filters, total=False):
    """Options of the question ``fine_functions``."""

    unit: str
    without: str
    most: int
    idle: Literal["recorded", "budget"]
    processor: str


class FineActivitiesOptions(Filters, total=False):
    """Options of the question ``fine_activities``."""

    unit: str
    without: str


class TaskPrefixesOptions(Filters, total=False):
    """Options of the question ``task_prefixes``."""

    processor: str


class TailOptions(Filters, total=False):
    """Options of the question ``tail``."""

    processor: str


class ExcessOptions(Filters, total=False):
    """Options of the question ``excess``."""

    processor: str


class NowOptions(Filters, total=False):
    """Options of the question ``now``."""

    processor: str
    run_spread: float


class TaskStatesOptions(Filters, total=False):
    """Options of the question ``task_states``."""

    bins: int


class ChunkSizesOptions(Filters, total=False):
    """Options of the question ``chunk_sizes``."""

    processor: str


class MemoryOptions(Filters, total=False):
    """Options of the question ``memory``."""

    events: int
    times: float
    limit: float


class TasksOptions(Filters, total=False):
    """Options of the question ``tasks``."""

    processor: str


class FlameOptions(Filters, total=False):
    """Options of the question ``flame``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    min_fraction: float
    search: str
    order: Literal["heavy", "name", "time"]
    begin: float
    end: float
    runs: bool
    marks: bool
    section: str
    chunk: int


class SandwichOptions(Filters, total=False):
    """Options of the question ``sandwich``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    min_fraction: float
    search: str
    order: Literal["heavy", "name", "time"]
    begin: float
    end: float
    runs: bool
    marks: bool
    frame: str
    side: Literal["callers", "callees"]


class StacksOptions(Filters, total=False):
    """Options of the question ``stacks``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    most: int


class FramesOptions(Filters, total=False):
    """Options of the question ``frames``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    search: str


class WorkerFramesOptions(Filters, total=False):
    """Options of the question ``worker_frames``."""

    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    most: int


class ProfileSpreadOptions(Filters, total=False):
    """Options of the question ``profile_spread``."""

    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str


class FlameDiffOptions(Filters, total=False):
    """Options of the question ``flame_diff``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    min_fraction: float
    search: str
    order: Literal["heavy", "name"]
    begin: float
    end: float
    runs: bool
    per: Literal["absolute", "million_events", "share"]
    width: Literal["b", "a", "both"]


class CompareOptions(Filters, total=False):
    """Options of the question ``compare``."""

    processor: str
    per: Literal["absolute", "million_events", "share"]
    runs_of_a: int
    run_spread: float


class CompareMatrixOptions(Filters, total=False):
    """Options of the question ``compare_matrix``."""

    processor: str
    runs_of_a: int
    run_spread: float


class CompareStepsOptions(Filters, total=False):
    """Options of the question ``compare_steps``."""

    processor: str
    runs_of_a: int
    most: int


class VerdictOptions(Filters, total=False):
    """Options of the question ``verdict``."""

    processor: str
    runs_of_a: int
    run_spread: float


class CheckOptions(Filters, total=False):
    """Options of the question ``check``."""

    processor: str
    per: Literal["absolute", "million_events", "share"]
    runs_of_a: int
    run_spread: float
    rules: str
    allow: str


class ScalingOptions(Filters, total=False):
    """Options of the question ``scaling``."""

    target: float
    processor: str
    within: bool
    run_spread: float


class ScalingCurveOptions(Filters, total=False):
    """Options of the question ``scaling_curve``."""

    to: float
    points: int
    processor: str
    within: bool
    run_spread: float


class WhatifOptions(Filters, total=False):
    """Options of the question ``whatif``."""

    processor: str
    cores: str
    workers: str
    chunk_events: str
    part: str
    times: float
    run_spread: float


class BoundsOptions(Filters, total=False):
    """Options of the question ``bounds``."""

    processor: str
    run_spread: float


class EfficiencyOptions(Filters, total=False):
    """Options of the question ``efficiency``."""

    processor: str


class HistoryLevelsOptions(Filters, total=False):
    """Options of the question ``history_levels``."""

    p_value: float


class CheckHistoryOptions(Filters, total=False):
    """Options of the question ``check_history``."""

    p_value: float
    rules: str


class RuntimeHistogramOptions(Filters, total=False):
    """Options of the question ``runtime_histogram``."""

    of: Literal["chunks", "files"]
    by: Literal["dataset"]
    bins: int
    scale: Literal["linear", "log"]


class CompressionHistogramOptions(Filters, total=False):
    """Options of the question ``compression_histogram``."""

    by: Literal["dataset"]
    bins: int
    scale: Literal["linear", "log"]


class AccessHistogramOptions(Filters, total=False):
    """Options of the question ``access_histogram``."""

    by: Literal["dataset"]
    bins: int
    scale: Literal["linear", "log"]


class BranchHistogramOptions(Filters, total=False):
    """Options of the question ``branch_histogram``."""

    by: Literal["dataset"]
    bins: int
    scale: Literal["linear", "log"]


class CallersOptions(Filters, total=False):
    """Options of the question ``callers``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    min_fraction: float
    search: str
    order: Literal["heavy", "name", "time"]
    begin: float
    end: float
    runs: bool
    marks: bool
    frame: str


class CalleesOptions(Filters, total=False):
    """Options of the question ``callees``."""

    profile: str
    leaves: Literal["forced", "estimated", "counted", "notebook"]
    transform: str
    min_fraction: float
    search: str
    order: Literal["heavy", "name", "time"]
    begin: float
    end: float
    runs: bool
    marks: bool
    frame: str


class Asking(ABC):
    """Whatever can be asked."""

    @abstractmethod
    def _answer(self, question: str, given: Mapping[str, Any]) -> Answer: ...

    if TYPE_CHECKING:

        @overload
        def ask(self, question: Literal["summary"], **how: Unpack[SummaryOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["budget"], **how: Unpack[BudgetOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["core_time_tree"], **how: Unpack[CoreTimeTreeOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["core_time_bins"], **how: Unpack[CoreTimeBinsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["core_time_part"], **how: Unpack[CoreTimePartOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["findings"], **how: Unpack[FindingsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["advice"], **how: Unpack[AdviceOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["quality"], **how: Unpack[QualityOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["worker_matrix"], **how: Unpack[WorkerMatrixOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["worker_spread"], **how: Unpack[WorkerSpreadOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["workers"], **how: Unpack[WorkersOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["throughput"], **how: Unpack[ThroughputOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["concurrency"], **how: Unpack[ConcurrencyOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["chunks"], **how: Unpack[ChunksOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["groups"], **how: Unpack[GroupsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["distribution"], **how: Unpack[DistributionOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["sections"], **how: Unpack[SectionsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["custom_metrics"], **how: Unpack[CustomMetricsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["input"], **how: Unpack[InputOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["bytes"], **how: Unpack[BytesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["fine"], **how: Unpack[FineOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["fine_functions"], **how: Unpack[FineFunctionsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["fine_activities"], **how: Unpack[FineActivitiesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["task_prefixes"], **how: Unpack[TaskPrefixesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["tail"], **how: Unpack[TailOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["excess"], **how: Unpack[ExcessOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["now"], **how: Unpack[NowOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["task_states"], **how: Unpack[TaskStatesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["chunk_sizes"], **how: Unpack[ChunkSizesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["memory"], **how: Unpack[MemoryOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["tasks"], **how: Unpack[TasksOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["flame"], **how: Unpack[FlameOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["sandwich"], **how: Unpack[SandwichOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["stacks"], **how: Unpack[StacksOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["frames"], **how: Unpack[FramesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["worker_frames"], **how: Unpack[WorkerFramesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["profile_spread"], **how: Unpack[ProfileSpreadOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["flame_diff"], **how: Unpack[FlameDiffOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["compare"], **how: Unpack[CompareOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["compare_matrix"], **how: Unpack[CompareMatrixOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["compare_steps"], **how: Unpack[CompareStepsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["verdict"], **how: Unpack[VerdictOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["check"], **how: Unpack[CheckOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["scaling"], **how: Unpack[ScalingOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["scaling_curve"], **how: Unpack[ScalingCurveOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["whatif"], **how: Unpack[WhatifOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["bounds"], **how: Unpack[BoundsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["efficiency"], **how: Unpack[EfficiencyOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["history_levels"], **how: Unpack[HistoryLevelsOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["check_history"], **how: Unpack[CheckHistoryOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["runtime_histogram"], **how: Unpack[RuntimeHistogramOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["compression_histogram"], **how: Unpack[CompressionHistogramOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["access_histogram"], **how: Unpack[AccessHistogramOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["branch_histogram"], **how: Unpack[BranchHistogramOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["callers"], **how: Unpack[CallersOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["callees"], **how: Unpack[CalleesOptions]) -> Answer: ...

        @overload
        def ask(self, question: Literal["runs", "sources", "rules", "timeline", "machines", "client", "worker_changes", "chunk_columns", "host_load", "access", "branches", "phases", "progress", "failures", "system", "profiles", "compare_pairs", "why", "history", "history_series", "datasets", "files", "hosts", "sites"], **how: Unpack[Filters]) -> Answer: ...

    def ask(self, question: str, **how: Any) -> Answer:
        """The answer to a question: docs/questions.md has them all, with options and columns.

        ``select=(10, 60)`` is a range of time in seconds since the start; ``dataset``, ``file``, ``host``,
        ``worker`` and ``prefix`` are a name or several; ``ranges={"duration": (5, 60)}`` is about columns of ``chunks``. The
        rest are options of the question. One of a single run is answered for each of several: the column ``run`` then says
        of which.
        Raises ValueError for what there is not, with a sentence that names the nearest.
        """
        return self._answer(question, how)
