// Chrome's trace events, which viztracer and py-spy write, too: {"traceEvents": [event, …]} or the
// list alone. Events with a begin and an end on a thread are read: complete ones ("X"), begins and
// ends ("B", "E"). Their nesting is the call tree of the thread.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/order.hpp"
#include "core/read/list.hpp"
#include "core/read/tools/imports.hpp"
#include "core/read/tools/stack_profile.hpp"

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

class Trace : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return root_; }
  void ended() override {
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
  /// The events, or an object that has them.
  struct Root : json::List {
    using List::List;
    bool begin_object() override { return true; }
    json::Node* member(std::string_view key) override {
      return key == "traceEvents" ? this : nullptr;
    }
  };
  struct Event {
    std::string kind, name, process, thread;
    double at = absent, duration = absent;
    std::string file, thread_name;  // from its arguments
    double line = absent;
  };

  Thread& thread_of(const Event& event) {
    const StringId id = ids_.intern("process " + event.process + ", thread " + event.thread);
    if (id == threads_.size()) threads_.emplace_back();
    return threads_[id];
  }

  void take(const Event& event) {
    const char kind = event.kind.size() == 1 ? event.kind[0] : ' ';
    if (kind == 'M' && event.name == "thread_name") thread_of(event).name = event.thread_name;
    if (kind != 'X' && kind != 'B' && kind != 'E') return;
    Thread& thread = thread_of(event);
    if (is_absent(event.at) || event.duration < 0 || (kind == 'E' && thread.open.empty())) {
      bad_.at(index_);
      return;
    }
    double end = event.at;
    if (kind == 'E') {
      thread.slices[thread.open.back()].end =
          std::max(end, thread.slices[thread.open.back()].begin);
      thread.open.pop_back();
    } else {
      if (kind == 'B') thread.open.push_back(thread.slices.size());
      else if (!is_absent(event.duration)) end += event.duration;
      thread.slices.push_back({event.at, end, frame_of(event)});
    }
    thread.last = std::max(thread.last, end);
  }

  // viztracer's names hold file and line; py-spy has the file and the executing line as arguments.
  FrameId frame_of(const Event& event) {
    if (!event.file.empty()) return imports_.frame(event.name, event.file, 0, as_line(event.line));
    const FrameLabel label =
        parse_frame_label(event.name.empty() ? std::string_view("(no name)") : event.name);
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

  Imports imports_{run_, path_};
  std::size_t index_ = 0;  // of the event being read
  Fault bad_;
  std::size_t cut_ = 0;
  StringPool ids_;
  std::vector<Thread> threads_;

  Event event_;
  json::Object arguments_{
      "arguments of an event",
      {{"name", event_.thread_name}, {"filename", event_.file}, {"line", event_.line}}};
  json::Object one_event_{"an event",
                          {{"ph", event_.kind},
                           {"name", event_.name},
                           {"pid", event_.process},
                           {"tid", event_.thread},
                           {"ts", event_.at},
                           {"dur", event_.duration},
                           {"args", arguments_}},
                          [this] { take(event_); }};
  Root root_{"trace events", one_event_, [this](std::size_t index) { index_ = index; }};
};

bool recognises_trace(const Head& head) {
  const nlohmann::json& sample = head.sample();
  const nlohmann::json& events = sample.is_object() ? member_of(sample, "traceEvents") : sample;
  return events.is_array() && !events.empty() && holds(events[0], "ph");
}

}  // namespace

const Format trace_format{trace_about, recognises_trace, open_reader<Trace>};

}  // namespace crema::read
