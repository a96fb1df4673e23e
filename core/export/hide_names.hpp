#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crema::exports {

/// Rewrites the files of a bundle so that they name no user and show no folder below a user's home,
/// alike in all files:
///
///     /home/jdoe/secret/x.py                              -> /home/user1/folder1/x.py
///     root://host//store/user/jdoe/run3/nano.root         ->
///     root://host//store/user/user1/folder2/nano.root
///     /home/jdoe/env/lib/python3.11/site-packages/dask/y  ->
///     /home/user1/folder3/lib/python3.11/site-packages/dask/y "owner": "jdoe" -> "owner": "user1"
///
/// Users are those whose homes occur (`/home/U`, `/Users/U`, `/user/U`, `/user/u/U`, `/work/u/U`,
/// …); accounts that name no person (root, jovyan, …) stay. What follows `lib/pythonX`,
/// `site-packages`, `src` or a Dask worker's scratch folder stays: it tells one code from another.
/// It works on text of any format, JSON's escapes included, but not on what is packed within. The
/// files stay readable whatever the users are called: numbers, keys that are plain words (the
/// fields of a format) and the words that formats write as values are left as they are.
///
/// First all files are shown to `learn`, each piece by piece and ended by `end_file`; then they are
/// given to `hide` in the same manner, whose returns, with that of `end_hiding`, are the new file.
class NameHider {
 public:
  /// `also`: further words to hide wherever they stand alone, in keys as well.
  explicit NameHider(std::vector<std::string> also = {});

  void learn(std::string_view piece);
  void end_file();

  std::string hide(std::string_view piece);
  std::string end_hiding();

 private:
  std::string_view complete_part(std::string_view piece);
  void learn_from(std::string_view text);
  std::string_view shown_name(std::string_view user) const;
  std::string hidden(std::string_view text);

  std::string buffer_;        // begins with what the last piece left
  std::size_t complete_ = 0;  // bytes of `buffer_` that were dealt with
  std::map<std::string, std::string, std::less<>> words_;  // asked for
  std::map<std::string, std::string, std::less<>> names_;  // of users
  std::map<std::string, std::string, std::less<>> folders_;
  std::size_t users_ = 0;
};

}  // namespace crema::exports
