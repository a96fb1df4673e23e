// Rows of tasks that `crema.record` writes while a run lasts (docs/format.md): an index, and parts
// of `{format: "crema_tasks_v1", epoch, strings: [text, …], tasks: {column: [value, …], …},
// branches: {…}, sections: {…}, functions: {…}, calls: {…}, samples: {…}}`. Texts are indices into
// `strings`, times whole microseconds, `begin` counted from `epoch` [s].
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/number_format.hpp"
#include "core/base/text.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/roastcoffea/chunk_list.hpp"
#include "core/read/whole_file.hpp"

namespace crema::read {

namespace {

/// A table of columns of numbers; null is absent.
class ColumnTable {
 public:
  json::Node& node() { return columns_node_; }

  /// The value of a column in a row; absent where there is none.
  double at(std::string_view name, std::size_t row) const {
    const auto found = columns_.find(name);
    return found != columns_.end() && row < found->second.size() ? found->second[row] : absent;
  }
  std::size_t rows() const {
    std::size_t longest = 0;
    for (const auto& [name, column] : columns_) longest = std::max(longest, column.size());
    return longest;
  }

 private:
  struct Number : json::Value {
    using Value::Value;
    void null() override { number(absent); }
  };

  std::map<std::string, std::vector<double>, std::less<>> columns_;
  std::vector<double>* current_ = nullptr;
  Number number_{"a number", [this](double value) {
                   current_->push_back(value);
                   return true;
                 }};
  json::List column_{"a list of numbers", number_};
  json::Map columns_node_{"an object of columns", [this](std::string_view name) {
                            current_ = &columns_[std::string(name)];
                            return &column_;
                          }};
};

/// A whole number to the last digit, "" where it is absent. Doubles of 2^53 and more may be beyond
/// any integer.
std::string whole(double value) {
  return std::fabs(value) < 9007199254740992.0 ? std::to_string(static_cast<std::int64_t>(value))
                                               : number_text(value);
}

/// A number of a file as an index into `size` things; `size` where it is none.
std::size_t index_of(double number, std::size_t size) {
  return number >= 0 && number < static_cast<double>(size) ? static_cast<std::size_t>(number)
                                                           : size;
}

/// Dask's address of a worker, else a name for its process that no other has.
std::string address_of(std::string_view worker, std::string_view host, double pid) {
  if (worker.find("://") != std::string_view::npos || !std::isfinite(pid))
    return std::string(worker);
  return std::string(host) + "/" + whole(pid);
}

class Part : public JsonDocument {
 public:
  Part(Run& run, const std::string& path) : run_(run), path_(path) {}
  json::Node& root() override { return part_; }

  void finish() override {
    run_.tasks.from_rows = run_.chunks.from_rows = run_.activities.from_rows = true;
    run_.tasks.source = run_.activities.source = path_;
    for (std::size_t i = 0; i < tasks_.rows(); ++i) read_row(i);
    read_branches();
    read_sections();
    read_samples();
    run_.chunks_recorded = run_.chunks.size() > 0;
    run_.activities_recorded = run_.activities.size() > 0;
  }

 private:
  double seconds(const char* name, std::size_t row) const { return tasks_.at(name, row) * 1e-6; }
  StringId text(const char* name, std::size_t row) const { return id_of(tasks_.at(name, row)); }
  StringId id_of(double number) const {
    const std::size_t index = index_of(number, texts_.size());
    return index < texts_.size() ? texts_[index] : no_string;
  }
  std::string_view view(const char* name, std::size_t row) const {
    const StringId id = text(name, row);
    return id == no_string ? std::string_view() : run_.text(id);
  }

  void read_row(std::size_t row) {
    const std::string_view kind = view("kind", row);
    const double begin = epoch_ + seconds("begin", row);
    const double wall = seconds("wall", row);
    // Merging on the client takes none of the workers' time.
    if (!std::isfinite(begin + wall) || view("worker", row) == "client") return;
    StringPool& strings = run_.names->strings;
    const StringId worker =
        strings.intern(address_of(view("worker", row), view("host", row), tasks_.at("pid", row)));
    const std::size_t number = run_.workers.intern(worker);
    if (run_.names->strings[worker] != view("worker", row))  // an address is no name
      run_.workers.name[number] = text("worker", row);
    run_.workers.host[number] = text("host", row);
    worker_of_row_.emplace(row, worker);
    // Dask's names of the same functions, by which the rest of the core knows them.
    const StringId prefix = kind == "file"    ? strings.intern("automatic_retries")
                            : kind == "merge" ? strings.intern("reduce")
                            : text("function", row) != no_string ? text("function", row)
                                                                 : strings.intern(kind);
    add_task(row, prefix, worker, begin, wall);
    const double cpu = seconds("cpu", row);
    const auto sum = [&](const char* activity, double amount) {
      run_.activities.sum(strings.intern("execute"), prefix, strings.intern(activity),
                          strings.intern("seconds"), amount);
    };
    if (is_absent(cpu)) {
      sum("compute", wall);
    } else {
      sum("thread-cpu", cpu);
      sum("thread-noncpu", std::max(0.0, wall - cpu));
    }
    if (kind == "chunk" && view("status", row) == "ok") add_chunk(row, begin, wall);
  }

  void add_task(std::size_t row, StringId prefix, StringId worker, double begin, double wall) {
    StringPool& strings = run_.names->strings;
    Tasks& tasks = run_.tasks;
    // Attempts at one item have one key, as with Dask.
    std::string key(run_.names->strings[prefix]);
    key += '-' + whole(tasks_.at("call", row));
    if (const StringId file = text("file", row); file != no_string)
      key += '-' + std::string(strings[file]) + ':' + whole(tasks_.at("entry_start", row)) + '-' +
             whole(tasks_.at("entry_stop", row));
    else key += '-' + path_ + ':' + std::to_string(row);
    const StringId error = text("error", row);
    tasks.key.push_back(strings.intern(key));
    tasks.prefix.push_back(prefix);
    tasks.worker.push_back(worker);
    tasks.thread.push_back(tasks_.at("thread", row));
    tasks.action.push_back(strings.intern("compute"));
    tasks.t0.push_back(begin);
    tasks.t1.push_back(begin + wall);
    tasks.nbytes.push_back(tasks_.at("out_bytes", row));
    tasks.status.push_back(strings.intern(error == no_string ? "OK" : "error"));
    tasks.exception.push_back(error == no_string
                                  ? no_string
                                  : strings.intern(std::string(strings[error]) + "('" +
                                                   std::string(view("message", row)) + "')"));
  }

  void add_chunk(std::size_t row, double begin, double wall) {
    Chunks& chunks = run_.chunks;
    add_empty_chunk(chunks);
    const double process = begin + seconds("process_begin", row);
    const double inside = seconds("process_wall", row);
    const bool known = std::isfinite(process + inside);
    chunks.dataset.back() = text("dataset", row);
    chunks.file.back() = text("file", row);
    chunks.entry_start.back() = tasks_.at("entry_start", row);
    chunks.entry_stop.back() = tasks_.at("entry_stop", row);
    chunks.t_start.back() = known ? process : begin;
    chunks.duration.back() = known ? inside : wall;
    chunks.t_end.back() = chunks.t_start.back() + chunks.duration.back();
    chunks.events.back() = tasks_.at("events", row);
    chunks.memory_before.back() = tasks_.at("rss_before", row);
    chunks.memory_after.back() = tasks_.at("rss_after", row);
    chunks.memory_delta.back() = tasks_.at("rss_after", row) - tasks_.at("rss_before", row);
    chunk_of_row_.emplace(row, chunks.size() - 1);
  }

  /// What a chunk read inside process() is the sum of its branches; their names are its set.
  void read_branches() {
    Chunks& chunks = run_.chunks;
    std::vector<std::vector<StringId>> read(chunks.size());
    for (std::size_t i = 0; i < branches_.rows(); ++i) {
      const auto found = chunk_of_row_.find(index_of(branches_.at("task", i), tasks_.rows()));
      const StringId name = id_of(branches_.at("branch", i));
      if (found == chunk_of_row_.end() || name == no_string) continue;
      const std::size_t chunk = found->second;
      read[chunk].push_back(name);
      const double bytes = branches_.at("requested", i);
      double& sum = chunks.bytes_read[chunk];
      sum = is_absent(sum) ? bytes : sum + bytes;
    }
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i].empty()) continue;
      std::sort(read[i].begin(), read[i].end());
      chunks.branches_accessed[i] = static_cast<double>(read[i].size());
      chunks.branch_set[i] = chunks.set_of(std::move(read[i]));
    }
  }

  /// Seconds of each section in its chunk, wherever in the tree of sections it was entered.
  void read_sections() {
    for (std::size_t i = 0; i < sections_.rows(); ++i) {
      const double task = sections_.at("task", i);
      const StringId name = id_of(sections_.at("name", i));
      if (!(task >= 0) || name == no_string) continue;
      const auto found = chunk_of_row_.find(static_cast<std::size_t>(task));
      if (found == chunk_of_row_.end()) continue;
      run_.chunks.sections.push_back({static_cast<std::uint32_t>(found->second), name,
                                      SectionValue::Kind::seconds, sections_.at("wall", i) * 1e-6});
    }
  }

  /// A call tree for each worker, of the seconds for which its tasks were seen in each call.
  void read_samples() {
    const std::size_t calls = calls_.rows();
    std::map<StringId, std::vector<double>> seconds;  // of each call, by worker
    for (std::size_t i = 0; i < samples_.rows(); ++i) {
      const double task = samples_.at("task", i);
      const double call = samples_.at("call", i);
      const double wall = samples_.at("wall", i) * 1e-6;
      if (!(task >= 0) || !(call >= 0) || !(call < static_cast<double>(calls)) || !(wall > 0))
        continue;
      const auto found = worker_of_row_.find(static_cast<std::size_t>(task));
      if (found == worker_of_row_.end()) continue;
      std::vector<double>& of_worker = seconds[found->second];
      of_worker.resize(calls, 0.0);
      of_worker[static_cast<std::size_t>(call)] += wall;
    }
    for (auto& [worker, of_worker] : seconds) add_tree(worker, std::move(of_worker));
  }

  void add_tree(StringId worker, std::vector<double> seconds) {
    const std::size_t calls = seconds.size();
    // Callers come before those that they call, so sums run backwards.
    std::vector<std::vector<std::uint32_t>> called(calls);
    std::vector<std::uint32_t> outermost;
    double whole = 0;
    for (std::size_t i = calls; i-- > 0;) {
      const double caller = calls_.at("caller", i);
      if (seconds[i] == 0) continue;
      if (caller >= 0 && caller < static_cast<double>(i)) {
        seconds[static_cast<std::size_t>(caller)] += seconds[i];
        called[static_cast<std::size_t>(caller)].push_back(static_cast<std::uint32_t>(i));
      } else {
        whole += seconds[i];
        outermost.push_back(static_cast<std::uint32_t>(i));
      }
    }
    CallTree tree;
    tree.kind = CallTree::Kind::worker;
    tree.form = CallTree::Form::stacks;  // second to Dask's own tree of the worker
    tree.leaves = CallTree::Leaves::counted;
    tree.worker = worker;
    tree.unit = "s";
    tree.source = path_;
    Names& names = *run_.names;
    const StringId root = names.strings.intern("root");
    const StringId nowhere = names.strings.intern("");
    std::vector<std::pair<std::uint32_t, NodeId>> open;  // a call, and the node of its caller
    const auto add = [&](NodeId parent, FrameId frame, double amount, double line) {
      tree.parent.push_back(parent);
      tree.frame.push_back(frame);
      tree.count.push_back(amount);
      tree.line.push_back(line > 0 ? static_cast<std::uint32_t>(line) : 0);
      return static_cast<NodeId>(tree.parent.size() - 1);
    };
    const NodeId top = add(no_node, names.frames.intern(root, nowhere, 0), whole, 0);
    for (const std::uint32_t call : outermost) open.emplace_back(call, top);
    while (!open.empty()) {
      const auto [call, parent] = open.back();
      open.pop_back();
      const double number = calls_.at("called", call);
      const std::size_t function = number >= 0 ? static_cast<std::size_t>(number) : no_function;
      const StringId name = id_of(functions_.at("name", function));
      const StringId file = id_of(functions_.at("file", function));
      const double first = functions_.at("first_line", function);
      const FrameId frame =
          names.frames.intern(name == no_string ? root : name, file == no_string ? nowhere : file,
                              first > 0 ? static_cast<std::uint32_t>(first) : 0);
      const NodeId node = add(parent, frame, seconds[call], calls_.at("line", call));
      for (const std::uint32_t inner : called[call]) open.emplace_back(inner, node);
    }
    run_.call_trees.push_back(std::move(tree));
  }

  static constexpr std::size_t no_function = static_cast<std::size_t>(-1);

  Run& run_;
  const std::string path_;
  std::map<std::size_t, std::size_t> chunk_of_row_;
  std::map<std::size_t, StringId> worker_of_row_;
  std::vector<StringId> texts_;
  double epoch_ = absent;
  ColumnTable tasks_, branches_, sections_, functions_, calls_, samples_;

  json::Value text_{"a text", {}, [this](std::string_view text) {
                      texts_.push_back(run_.names->strings.intern(text));
                      return true;
                    }};
  json::List strings_{"a list of texts", text_};
  json::Object part_{"a part",
                     {{"epoch", epoch_},
                      {"strings", strings_},
                      {"tasks", tasks_.node()},
                      {"branches", branches_.node()},
                      {"sections", sections_.node()},
                      {"functions", functions_.node()},
                      {"calls", calls_.node()},
                      {"samples", samples_.node()}}};
};

bool recognises_part(const Head& head) {
  return member_of(head.sample(), "format") == "crema_tasks_v1";
}

// --- tasks.json, the index

bool recognises_index(const Head& head) {
  return member_of(head.sample(), "format") == "crema_task_index_v1";
}

/// The threads of all workers over time: each from its first task to its last.
Span span_of(const nlohmann::json& workers, double begin, double until) {
  std::map<double, double> changes = {{begin, 0}, {until, 0}};
  for (const nlohmann::json& worker : workers) {
    const double from = number_or_absent(worker, "begin");
    const double to = number_or_absent(worker, "end");
    const double threads = number_or_absent(worker, "threads");
    if (!(to > from) || !(threads > 0)) continue;
    changes[from] += threads;
    changes[to] -= threads;
  }
  Span span{"crema", begin, begin, until, {}, {}};
  double threads = 0;
  for (auto change = changes.begin(); std::next(change) != changes.end(); ++change) {
    threads += change->second;
    span.nthreads.push_back({change->first, std::next(change)->first, threads});
  }
  return span;
}

void read_index(Run& run, const std::string& path, const std::string& text) {
  const nlohmann::json document = parse_small(run, path, text);
  if (!document.is_object()) return;
  const double begin = number_or_absent(document, "begin");
  const double until = number_or_absent(document, "until");
  if (const double dropped = number_or_absent(document, "dropped"); dropped > 0)
    run.add_note("rows-dropped", Severity::high,
                 format_count(dropped, "task") + " left no row, because they could not be written",
                 path);
  const bool killed = text_of(member_of(document, "state")) == "running";
  if (killed) {
    run.add_note("incomplete", Severity::high,
                 "the recording did not end: it still runs, or its client was killed; tasks of the "
                 "last two seconds may be missing",
                 path);
    if (until > begin) {
      run.elapsed = until - begin;
      run.elapsed_source = path;
    }
  }
  if (member_of(document, "cluster") == true || !(until > begin)) return;  // Dask knows better
  const nlohmann::json& workers = member_of(document, "workers");
  for (const nlohmann::json& worker : workers) {
    const std::string address =
        address_of(text_of(member_of(worker, "worker")), text_of(member_of(worker, "host")),
                   number_or_absent(worker, "pid"));
    const std::size_t number = run.workers.intern(run.names->strings.intern(address));
    run.workers.nthreads[number] = number_or_absent(worker, "threads");
  }
  run.spans.push_back(span_of(workers, begin, until));
  run.spans.back().source = path;
}

}  // namespace

extern constinit const Format recorded_tasks_format = {
    "recorded_tasks", "tasks recorded by crema", false, true, recognises_part, open_json<Part>};
extern constinit const Format task_index_format = {
    "task_index", "index of recorded tasks", true, false, recognises_index, open_whole<read_index>};

}  // namespace crema::read
