#include "core/session/session.hpp"

#include "core/json/document.hpp"

namespace crema {

namespace {

using Json = nlohmann::json;

std::vector<std::string> texts(const Json& given, const std::string& key) {
  if (!given.is_array()) throw Failure(ErrorCode::bad_selection, key + " is not a list");
  std::vector<std::string> list;
  for (const Json& item : given) {
    if (!item.is_string())
      throw Failure(ErrorCode::bad_selection, key + " holds something that is no text");
    list.push_back(item.get<std::string>());
  }
  return list;
}

double number(const Json& value, const char* what) {
  if (!value.is_number())
    throw Failure(ErrorCode::bad_selection, std::string(what) + " is not a number");
  return value.get<double>();
}

Selection parse_selection(const Json& given) {
  Selection selection;
  if (!given.is_object()) throw Failure(ErrorCode::bad_selection, "it is not an object");
  for (const auto& [key, value] : given.items()) {
    if (key == "time") {
      if (value.is_null()) continue;
      if (!value.is_array() || value.size() != 2)
        throw Failure(ErrorCode::bad_selection, "time is not [begin, end]");
      constexpr double open = std::numeric_limits<double>::infinity();
      const double begin = value[0].is_null() ? -open : number(value[0], "time");
      const double end = value[1].is_null() ? open : number(value[1], "time");
      if (!(begin <= end)) throw Failure(ErrorCode::bad_selection, "time ends before it begins");
      selection.time = Selection::TimeRange{begin, end};
    } else if (key == "ranges") {
      if (!value.is_array()) throw Failure(ErrorCode::bad_selection, "ranges is not a list");
      for (const Json& range : value) {
        if (!range.is_object() || !range.contains("column") || !range["column"].is_string() ||
            !range.contains("lo") || !range.contains("hi")) {
          throw Failure(ErrorCode::bad_selection, "a range needs column, lo and hi");
        }
        selection.ranges.push_back({range["column"].get<std::string>(), number(range["lo"], "lo"),
                                    number(range["hi"], "hi")});
      }
    } else {
      const auto names = std::find_if(
          Selection::all_names.begin(), Selection::all_names.end(),
          [&name = key](const Selection::Names& one) { return one.dimension == name; });
      if (names == Selection::all_names.end())
        throw Failure(ErrorCode::bad_selection, "by " + not_among(key, Selection::dimension_names));
      selection.*names->list = texts(value, key);
    }
  }
  return selection;
}

}  // namespace

Request parse_request(std::string_view text) {
  const auto [given, error] = json::build_document(text);
  if (error || !given.is_object() || !given.contains("question") ||
      !given["question"].is_string()) {
    throw Failure(ErrorCode::unknown_question, "a request is an object with a \"question\"");
  }
  Request request;
  request.question = given["question"].get<std::string>();
  if (given.contains("runs")) {
    if (!given["runs"].is_array())
      throw Failure(ErrorCode::unknown_run, "runs is not a list of numbers");
    for (const Json& id : given["runs"]) {
      if (!id.is_number_unsigned() || id.get<std::uint64_t>() > 0xffffffffU)
        throw Failure(ErrorCode::unknown_run, json_of(id));
      request.runs.push_back(id.get<std::uint32_t>());
    }
  }
  if (given.contains("selection")) request.selection = parse_selection(given["selection"]);
  if (given.contains("options")) {
    if (!given["options"].is_object())
      throw Failure(ErrorCode::bad_option, "options is not an object");
    std::map<std::string, std::string> values;
    for (const auto& [key, value] : given["options"].items())
      values[key] = value.is_string() ? value.get<std::string>() : json_of(value);
    request.options = Options(std::move(values));
  }
  return request;
}

}  // namespace crema
