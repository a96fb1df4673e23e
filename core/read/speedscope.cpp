// speedscope JSON (https://www.speedscope.app/file-format-schema.json): `{shared: {frames},
// profiles: [sampled or evented]}`. Where the real viewer refuses a file, hangs or shows a blank
// page, what can be read is read and a data note tells what was wrong.
#include <cmath>
#include <limits>

#include "core/json/nodes.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/readers.hpp"
#include "core/read/speedscope_samples.hpp"

namespace crema::read {

namespace {

/// `shared.frames`, one FrameId per entry. Two entries of the same name, file and line are one
/// function.
class FrameNodes : public json::Node {
 public:
  explicit FrameNodes(Names& names) : names_(names) {}
  bool begin_array() override { return true; }
  json::Node* element(std::size_t) override {
    frames_.push_back(unnamed());
    return &frame_;
  }
  std::string_view expects() const override { return "a list of frames"; }

  const std::vector<FrameId>& frames() const { return frames_; }
  std::size_t nameless() const { return frames_.size() - named_; }

  FrameId unnamed() { return intern("(no name)"); }
  FrameId unknown() { return intern("(frame not in the file)"); }
  FrameId root() { return intern("root"); }

 private:
  class FrameNode : public json::Node {
   public:
    explicit FrameNode(FrameNodes& owner) : owner_(owner) {}
    bool begin_object() override {
      name_.clear();
      file_.clear();
      line_ = absent;
      return true;
    }
    json::Node* member(std::string_view key) override {
      if (key == "name") return &text_.at(&name_);
      if (key == "file") return &text_.at(&file_);
      if (key == "line") return &number_.at(&line_);
      return nullptr;
    }
    void end() override {
      if (name_.empty()) return;
      const bool has_line = line_ >= 1 && line_ <= std::numeric_limits<std::uint32_t>::max();
      StringPool& strings = owner_.names_.strings;
      owner_.frames_.back() =
          owner_.names_.frames.intern(strings.intern(name_), strings.intern(file_),
                                      has_line ? static_cast<std::uint32_t>(line_) : 0);
      ++owner_.named_;
    }
    std::string_view expects() const override { return "a frame"; }

   private:
    FrameNodes& owner_;
    std::string name_, file_;
    double line_ = absent;
    json::TextInto text_;
    json::NumberInto number_;
  };

  FrameId intern(std::string_view name) {
    return names_.frames.intern(names_.strings.intern(name), names_.strings.intern(""), 0);
  }

  Names& names_;
  std::vector<FrameId> frames_;
  std::size_t named_ = 0;
  FrameNode frame_{*this};
};

class WeightNodes : public json::Node {
 public:
  void of(SpeedscopeProfile& profile) { weight_.profile = &profile; }
  bool begin_array() override {
    weight_.profile->has_weights = true;
    return true;
  }
  json::Node* element(std::size_t) override {
    weight_.profile->weights.push_back(absent);
    return &weight_;
  }
  std::string_view expects() const override { return "a list of weights"; }

 private:
  struct Weight : json::Node {
    SpeedscopeProfile* profile = nullptr;
    bool number(double value) override {
      profile->weights.back() = value;
      return true;
    }
    bool string(std::string_view) override { return true; }  // stays absent and is counted as bad
    bool boolean(bool) override { return true; }
    std::string_view expects() const override { return "a weight"; }
  };

  Weight weight_;
};

class EventNodes : public json::Node {
 public:
  void of(SpeedscopeProfile& profile) { event_.profile = &profile; }
  bool begin_array() override { return true; }
  json::Node* element(std::size_t index) override {
    event_.index = index;
    return &event_;
  }
  std::string_view expects() const override { return "a list of events"; }

 private:
  struct Event : json::Node {
    SpeedscopeProfile* profile = nullptr;
    std::size_t index = 0;
    std::string type;
    double frame = absent, at = absent;
    json::TextInto text;
    json::NumberInto number_into;

    bool begin_object() override {
      type.clear();
      frame = at = absent;
      return true;
    }
    json::Node* member(std::string_view key) override {
      if (key == "type") return &text.at(&type);
      if (key == "frame") return &number_into.at(&frame);
      if (key == "at") return &number_into.at(&at);
      return nullptr;
    }
    void end() override {
      if (is_absent(at) || (type != "O" && type != "C")) profile->bad_events.at(index);
      else profile->events.push_back({at, SpeedscopeProfile::index_of(frame), type == "O"});
    }
    std::string_view expects() const override { return "an event"; }
  };

  Event event_;
};

class ProfileNodes : public json::Node {
 public:
  bool begin_array() override { return true; }
  json::Node* element(std::size_t) override {
    profiles_.emplace_back();
    return &profile_;
  }
  std::string_view expects() const override { return "a list of profiles"; }
  std::vector<SpeedscopeProfile>& profiles() { return profiles_; }

 private:
  class ProfileNode : public json::Node {
   public:
    explicit ProfileNode(ProfileNodes& owner) : owner_(owner) {}
    bool begin_object() override {
      samples_.of(owner_.profiles_.back());
      weights_.of(owner_.profiles_.back());
      events_.of(owner_.profiles_.back());
      return true;
    }
    json::Node* member(std::string_view key) override {
      SpeedscopeProfile& profile = owner_.profiles_.back();
      if (key == "type") return &text_.at(&profile.type);
      if (key == "name") return &text_.at(&profile.name);
      if (key == "unit") return &text_.at(&profile.unit);
      if (key == "endValue") return &number_.at(&profile.end);
      if (key == "samples") return &samples_;
      if (key == "weights") return &weights_;
      if (key == "events") return &events_;
      return nullptr;
    }
    std::string_view expects() const override { return "a profile"; }

   private:
    ProfileNodes& owner_;
    SpeedscopeSamples samples_;
    WeightNodes weights_;
    EventNodes events_;
    json::TextInto text_;
    json::NumberInto number_;
  };

  std::vector<SpeedscopeProfile> profiles_;
  ProfileNode profile_{*this};
};

class FileNode : public json::Node {
 public:
  explicit FileNode(Names& names) : shared_(names) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    if (key == "shared") return &shared_;
    if (key == "profiles") return &profiles_;
    return nullptr;
  }
  std::string_view expects() const override { return "a speedscope file"; }

  FrameNodes& frames() { return shared_.frames; }
  std::vector<SpeedscopeProfile>& profiles() { return profiles_.profiles(); }

 private:
  struct Shared : json::Node {
    explicit Shared(Names& names) : frames(names) {}
    bool begin_object() override { return true; }
    json::Node* member(std::string_view key) override {
      return key == "frames" ? &frames : nullptr;
    }
    FrameNodes frames;
  };

  Shared shared_;
  ProfileNodes profiles_;
};

struct Unit {
  std::string_view name;
  double scale;
  std::string_view ours;
};
constexpr Unit units[] = {{"nanoseconds", 1e-9, "s"},  {"microseconds", 1e-6, "s"},
                          {"milliseconds", 1e-3, "s"}, {"seconds", 1, "s"},
                          {"bytes", 1, "byte"},        {"none", 1, "samples"}};

class SpeedscopeReader : public JsonReader {
 public:
  SpeedscopeReader(Run& run, const std::string& path, std::unique_ptr<FileNode> root)
      : JsonReader(run, path, std::move(root)), file_(static_cast<FileNode&>(this->root())) {}

  void finished() override {
    FrameNodes& frames = file_.frames();
    if (frames.nameless() > 0) {
      add_note("frame-without-name", Severity::low,
               "frames have no name; they are called \"(no name)\"", "shared.frames",
               frames.nameless());
    }
    if (file_.profiles().empty())
      add_note("empty-profile", Severity::medium, "the file holds no profile", "profiles", 1);
    for (std::size_t i = 0; i < file_.profiles().size(); ++i) add(i, file_.profiles()[i]);
    file_.profiles().clear();
  }

 private:
  void add_note(const char* id, Severity severity, std::string message, std::string where,
                std::size_t count) {
    run().data_notes.push_back({std::string(id), severity, path(), Error::no_offset,
                                std::move(where), std::move(message), count});
  }

  void add(std::size_t index, SpeedscopeProfile& profile) {
    const std::string where = "profiles[" + std::to_string(index) + "]";
    if (profile.type != "sampled" && profile.type != "evented" && profile.samples.empty() &&
        profile.events.empty()) {
      add_note("unknown-profile-type", Severity::medium,
               "a profile is of the unknown type \"" + profile.type + "\" and was left out", where,
               1);
      return;
    }
    profile.complete();
    report(where, profile);
    FrameNodes& frames = file_.frames();
    if (frames.frames().empty() && profile.stacks.size() > 1) {
      add_note(
          "no-frames", Severity::high,
          "the file has no list of frames, so that its stacks mean nothing; they were left out",
          where, 1);
      return;
    }
    const Unit unit = unit_of(where, profile.unit);
    std::vector<NodeId> place;
    CallTree tree =
        profile.stacks.take(frames.frames(), frames.unknown(), frames.root(), unit.scale, place);
    if (!(tree.count[0] > 0)) {
      add_note("empty-profile", Severity::low, "a profile has no samples", where, 1);
      return;
    }
    if (!std::isfinite(tree.count[0])) {
      add_note("bad-weight", Severity::high,
               "the weights of a profile add up to no finite number; it was left out", where, 1);
      return;
    }
    tree.sample_node.reserve(profile.samples.size());
    tree.sample_weight.reserve(profile.samples.size());
    for (std::size_t i = 0; i < profile.samples.size(); ++i) {
      if (!(profile.weights[i] > 0)) continue;
      tree.sample_node.push_back(place[profile.samples[i]]);
      tree.sample_weight.push_back(profile.weights[i] * unit.scale);
    }
    tree.name = profile.name.empty() ? "profile " + std::to_string(index + 1) : profile.name;
    tree.kind = CallTree::Kind::import;
    tree.leaves = CallTree::Leaves::counted;
    tree.unit = profile.has_weights || profile.type == "evented" ? std::string(unit.ours)
                                                                 : std::string("samples");
    tree.source = path();
    run().call_trees.push_back(std::move(tree));
    profile = {};
  }

  Unit unit_of(const std::string& where, const std::string& name) {
    for (const Unit& unit : units) {
      if (unit.name == name) return unit;
    }
    if (name.empty()) return {"", 1, "samples"};
    add_note("unknown-unit", Severity::low,
             "a profile is in the unknown unit \"" + name + "\"; its numbers are shown as they are",
             where + ".unit", 1);
    return {name, 1, name};
  }

  void report(const std::string& where, const SpeedscopeProfile& profile) {
    const auto tell = [&](const Fault& fault, std::string_view list, const char* id,
                          Severity severity, const char* what) {
      if (fault.count > 0)
        add_note(id, severity, what,
                 where + "." + std::string(list) + "[" + std::to_string(fault.first) + "]",
                 fault.count);
    };
    tell(profile.bad_samples, "samples", "bad-sample", Severity::medium,
         "samples are no lists of frames; they were left out");
    tell(profile.bad_weights, "weights", "bad-weight", Severity::medium,
         "weights are negative or no numbers; their samples were left out");
    if (!profile.has_weights && !profile.samples.empty() && profile.type != "evented") {
      add_note("no-weights", Severity::medium, "samples have no weights; each counts as one", where,
               profile.samples.size());
    } else if (profile.unpaired > 0) {
      add_note("weights-length", Severity::medium,
               "there are not as many weights as samples; what has no partner was left out", where,
               profile.unpaired);
    }
    tell(profile.bad_events, "events", "bad-event", Severity::low,
         "events have no time, or neither open nor close a frame; they were left out");
    tell(profile.late_events, "events", "unsorted-events", Severity::medium,
         "events are earlier than the event before them; events were put in the order of their "
         "times");
    tell(profile.unmatched_closes, "events", "unbalanced-events", Severity::medium,
         "events close a frame that is not open; they were left out");
    tell(profile.early_closes, "events", "unbalanced-events", Severity::medium,
         "events close a frame while frames it called are open; those were closed with it");
    if (profile.left_open > 0) {
      add_note("open-frames", Severity::low, "frames are never closed; they were closed at the end",
               where + ".events", profile.left_open);
    }
    std::size_t unknown = 0;
    for (const std::uint32_t frame : profile.stacks.frames())
      unknown += frame >= file_.frames().frames().size() ? 1 : 0;
    if (unknown > 0 && !file_.frames().frames().empty()) {
      add_note(
          "unknown-frame", Severity::medium,
          "stacks name frames that the file does not have; they are called \"(frame not in the "
          "file)\"",
          where, unknown);
    }
  }

  FileNode& file_;
};

bool recognises_speedscope(const Head& head) {
  const nlohmann::json& sample = head.sample();
  if (!sample.is_object()) return false;
  if (holds(sample, "$schema") && sample["$schema"].is_string() &&
      sample["$schema"].get<std::string>().find("speedscope") != std::string::npos)
    return true;
  if (holds(sample, "shared") && sample["shared"].is_object() && holds(sample["shared"], "frames"))
    return true;
  if (!holds(sample, "profiles") || !sample["profiles"].is_array() || sample["profiles"].empty())
    return false;
  const nlohmann::json& first = sample["profiles"][0];
  return first.is_object() && holds(first, "type") &&
         (first["type"] == "sampled" || first["type"] == "evented");
}

std::unique_ptr<Reader> open_speedscope(Run& run, const std::string& path) {
  return std::make_unique<SpeedscopeReader>(run, path, std::make_unique<FileNode>(*run.names));
}

}  // namespace

const Format speedscope_format{"speedscope", "a speedscope profile", false,
                               true,         recognises_speedscope,  open_speedscope};

}  // namespace crema::read
