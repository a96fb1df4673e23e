#pragma once

#include <optional>
#include <string>

#include "core/session/session.hpp"

namespace crema::cli {

/// A recording that is read again and again while `crema.record` writes it. Parts that it has read
/// are not read again.
class Followed {
 public:
  /// `folder`: that the recording is saved in. While it holds an older one, the new one grows
  /// beside it (docs/record.md), and is followed there.
  explicit Followed(std::string folder) : folder_(std::move(folder)) {}

  /// Reads what has come; false where there is nothing yet. Throws Failure where the folder cannot
  /// be read.
  bool update();

  /// The run as it is now; after an `update` that was true.
  RunId run() const { return *run_; }
  const Session& session() const { return session_; }
  /// [s] since the index was written last.
  double age() const;

 private:
  std::string folder_;
  std::string read_;  ///< the folder that the index was found in
  Session session_;
  std::optional<RunId> run_;
};

}  // namespace crema::cli
