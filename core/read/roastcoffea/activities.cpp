#include "core/read/roastcoffea/metrics.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/read/list.hpp"
#include "core/read/python_tuple.hpp"

namespace crema::read {

namespace {

// A UUID as Dask writes it, or None without the spans extension.
bool is_span_id(const PythonItem& item) {
  constexpr std::string_view pattern = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (item.kind == PythonItem::Kind::none) return true;
  return item.text.size() == pattern.size() &&
         std::equal(pattern.begin(), pattern.end(), item.text.begin(),
                    [](char p, char c) { return p == '-' ? c == '-' : is_lowercase_hex(c); });
}

bool recognises_activities(const Head& head) {
  if (!head.sample().is_object() || head.sample().empty()) return false;
  std::size_t tuples = 0;
  for (const auto& [key, value] : head.sample().items()) {
    if (!value.is_number()) return false;
    const auto items = parse_python_tuple(key);
    if (items && items->size() >= 2 && items->front().kind == PythonItem::Kind::string) ++tuples;
  }
  return tuples > 0;
}

class ActivitiesFile : public JsonDocument {
 public:
  using JsonDocument::JsonDocument;
  json::Node& root() override { return metrics_; }

 private:
  ActivitiesNode metrics_{run_, path_};
};

}  // namespace

bool add_activity(Activities& activities, StringPool& strings, std::string_view key, double value) {
  auto items = parse_python_tuple(key);
  if (!items || items->empty()) {
    activities.add(no_string, no_string, strings.intern(key), no_string, value);
    return false;
  }
  const auto id = [&](std::size_t i) {
    const PythonItem& item = (*items)[i];
    return item.kind == PythonItem::Kind::none ? no_string : strings.intern(item.text);
  };
  const std::string context = items->front().text;
  const bool has_prefix = context == "execute" || context == "p2p";
  // (context, span id, prefix, activity, unit); a p2p label may have several parts, so that there
  // the id itself must tell.
  const bool has_span = has_prefix && items->size() > 4 &&
                        ((context == "execute" && items->size() == 5) || is_span_id((*items)[1]));
  if (has_span) items->erase(items->begin() + 1);
  const std::size_t n = items->size();
  if (n == 1) {
    activities.add(no_string, no_string, id(0), no_string, value);
  } else if (!has_prefix) {
    // (context, *label, unit): a label of several parts is kept as one text.
    std::string label = n > 1 ? (*items)[1].text : std::string();
    for (std::size_t i = 2; i + 1 < n; ++i) label += ", " + (*items)[i].text;
    activities.add(id(0), no_string, strings.intern(label), n > 2 ? id(n - 1) : no_string, value);
  } else if (n == 2) {
    activities.add(id(0), no_string, id(1), no_string, value);
  } else {
    std::string label = (*items)[2].text;
    for (std::size_t i = 3; i + 1 < n; ++i) label += ", " + (*items)[i].text;
    activities.add(id(0), id(1), strings.intern(label), n > 3 ? id(n - 1) : no_string, value);
  }
  return true;
}

void ActivitiesNode::keep(std::string_view key, double value) {
  // An empty dictionary records nothing: only a value makes the run one with fine metrics.
  run_.activities_recorded = true;
  run_.activities.source = path_;
  const auto [entry, is_new] = known_.try_emplace(std::string(key), run_.activities.size());
  if (!is_new) {
    run_.activities.value[entry->second] = value;
  } else if (!add_activity(run_.activities, run_.names->strings, key, value) &&
             key.starts_with('(')) {
    run_.add_note("unparsed-key", Severity::low,
                  "the key of a fine metric could not be parsed; it is kept as text", path_, key);
  }
}

const Format activities_format{activities_about, recognises_activities,
                               open_reader<ActivitiesFile>};

}  // namespace crema::read
