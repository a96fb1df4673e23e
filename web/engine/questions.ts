// Written by `npm run contract` from the core; a test fails when it is out of date.

/** Every question: the options it takes, and the names of its columns. */
export interface Questions {
  /** the open runs */
  runs: {
    options: Record<never, never>;
    numbers:
      | 'run'
      | 'started_at'
      | 'time_zone_offset'
      | 'elapsed'
      | 'started_naive'
      | 'workers'
      | 'chunks'
      | 'digest'
      | 'running'
      | 'damaged'
      | 'bytes';
    texts: 'title' | 'source_files' | 'schema' | 'recorded_at' | 'clock_basis';
  };
  /** the files of a run, and the format each was read as */
  sources: {
    options: Record<never, never>;
    numbers: 'size';
    texts: 'file' | 'format' | 'schema';
  };
  /** the headline numbers, with formulas */
  summary: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'value' | 'stored' | 'stored_differs' | 'whole_run';
    texts: 'id' | 'label' | 'unit' | 'better' | 'formula' | 'note' | 'group' | 'stored_key';
  };
  /** where the available core-time went */
  budget: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'core_seconds' | 'fraction' | 'shortfall' | 'share' | 'small';
    texts: 'part' | 'parent' | 'source' | 'label' | 'split';
  };
  /** the core-time unfolded: phases, functions or datasets, libraries, down to the line */
  core_time_tree: {
    options: {
      /** what process() is split by */
      by?: 'functions' | 'datasets' | 'sections' | 'activities';
      /** id of a part; default: the whole */
      under?: string;
      /** number of levels below it */
      depth?: number;
      /** maximum number of children of a part; the smallest are merged */
      most?: number;
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 'depth'
      | 'core_seconds'
      | 'share'
      | 'least'
      | 'most'
      | 'on_cpu'
      | 'waiting'
      | 'split_measured'
      | 'blocked'
      | 'uncertain'
      | 'line'
      | 'samples'
      | 'children'
      | 'begin'
      | 'end';
    texts: 'id' | 'parent' | 'label' | 'kind' | 'certainty' | 'note' | 'category' | 'file';
  };
  /** the parts of the core-time over time, cores in each */
  core_time_bins: {
    options: {
      /** what process() is split by */
      by?: 'functions' | 'datasets' | 'sections' | 'activities';
      /** number of time bins */
      bins?: number;
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'is_rest' | 'exact' | 'cores' | 'top';
    texts: 'part' | 'label';
  };
  /** a part of the core-time: where it ends, by dataset, by worker, what it would save */
  core_time_part: {
    options: {
      /** what process() is split by */
      by?: 'functions' | 'datasets' | 'sections' | 'activities';
      /** id of a part; default: the whole */
      under?: string;
      /** assumed duration of the part, as a fraction of the recorded one */
      factor?: number;
      /** maximum number of rows of each aspect */
      most?: number;
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'core_seconds' | 'least' | 'most' | 'share';
    texts: 'aspect' | 'label' | 'note';
  };
  /** what is worth changing, most core-time first */
  findings: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'gain_core_seconds' | 'gain_elapsed';
    texts: 'id' | 'severity' | 'title' | 'evidence' | 'grounds' | 'view' | 'selection';
  };
  /**
   * what findings can name: each cause, what its rule looks at, and whether the recording has what
   * it needs
   */
  rules: {
    options: Record<never, never>;
    numbers: 'recorded';
    texts: 'id' | 'looks_at' | 'view' | 'needs' | 'grounds' | 'rivals';
  };
  /**
   * settings of coffea and Dask that are worth changing, largest saving first: code to paste, its
   * expected effect, and why
   */
  advice: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers: 'gain_core_seconds' | 'cores' | 'elapsed' | 'elapsed_low' | 'elapsed_high';
    texts: 'setting' | 'now' | 'code' | 'certainty' | 'finding' | 'why' | 'assumed';
  };
  /** data notes: what could not be read, was corrected, or is doubtful */
  quality: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'offset' | 'count';
    texts: 'id' | 'severity' | 'file' | 'path' | 'message';
  };
  /** the cluster at each tick */
  timeline: {
    options: Record<never, never>;
    numbers:
      | 't'
      | 'workers'
      | 'cores'
      | 'active_tasks'
      | 'executing_tasks'
      | 'slot_use_mean'
      | 'slot_use_min'
      | 'slot_use_max'
      | 'cpu_mean'
      | 'cpu_min'
      | 'cpu_max'
      | 'memory_mean'
      | 'memory_min'
      | 'memory_max'
      | 'memory_limit'
      | 'memory_utilization_mean'
      | 'memory_utilization_min'
      | 'memory_utilization_max'
      | 'nbytes'
      | 'occupancy'
      | 'last_seen_lag_max';
    texts: never;
  };
  /** CPUs in use by the run and by others, pressure, disks and network, each second */
  machines: {
    options: Record<never, never>;
    numbers:
      | 't'
      | 'cpus_busy'
      | 'cpus_own'
      | 'cpus_others'
      | 'cpus_usable'
      | 'throttled'
      | 'pressure_cpu'
      | 'pressure_memory'
      | 'pressure_io'
      | 'swap_used'
      | 'disk_read_rate'
      | 'disk_written_rate'
      | 'received_rate'
      | 'sent_rate'
      | 'client_cpus'
      | 'scheduler_cpus'
      | 'loop_lag';
    texts: 'client_function';
  };
  /** each function that the client's thread was in, before, between and after tasks */
  client: {
    options: Record<never, never>;
    numbers: 'line' | 'seconds' | 'cpu_seconds' | 'share' | 'looks';
    texts: 'when' | 'function' | 'file';
  };
  /** one series of every worker over time, in bins */
  worker_matrix: {
    options: {
      /** which series of the workers */
      series?:
        | 'cpu_share'
        | 'memory_utilization'
        | 'memory'
        | 'memory_limit'
        | 'active_tasks'
        | 'cores'
        | 'nbytes'
        | 'occupancy'
        | 'executing'
        | 'last_seen'
        | 'cpu';
      /** number of time bins */
      bins?: number;
      /** how values within a bin are combined; tick = no bins, one value per tick */
      stat?: 'mean' | 'min' | 'max' | 'tick';
      /** maximum number of rows, each of several workers; 0 = one row per worker */
      rows?: number;
      /** how the workers of one row are combined */
      rows_stat?: 'mean' | 'min' | 'max';
      /** order of the workers; default: as recorded */
      sort?: 'first_seen' | 'mean' | 'peak' | 'name' | 'host';
    };
    numbers:
      | 'cpu_share'
      | 'memory_utilization'
      | 'memory'
      | 'memory_limit'
      | 'active_tasks'
      | 'cores'
      | 'nbytes'
      | 'occupancy'
      | 'executing'
      | 'last_seen'
      | 'cpu'
      | 'workers';
    texts: 'worker';
  };
  /** one series over time: its spread over the workers */
  worker_spread: {
    options: {
      /** which series of the workers */
      series?:
        | 'cpu_share'
        | 'memory_utilization'
        | 'memory'
        | 'memory_limit'
        | 'active_tasks'
        | 'cores'
        | 'nbytes'
        | 'occupancy'
        | 'executing'
        | 'last_seen'
        | 'cpu';
    };
    numbers: 't' | 'workers' | 'total' | 'mean' | 'p10' | 'p90' | 'min' | 'max';
    texts: never;
  };
  /** each worker: when it was there, memory, CPU, what it executed */
  workers: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 'nthreads'
      | 'memory_limit'
      | 'first_seen'
      | 'last_seen'
      | 'memory_mean'
      | 'memory_peak'
      | 'cpu_mean'
      | 'active_mean'
      | 'executing_mean'
      | 'joined_late'
      | 'left_early'
      | 'executions'
      | 'lost'
      | 'chunks'
      | 'times_others'
      | 'slow';
    texts: 'worker' | 'name' | 'host' | 'restarted_from';
  };
  /** each worker that came or went: when, and why, as Dask or a manager's log says */
  worker_changes: {
    options: Record<never, never>;
    numbers: 't' | 'workers';
    texts: 'worker' | 'change' | 'reason';
  };
  /** bytes and events per second over time */
  throughput: {
    options: {
      /** number of time bins */
      bins?: number;
      /** the time that is binned: the whole run or the selection */
      window?: 'run' | 'selection';
    };
    numbers:
      | 't0'
      | 't1'
      | 'bytes_per_second'
      | 'events_per_second'
      | 'chunks_running'
      | 'events_done'
      | 'coverage';
    texts: never;
  };
  /** chunks inside process() and what they read over time, by dataset, host or file */
  concurrency: {
    options: {
      /** number of time bins */
      bins?: number;
      /** what the chunks are grouped by */
      by?: 'dataset' | 'file' | 'host' | 'site' | 'compression';
      /** maximum number of groups; the others are merged; 0 = all */
      most?: number;
    };
    numbers: 'chunks_running' | 'bytes_per_second';
    texts: 'dataset' | 'file' | 'host' | 'site' | 'compression' | 'kind';
  };
  /** each chunk of work, with all that is known of it */
  chunks: {
    options: {
      /** only these columns, separated by commas */
      columns?: string;
      /**
       * only this many with the largest `by`, the largest first, of equal ones the longest first; 0
       * = all, in recorded order
       */
      most?: number;
      /** the column that `most` goes by */
      by?: string;
      /** a column to rank by: adds `rank`, from 1 for the smallest value */
      rank?: string;
    };
    numbers:
      | 'chunk'
      | 'entry_start'
      | 'entry_stop'
      | 't_start'
      | 't_end'
      | 'duration'
      | 'events'
      | 'bytes_read'
      | 'memory_before'
      | 'memory_after'
      | 'memory_delta'
      | 'seconds_per_event'
      | 'memory_delta_per_event'
      | 'bytes_per_second'
      | 'host_load'
      | 'branches_accessed'
      | 'accessed_bytes'
      | 'lane'
      | 'times_expected'
      | 'outlier'
      | 'early'
      | (string & {});
    texts: 'dataset' | 'file' | 'host' | 'site' | (string & {});
  };
  /** the numeric columns of chunks, and how many chunks have a value */
  chunk_columns: {
    options: Record<never, never>;
    numbers: 'known';
    texts: 'column' | 'unit' | 'formula';
  };
  /** chunks by dataset, file, host or site: rates, durations, fixed cost */
  groups: {
    options: {
      /** what the chunks are grouped by */
      by?: 'dataset' | 'file' | 'host' | 'site';
    };
    numbers:
      | 'chunks'
      | 'seconds'
      | 'share'
      | 'events'
      | 'events_per_second'
      | 'seconds_per_event'
      | 'bytes'
      | 'bytes_share'
      | 'bytes_per_second'
      | 'mean'
      | 'min'
      | 'p50'
      | 'p95'
      | 'max'
      | 'std'
      | 'seconds_per_event_cv'
      | 'memory_delta_mean'
      | 'fixed_seconds'
      | 'seconds_per_event_slope'
      | 'outliers';
    texts: 'name';
  };
  /** a histogram of any number of the chunks, or of a ratio of the files */
  distribution: {
    options: {
      /** which number: a column of `chunks`, or of files a share or a ratio of `access` */
      column?: string;
      /** whose numbers: the chunks' or the files' */
      of?: 'chunks' | 'files';
      /** one histogram per dataset instead of one for all */
      by?: 'dataset';
      /** number of bins; 0 = chosen from the values */
      bins?: number;
      /** the axis on which bins are equally wide; a logarithmic one has only numbers above 0 */
      scale?: 'linear' | 'log';
    };
    numbers: 'lo' | 'hi' | 'count' | 'density';
    texts: 'dataset';
  };
  /** named sections inside process() */
  sections: {
    options: {
      /** one row per dataset instead of one for all */
      by?: 'dataset';
    };
    numbers:
      | 'chunks'
      | 'seconds'
      | 'share_of_process'
      | 'mean'
      | 'p95'
      | 'max'
      | 'memory_delta'
      | 'bytes'
      | 'may_overlap';
    texts: 'dataset' | 'name' | 'kind';
  };
  /** numbers that the analysis itself recorded per chunk */
  custom_metrics: {
    options: {
      /** one row per dataset instead of one for all */
      by?: 'dataset';
    };
    numbers: 'chunks' | 'sum' | 'mean' | 'min' | 'p50' | 'p95' | 'max';
    texts: 'dataset' | 'name';
  };
  /** bytes stored in the files, of the branches used, and read: all files, then each dataset */
  input: {
    options: {
      /** what the files are grouped by */
      by?: 'dataset' | 'host' | 'site';
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 'files'
      | 'chunks'
      | 'tree_bytes'
      | 'used_bytes'
      | 'read_bytes'
      | 'used_share'
      | 'times_read';
    texts: 'name';
  };
  /** the read rate of a chunk by how many chunks its host served at the same time */
  host_load: {
    options: Record<never, never>;
    numbers: 'chunks_open' | 'chunks' | 'p25' | 'p50' | 'p75';
    texts: 'host';
  };
  /** each file: how much of it was read */
  access: {
    options: Record<never, never>;
    numbers:
      | 'chunks'
      | 'compression_ratio'
      | 'branches_total'
      | 'branches_read'
      | 'branches_read_fraction'
      | 'tree_bytes'
      | 'bytes_read'
      | 'bytes_read_fraction'
      | 'chunk_bytes'
      | 'times_read'
      | 'bytes_per_second'
      | 'times_others'
      | 'slow';
    texts: 'file' | 'dataset' | 'host';
  };
  /** bytes of the same data, as each layer counts them */
  bytes: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'bytes' | 'share_of_report';
    texts: 'id' | 'label' | 'meaning';
  };
  /** each branch: how many files and chunks read it */
  branches: {
    options: Record<never, never>;
    numbers:
      | 'files'
      | 'chunks'
      | 'share_of_chunks'
      | 'datasets'
      | 'bytes'
      | 'requests'
      | 'baskets'
      | 'compressed'
      | 'uncompressed'
      | 'outside_share'
      | 'wait'
      | 'cpu';
    texts: 'branch' | 'dataset_names' | 'always_in' | 'codec';
  };
  /** Dask's activities by task prefix */
  fine: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'value' | 'is_processor';
    texts: 'context' | 'prefix' | 'activity' | 'unit';
  };
  /** what the tasks of each prefix did, by activity */
  fine_functions: {
    options: {
      /** which unit, as Dask names it; units are never mixed */
      unit?: string;
      /** activities to leave out, separated by commas */
      without?: string;
      /** maximum number of functions; the smallest are merged; 0 = all */
      most?: number;
      /** what idle time is: Dask's own, by subtraction, or what the core-time budget leaves */
      idle?: 'recorded' | 'budget';
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 'value'
      | 'share'
      | 'total'
      | 'share_of_available'
      | 'total_of_available'
      | 'tasks'
      | 'per_task'
      | 'functions'
      | 'is_processor'
      | 'is_idle';
    texts: 'function' | 'activity';
  };
  /** Dask's activities, summed within each context */
  fine_activities: {
    options: {
      /** which unit, as Dask names it; units are never mixed */
      unit?: string;
      /** activities to leave out, separated by commas */
      without?: string;
    };
    numbers: 'value' | 'total' | 'share' | 'share_of_available';
    texts: 'context' | 'activity';
  };
  /** how many tasks each prefix had, and what one took */
  task_prefixes: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'tasks' | 'seconds_per_task';
    texts: 'prefix';
  };
  /** the phases of the run, from waiting for workers to the end */
  phases: {
    options: Record<never, never>;
    numbers:
      | 't0'
      | 't1'
      | 'seconds'
      | 'share'
      | 'core_seconds'
      | 'client_seconds'
      | 'client_cpu_seconds';
    texts: 'phase' | 'note' | 'client_function';
  };
  /** what the last 5 % of the chunks cost */
  tail: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 't95'
      | 'end'
      | 'length'
      | 'core_seconds_wasted'
      | 'ideal_makespan'
      | 'actual_makespan'
      | 'ideal_end'
      | 'critical_chunk'
      | 'cores'
      | 'outliers';
    texts: never;
  };
  /** what a good run would not have needed of the core-time, and which findings explain it */
  excess: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'core_seconds' | 'baseline' | 'excess' | 'explained' | 'unknown';
    texts: 'part' | 'label' | 'causes';
  };
  /** how many of the chunks of each dataset are done; how long the rest will take */
  progress: {
    options: Record<never, never>;
    numbers:
      | 'planned'
      | 'done'
      | 'skipped'
      | 'failed'
      | 'events_planned'
      | 'events'
      | 'share'
      | 'core_seconds';
    texts: 'kind' | 'dataset';
  };
  /**
   * what fails and what is idle in a run that is being recorded; what findings cost if it goes on,
   * and what a restart would take
   */
  now: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers: 'low' | 'high';
    texts: 'part' | 'kind' | 'name' | 'text';
  };
  /** each way in which tasks failed: exception, line, how often, and what it cost */
  failures: {
    options: Record<never, never>;
    numbers:
      | 'attempts'
      | 'items'
      | 'recovered'
      | 'skipped'
      | 'repeated'
      | 'lost'
      | 'core_seconds'
      | 'files'
      | 'workers'
      | 'entry_start'
      | 'entry_stop'
      | 'first'
      | 'last';
    texts: 'task' | 'exception' | 'message' | 'frame' | 'dataset' | 'file' | 'text' | 'advice';
  };
  /** the load of the scheduler's machine */
  system: {
    options: Record<never, never>;
    numbers:
      | 't'
      | 'cpu'
      | 'memory'
      | 'network_read'
      | 'network_write'
      | 'disk_read'
      | 'disk_write'
      | 'open_files';
    texts: never;
  };
  /** how many tasks the scheduler had in each state, over time */
  task_states: {
    options: {
      /** number of time bins */
      bins?: number;
    };
    numbers: 'entered' | 'most' | 'tasks';
    texts: 'state';
  };
  /** what other chunk sizes would change: times, tail, memory */
  chunk_sizes: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 'chunk_events'
      | 'present'
      | 'chunks'
      | 'inside_seconds'
      | 'outside_low'
      | 'outside_high'
      | 'longest_chunk'
      | 'elapsed'
      | 'elapsed_low'
      | 'elapsed_high'
      | 'tail'
      | 'memory';
    texts: 'limited_by';
  };
  /** memory that chunks take by their events, and what suffices; all, then by dataset */
  memory: {
    options: {
      /** events of the chunks that are asked about */
      events?: number;
      /** size of the chunks that are asked about, as a multiple of their own */
      times?: number;
      /** memory that a process may take; default: as recorded */
      limit?: number;
    };
    numbers:
      | 'chunks'
      | 'lost'
      | 'at_once'
      | 'events_p50'
      | 'memory_fixed'
      | 'memory_per_event'
      | 'memory_per_event_low'
      | 'memory_per_event_high'
      | 'memory'
      | 'memory_low'
      | 'memory_high'
      | 'memory_largest'
      | 'above'
      | 'above_low'
      | 'above_high'
      | 'memory_requested'
      | 'memory_request'
      | 'above_request'
      | 'memory_no_spill'
      | 'memory_no_pause'
      | 'memory_no_kill'
      | 'events_within';
    texts: 'kind' | 'name';
  };
  /** each task of the task stream */
  tasks: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers: 'thread' | 't0' | 't1' | 'duration' | 'nbytes' | 'lane' | 'lost';
    texts: 'key' | 'prefix' | 'worker' | 'action' | 'status' | 'exception';
  };
  /** the call trees of the run */
  profiles: {
    options: Record<never, never>;
    numbers:
      | 'total'
      | 'depth'
      | 'nodes'
      | 'interval'
      | 'seconds_per_sample'
      | 'alternative'
      | 'ordered';
    texts: 'profile' | 'label' | 'worker' | 'kind' | 'unit' | 'source';
  };
  /** boxes of a flame graph */
  flame: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** leave out boxes narrower than this fraction of the whole */
      min_fraction?: number;
      /** a pattern; matches are marked */
      search?: string;
      /** order of siblings: heaviest first, by name, in time */
      order?: 'heavy' | 'name' | 'time';
      /** where the picture begins, as a fraction of the whole */
      begin?: number;
      /** where the picture ends, as a fraction of the whole */
      end?: number;
      /** merge neighbouring boxes that are too narrow to be shown */
      runs?: boolean;
      /** return only the column `matched`, for the same rows */
      marks?: boolean;
      /** only samples in this section of process(), which crema.record keeps */
      section?: string;
      /** only samples of this chunk, by its number in the question chunks */
      chunk?: number;
    };
    numbers:
      | 'node'
      | 'depth'
      | 'x0'
      | 'x1'
      | 'line'
      | 'total'
      | 'self'
      | 'self_min'
      | 'self_max'
      | 'unresolved'
      | 'matched'
      | 'parent'
      | 'is_unresolved'
      | 'frame_id'
      | 'estimated'
      | 'path'
      | 'more';
    texts: 'frame' | 'file' | 'category' | 'candidates' | 'package';
  };
  /** all calls of a function as one: who calls it, or what it calls */
  sandwich: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** leave out boxes narrower than this fraction of the whole */
      min_fraction?: number;
      /** a pattern; matches are marked */
      search?: string;
      /** order of siblings: heaviest first, by name, in time */
      order?: 'heavy' | 'name' | 'time';
      /** where the picture begins, as a fraction of the whole */
      begin?: number;
      /** where the picture ends, as a fraction of the whole */
      end?: number;
      /** merge neighbouring boxes that are too narrow to be shown */
      runs?: boolean;
      /** return only the column `matched`, for the same rows */
      marks?: boolean;
      /** the function, as a pattern such as function=NAME@FILE:LINE */
      frame?: string;
      /** who calls it, bottom-up, or what it calls, as one */
      side?: 'callers' | 'callees';
    };
    numbers:
      | 'node'
      | 'depth'
      | 'x0'
      | 'x1'
      | 'line'
      | 'total'
      | 'self'
      | 'self_min'
      | 'self_max'
      | 'unresolved'
      | 'matched'
      | 'parent'
      | 'is_unresolved'
      | 'frame_id'
      | 'estimated'
      | 'path'
      | 'more';
    texts: 'frame' | 'file' | 'category' | 'candidates' | 'package';
  };
  /** distinct stacks, most frequent first */
  stacks: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** maximum number of rows */
      most?: number;
    };
    numbers: 'depth' | 'count' | 'seconds' | 'fraction';
    texts: 'stack';
  };
  /** each function: total, self, and how certain that is */
  frames: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** a pattern; matches are marked */
      search?: string;
    };
    numbers:
      | 'frame'
      | 'line'
      | 'total'
      | 'self'
      | 'self_min'
      | 'self_max'
      | 'unresolved'
      | 'own'
      | 'total_fraction'
      | 'recursive'
      | 'line_seen'
      | 'estimated'
      | 'boxes';
    texts: 'name' | 'file' | 'category' | 'source_line';
  };
  /** functions whose share differs between workers */
  worker_frames: {
    options: {
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** maximum number of rows */
      most?: number;
    };
    numbers: 'frame' | 'mean' | 'min' | 'max' | 'range' | 'shares';
    texts: 'name' | 'file' | 'category' | 'lowest' | 'highest';
  };
  /** workers whose profile differs from the others' */
  profile_spread: {
    options: {
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
    };
    numbers: 'total' | 'distance' | 'share' | 'usual';
    texts: 'profile' | 'worker' | 'function';
  };
  /** two runs on one flame graph */
  flame_diff: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** leave out boxes narrower than this fraction of the whole */
      min_fraction?: number;
      /** a pattern; matches are marked */
      search?: string;
      /** order of siblings */
      order?: 'heavy' | 'name';
      /** where the picture begins, as a fraction of the whole */
      begin?: number;
      /** where the picture ends, as a fraction of the whole */
      end?: number;
      /** merge neighbouring boxes that are too narrow to be shown */
      runs?: boolean;
      /**
       * what is compared: shares of each run's samples, absolute amounts, or amounts per million
       * events
       */
      per?: 'absolute' | 'million_events' | 'share';
      /** the width of boxes: the mean of both runs, or one of them */
      width?: 'b' | 'a' | 'both';
    };
    numbers:
      | 'node'
      | 'depth'
      | 'x0'
      | 'x1'
      | 'line'
      | 'a'
      | 'b'
      | 'delta'
      | 'ratio'
      | 'noise'
      | 'noteworthy'
      | 'a_self'
      | 'b_self'
      | 'total'
      | 'parent'
      | 'frame_id'
      | 'path'
      | 'matched'
      | 'more';
    texts: 'frame' | 'file' | 'category';
  };
  /** every number of two runs, or of two groups of replicates, and whether it differs */
  compare: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /**
       * what is compared: absolute amounts, amounts per million events, or shares of each run's
       * total
       */
      per?: 'absolute' | 'million_events' | 'share';
      /** how many runs are A, counted from the first; the others are B */
      runs_of_a?: number;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers: 'a' | 'b' | 'delta' | 'ratio' | 'expected' | 'noise' | 'noteworthy';
    texts:
      | 'id'
      | 'group'
      | 'label'
      | 'a_text'
      | 'b_text'
      | 'unit'
      | 'noise_from'
      | 'verdict'
      | 'note';
  };
  /** which section of which dataset changed between two runs */
  compare_matrix: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /** how many runs are A, counted from the first; the others are B */
      runs_of_a?: number;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers: 'a' | 'b' | 'delta' | 'ratio' | 'beyond_pace' | 'noise' | 'noteworthy';
    texts: 'dataset' | 'section';
  };
  /** the change in core-time from one run to another: what each part adds or saves */
  compare_steps: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /** how many runs are A, counted from the first; the others are B */
      runs_of_a?: number;
      /** maximum number of functions; those that changed least are merged */
      most?: number;
    };
    numbers: 'a' | 'b' | 'delta' | 'ratio' | 'begin' | 'end';
    texts: 'kind' | 'label';
  };
  /** how long the same events took in two runs: chunks of the same entries */
  compare_pairs: {
    options: Record<never, never>;
    numbers: 'entry_start' | 'entry_stop' | 'a' | 'b' | 'chunks_a' | 'chunks_b';
    texts: 'dataset' | 'file';
  };
  /** what changed between two runs: a sentence, and each part of the change */
  verdict: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /** how many runs are A, counted from the first; the others are B */
      runs_of_a?: number;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers:
      | 'seconds'
      | 'in_b'
      | 'error'
      | 'low'
      | 'high'
      | 'elapsed'
      | 'share'
      | 'ratio'
      | 'chunks';
    texts: 'kind' | 'label' | 'dataset' | 'section' | 'file';
  };
  /**
   * rules on two runs, or on two groups of replicates, and conditions for comparing them: kept,
   * broken, unknown or allowed
   */
  check: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /**
       * what is compared: absolute amounts, amounts per million events, or shares of each run's
       * total
       */
      per?: 'absolute' | 'million_events' | 'share';
      /** how many runs are A, counted from the first; the others are B */
      runs_of_a?: number;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
      /**
       * rules, separated by ; or line breaks: event_rate_core_khz >= 0.9x;
       * dataset:ttbar.seconds_per_million_events not worse
       */
      rules?: string;
      /** names of conditions that may fail, separated by commas; docs/gate.md lists them */
      allow?: string;
    };
    numbers: 'kept' | 'line' | 'baseline' | 'candidate' | 'limit' | 'noise';
    texts: 'kind' | 'rule' | 'state' | 'id' | 'group' | 'unit' | 'verdict' | 'note';
  };
  /** rate against cores for runs on several sizes of cluster, with ideal scaling */
  scaling: {
    options: {
      /** a target rate, in the unit of the study: how many cores would reach it */
      target?: number;
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /** use the sizes that each run had while its workers came and went, instead of whole runs */
      within?: boolean;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers:
      | 'number'
      | 'cores'
      | 'rate'
      | 'event_rate_khz'
      | 'data_rate_gbps'
      | 'rate_per_core'
      | 'efficiency_vs_ideal'
      | 'ideal';
    texts: 'run' | 'differs';
  };
  /** curves of ideal scaling and of what the runs let expect */
  scaling_curve: {
    options: {
      /** maximum number of cores; default: twice that of the largest run */
      to?: number;
      /** number of points */
      points?: number;
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /** use the sizes that each run had while its workers came and went, instead of whole runs */
      within?: boolean;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers: 'cores' | 'ideal' | 'likely' | 'low' | 'high';
    texts: never;
  };
  /**
   * how long the first run would have taken with one thing changed; further runs of the same work
   * show how tasks slow each other down
   */
  whatif: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /** numbers of cores, separated by commas; default: half, twice and four times as many */
      cores?: string;
      /** workers x threads, separated by commas: 8x1,4x2 */
      workers?: string;
      /** events per chunk, separated by commas */
      chunk_events?: string;
      /**
       * a part of the work: section:NAME, dataset:NAME, file:NAME, host:NAME, throughput:HOST,
       * function:NAME, outside, merging or waiting
       */
      part?: string;
      /** how many times as fast that part would be; below 1 slower */
      times?: number;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers:
      | 'cores'
      | 'chunk_events'
      | 'elapsed'
      | 'elapsed_low'
      | 'elapsed_high'
      | 'ideal'
      | 'contended'
      | 'measured'
      | 'calibration_error';
    texts: 'scenario' | 'note' | 'assumed' | 'seen' | 'unseen';
  };
  /** lower bounds of the elapsed time: the longest chunk, perfect packing, one core */
  bounds: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
      /**
       * assumed relative spread in speed of runs of the same job; 0.17 was measured on eight
       * replicates
       */
      run_spread?: number;
    };
    numbers: 'cores' | 'elapsed' | 'elapsed_low' | 'speedup';
    texts: 'bound' | 'note';
  };
  /** each run: the share of its core-time that was useful, as a product of factors */
  efficiency: {
    options: {
      /**
       * which task prefix is the processor; default: recognised by its recorded time, else guessed
       */
      processor?: string;
    };
    numbers:
      | 'number'
      | 'cores'
      | 'available'
      | 'load_balance'
      | 'start_and_end'
      | 'scheduling'
      | 'outside'
      | 'lost'
      | 'on_cpu'
      | 'useful'
      | 'useful_seconds';
    texts: 'run' | 'differs' | 'missing';
  };
  /** what sets the selected chunks apart from the others: each feature, ranked */
  why: {
    options: Record<never, never>;
    numbers:
      | 'selected'
      | 'of_all'
      | 'lift'
      | 'explained'
      | 'p_value'
      | 'significant'
      | 'p_value_then'
      | 'significant_then';
    texts: 'feature' | 'value';
  };
  /** runs of the same work in order of time: their labels, and which are compared */
  history: {
    options: Record<never, never>;
    numbers: 'run' | 'started_at' | 'digest';
    texts:
      | 'title'
      | 'day'
      | 'label'
      | 'note'
      | 'commit'
      | 'branch'
      | 'coffea'
      | 'awkward'
      | 'split'
      | 'left_out';
  };
  /** each number of a history, with its value in each run */
  history_series: {
    options: Record<never, never>;
    numbers: 'values' | 'outliers';
    texts: 'id' | 'label' | 'unit' | 'better' | 'basis';
  };
  /** the levels of each number of a history, and the changes between them */
  history_levels: {
    options: {
      /** how often chance alone may show a change in a series that did not change */
      p_value?: number;
    };
    numbers:
      | 'begin'
      | 'end'
      | 'level'
      | 'low'
      | 'high'
      | 'slope'
      | 'change'
      | 'change_low'
      | 'change_high'
      | 'p_value'
      | 'first'
      | 'last'
      | 'is_worse'
      | 'event';
    texts: 'series' | 'labels' | 'findings';
  };
  /**
   * rules on the last run given, checked against the level of the others since their last change
   */
  check_history: {
    options: {
      /** how often chance alone may show a change in a series that did not change */
      p_value?: number;
      /**
       * rules, separated by ; or line breaks: all not worse; dataset:ttbar not worse by 3%;
       * core_seconds_per_million_events <= 1.05x
       */
      rules?: string;
    };
    numbers: 'kept' | 'line' | 'baseline' | 'candidate' | 'limit' | 'noise';
    texts: 'kind' | 'rule' | 'state' | 'id' | 'group' | 'unit' | 'verdict' | 'note';
  };
  /** chunks by dataset: rates, durations, fixed cost */
  datasets: {
    options: Record<never, never>;
    numbers:
      | 'chunks'
      | 'seconds'
      | 'share'
      | 'events'
      | 'events_per_second'
      | 'seconds_per_event'
      | 'bytes'
      | 'bytes_share'
      | 'bytes_per_second'
      | 'mean'
      | 'min'
      | 'p50'
      | 'p95'
      | 'max'
      | 'std'
      | 'seconds_per_event_cv'
      | 'memory_delta_mean'
      | 'fixed_seconds'
      | 'seconds_per_event_slope'
      | 'outliers';
    texts: 'name';
  };
  /** chunks by input file */
  files: {
    options: Record<never, never>;
    numbers:
      | 'chunks'
      | 'seconds'
      | 'share'
      | 'events'
      | 'events_per_second'
      | 'seconds_per_event'
      | 'bytes'
      | 'bytes_share'
      | 'bytes_per_second'
      | 'mean'
      | 'min'
      | 'p50'
      | 'p95'
      | 'max'
      | 'std'
      | 'seconds_per_event_cv'
      | 'memory_delta_mean'
      | 'fixed_seconds'
      | 'seconds_per_event_slope'
      | 'outliers';
    texts: 'name';
  };
  /** chunks by storage host */
  hosts: {
    options: Record<never, never>;
    numbers:
      | 'chunks'
      | 'seconds'
      | 'share'
      | 'events'
      | 'events_per_second'
      | 'seconds_per_event'
      | 'bytes'
      | 'bytes_share'
      | 'bytes_per_second'
      | 'mean'
      | 'min'
      | 'p50'
      | 'p95'
      | 'max'
      | 'std'
      | 'seconds_per_event_cv'
      | 'memory_delta_mean'
      | 'fixed_seconds'
      | 'seconds_per_event_slope'
      | 'outliers';
    texts: 'name';
  };
  /** chunks by site (the domain of the storage host) */
  sites: {
    options: Record<never, never>;
    numbers:
      | 'chunks'
      | 'seconds'
      | 'share'
      | 'events'
      | 'events_per_second'
      | 'seconds_per_event'
      | 'bytes'
      | 'bytes_share'
      | 'bytes_per_second'
      | 'mean'
      | 'min'
      | 'p50'
      | 'p95'
      | 'max'
      | 'std'
      | 'seconds_per_event_cv'
      | 'memory_delta_mean'
      | 'fixed_seconds'
      | 'seconds_per_event_slope'
      | 'outliers';
    texts: 'name';
  };
  /** chunk durations */
  runtime_histogram: {
    options: {
      /** whose numbers: the chunks' or the files' */
      of?: 'chunks' | 'files';
      /** one histogram per dataset instead of one for all */
      by?: 'dataset';
      /** number of bins; 0 = chosen from the values */
      bins?: number;
      /** the axis on which bins are equally wide; a logarithmic one has only numbers above 0 */
      scale?: 'linear' | 'log';
    };
    numbers: 'lo' | 'hi' | 'count';
    texts: 'dataset';
  };
  /** compression ratios of the files */
  compression_histogram: {
    options: {
      /** one histogram per dataset instead of one for all */
      by?: 'dataset';
      /** number of bins; 0 = chosen from the values */
      bins?: number;
      /** the axis on which bins are equally wide; a logarithmic one has only numbers above 0 */
      scale?: 'linear' | 'log';
    };
    numbers: 'lo' | 'hi' | 'count';
    texts: 'dataset';
  };
  /** shares of the files' bytes that were read */
  access_histogram: {
    options: {
      /** one histogram per dataset instead of one for all */
      by?: 'dataset';
      /** number of bins; 0 = chosen from the values */
      bins?: number;
      /** the axis on which bins are equally wide; a logarithmic one has only numbers above 0 */
      scale?: 'linear' | 'log';
    };
    numbers: 'lo' | 'hi' | 'count';
    texts: 'dataset';
  };
  /** shares of the files' branches that were read */
  branch_histogram: {
    options: {
      /** one histogram per dataset instead of one for all */
      by?: 'dataset';
      /** number of bins; 0 = chosen from the values */
      bins?: number;
      /** the axis on which bins are equally wide; a logarithmic one has only numbers above 0 */
      scale?: 'linear' | 'log';
    };
    numbers: 'lo' | 'hi' | 'count';
    texts: 'dataset';
  };
  /** who calls a function, bottom-up */
  callers: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** leave out boxes narrower than this fraction of the whole */
      min_fraction?: number;
      /** a pattern; matches are marked */
      search?: string;
      /** order of siblings: heaviest first, by name, in time */
      order?: 'heavy' | 'name' | 'time';
      /** where the picture begins, as a fraction of the whole */
      begin?: number;
      /** where the picture ends, as a fraction of the whole */
      end?: number;
      /** merge neighbouring boxes that are too narrow to be shown */
      runs?: boolean;
      /** return only the column `matched`, for the same rows */
      marks?: boolean;
      /** the function, as a pattern such as function=NAME@FILE:LINE */
      frame?: string;
    };
    numbers:
      | 'node'
      | 'depth'
      | 'x0'
      | 'x1'
      | 'line'
      | 'total'
      | 'self'
      | 'self_min'
      | 'self_max'
      | 'unresolved'
      | 'matched'
      | 'parent'
      | 'is_unresolved'
      | 'frame_id'
      | 'estimated'
      | 'path'
      | 'more';
    texts: 'frame' | 'file' | 'category' | 'candidates' | 'package';
  };
  /** what a function calls */
  callees: {
    options: {
      /** which call tree: "all", or an id from the question profiles */
      profile?: string;
      /** how to treat the innermost frames, which Dask does not count */
      leaves?: 'forced' | 'estimated' | 'counted' | 'notebook';
      /** steps such as "fold:numpy;focus:name=process;invert" */
      transform?: string;
      /** leave out boxes narrower than this fraction of the whole */
      min_fraction?: number;
      /** a pattern; matches are marked */
      search?: string;
      /** order of siblings: heaviest first, by name, in time */
      order?: 'heavy' | 'name' | 'time';
      /** where the picture begins, as a fraction of the whole */
      begin?: number;
      /** where the picture ends, as a fraction of the whole */
      end?: number;
      /** merge neighbouring boxes that are too narrow to be shown */
      runs?: boolean;
      /** return only the column `matched`, for the same rows */
      marks?: boolean;
      /** the function, as a pattern such as function=NAME@FILE:LINE */
      frame?: string;
    };
    numbers:
      | 'node'
      | 'depth'
      | 'x0'
      | 'x1'
      | 'line'
      | 'total'
      | 'self'
      | 'self_min'
      | 'self_max'
      | 'unresolved'
      | 'matched'
      | 'parent'
      | 'is_unresolved'
      | 'frame_id'
      | 'estimated'
      | 'path'
      | 'more';
    texts: 'frame' | 'file' | 'category' | 'candidates' | 'package';
  };
}

export type QuestionName = keyof Questions;
export type OptionsOf<Q extends QuestionName> = Questions[Q]['options'];
/** Columns of numbers and flags. */
export type NumbersOf<Q extends QuestionName> = Questions[Q]['numbers'];
export type TextsOf<Q extends QuestionName> = Questions[Q]['texts'];
export type ColumnsOf<Q extends QuestionName> = NumbersOf<Q> | TextsOf<Q>;

/** The names of the options that each question takes. */
export const optionNames: Record<QuestionName, readonly string[]> = {
  runs: [],
  sources: [],
  summary: ['processor'],
  budget: ['processor'],
  core_time_tree: ['by', 'under', 'depth', 'most', 'processor'],
  core_time_bins: ['by', 'bins', 'processor'],
  core_time_part: ['by', 'under', 'factor', 'most', 'processor'],
  findings: ['processor'],
  rules: [],
  advice: ['processor', 'run_spread'],
  quality: ['processor'],
  timeline: [],
  machines: [],
  client: [],
  worker_matrix: ['series', 'bins', 'stat', 'rows', 'rows_stat', 'sort'],
  worker_spread: ['series'],
  workers: ['processor'],
  worker_changes: [],
  throughput: ['bins', 'window'],
  concurrency: ['bins', 'by', 'most'],
  chunks: ['columns', 'most', 'by', 'rank'],
  chunk_columns: [],
  groups: ['by'],
  distribution: ['column', 'of', 'by', 'bins', 'scale'],
  sections: ['by'],
  custom_metrics: ['by'],
  input: ['by', 'processor'],
  host_load: [],
  access: [],
  bytes: ['processor'],
  branches: [],
  fine: ['processor'],
  fine_functions: ['unit', 'without', 'most', 'idle', 'processor'],
  fine_activities: ['unit', 'without'],
  task_prefixes: ['processor'],
  phases: [],
  tail: ['processor'],
  excess: ['processor'],
  progress: [],
  now: ['processor', 'run_spread'],
  failures: [],
  system: [],
  task_states: ['bins'],
  chunk_sizes: ['processor'],
  memory: ['events', 'times', 'limit'],
  tasks: ['processor'],
  profiles: [],
  flame: [
    'profile',
    'leaves',
    'transform',
    'min_fraction',
    'search',
    'order',
    'begin',
    'end',
    'runs',
    'marks',
    'section',
    'chunk',
  ],
  sandwich: [
    'profile',
    'leaves',
    'transform',
    'min_fraction',
    'search',
    'order',
    'begin',
    'end',
    'runs',
    'marks',
    'frame',
    'side',
  ],
  stacks: ['profile', 'leaves', 'transform', 'most'],
  frames: ['profile', 'leaves', 'transform', 'search'],
  worker_frames: ['leaves', 'transform', 'most'],
  profile_spread: ['leaves', 'transform'],
  flame_diff: [
    'profile',
    'leaves',
    'transform',
    'min_fraction',
    'search',
    'order',
    'begin',
    'end',
    'runs',
    'per',
    'width',
  ],
  compare: ['processor', 'per', 'runs_of_a', 'run_spread'],
  compare_matrix: ['processor', 'runs_of_a', 'run_spread'],
  compare_steps: ['processor', 'runs_of_a', 'most'],
  compare_pairs: [],
  verdict: ['processor', 'runs_of_a', 'run_spread'],
  check: ['processor', 'per', 'runs_of_a', 'run_spread', 'rules', 'allow'],
  scaling: ['target', 'processor', 'within', 'run_spread'],
  scaling_curve: ['to', 'points', 'processor', 'within', 'run_spread'],
  whatif: ['processor', 'cores', 'workers', 'chunk_events', 'part', 'times', 'run_spread'],
  bounds: ['processor', 'run_spread'],
  efficiency: ['processor'],
  why: [],
  history: [],
  history_series: [],
  history_levels: ['p_value'],
  check_history: ['p_value', 'rules'],
  datasets: [],
  files: [],
  hosts: [],
  sites: [],
  runtime_histogram: ['of', 'by', 'bins', 'scale'],
  compression_histogram: ['by', 'bins', 'scale'],
  access_histogram: ['by', 'bins', 'scale'],
  branch_histogram: ['by', 'bins', 'scale'],
  callers: [
    'profile',
    'leaves',
    'transform',
    'min_fraction',
    'search',
    'order',
    'begin',
    'end',
    'runs',
    'marks',
    'frame',
  ],
  callees: [
    'profile',
    'leaves',
    'transform',
    'min_fraction',
    'search',
    'order',
    'begin',
    'end',
    'runs',
    'marks',
    'frame',
  ],
};

export const questionNames = Object.keys(optionNames) as readonly QuestionName[];
