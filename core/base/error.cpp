#include "core/base/error.hpp"

#include <exception>
#include <new>

namespace crema {

std::string_view describe(ErrorCode code) {
  switch (code) {
    case ErrorCode::cannot_open: return "cannot be opened";
    case ErrorCode::empty_file: return "the file is empty";
    case ErrorCode::not_json: return "this is not valid JSON";
    case ErrorCode::truncated: return "the file is cut off";
    case ErrorCode::too_deep: return "the JSON is nested too deeply";
    case ErrorCode::bad_utf8: return "the text is not valid UTF-8";
    case ErrorCode::nothing_to_show: return "nothing here can be shown";
    case ErrorCode::unknown_question: return "there is no such question";
    case ErrorCode::unknown_format: return "there is no such export format";
    case ErrorCode::unknown_option: return "there is no such option";
    case ErrorCode::bad_option: return "the option's value cannot be used";
    case ErrorCode::bad_selection: return "the selection cannot be used";
    case ErrorCode::unknown_run: return "there is no such run";
    case ErrorCode::wrong_run_count: return "the number of runs does not fit the question";
    case ErrorCode::out_of_memory:
      return "there is not enough memory for this; close other runs, or open the run without its "
             "largest files";
    case ErrorCode::not_kept: return "it was not kept";
    case ErrorCode::nothing_to_export: return "there is nothing to export";
    case ErrorCode::internal_fault:
      return "this is a bug in Crema, not a fault of yours; please report it with this sentence "
             "and what was asked";
  }
  return "unknown error";
}

std::string Error::sentence() const {
  std::string text;
  if (!file.empty()) text += file + ": ";
  text += describe(code);
  // a detail of several lines is a list below the sentence
  if (!detail.empty()) text += (detail.front() == '\n' ? ":" : ": ") + detail;
  if (offset != no_offset) text += " at byte " + std::to_string(offset);
  if (!path.empty()) text += (offset != no_offset ? " in " : " at ") + path;
  return text;
}

Error current_error() {
  Error error;
  try {
    throw;
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::bad_alloc&) {
    error.code = ErrorCode::out_of_memory;
  } catch (const std::exception& fault) {
    error.code = ErrorCode::internal_fault;
    error.detail = fault.what();
  }
  return error;
}

}  // namespace crema
