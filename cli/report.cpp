#include "cli/report.hpp"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>

#include "cli/bundle.hpp"
#include "cli/enclosed.hpp"
#include "cli/unpack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/export/export.hpp"

namespace crema::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view marker = "<!--crema-report-->";

// A browser holds no text of more than half a gigabyte.
constexpr std::size_t largest = 400'000'000;

fs::path program_folder() {
#ifdef __APPLE__
  char name[4096];
  std::uint32_t size = sizeof name;
  if (_NSGetExecutablePath(name, &size) == 0) return fs::canonical(name).parent_path();
  return {};
#else
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
#endif
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= count ? digits[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return out;
}

/// JSON that does not end the script it stands in.
std::string script_json(const std::string& text) {
  std::string out = json_text(text);
  for (std::size_t at = out.find('<'); at != std::string::npos; at = out.find('<', at))
    out.replace(at, 1, "\\u003c");
  return out;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
  std::string out;
  for (const char c : text) {
    if (plain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return out;
}

/// The link to `selection`, in the form of web/state/permalink.ts.
std::string link_to(const Selection& selection,
                    const std::function<std::string(const std::string&)>& shown) {
  std::string link = "#v=2";
  if (selection.time)
    link +=
        "&select=" + number_text(selection.time->begin) + ":" + number_text(selection.time->end);
  const auto add = [&](std::string_view member, const std::vector<std::string>& names) {
    for (const std::string& name : names)
      link.append("&").append(member).append("=").append(percent_encoded(shown(name)));
  };
  add("dataset", selection.datasets);
  add("file", selection.files);
  add("host", selection.hosts);
  add("worker", selection.workers);
  add("prefix", selection.prefixes);
  return link;
}

class Learner : public FileTaker {
 public:
  Learner(const Report& report, exports::NameHider& hider) : report_(report), hider_(hider) {}
  void begin(SourceId source, const std::string& path, std::uint64_t) override {
    wanted_ = report_.files.count({source, path}) > 0;
  }
  bool push(std::string_view piece) override {
    if (wanted_) hider_.learn(piece);
    return wanted_;
  }
  void end() override {
    if (wanted_) hider_.end_file();
  }

 private:
  const Report& report_;
  exports::NameHider& hider_;
  bool wanted_ = false;
};

/// The last `count` names of `path`.
std::string last_names(const std::string& path, std::size_t count) {
  std::size_t begin = path.size();
  for (; count > 0 && begin != std::string::npos && begin > 0; --count)
    begin = path.rfind('/', begin - 1);
  return begin == std::string::npos ? path : path.substr(std::min(begin + 1, path.size()));
}

class Packer : public FileTaker {
 public:
  Packer(const Report& report, exports::NameHider* hider) : report_(report), hider_(hider) {}

  SourceId begin_single_files(const std::string& name) override {
    const SourceId source = begin_source(name, {});
    sources_.insert(sources_.size() - 1, ",\"single\":true");
    return source;
  }
  SourceId begin_source(const std::string& name, std::optional<SourceId> parent) override {
    // what is around the bundles on this machine is nobody's business but where it tells them apart
    const std::string shown_name = shown(parent ? name : last_names(name, report_.folders));
    sources_.append(sources_.empty() ? "{" : ",{")
        .append("\"name\":")
        .append(script_json(shown_name));
    if (parent) sources_.append(",\"parent\":").append(std::to_string(*parent));
    sources_ += '}';
    return FileTaker::begin_source(name, parent);
  }
  void begin(SourceId source, const std::string& path, std::uint64_t) override {
    gzip_.reset();
    if (report_.files.count({source, path}) == 0) return;
    files_.append(files_.empty() ? "{" : ",{").append("\"source\":").append(std::to_string(source));
    files_.append(",\"path\":").append(script_json(shown(path))).append(",\"data\":\"");
    gzip_ = std::make_unique<Gzip>();
  }
  bool push(std::string_view piece) override {
    if (gzip_)
      gzip_->push(hider_ != nullptr ? std::string_view(hidden_ = hider_->hide(piece)) : piece);
    return gzip_ != nullptr;
  }
  void end() override {
    if (!gzip_) return;
    if (hider_ != nullptr) gzip_->push(hider_->end_hiding());
    files_ += base64(gzip_->finish()) + "\"}";
    if (files_.size() > largest)
      refuse("the report", "it would be larger than " + std::to_string(largest / 1'000'000) +
                               " MB, which browsers do not open");
  }

  std::string shown(const std::string& text) {
    if (hider_ == nullptr) return text;
    const std::string begun = hider_->hide(text);
    return begun + hider_->end_hiding();
  }
  const std::string& files() const { return files_; }
  const std::string& sources() const { return sources_; }

 private:
  const Report& report_;
  exports::NameHider* hider_;
  std::string hidden_;
  std::unique_ptr<Gzip> gzip_;
  std::string files_;
  std::string sources_;
};

}  // namespace

std::string find_page(const std::string& named) {
  const char* environment = std::getenv("CREMA_PAGE");
  if (!named.empty()) return named;
  if (environment != nullptr && *environment != '\0') return environment;
  const fs::path beside = program_folder() / "crema.html";
  const fs::path shared = program_folder() / "../share/crema/crema.html";
  for (const fs::path& page : {beside, shared}) {
    if (fs::exists(page)) return page.lexically_normal().string();
  }
  refuse(beside.string(),
         "the page that the report fills is neither here nor at " +
             shared.lexically_normal().string() +
             "; build it with npm run build, or name it with --page or CREMA_PAGE");
}

Report report_of(const Session& session, const std::vector<std::string>& bundles) {
  Report report;
  report.bundles = bundles;
  for (const RunId run : session.runs()) {
    for (const FilePlace& file : session.files(run)) report.files.insert({file.source, file.path});
    const std::string& title = session.run(run)->title;
    report.folders = std::max(
        report.folders, static_cast<std::size_t>(std::count(title.begin(), title.end(), '/')));
  }
  return report;
}

std::string report_page(const std::string& page, const Report& report) {
  std::ifstream in(page, std::ios::binary);
  if (!in) refuse(page, "it cannot be read");
  const std::string html(std::istreambuf_iterator<char>(in), {});
  const std::size_t end = html.find(marker);
  if (end == std::string::npos)
    refuse(page, "this is not the page in one file (crema.html): it has no place for a report");
  // a page that is a report already is filled anew
  std::size_t begin = end;
  const std::size_t script = html.rfind(enclosed_begin, end);
  if (script != std::string::npos && html.find(enclosed_end, script) + enclosed_end.size() == end)
    begin = script;

  std::optional<exports::NameHider> hider;
  if (report.hide) {
    hider.emplace(*report.hide);
    Learner learner(report, *hider);
    read_bundles(report.bundles, learner);
  }
  Packer packer(report, hider ? &*hider : nullptr);
  read_bundles(report.bundles, packer);
  const std::string link =
      link_to(report.selection, [&](const std::string& name) { return packer.shown(name); }) +
      (report.view.empty() ? "" : "&view=" + report.view);
  return html.substr(0, begin) + std::string(enclosed_begin) +
         "{\"version\":1,\"hash\":" + script_json(link) + ",\"sources\":[" + packer.sources() +
         "],\"files\":[" + packer.files() + "]}" + std::string(enclosed_end) + html.substr(end);
}

}  // namespace crema::cli
