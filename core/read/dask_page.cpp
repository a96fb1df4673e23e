// Dask's profile page and performance report: HTML around one Bokeh document, JSON in a <script>. Its ColumnDataSources hold
// the boxes of the flame graphs and the bars of the task stream, from which the trees and the tasks are read back.
#include <array>
#include <cmath>
#include <optional>

#include "core/json/nodes.hpp"
#include "core/json/router.hpp"
#include "core/json/tokenizer.hpp"
#include "core/model/tasks.hpp"
#include "core/read/format.hpp"
#include "core/read/html_script.hpp"
#include "core/read/profile_boxes.hpp"
#include "core/read/readers.hpp"

namespace crema {

namespace {

// The columns that mean something here. "name" is that of both kinds.
enum Column : std::uint8_t {
  bottom,
  width,
  filename,
  line,
  line_number,
  name,
  time,
  start,
  duration,
  key,
  worker,
  thread,
  color,
  columns
};
constexpr std::array<std::string_view, columns> column_names = {"bottom", "width",         "filename", "line",     "line_number",
                                                                "name",   "time",          "start",    "duration", "key",
                                                                "worker", "worker_thread", "color"};

/// The columns of a ColumnDataSource, and the tab of the report in which it stands.
struct Source {
  std::array<std::vector<double>, columns> numbers;
  std::array<std::vector<StringId>, columns> texts;
  std::array<bool, columns> has{};
  bool encoded = false;  // a column is stored as bytes
  std::string tab;

  bool has_all(std::initializer_list<Column> wanted) const {
    for (const Column c : wanted) {
      if (!has[c]) return false;
    }
    return true;
  }
  // Rows that every wanted column has.
  std::size_t rows(std::initializer_list<Column> wanted) const {
    std::size_t least = ~std::size_t{0};
    for (const Column c : wanted) least = std::min(least, numbers[c].size());
    return least;
  }
};

/// Any value of the document, with all below it. `data` of any object may be a source; a text `title` names the tab that the
/// sources in its object stand in, whichever comes first.
class DocumentNode : public json::Node {
 public:
  explicit DocumentNode(StringPool& strings) : strings_(strings) {}

  bool begin_object() override { return open(); }
  bool begin_array() override { return open(); }
  json::Node* member(std::string_view member_key) override {
    if (member_key == "data") return &data_;
    if (member_key == "title") return &title_;
    return this;
  }
  json::Node* element(std::size_t) override { return this; }
  bool boolean(bool) override { return true; }
  bool number(double) override { return true; }
  bool string(std::string_view) override { return true; }
  void end() override { close(); }

  /// The sources of the document; also when it is cut off.
  std::vector<Source>& finish() {
    while (!open_.empty()) close();
    return sources_;
  }

 private:
  struct Open {
    std::size_t first_source;
    std::string title;
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

  /// `title`: a text, or an object like any other.
  class TitleNode : public json::Node {
   public:
    explicit TitleNode(DocumentNode& owner) : owner_(owner) {}
    bool begin_object() override { return owner_.open(); }
    bool begin_array() override { return owner_.open(); }
    json::Node* member(std::string_view member_key) override { return owner_.member(member_key); }
    json::Node* element(std::size_t) override { return &owner_; }
    void end() override { owner_.close(); }
    bool string(std::string_view text) override {
      owner_.open_.back().title = unescape_html(text);
      return true;
    }
    bool boolean(bool) override { return true; }
    bool number(double) override { return true; }

   private:
    DocumentNode& owner_;
  };

  /// One column: a list, or an array that Bokeh stored as bytes.
  class ColumnNode : public json::Node {
   public:
    explicit ColumnNode(DocumentNode& owner) : cell_(owner) {}
    json::Node* of(std::string_view column_name) {
      for (std::uint8_t i = 0; i < columns; ++i) {
        if (column_names[i] == column_name) {
          cell_.column = i;
          return this;
        }
      }
      return nullptr;
    }
    bool begin_array() override {
      source().has[cell_.column] = true;
      return true;
    }
    bool begin_object() override {
      source().encoded = true;
      return true;
    }
    json::Node* element(std::size_t) override {
      source().numbers[cell_.column].push_back(absent);
      source().texts[cell_.column].push_back(no_string);
      return &cell_;
    }
    std::string_view expects() const override { return "a column"; }

   private:
    struct Cell : json::Node {
      explicit Cell(DocumentNode& document) : owner(document) {}
      bool number(double value) override {
        owner.sources_.back().numbers[column].back() = value;
        return true;
      }
      bool string(std::string_view text) override {
        const bool escaped = text.find('&') != std::string_view::npos;
        owner.sources_.back().texts[column].back() =
            owner.strings_.intern(escaped ? std::string_view(unescape_html(text)) : text);
        return true;
      }
      bool boolean(bool) override { return true; }
      bool begin_array() override { return true; }
      bool begin_object() override { return true; }
      DocumentNode& owner;
      std::uint8_t column = 0;
    };

    Source& source() { return cell_.owner.sources_.back(); }
    Cell cell_;
  };

  /// `data`: {"type": "map", "entries": [[name, column], ...]} of Bokeh 3, {name: column} of Bokeh 2, or something else.
  class DataNode : public json::Node {
   public:
    explicit DataNode(DocumentNode& owner) : owner_(owner), entry_(owner) {}
    bool begin_object() override {
      owner_.sources_.emplace_back();
      return true;
    }
    json::Node* member(std::string_view member_key) override {
      return member_key == "entries" ? static_cast<json::Node*>(&entries_) : entry_.column.of(member_key);
    }
    void end() override {
      const auto& has = owner_.sources_.back().has;
      const bool is_any = owner_.sources_.back().encoded || std::find(has.begin(), has.end(), true) != has.end();
      if (!is_any) owner_.sources_.pop_back();
    }
    bool boolean(bool) override { return true; }
    bool number(double) override { return true; }
    bool string(std::string_view) override { return true; }

   private:
    struct Entry : json::Node {
      explicit Entry(DocumentNode& owner) : column(owner) {}
      bool begin_array() override {
        name.clear();
        return true;
      }
      json::Node* element(std::size_t index) override {
        if (index == 0) return &text.at(&name);
        return index == 1 ? column.of(name) : nullptr;
      }
      std::string name;
      json::TextInto text;
      ColumnNode column;
    };
    struct Entries : json::Node {
      explicit Entries(Entry& one) : entry(one) {}
      bool begin_array() override { return true; }
      json::Node* element(std::size_t) override { return &entry; }
      Entry& entry;
    };

    DocumentNode& owner_;
    Entry entry_;
    Entries entries_{entry_};
  };

  StringPool& strings_;
  std::vector<Source> sources_;
  std::vector<Open> open_;
  TitleNode title_{*this};
  DataNode data_{*this};
};

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

class DaskPageReader : public Reader {
 public:
  DaskPageReader(Run& run, std::string path)
      : run_(run), path_(std::move(path)), document_(run.names->strings), router_(document_), tokenizer_(router_) {}

  void push(std::span<const char> bytes) override {
    script_.push({bytes.data(), bytes.size()}, [&](std::string_view json) { tokenizer_.push(json); });
  }

  void finish() override {
    if (!script_.found()) {
      run_.doubt("no-document", Severity::medium, "the page holds no Bokeh document, so there is nothing to read", path_);
      return;
    }
    if (!tokenizer_.finish() && tokenizer_.error()) {
      const bool is_cut = tokenizer_.error()->code == ErrorCode::truncated;
      run_.doubt(is_cut ? "cut-off" : "broken-json", Severity::high,
                 std::string(describe(tokenizer_.error()->code)) + "; what stands before it was read", path_, {},
                 script_.begin() + tokenizer_.error()->offset);
    }
    std::size_t used = 0;
    for (Source& source : document_.finish()) {
      if (source.has_all({bottom, width, filename, line_number, name})) add_profile(source);
      else if (source.has_all({start, duration, key, name, worker})) add_tasks(source);
      else if (source.encoded && source.has[name]) report_encoded(source);
      else continue;
      ++used;
    }
    if (used == 0) run_.doubt("no-document", Severity::medium, "the page shows neither a profile nor a task stream", path_);
  }

 private:
  CallTree::Kind kind_of(const std::string& tab) const {
    if (tab.find("Scheduler") != std::string::npos) return CallTree::Kind::scheduler;
    return tab.find("administrative") != std::string::npos ? CallTree::Kind::server : CallTree::Kind::merged;
  }

  void report_encoded(const Source& source) {
    run_.doubt("encoded-columns", Severity::medium,
               "a profile or task stream of the page is stored as bytes rather than lists and was left out", path_, source.tab);
  }

  void add_profile(Source& source) {
    const std::size_t rows = source.rows({bottom, width, filename, line_number, name});
    const bool is_tab = source.tab.find("Profile") != std::string::npos && source.tab != "Dask Profile";
    if (rows == 0) {
      run_.doubt("empty-profile", Severity::low, "a profile of the page is empty", path_, is_tab ? source.tab : "");
      return;
    }
    ProfileBoxes boxes;
    boxes.depth = std::move(source.numbers[bottom]);
    boxes.width = std::move(source.numbers[width]);
    boxes.name = std::move(source.texts[name]);
    boxes.file = std::move(source.texts[filename]);
    boxes.source_line = source.has[line] ? std::move(source.texts[line]) : std::vector<StringId>(rows, no_string);
    boxes.line = std::move(source.numbers[line_number]);
    boxes.width.resize(rows);
    boxes.source_line.resize(rows, no_string);
    for (StringId& text : boxes.source_line) text = without_line_break(text);
    if (!source.texts[time].empty()) boxes.root_time = run_.text(source.texts[time][0]);

    BoxFaults faults;
    CallTree tree = tree_of(boxes, *run_.names, faults);
    if (faults.orphans > 0) {
      run_.doubt("box-without-parent", Severity::medium, "boxes of a profile stand on no other box; they were left out", path_,
                 source.tab);
      run_.doubts.back().count = faults.orphans;
    }
    if (faults.counts_rounded) {
      run_.doubt("rounded-counts", Severity::medium,
                 "the boxes of a profile are of no whole number of samples; its counts are rounded", path_, source.tab);
    }
    if (tree.size() == 0) return;
    tree.name = std::string(base_name(path_)) + (is_tab ? ": " + source.tab : "");
    tree.kind = kind_of(source.tab);
    tree.form = CallTree::Form::boxes;
    tree.leaves = tree.kind == CallTree::Kind::merged ? CallTree::Leaves::missing : CallTree::Leaves::counted;
    tree.source = path_;
    run_.call_trees.push_back(std::move(tree));
  }

  StringId without_line_break(StringId text) {
    std::string_view view = run_.text(text);
    while (!view.empty() && (view.back() == '\n' || view.back() == '\r')) view.remove_suffix(1);
    return view.empty() ? no_string : run_.names->strings.intern(view);
  }

  // A bar's `start` is its middle [ms], its name the prefix with the action in front, a task's that failed is black.
  void add_tasks(const Source& source) {
    StringPool& strings = run_.names->strings;
    Tasks& tasks = run_.tasks;
    const std::size_t rows = source.rows({start, duration, key, name, worker});
    std::size_t bad = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double middle = source.numbers[start][i] / 1000;
      const double seconds = source.numbers[duration][i] / 1000;
      if (!std::isfinite(middle) || !(seconds >= 0) || source.texts[key][i] == no_string) {
        ++bad;
        continue;
      }
      const std::string prefix = key_split(run_.text(source.texts[key][i]));
      const std::string_view bar = run_.text(source.texts[name][i]);
      const bool has_action = bar.size() > prefix.size() + 1 && bar.substr(bar.size() - prefix.size()) == prefix;
      const std::string action(has_action ? bar.substr(0, bar.size() - prefix.size() - 1) : "compute");
      tasks.key.push_back(source.texts[key][i]);
      tasks.prefix.push_back(strings.intern(prefix));
      tasks.worker.push_back(source.texts[worker][i]);
      tasks.thread.push_back(i < source.texts[thread].size() ? thread_of(run_.text(source.texts[thread][i])) : absent);
      tasks.action.push_back(strings.intern(action));
      tasks.t0.push_back(middle - seconds / 2);
      tasks.t1.push_back(middle + seconds / 2);
      tasks.nbytes.push_back(absent);
      const bool known = i < source.texts[color].size() && source.texts[color][i] != no_string;
      const bool failed = known && run_.text(source.texts[color][i]) == "black";
      tasks.status.push_back(known ? strings.intern(failed ? "error" : "OK") : no_string);
    }
    tasks.source = path_;
    tasks.from_page = true;
    if (bad > 0) {
      run_.doubt("task-time", Severity::low, "bars of the task stream have no usable time or key; they were left out", path_,
                 source.tab);
      run_.doubts.back().count = bad;
    }
  }

  // "tcp://10.0.0.5:1234-140483279976128"
  static double thread_of(std::string_view text) {
    const std::string_view digits = text.substr(std::min(text.rfind('-') + 1, text.size()));
    double value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return absent;
      value = value * 10 + (c - '0');
    }
    return digits.empty() ? absent : value;
  }

  Run& run_;
  std::string path_;
  DocumentNode document_;
  json::Router router_;
  json::Tokenizer tokenizer_;
  HtmlScript script_;
};

bool recognises(const Head& head) {
  std::string_view text = head.bytes;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
  if (text.empty() || text.front() != '<') return false;
  if (text.find("<title>Dask ") != std::string_view::npos) return true;
  return text.find("application/json") != std::string_view::npos && text.find("bokeh") != std::string_view::npos;
}

std::unique_ptr<Reader> open(Run& run, const std::string& path) { return std::make_unique<DaskPageReader>(run, path); }

}  // namespace

const Format dask_page_format{"dask_page", "a page of Dask's dashboard", false, true, recognises, open};

}  // namespace crema
