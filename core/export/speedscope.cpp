#include "core/export/export.hpp"

namespace crema::exports {

namespace {

/// The frames of the file in order of first use: speedscope takes the index for the identity.
class FrameList {
 public:
  std::size_t index_of(const ExportedTree& of, FrameId frame) {
    index_.resize(of.of->facts->size(), unused);
    if (index_[frame] == unused) {
      std::string text = "{\"name\":" + json_text(of.name(frame));
      if (const std::string file = of.file(frame); !file.empty())
        text += ",\"file\":" + json_text(file);
      if (of.line(frame) > 0) text += ",\"line\":" + std::to_string(of.line(frame));
      index_[frame] = append(text + "}");
    }
    return index_[frame];
  }

  std::size_t unresolved() {
    if (unresolved_ == unused)
      unresolved_ = append("{\"name\":" + json_text(unresolved_label) + "}");
    return unresolved_;
  }

  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t unused = ~std::size_t{0};

  std::size_t append(const std::string& frame) {
    if (size_ > 0) text_ += ',';
    text_ += frame;
    return size_++;
  }

  std::vector<std::size_t> index_;
  std::size_t unresolved_ = unused;
  std::string text_;
  std::size_t size_ = 0;
};

void write_profile(std::string& out, const Profile& profile, const ExportedTree& of,
                   FrameList& frames) {
  const SampleTime time = sample_time(profile);
  const std::string own_unit = profile.trees.empty() ? "samples" : profile.trees.front()->unit;
  const double scale = time.is_recorded() ? time.seconds : 1;
  const std::string_view unit = time.is_recorded() || own_unit == "s" ? "seconds"
                                : own_unit == "byte"                  ? "bytes"
                                                                      : "none";

  std::string samples;
  std::string weights;
  double end = 0;
  for_each_stack(of.tree(), *of.of->facts,
                 [&](const std::vector<FrameId>& stack, double weight, bool is_unresolved, NodeId) {
                   samples += samples.empty() ? "[" : ",[";
                   for (const FrameId frame : stack) {
                     samples += std::to_string(frames.index_of(of, frame));
                     samples += ',';
                   }
                   if (is_unresolved) {
                     samples += std::to_string(frames.unresolved());
                   } else if (!stack.empty()) {
                     samples.pop_back();
                   }
                   samples += ']';
                   if (!weights.empty()) weights += ',';
                   weights += number_text(weight * scale);
                   end += weight * scale;
                 });
  out += "{\"type\":\"sampled\",\"name\":" + json_text(title_of(profile)) + ",\"unit\":\"" +
         std::string(unit) + "\",\"startValue\":0,\"endValue\":" + number_text(end) +
         ",\"samples\":[" + samples + "],\"weights\":[" + weights + "]}";
}

/// The sum, then what it is made of (nothing more when that is one tree).
std::vector<const Profile*> sum_and_parts(const Profiles& profiles) {
  const Profile& all = profiles.list.front();
  std::vector<const Profile*> chosen{&all};
  if (all.trees.size() < 2) return chosen;
  for (const Profile& one : profiles.list) {
    if (one.counted) chosen.push_back(&one);
  }
  return chosen;
}

constexpr Option merged_option{
    .name = "merged", .type = Option::Type::flag, .about = "only the sum of all profiles"};

std::vector<Artefact> write_speedscope(const Run& run, const Selection& selection,
                                       const Options& options) {
  const Profiles profiles = profiles_of(run, selection);
  const Profile* const named = named_profile(run, profiles, options);
  const bool together = options.flag(merged_option);
  const std::vector<const Profile*> chosen =
      named != nullptr ? std::vector<const Profile*>{named}
      : together       ? std::vector<const Profile*>{&profiles.list.front()}
                       : sum_and_parts(profiles);
  FrameList frames;
  std::string written;
  for (const Profile* profile : chosen) {
    if (!written.empty()) written += ",\n";
    write_profile(written, *profile, exported_tree(run, *profile, options), frames);
  }
  const std::string title = run.title.empty() ? "run" : run.title;
  std::string file =
      "{\"$schema\":\"https://www.speedscope.app/"
      "file-format-schema.json\",\"exporter\":\"crema@0.1.0\",\"name\":" +
      json_text(title) + ",\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[" + frames.text() +
      "]},\n\"profiles\":[" + written + "]}\n";
  return {{as_file_name(title) + ".speedscope.json", std::move(file)}};
}

}  // namespace

const Writer speedscope_writer{
    "speedscope",
    write_speedscope,
    {&profile::profile_option, &worker_option, &key_option, &profile::leaves_option,
     &profile::transform_option, &hide_paths_option, &merged_option}};

}  // namespace crema::exports
