// Dask's profile page and performance report: HTML around one Bokeh document, JSON in a <script>.
// Its ColumnDataSources hold the boxes of the flame graphs and the bars of the task stream, from
// which the trees and the tasks are read back.
#include <cmath>
#include <map>
#include <set>

#include "core/base/text.hpp"
#include "core/json/router.hpp"
#include "core/json/tokenizer.hpp"
#include "core/model/records.hpp"
#include "core/read/dask/bokeh_document.hpp"
#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

class DaskPageReader : public Reader {
 public:
  DaskPageReader(Run& run, std::string path)
      : run_(run),
        path_(std::move(path)),
        document_(run.names->strings),
        router_(document_),
        tokenizer_(router_) {}

  void push(std::span<const char> bytes) override {
    script_.push({bytes.data(), bytes.size()},
                 [&](std::string_view json) { tokenizer_.push(json); });
  }

  bool wants_more() const override { return tokenizer_.wants_more(); }

  void finish() override {
    if (!script_.found()) {
      run_.add_note("no-document", Severity::medium,
                    "the page has no Bokeh document, so there is nothing to read", path_);
      return;
    }
    if (!tokenizer_.finish() && tokenizer_.error()) {
      const bool is_cut = tokenizer_.error()->code == ErrorCode::truncated;
      run_.add_note(
          is_cut ? "cut-off" : "broken-json", Severity::high,
          std::string(describe(tokenizer_.error()->code)) + "; what comes before it was read",
          path_, {}, script_.begin() + tokenizer_.error()->offset);
    }
    std::size_t used = 0;
    for (const BokehSource& source : document_.finish()) {
      if (source.has_all({"bottom", "width", "filename", "line_number", "name"}))
        add_profile(source);
      else if (source.has_all({"start", "duration", "key", "name", "worker"})) add_tasks(source);
      else if (source.has_all({"time", "cpu", "memory"})) add_system(source);
      else if (source.unreadable) report_unreadable(source);
      else continue;
      ++used;
    }
    if (used == 0)
      run_.add_note("no-document", Severity::medium,
                    "the page shows neither a profile nor a task stream nor the scheduler's load",
                    path_);
  }

 private:
  CallTree::Kind kind_of(const std::string& tab) const {
    if (tab.find("Scheduler") != std::string::npos) return CallTree::Kind::scheduler;
    return tab.find("administrative") != std::string::npos ? CallTree::Kind::server
                                                           : CallTree::Kind::merged;
  }

  void report_unreadable(const BokehSource& source) {
    run_.add_note(
        "encoded-columns", Severity::medium,
        "a table of the page holds bytes that are damaged or of an unknown kind; it was left out",
        path_, source.tab);
  }

  // Dask's SystemMonitor of the scheduler: cpu in percent of one core, time in ms.
  void add_system(const BokehSource& source) {
    SystemLoad& load = run_.system;
    const std::size_t rows = source.rows({"time", "cpu", "memory"});
    const auto column = [&](std::string_view name, double scale) {
      std::vector<double> values = source.numbers(name);
      values.resize(rows, absent);
      for (double& value : values) value *= scale;
      return values;
    };
    load.t = column("time", 1e-3);
    load.cpu = column("cpu", 1e-2);
    load.memory = column("memory", 1);
    load.network_read = column("host_net_io.read_bps", 1);
    load.network_write = column("host_net_io.write_bps", 1);
    load.disk_read = column("host_disk_io.read_bps", 1);
    load.disk_write = column("host_disk_io.write_bps", 1);
    load.open_files = column("num_fds", 1);
    load.source = path_;
  }

  void add_profile(const BokehSource& source) {
    const std::size_t rows = source.rows({"bottom", "width", "filename", "line_number", "name"});
    const bool is_tab =
        source.tab.find("Profile") != std::string::npos && source.tab != "Dask Profile";
    if (rows == 0) {
      run_.add_note("empty-profile", Severity::low, "a profile of the page is empty", path_,
                    is_tab ? source.tab : "");
      return;
    }
    ProfileBoxes boxes;
    boxes.depth = source.numbers("bottom");
    boxes.width = source.numbers("width");
    boxes.name = source.texts("name");
    boxes.file = source.texts("filename");
    boxes.source_line =
        source.has("line") ? source.texts("line") : std::vector<StringId>(rows, no_string);
    boxes.line = source.numbers("line_number");
    boxes.width.resize(rows);
    boxes.source_line.resize(rows, no_string);
    for (StringId& text : boxes.source_line) {
      const std::string_view kept = without_line_break(run_.text(text));
      text = kept.empty() ? no_string : run_.names->strings.intern(kept);
    }
    if (!source.texts("time").empty()) boxes.root_time = run_.text(source.texts("time")[0]);

    BoxFaults faults;
    CallTree tree = tree_of(boxes, *run_.names, faults);
    if (faults.orphans > 0) {
      run_.add_note("box-without-parent", Severity::medium,
                    "boxes of a profile have no parent box; they were left out", path_, source.tab,
                    Error::no_offset, faults.orphans);
    }
    if (faults.counts_rounded) {
      run_.add_note(
          "rounded-counts", Severity::medium,
          "the boxes of a profile are not whole numbers of samples; its counts are rounded", path_,
          source.tab);
    }
    if (tree.size() == 0) return;
    tree.name = std::string(base_name(path_)) + (is_tab ? ": " + source.tab : "");
    tree.kind = kind_of(source.tab);
    tree.form = CallTree::Form::boxes;
    tree.leaves =
        tree.kind == CallTree::Kind::merged ? CallTree::Leaves::missing : CallTree::Leaves::counted;
    tree.source = path_;
    run_.call_trees.push_back(std::move(tree));
  }

  // A bar's `start` is its middle [ms], its name the prefix with the action in front, a task's that
  // failed is black.
  void add_tasks(const BokehSource& source) {
    StringPool& strings = run_.names->strings;
    Tasks& tasks = run_.tasks;
    const auto& middles = source.numbers("start");
    const auto& widths = source.numbers("duration");
    const auto& keys = source.texts("key");
    const auto& bars = source.texts("name");
    const auto& workers = source.texts("worker");
    const auto& of_threads = source.texts("worker_thread");
    const auto& colors = source.texts("color");
    std::size_t bad = 0;
    std::map<StringId, std::set<double>> threads;  // of each worker, those that ran a task
    for (std::size_t i = 0; i < source.rows({"start", "duration", "key", "name", "worker"}); ++i) {
      const double middle = middles[i] / 1000;
      const double seconds = widths[i] / 1000;
      if (!std::isfinite(middle) || !(seconds >= 0) || keys[i] == no_string) {
        ++bad;
        continue;
      }
      const std::string prefix = key_split(run_.text(keys[i]));
      const std::string_view bar = run_.text(bars[i]);
      const bool has_action =
          bar.size() > prefix.size() + 1 && bar.substr(bar.size() - prefix.size()) == prefix;
      const StringId prefix_id = strings.intern(prefix);
      const StringId action =
          strings.intern(has_action ? bar.substr(0, bar.size() - prefix.size() - 1) : "compute");
      const double thread = i < of_threads.size() ? thread_of(run_.text(of_threads[i])) : absent;
      const bool known = i < colors.size() && colors[i] != no_string;
      const bool failed = known && run_.text(colors[i]) == "black";
      threads[workers[i]].insert(value_or(thread, -1));
      tasks.add(keys[i], prefix_id, workers[i], thread, action, middle - seconds / 2,
                middle + seconds / 2, absent,
                known ? strings.intern(failed ? "error" : "OK") : no_string, no_string);
    }
    tasks.source = path_;
    tasks.from_page = true;
    for (const auto& [address, of_worker] : threads) {
      if (address == no_string) continue;
      run_.workers.nthreads[run_.workers.intern(address)] = static_cast<double>(of_worker.size());
    }
    if (bad > 0) {
      run_.add_note("task-time", Severity::low,
                    "bars of the task stream have no usable time or key; they were left out", path_,
                    source.tab, Error::no_offset, bad);
    }
  }

  // "tcp://10.0.0.5:1234-140483279976128"
  static double thread_of(std::string_view text) {
    const std::string_view digits = text.substr(std::min(text.rfind('-') + 1, text.size()));
    return digits.find_first_not_of("0123456789") == std::string_view::npos ? parse_number(digits)
                                                                            : absent;
  }

  Run& run_;
  std::string path_;
  BokehDocument document_;
  json::Router router_;
  json::Tokenizer tokenizer_;
  HtmlScript script_;
};

bool recognises_dask_page(const Head& head) {
  std::string_view text = head.bytes;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
  if (text.empty() || text.front() != '<') return false;
  if (text.find("<title>Dask ") != std::string_view::npos) return true;
  return text.find("application/json") != std::string_view::npos &&
         text.find("bokeh") != std::string_view::npos;
}

}  // namespace

const Format dask_page_format{dask_page_about, recognises_dask_page, open_reader<DaskPageReader>};

}  // namespace crema::read
