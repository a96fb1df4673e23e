#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/model/run.hpp"

namespace crema::read {

/// How often something is wrong in a list, and where first.
struct Fault {
  std::size_t count = 0;
  std::size_t first = 0;
  void at(std::size_t index) {
    if (count++ == 0) first = index;
  }
};

/// What detection sees of a file: its beginning.
class Head {
 public:
  Head(std::string_view shown_path, std::string_view beginning, bool is_whole, bool binary)
      : path(shown_path), bytes(beginning), complete(is_whole), is_binary(binary) {}

  const std::string_view path;
  const std::string_view bytes;
  const bool complete;   ///< `bytes` is the whole file
  const bool is_binary;  ///< it is no text, so no JSON

  /// `bytes` as a small JSON document (four levels deep, few members per level, long strings cut),
  /// or a discarded value when the file is not JSON. It is made when it is first asked for.
  const nlohmann::json& sample() const;

 private:
  mutable std::optional<nlohmann::json> sample_;
};

/// Reads one file, given in pieces, into a Run of its own.
class Reader {
 public:
  virtual ~Reader() = default;
  /// The next bytes of the file, in any cut.
  virtual void push(std::span<const char> bytes) = 0;
  /// The file has ended. What was wrong is in the run's data notes by now.
  virtual void finish() = 0;
  /// Whether what follows could still be used; false once the file is broken beyond repair.
  virtual bool wants_more() const { return true; }
  /// The path of the value that is being read, "" where the format has none.
  virtual std::string where() const { return {}; }
};

/// An input format: one file in core/read, one line in the list.
struct Format {
  std::string_view id;     ///< "metrics", "profiles", ...
  std::string_view label;  ///< for people: "roastcoffea metrics"
  bool once_per_run;       ///< a second one starts another run
  bool makes_a_run;        ///< holds something to show on its own
  bool (*recognises)(const Head& head);
  std::unique_ptr<Reader> (*open)(Run& run, const std::string& path);
  bool one_of_many = false;  ///< a folder holds many, each a run that is called by its file
};

/// `Format::open` of a format with a Reader of its own.
template <class Own>
std::unique_ptr<Reader> open_reader(Run& run, const std::string& path) {
  return std::make_unique<Own>(run, path);
}

/// All input formats, most specific first; the first that recognises a file reads it.
const std::vector<Format>& formats();

/// Whether a JSON value is an object with that key.
bool holds(const nlohmann::json& value, const char* key);
/// What an object has under that key; null where there is none. (nlohmann's own look-ups are
/// compiled anew for each length of a literal.)
const nlohmann::json& member_of(const nlohmann::json& value, const char* key);

/// What is wrong with `bytes` as one whole JSON document; nothing when they are one.
std::optional<Error> json_error(std::string_view bytes);

}  // namespace crema::read
