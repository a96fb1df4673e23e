// speedscope JSON (https://www.speedscope.app/file-format-schema.json): `{shared: {frames},
// profiles: [sampled or evented]}`. Where the real viewer refuses a file, hangs or shows a blank
// page, what can be read is read and a data note tells what was wrong.
#include "core/read/list.hpp"
#include "core/read/tools/imports.hpp"
#include "core/read/tools/stack_profile.hpp"

namespace crema::read {

namespace {

class Speedscope : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return root_; }
  void ended() override {
    keep_profile();
    if (const std::size_t nameless = frames_.size() - named_; nameless > 0) {
      imports_.note("frame-without-name", Severity::low,
                    "frames have no name; they are called \"(no name)\"", "shared.frames",
                    nameless);
    }
    // Their frames' lines are those that were executing, of which a function has many.
    if (exporter_.starts_with("py-spy") || exporter_.starts_with("Austin")) join_lines();
    if (profiles_.empty())
      imports_.note("empty-profile", Severity::medium, "the file holds no profile", "profiles", 1);
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
      if (profiles_[i].name.empty()) profiles_[i].name = "profile " + std::to_string(i + 1);
      import_profile(profiles_[i], "profiles[" + std::to_string(i) + "]");
    }
    profiles_.clear();
  }

 private:
  void keep_frame() {
    if (name_.empty()) return;
    // Two entries of the same name, file and line are one function.
    frames_.back() = frame_in(*run_.names, name_, file_, as_line(line_));
    ++named_;
  }
  void keep_event() {
    if (is_absent(at_) || (type_ != "O" && type_ != "C")) profile_.bad_events.at(event_index_);
    else profile_.events.push_back({at_, StackProfile::index_of(frame_), type_ == "O"});
  }
  /// The profile that was being read ends; it may be cut off.
  void keep_profile() {
    if (has_profile_) profiles_.push_back(std::move(profile_));
    profile_ = {};
    has_profile_ = false;
  }
  /// Frames that differ by their line alone become one function.
  void join_lines() {
    FrameTable& table = run_.names->frames;
    for (FrameId& frame : frames_) {
      const std::uint32_t line = table.first_line[frame];
      frame = table.intern(table.name[frame], table.file[frame], 0);
      if (table.line_seen[frame] == 0) table.line_seen[frame] = line;
    }
  }
  void import_profile(StackProfile& profile, const std::string& where) {
    if (profile.type != "sampled" && profile.type != "evented" && profile.samples.empty() &&
        profile.events.empty()) {
      imports_.note("unknown-profile-type", Severity::medium,
                    "a profile is of the unknown type \"" + profile.type + "\" and was left out",
                    where, 1);
    } else if (frames_.empty() && (profile.stacks.size() > 1 || !profile.events.empty())) {
      imports_.note("no-frames", Severity::high,
                    "the file has no list of frames, so its stacks have no meaning; they were left "
                    "out",
                    where, 1);
    } else {
      imports_.add(profile, frames_, where);
    }
  }

  Imports imports_{run_, path_};
  std::string exporter_;

  std::vector<FrameId> frames_;  // one per entry of `shared.frames`
  std::size_t named_ = 0;
  std::string name_, file_;
  double line_ = absent;
  json::Object one_frame_{
      "a frame", {{"name", name_}, {"file", file_}, {"line", line_}}, [this] { keep_frame(); }};
  json::List frame_list_{"a list of frames", one_frame_, [this](std::size_t) {
                           frames_.push_back(frame_in(*run_.names, "(no name)"));
                         }};
  json::Object shared_{"an object", {{"frames", frame_list_}}};

  std::vector<StackProfile> profiles_;
  StackProfile profile_;  // the one being read
  bool has_profile_ = false;
  std::unique_ptr<json::Node> samples_ = samples_of(profile_);

  /// A weight that is no number stays absent, and is counted as bad.
  struct Weight : json::Value {
    using Value::Value;
    bool boolean(bool) override { return true; }
  } weight_{"a weight", [this](double value) { profile_.weights.back() = value; },
            [](std::string_view) {}};
  json::List weights_{"a list of weights", weight_,
                      [this](std::size_t) { profile_.weights.push_back(absent); },
                      [this] { profile_.has_weights = true; }};

  std::size_t event_index_ = 0;
  std::string type_;
  double frame_ = absent, at_ = absent;
  json::Object event_{
      "an event", {{"type", type_}, {"frame", frame_}, {"at", at_}}, [this] { keep_event(); }};
  json::List events_{"a list of events", event_,
                     [this](std::size_t index) { event_index_ = index; }};

  json::Object one_profile_{"a profile",
                            {{"type", profile_.type},
                             {"name", profile_.name},
                             {"unit", profile_.unit},
                             {"endValue", profile_.end},
                             {"samples", *samples_},
                             {"weights", weights_},
                             {"events", events_}}};
  json::List profile_list_{"a list of profiles", one_profile_, [this](std::size_t) {
                             keep_profile();
                             has_profile_ = true;
                           }};
  json::Object root_{"a speedscope file",
                     {{"shared", shared_}, {"profiles", profile_list_}, {"exporter", exporter_}}};
};

bool recognises_speedscope(const Head& head) {
  const nlohmann::json& sample = head.sample();
  if (text_of(member_of(sample, "$schema")).find("speedscope") != std::string::npos ||
      holds(member_of(sample, "shared"), "frames"))
    return true;
  const nlohmann::json& profiles = member_of(sample, "profiles");
  if (!profiles.is_array() || profiles.empty()) return false;
  const nlohmann::json& type = member_of(profiles[0], "type");
  return type == "sampled" || type == "evented";
}

}  // namespace

const Format speedscope_format{speedscope_about, recognises_speedscope, open_reader<Speedscope>};

}  // namespace crema::read
