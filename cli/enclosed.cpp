#include "cli/enclosed.hpp"

#include <algorithm>

#include "core/base/inflate.hpp"
#include "core/json/document.hpp"

namespace crema::cli {

namespace {

/// A number in `object` below `limit`.
std::optional<SourceId> number(const nlohmann::json& object, const char* key, std::size_t limit) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() >= limit)
    return std::nullopt;
  return found->get<SourceId>();
}

std::string text(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The sources of a report, in the order in which they were begun; older reports name none.
std::vector<OpeningSource> sources_of(const nlohmann::json& report) {
  std::vector<OpeningSource> sources;
  if (const auto list = report.find("sources"); list != report.end() && list->is_array()) {
    for (const nlohmann::json& one : *list) {
      const auto parent = one.is_object() ? number(one, "parent", sources.size()) : std::nullopt;
      const bool single =
          one.is_object() && one.value("single", nlohmann::json()) == nlohmann::json(true);
      sources.push_back({one.is_object() ? text(one, "name") : std::string(), parent, single});
    }
  }
  if (sources.empty()) sources.emplace_back();
  return sources;
}

}  // namespace

std::optional<Enclosed> enclosed_in(std::string_view page) {
  const std::size_t tag = page.find(enclosed_begin);
  if (tag == std::string_view::npos) return std::nullopt;
  const std::size_t begin = tag + enclosed_begin.size();
  const std::size_t end = std::min(page.find(enclosed_end, begin), page.size());
  const auto [report, error] = json::build_document(page.substr(begin, end - begin));
  Enclosed enclosed{{}, {}, {}};
  if (error)
    enclosed.damage = "the report is damaged or cut off at byte " +
                      std::to_string(begin + error->offset) + ": that part is missing";
  if (!report.is_object() || !report.contains("files") || !report["files"].is_array())
    refuse("the report", error ? enclosed.damage : "it holds no list of files");
  enclosed.sources = sources_of(report);
  for (const nlohmann::json& one : report["files"]) {
    if (!one.is_object() || !one.contains("data")) continue;
    const SourceId source = number(one, "source", enclosed.sources.size()).value_or(0);
    enclosed.files.push_back({{source, text(one, "path")}, decode_base64(text(one, "data"))});
  }
  if (enclosed.files.empty()) refuse("the report", error ? enclosed.damage : "it holds no files");
  return enclosed;
}

std::vector<SourceId> begin_sources(FileTaker& taker, const Enclosed& enclosed) {
  std::vector<SourceId> ids;
  for (const OpeningSource& source : enclosed.sources) {
    const auto parent = source.parent ? std::optional(ids.at(*source.parent)) : std::nullopt;
    ids.push_back(source.one_by_one ? taker.begin_single_files(source.name)
                                    : taker.begin_source(source.name, parent));
  }
  return ids;
}

}  // namespace crema::cli
