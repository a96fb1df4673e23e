#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace crema {

/// Everything that can go wrong in the core. One sentence per value: `describe`.
enum class ErrorCode {
  cannot_open,        ///< the file is not there or cannot be read
  empty_file,         ///< the file has no bytes
  not_json,           ///< the bytes are not JSON at the given offset
  truncated,          ///< the input ends inside a value
  too_deep,           ///< nesting beyond json::max_depth
  bad_utf8,           ///< a string is not valid UTF-8
  nothing_to_show,    ///< files were read, but none of them holds metrics or a profile
  unknown_question,   ///< no question of that name
  unknown_format,     ///< no export format of that name
  unknown_option,     ///< the question has no option of that name
  bad_option,         ///< an option's value cannot be used
  bad_selection,      ///< the selection names something that cannot be selected
  unknown_run,        ///< no open run has that number
  wrong_run_count,    ///< the question takes another number of runs
  out_of_memory,      ///< there is no more memory for what was asked
  not_kept,           ///< a digest does not keep what was asked
  nothing_to_export,  ///< the run holds nothing of what the export format needs
  internal_fault,     ///< the core's own fault, whatever was asked: a bug
};

/// A sentence fragment that completes "FILE: ...".
std::string_view describe(ErrorCode code);

/// What went wrong and where: `file`, `offset` [byte, counted from 0] and `path` (JSON path) are
/// empty/absent if unknown.
struct Error {
  static constexpr std::uint64_t no_offset = ~std::uint64_t{0};

  ErrorCode code{};
  std::string detail;  ///< what was expected or found, a full clause; may be empty
  std::string file;
  std::uint64_t offset = no_offset;
  std::string path;

  /// One sentence for a person: "FILE: what is wrong (detail) at byte N in PATH".
  std::string sentence() const;
};

/// The core's only exception. It is caught in `Session` and handed out as a Result.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Error error) : std::runtime_error(error.sentence()), error_(std::move(error)) {}
  Failure(ErrorCode code, std::string detail)
      : Failure(Error{.code = code, .detail = std::move(detail), .file = {}, .path = {}}) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

/// The Error of the exception being handled: a Failure's own, `out_of_memory` of std::bad_alloc,
/// else `internal_fault`, which is a bug. Call it in a catch block.
Error current_error();

/// A value or an Error: `Session` returns it, because nothing there throws.
template <class T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  const T& value() const& { return std::get<0>(content_); }
  T& value() & { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace crema
