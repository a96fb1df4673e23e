#include "core/session/opening.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/facts/processor.hpp"

namespace crema {

namespace {

// Detection looks at this much first, and at up to so much when that did not decide (a long unknown first member).
constexpr std::size_t first_look = 64UL << 10U;
constexpr std::size_t last_look = 1UL << 20U;

std::string_view directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view name_in(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

const Format* recognise(const Head& head) {
  const auto& all = formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Format& f) { return f.recognises(head); });
  return found == all.end() ? nullptr : &*found;
}

bool is_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) < 0x09; });
}

/// One doubt for all files of a run that were not recognised: a folder may hold a hundred plots.
void gather_not_recognised(Run& run) {
  const auto is_one = [](const Doubt& d) { return d.id == "not-recognised"; };
  const auto count = std::count_if(run.doubts.begin(), run.doubts.end(), is_one);
  if (count < 2) return;
  constexpr std::size_t most_named = 12;
  std::string names;
  std::size_t named = 0;
  for (const Doubt& doubt : run.doubts) {
    if (!is_one(doubt) || ++named > most_named) continue;
    names += (names.empty() ? "" : ", ") + std::string(name_in(doubt.file));
  }
  if (named > most_named) names += ", …";
  std::erase_if(run.doubts, is_one);
  run.doubts.push_back({"not-recognised",
                        Severity::low,
                        {},
                        Error::no_offset,
                        {},
                        std::to_string(count) + " files are of no format Crema knows and were left out: " + names,
                        static_cast<std::size_t>(count)});
}

/// Hosts of workers that no scheduler info names: the host of their address.
void complete_hosts(Run& run) {
  for (std::size_t i = 0; i < run.workers.size(); ++i) {
    if (run.workers.host[i] != no_string) continue;
    const std::string_view address = run.text(run.workers.address[i]);
    const auto scheme = address.find("://");
    const auto port = address.rfind(':');
    if (scheme == std::string_view::npos || port <= scheme + 2) continue;
    run.workers.host[i] = run.names->strings.intern(address.substr(scheme + 3, port - scheme - 3));
  }
}

/// "metrics" of "a/metrics.json.gz": what the ending says, the format says too.
std::string stem_of(std::string_view path) {
  std::string_view name = name_in(path);
  for (const std::string_view ending : {".gz", ".json", ".html", ".txt", ".folded"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  return std::string(name);
}

/// A run of loose files has no folder to be named after, and roastcoffea calls all of them metrics.json: the processor then
/// says more.
void name_after_processor(Run& run) {
  if (run.title != "metrics") return;
  const StringId prefix = facts::find_processor(run, {}).prefix;
  const std::string_view name = prefix == no_string ? std::string_view{} : run.text(prefix);
  // a class's name; Dask's own prefixes ("automatic_retries") are written small
  if (!name.empty() && name.front() >= 'A' && name.front() <= 'Z') run.title = std::string(name);
}

}  // namespace

void OpeningFile::leave_out(const nlohmann::json& sample, bool is_binary) {
  Doubt doubt{"not-recognised", Severity::low, path, Error::no_offset, {}, {}, 1};
  if (head.empty()) {
    doubt.id = "empty-file";
    doubt.offset = 0;
    doubt.message = describe(ErrorCode::empty_file);
  } else if (is_binary) {
    doubt.message = "its contents were not recognised (a binary file)";
  } else if (const auto error = json_error(head); sample.is_structured() && error) {
    doubt.id = error->code == ErrorCode::truncated ? "cut-off" : "broken-json";
    doubt.offset = error->offset;
    doubt.message = std::string(describe(error->code)) + (error->detail.empty() ? "" : " (" + error->detail + ")") +
                    "; what stands before it was not recognised";
  } else {
    doubt.message = sample.is_structured() ? "its contents were not recognised (JSON, but of something else)"
                                           : "its contents were not recognised (not JSON, not a text Crema knows)";
  }
  run->doubts.push_back(std::move(doubt));
}

void OpeningFile::decide(bool complete) {
  // HTML, images and the like need no JSON look.
  const bool is_binary = !is_text(head.substr(0, 512));
  const Head seen{path, head, complete, is_binary ? nlohmann::json(nlohmann::json::value_t::discarded) : sample_json(head)};
  format = recognise(seen);
  if (format == nullptr && !complete && seen.sample.is_structured() && head.size() < last_look) return;
  undecided = false;
  if (format != nullptr) {
    reader = format->open(*run, path);
    reader->push(head);
  } else {
    leave_out(seen.sample, is_binary);
  }
  head.clear();
  head.shrink_to_fit();
}

void OpeningFile::give_up(const std::string& why) {
  reader.reset();
  undecided = false;
  head.clear();
  run->doubt("reader-failed", Severity::high, "reading stopped: " + why, path, {}, received);
}

void OpeningFile::run_out() {
  reader.reset();  // it writes to the run
  run = std::make_unique<Run>(run->names);
  format = nullptr;  // nothing of it is left that could make a run
  give_up("there is no more memory for it. Close other runs, or open the run without this file or with a part of its workers");
}

void OpeningFile::push(std::span<const char> bytes) {
  received += bytes.size();
  if (reader) {
    reader->push(bytes);
  } else if (undecided) {
    // Looks are taken at fixed lengths, so that what is recognised does not depend on the pieces.
    while (!bytes.empty() && undecided) {
      const std::size_t next_look = head.size() < first_look ? first_look : last_look;
      const std::size_t more = std::min(bytes.size(), next_look - head.size());
      head.append(bytes.data(), more);
      bytes = bytes.subspan(more);
      if (head.size() == next_look) decide(false);
    }
    if (reader && !bytes.empty()) reader->push(bytes);
  }
}

void OpeningFile::finish() {
  if (finished) return;
  finished = true;
  if (undecided) decide(true);
  if (reader) reader->finish();
  reader.reset();
  run->sources.push_back({path, received, format == nullptr ? "" : std::string(format->id), run->schema});
}

std::vector<std::unique_ptr<Run>> group_into_runs(std::deque<OpeningFile>& files, const std::shared_ptr<Names>& names,
                                                  std::vector<Doubt>& doubts) {
  const auto makes_a_run = [](const OpeningFile& f) { return f.format != nullptr && f.format->makes_a_run; };

  // Directories that are runs: those with a metrics file; where none is above or beside, the topmost folder with anything to show.
  std::set<std::string, std::less<>> homes;
  for (const OpeningFile& file : files) {
    if (file.format != nullptr && file.format->id == "metrics") homes.insert(std::string(directory_of(file.path)));
  }
  const auto home_of = [&](std::string_view path) -> const std::string* {
    for (std::string_view dir = directory_of(path);; dir = directory_of(dir)) {
      if (const auto found = homes.find(dir); found != homes.end()) return &*found;
      if (dir.empty()) return nullptr;
    }
  };
  std::vector<std::string> others;
  for (const OpeningFile& file : files) {
    if (makes_a_run(file) && home_of(file.path) == nullptr) others.emplace_back(directory_of(file.path));
  }
  std::sort(others.begin(), others.end());  // a folder before its subfolders, which then join it
  for (const std::string& dir : others) {
    if (home_of(dir + "/") == nullptr) homes.insert(dir);
  }

  struct Group {
    std::unique_ptr<Run> run;
    std::set<std::string_view> kinds;  // once-per-run formats seen
  };
  std::map<std::string, std::vector<Group>, std::less<>> groups;
  std::vector<std::pair<const std::string*, std::size_t>> order;
  for (OpeningFile& file : files) {
    const std::string* home = home_of(file.path);
    if (home == nullptr) {
      std::move(file.run->doubts.begin(), file.run->doubts.end(), std::back_inserter(doubts));
      if (file.format != nullptr) {
        doubts.push_back(
            {"no-run",
             Severity::low,
             file.path,
             Error::no_offset,
             {},
             "this is " + std::string(file.format->label) + ", but there are no metrics or profiles it could belong to",
             1});
      }
      continue;
    }
    std::vector<Group>& here = groups[*home];
    const bool again =
        !here.empty() && file.format != nullptr && file.format->once_per_run && here.back().kinds.contains(file.format->id);
    if (here.empty() || again) {
      here.emplace_back();
      Run& run = *(here.back().run = std::make_unique<Run>(names));
      run.title = home->empty() || here.size() > 1 ? stem_of(file.path) : std::string(name_in(*home));
      order.emplace_back(&groups.find(*home)->first, here.size() - 1);
      if (again && !home->empty()) {
        run.doubt("second-of-its-kind", Severity::medium,
                  "the folder holds more than one file of " + std::string(file.format->label) +
                      "; this one was opened as a run of its own",
                  file.path);
      }
    }
    Group& group = here.back();
    if (file.format != nullptr && file.format->once_per_run) group.kinds.insert(file.format->id);
    if (file.format != nullptr && file.format->id == "metrics" && home->empty()) group.run->title = stem_of(file.path);
    join(*group.run, std::move(*file.run));
  }

  std::vector<std::unique_ptr<Run>> runs;
  runs.reserve(order.size());
  for (const auto& [home, index] : order) {
    std::unique_ptr<Run>& run = runs.emplace_back(std::move(groups.find(*home)->second[index].run));
    gather_not_recognised(*run);
    complete_hosts(*run);
    if (home->empty()) name_after_processor(*run);
  }
  return runs;
}

}  // namespace crema
