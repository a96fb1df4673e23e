// speedscope JSON (https://www.speedscope.app/file-format-schema.json): `{shared: {frames},
// profiles: [sampled or evented]}`. Where the real viewer refuses a file, hangs or shows a blank
// page, what can be read is read and a data note tells what was wrong.
#include "core/json/nodes.hpp"
#include "core/read/frame_label.hpp"
#include "core/read/imports.hpp"
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

  /// Frames that differ by their line alone become one function.
  void join_lines() {
    FrameTable& table = names_.frames;
    for (FrameId& frame : frames_) {
      const std::uint32_t line = table.first_line[frame];
      frame = table.intern(table.name[frame], table.file[frame], 0);
      if (table.line_seen[frame] == 0) table.line_seen[frame] = line;
    }
  }

  FrameId unnamed() {
    return names_.frames.intern(names_.strings.intern("(no name)"), names_.strings.intern(""), 0);
  }

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
      StringPool& strings = owner_.names_.strings;
      owner_.frames_.back() =
          owner_.names_.frames.intern(strings.intern(name_), strings.intern(file_), as_line(line_));
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

  Names& names_;
  std::vector<FrameId> frames_;
  std::size_t named_ = 0;
  FrameNode frame_{*this};
};

class WeightNodes : public json::Node {
 public:
  void of(StackProfile& profile) { weight_.profile = &profile; }
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
    StackProfile* profile = nullptr;
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
  void of(StackProfile& profile) { event_.profile = &profile; }
  bool begin_array() override { return true; }
  json::Node* element(std::size_t index) override {
    event_.index = index;
    return &event_;
  }
  std::string_view expects() const override { return "a list of events"; }

 private:
  struct Event : json::Node {
    StackProfile* profile = nullptr;
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
      else profile->events.push_back({at, StackProfile::index_of(frame), type == "O"});
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
  std::vector<StackProfile>& profiles() { return profiles_; }

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
      StackProfile& profile = owner_.profiles_.back();
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

  std::vector<StackProfile> profiles_;
  ProfileNode profile_{*this};
};

class FileNode : public json::Node {
 public:
  explicit FileNode(Names& names) : shared_(names) {}
  bool begin_object() override { return true; }
  json::Node* member(std::string_view key) override {
    if (key == "shared") return &shared_;
    if (key == "profiles") return &profiles_;
    if (key == "exporter") return &text_.at(&exporter_);
    return nullptr;
  }
  std::string_view expects() const override { return "a speedscope file"; }

  /// Whether a frame's line is the one that was executing, of which a function has many.
  bool has_lines_seen() const {
    return exporter_.starts_with("py-spy") || exporter_.starts_with("Austin");
  }

  FrameNodes& frames() { return shared_.frames; }
  std::vector<StackProfile>& profiles() { return profiles_.profiles(); }

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
  std::string exporter_;
  json::TextInto text_;
};

class SpeedscopeReader : public JsonReader {
 public:
  SpeedscopeReader(Run& run, const std::string& path, std::unique_ptr<FileNode> root)
      : JsonReader(run, path, std::move(root)), file_(static_cast<FileNode&>(this->root())) {}

  void finished() override {
    FrameNodes& frames = file_.frames();
    if (frames.nameless() > 0) {
      imports_.note("frame-without-name", Severity::low,
                    "frames have no name; they are called \"(no name)\"", "shared.frames",
                    frames.nameless());
    }
    if (file_.has_lines_seen()) frames.join_lines();
    if (file_.profiles().empty())
      imports_.note("empty-profile", Severity::medium, "the file holds no profile", "profiles", 1);
    for (std::size_t i = 0; i < file_.profiles().size(); ++i) {
      StackProfile& profile = file_.profiles()[i];
      const std::string where = "profiles[" + std::to_string(i) + "]";
      if (profile.name.empty()) profile.name = "profile " + std::to_string(i + 1);
      if (profile.type != "sampled" && profile.type != "evented" && profile.samples.empty() &&
          profile.events.empty()) {
        imports_.note("unknown-profile-type", Severity::medium,
                      "a profile is of the unknown type \"" + profile.type + "\" and was left out",
                      where, 1);
      } else if (frames.frames().empty() &&
                 (profile.stacks.size() > 1 || !profile.events.empty())) {
        imports_.note("no-frames", Severity::high,
                      "the file has no list of frames, so its stacks have no meaning; they were "
                      "left out",
                      where, 1);
      } else {
        imports_.add(profile, frames.frames(), where);
      }
    }
    file_.profiles().clear();
  }

 private:
  FileNode& file_;
  Imports imports_{run(), path()};
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
