// Chrome's trace events, which viztracer and py-spy write, too: {"traceEvents": [event, …]} or the
// list alone. Events with a begin and an end on a thread are read: complete ones ("X"), begins and
// ends ("B", "E"). Their nesting is the call tree of the thread.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/order.hpp"
#include "core/json/nodes.hpp"
#include "core/read/frame_label.hpp"
#include "core/read/imports.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/readers.hpp"

namespace crema::read {

namespace {

// Begins and durations are rounded to nanoseconds, so ends are off by up to two.
constexpr double rounding = 0.002;  // [µs]

struct Slice {
  double begin, end;  // [µs]
  FrameId frame;
};

struct Thread {
  std::string name;
  std::vector<Slice> slices;
  std::vector<std::size_t> open;  // indices into `slices` of events that have not ended
  double last = 0;                // [µs] end of the last event
};

class TraceNode : public json::Node {
 public:
  TraceNode(Run& run, const std::string& path) : imports_(run, path), event_(*this) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    return key == "traceEvents" ? this : nullptr;
  }
  bool begin_array() override { return true; }
  json::Node* element(std::size_t index) override {
    index_ = index;
    return &event_;
  }
  std::string_view expects() const override { return "trace events"; }

  void finish() {
    if (bad_.count > 0)
      imports_.note("bad-event", Severity::low,
                    "events have no time, or end one that has not begun; they were left out",
                    "traceEvents[" + std::to_string(bad_.first) + "]", bad_.count);
    std::size_t left_open = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      Thread& thread = threads_[i];
      left_open += thread.open.size();
      for (const std::size_t slice : thread.open)
        thread.slices[slice].end = std::max(thread.last, thread.slices[slice].begin);
      if (!thread.slices.empty()) add(thread, ids_[static_cast<StringId>(i)]);
    }
    if (left_open > 0)
      imports_.note("open-frames", Severity::low,
                    "events never end; they were ended with the last of their thread", {},
                    left_open);
    if (cut_ > 0)
      imports_.note(
          "overlapping-events", Severity::medium,
          "events of a thread end after the event that contains them; they were ended with "
          "it",
          {}, cut_);
    imports_.add_parts();
  }

 private:
  /// An event; at its second level, the event's arguments.
  class Event : public json::Node {
   public:
    explicit Event(TraceNode& owner) : owner_(owner) {}
    bool begin_object() override {
      if (++level_ > 1) return true;
      for (std::string* text : {&kind_, &name_, &process_, &thread_, &file_, &thread_name_})
        text->clear();
      at_ = duration_ = line_ = absent;
      return true;
    }
    json::Node* member(std::string_view key) override {
      if (level_ > 1) {
        if (key == "name") return &text_.at(&thread_name_);
        if (key == "filename") return &text_.at(&file_);
        return key == "line" ? &number_.at(&line_) : nullptr;
      }
      if (key == "ph") return &text_.at(&kind_);
      if (key == "name") return &text_.at(&name_);
      if (key == "pid") return &text_.at(&process_);
      if (key == "tid") return &text_.at(&thread_);
      if (key == "ts") return &number_.at(&at_);
      if (key == "dur") return &number_.at(&duration_);
      return key == "args" ? this : nullptr;
    }
    void end() override {
      if (--level_ == 0) owner_.take(*this);
    }
    std::string_view expects() const override { return "an event"; }

    std::string kind_, name_, process_, thread_;
    double at_ = absent, duration_ = absent;
    std::string file_, thread_name_;  // from its arguments
    double line_ = absent;

   private:
    TraceNode& owner_;
    int level_ = 0;
    json::TextInto text_;
    json::NumberInto number_;
  };

  Thread& thread_of(const Event& event) {
    const StringId id = ids_.intern("process " + event.process_ + ", thread " + event.thread_);
    if (id == threads_.size()) threads_.emplace_back();
    return threads_[id];
  }

  void take(const Event& event) {
    const char kind = event.kind_.size() == 1 ? event.kind_[0] : ' ';
    if (kind == 'M' && event.name_ == "thread_name") thread_of(event).name = event.thread_name_;
    if (kind != 'X' && kind != 'B' && kind != 'E') return;
    Thread& thread = thread_of(event);
    if (is_absent(event.at_) || event.duration_ < 0 || (kind == 'E' && thread.open.empty())) {
      bad_.at(index_);
      return;
    }
    double end = event.at_;
    if (kind == 'E') {
      thread.slices[thread.open.back()].end =
          std::max(end, thread.slices[thread.open.back()].begin);
      thread.open.pop_back();
    } else {
      if (kind == 'B') thread.open.push_back(thread.slices.size());
      else if (!is_absent(event.duration_)) end += event.duration_;
      thread.slices.push_back({event.at_, end, frame_of(event)});
    }
    thread.last = std::max(thread.last, end);
  }

  // viztracer's names hold file and line; py-spy has the file and the executing line as arguments.
  FrameId frame_of(const Event& event) {
    if (!event.file_.empty())
      return imports_.frame(event.name_, event.file_, 0, as_line(event.line_));
    const FrameLabel label =
        parse_frame_label(event.name_.empty() ? std::string_view("(no name)") : event.name_);
    return imports_.frame(label.name, label.file, label.line);
  }

  void add(Thread& thread, std::string_view id) {
    sort_stably(thread.slices, [](const Slice& a, const Slice& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    StackProfile& profile = imports_.part(
        thread.name.empty() ? std::string(id) : thread.name + " (" + std::string(id) + ")",
        "microseconds");
    profile.type = "evented";
    std::vector<Slice> open;
    double now = thread.slices.front().begin;
    const auto close_until = [&](double at) {
      for (; !open.empty() && open.back().end <= at; open.pop_back()) {
        now = std::max(now, open.back().end);
        profile.events.push_back({now, open.back().frame, false});
      }
    };
    for (Slice slice : thread.slices) {
      close_until(slice.begin + rounding);
      if (!open.empty() && slice.end > open.back().end) {
        if (slice.end > open.back().end + rounding) ++cut_;
        slice.end = open.back().end;
      }
      now = std::max(now, slice.begin);
      profile.events.push_back({now, slice.frame, true});
      open.push_back(slice);
    }
    close_until(std::numeric_limits<double>::infinity());
    thread = {};
  }

  Imports imports_;
  std::size_t index_ = 0;  // of the event being read
  Fault bad_;
  std::size_t cut_ = 0;
  StringPool ids_;
  std::vector<Thread> threads_;
  Event event_;
};

class TraceReader : public JsonReader {
 public:
  TraceReader(Run& run, const std::string& path)
      : JsonReader(run, path, std::make_unique<TraceNode>(run, path)) {}
  void finished() override { static_cast<TraceNode&>(root()).finish(); }
};

bool recognises_trace(const Head& head) {
  const nlohmann::json& sample = head.sample();
  const nlohmann::json* events = &sample;
  if (sample.is_object()) {
    const auto listed = sample.find("traceEvents");
    if (listed == sample.end()) return false;
    events = &*listed;
  }
  return events->is_array() && !events->empty() && (*events)[0].is_object() &&
         (*events)[0].contains("ph");
}

}  // namespace

const Format trace_format{"trace", "trace events",   false,
                          true,    recognises_trace, open_reader<TraceReader>};

}  // namespace crema::read
