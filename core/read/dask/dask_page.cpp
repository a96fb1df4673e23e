// Dask's profile page and performance report: HTML around one Bokeh document, JSON in a <script>.
// Its ColumnDataSources hold the boxes of the flame graphs and the bars of the task stream, from
// which the trees and the tasks are read back.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/inflate.hpp"
#include "core/base/text.hpp"
#include "core/json/nodes.hpp"
#include "core/json/tokenizer.hpp"
#include "core/model/records.hpp"
#include "core/read/dask/profile_trees.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/byte_cursor.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

// With blanks around each.
constexpr std::string_view column_names =
    " bottom width filename line line_number name time start duration key worker worker_thread "
    "color "
    "cpu memory host_net_io.read_bps host_net_io.write_bps host_disk_io.read_bps "
    "host_disk_io.write_bps num_fds ";

constexpr std::size_t most_bytes = 1U
                                   << 27U;  // of one column; Dask's pages keep 100,000 rows at most

constexpr std::string_view number_types =
    " float64 float32 int64 uint64 int32 uint32 int16 uint16 int8 uint8 bool ";

/// An array of numbers that Bokeh stored as bytes: `{"type": "ndarray", "array": {"type": "bytes",
/// "data": base64 of gzip}, "dtype", "order"}` of Bokeh 3, `{"__ndarray__": base64, "dtype",
/// "order"}` of Bokeh 2.
class BokehArray : public json::Object {
 public:
  BokehArray()
      : Object("an array",
               {{"array", bytes_}, {"__ndarray__", data_}, {"dtype", type_}, {"order", order_}}) {}

  /// Its numbers; nothing when the bytes are damaged or of a type unknown here (known: signed,
  /// unsigned and floating numpy types of 1 to 8 bytes in both byte orders).
  std::optional<std::vector<double>> numbers() const {
    std::optional<std::string> bytes = decode_base64(data_);
    if (bytes && bytes->substr(0, 2) == "\x1F\x8B") bytes = gunzip(*bytes, most_bytes);
    if (!bytes) return std::nullopt;
    if (!has_part(number_types, sentence({" ", type_, " "}))) return std::nullopt;
    const std::size_t digits = std::min(type_.find_first_of("0123456789"), type_.size());
    const auto size = static_cast<std::size_t>(value_or(parse_number(type_.substr(digits)), 8)) / 8;
    if (bytes->size() % size != 0) return std::nullopt;
    std::vector<double> numbers;
    numbers.reserve(bytes->size() / size);
    for (std::size_t at = 0; at < bytes->size(); at += size) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < size; ++i)
        word = word << 8U |
               static_cast<unsigned char>((*bytes)[at + (order_ == "big" ? i : size - 1 - i)]);
      const std::size_t unused = 64 - 8 * size;  // bits, which take the sign
      numbers.push_back(
          type_.front() == 'i'
              ? static_cast<double>(static_cast<std::int64_t>(word << unused) >> unused)
          : type_ == "float64" ? number_of_bits<double>(word)
          : type_ == "float32" ? number_of_bits<float>(static_cast<std::uint32_t>(word))
                               : static_cast<double>(word));
    }
    return numbers;
  }

 private:
  std::string data_;  // as written
  std::string type_;
  std::string order_;
  json::Object bytes_{"bytes", {{"data", data_}}};
};

/// A ColumnDataSource: those of its columns that mean something in Dask's pages, by name, and the
/// tab of the report it stands in. "name" is that of profiles and of the task stream, "time" a text
/// in profiles and a number [ms] in the scheduler's load.
struct BokehSource {
  /// As numbers and as texts: a cell is one of them.
  struct Column {
    std::vector<double> numbers;
    std::vector<StringId> texts;
  };
  using Names = std::initializer_list<std::string_view>;

  bool has(std::string_view name) const { return columns.contains(name); }
  bool has_all(Names wanted) const {
    return all_of(wanted, [&](auto name) { return has(name); });
  }
  /// Empty where there is no such column.
  const std::vector<double>& numbers(std::string_view name) const { return column(name).numbers; }
  const std::vector<StringId>& texts(std::string_view name) const { return column(name).texts; }
  /// Rows that every wanted column has.
  std::size_t rows(Names wanted) const {
    std::size_t least = ~std::size_t{0};
    for (const std::string_view name : wanted) least = std::min(least, numbers(name).size());
    return least;
  }

  std::map<std::string, Column, std::less<>> columns;
  bool unreadable = false;  ///< a column is stored as bytes of an unknown kind
  std::string tab;

 private:
  const Column& column(std::string_view name) const {
    static const Column none;
    const Column* const found = found_in(columns, name);
    return found == nullptr ? none : *found;
  }
};

/// Any value of a Bokeh document, with all below it. `data` of any object may be a source; a text
/// `title` names the tab that the sources in its object stand in, whichever comes first.
class BokehDocument : public json::Node {
 public:
  explicit BokehDocument(StringPool& strings) : strings_(strings) {}

  bool begin_object() override { return open(); }
  bool begin_array() override { return open(); }
  json::Node* member(std::string_view key) override {
    is_title_ = key == "title";
    return key == "data" ? static_cast<json::Node*>(&data_) : this;
  }
  json::Node* element(std::size_t) override {
    is_title_ = false;
    return this;
  }
  bool string(std::string_view text) override {
    if (is_title_) open_.back().title = unescape_html(text);
    return true;
  }
  void end() override { close(); }

  /// The sources of the document; also when it is cut off.
  std::vector<BokehSource>& finish() {
    while (!open_.empty()) close();
    return sources_;
  }

 private:
  struct Open {
    std::size_t first_source;
    std::string title;
  };

  /// One column: a list, or an array that Bokeh stored as bytes.
  struct Column : BokehArray {
    explicit Column(BokehDocument& document) : of(document) {}
    bool begin_object() override { return !of.name_.empty() && BokehArray::begin_object(); }
    bool begin_array() override {
      if (of.name_.empty()) return false;
      of.column_ = &of.source().columns[of.name_];
      return true;
    }
    json::Node* element(std::size_t) override {
      of.column_->numbers.push_back(absent);
      of.column_->texts.push_back(no_string);
      return &of.cell_;
    }
    void end() override {
      if (std::exchange(of.column_, nullptr) != nullptr) return;
      auto values = numbers();
      if (!values) {
        of.source().unreadable = true;
        return;
      }
      std::vector<StringId> texts(values->size(), no_string);
      of.source().columns[of.name_] = {std::move(*values), std::move(texts)};
    }
    BokehDocument& of;
  };

  bool open() {
    open_.push_back({sources_.size(), {}});
    return true;
  }
  void close() {
    const Open& closed = open_.back();
    if (!closed.title.empty()) {
      for (std::size_t i = closed.first_source; i < sources_.size(); ++i) {
        if (sources_[i].tab.empty()) sources_[i].tab = closed.title;
      }
    }
    open_.pop_back();
  }
  json::Node* column(std::string_view name) {
    const bool is_known = has_part(column_names, sentence({" ", name, " "}));
    name_ = is_known ? name : std::string_view{};
    return is_known ? &column_node_ : nullptr;
  }
  void keep_cell(std::string_view text) {
    const bool escaped = has_part(text, '&');
    column_->texts.back() = strings_.intern(escaped ? std::string_view(unescape_html(text)) : text);
  }
  void end_source() {
    if (!source().unreadable && source().columns.empty()) sources_.pop_back();
  }
  BokehSource& source() { return sources_.back(); }

  StringPool& strings_;
  std::vector<BokehSource> sources_;
  std::vector<Open> open_;
  bool is_title_ = false;  // the value that begins now is the title of its object
  std::string name_;       // of the column that is being read; empty: it means nothing here
  BokehSource::Column* column_ = nullptr;  // where it is a list of values

  json::Value cell_{"a number or a text", [this](double value) { column_->numbers.back() = value; },
                    [this](std::string_view text) { keep_cell(text); }};
  Column column_node_{*this};
  // Bokeh 3: {"type": "map", "entries": [[name, column], ...]}; Bokeh 2: {name: column}.
  json::Value name_node_{"the name of a column", {}, [this](std::string_view name) {
                           return column(name) != nullptr;
                         }};
  json::Tuple entry_{"a name and a column", {&name_node_, &column_node_}};
  json::List entries_{"a list of columns", entry_, [this](std::size_t) { name_.clear(); }};
  json::Object data_{"the columns of a source",
                     {{"entries", entries_}},
                     [this] { end_source(); },
                     [this](std::string_view name) { return column(name); },
                     [this] { sources_.emplace_back(); }};
};

class DaskPageReader : public Reader {
 public:
  DaskPageReader(Run& run, std::string path)
      : run_(run),
        path_(std::move(path)),
        document_(run.names->strings),
        router_(document_),
        tokenizer_(router_) {}

  void push(std::span<const char> bytes) override {
    std::string_view text(bytes.data(), bytes.size());
    if (!begin_) {
      head_.append(text);
      find_script();
      if (!begin_) return;
      text = head_;
    }
    tokenizer_.push(text);
    head_.clear();
  }

  // Behind the document nothing is read, but how long the page is.
  bool wants_more() const override { return tokenizer_.wants_more() || tokenizer_.is_done(); }

  void finish() override {
    if (!begin_) {
      run_.add_note("no-document", Severity::medium,
                    "the page has no Bokeh document, so there is nothing to read", path_);
      return;
    }
    // Behind the document the page goes on, which is no JSON.
    if (!tokenizer_.finish() && tokenizer_.error() && !tokenizer_.is_done()) {
      const bool is_cut = tokenizer_.error()->code == ErrorCode::truncated;
      run_.add_note(
          is_cut ? "cut-off" : "broken-json", Severity::high,
          std::string(describe(tokenizer_.error()->code)) + "; what comes before it was read",
          path_, {}, *begin_ + tokenizer_.error()->offset);
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
  /// Looks for `<script type="application/json">`, behind which `head_` then begins.
  void find_script() {
    constexpr std::string_view opening = "<script";
    constexpr std::size_t longest_tag = 4096;  // a '<script' without end is none
    const auto drop = [&](std::size_t count) {
      head_.erase(0, count);
      dropped_ += count;
    };
    for (std::size_t tag = head_.find(opening); !begin_ && tag != std::string::npos;
         tag = head_.find(opening)) {
      drop(tag);
      const std::size_t end = head_.find('>');
      if (end == std::string::npos && head_.size() <= longest_tag) return;
      const bool is_json = head_.find("application/json") < end && end != std::string::npos;
      drop(end == std::string::npos ? opening.size() : end + 1);
      if (is_json) begin_ = dropped_;
    }
    if (!begin_ && head_.size() > opening.size()) drop(head_.size() - opening.size());
  }

  CallTree::Kind kind_of(const std::string& tab) const {
    if (has_part(tab, "Scheduler")) return CallTree::Kind::scheduler;
    return has_part(tab, "administrative") ? CallTree::Kind::server : CallTree::Kind::merged;
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
    const bool is_tab = has_part(source.tab, "Profile") && source.tab != "Dask Profile";
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
  std::string head_;                    // of the page, as far as it was not looked at
  std::uint64_t dropped_ = 0;           // [byte] of the page before it
  std::optional<std::uint64_t> begin_;  // [byte] of the page, where the script's text begins
};

bool recognises_dask_page(const Head& head) {
  std::string_view text = head.bytes;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
  if (text.empty() || text.front() != '<') return false;
  if (has_part(text, "<title>Dask ")) return true;
  return has_part(text, "application/json") && has_part(text, "bokeh");
}

}  // namespace

const Format dask_page_format{dask_page_about, recognises_dask_page, open_reader<DaskPageReader>};

}  // namespace crema::read
