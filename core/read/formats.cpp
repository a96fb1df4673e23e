#include "core/json/document.hpp"
#include "core/read/format.hpp"
#include "core/read/readers.hpp"

namespace crema::read {

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      digest_format,          metrics_format,        speedscope_format,     notebook_form_format,
      profile_slices_format,  recorded_tasks_format, task_index_format,     transitions_format,
      worker_profiles_format, profile_tree_format,   profile_map_format,    report_format,
      task_stream_format,     spans_format,          scheduler_info_format, activities_format,
      metadata_format,        start_end_time_format, dask_page_format,      pyinstrument_format,
      scalene_format,         trace_format,          pstats_format,         pprof_format,
      austin_format,          memray_table_format,   perf_script_format,    folded_format,
      nested_tree_format,     config_format,         labels_format,
  };
  return all;
}

const nlohmann::json& Head::sample() const {
  if (!sample_)
    sample_ = is_binary ? nlohmann::json(nlohmann::json::value_t::discarded)
                        : json::build_document(bytes, {4, 40, 200}).json;
  return *sample_;
}

const nlohmann::json& member_of(const nlohmann::json& value, const char* key) {
  static const nlohmann::json none;
  if (!value.is_object()) return none;
  const auto found = value.find(key);
  return found == value.end() ? none : *found;
}

bool holds(const nlohmann::json& value, const char* key) {
  return value.is_object() && value.find(key) != value.end();
}

std::optional<Error> json_error(std::string_view bytes) {
  return json::build_document(bytes).error;
}

}  // namespace crema::read
