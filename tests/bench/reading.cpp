// Bytes in memory to events and to a finished Run, natively, against nlohmann's SAX reader of the
// same bytes in the same run.
//
//   crema_bench_reading metrics.json    prints {"bytes", "tokens", "run", "nlohmann",
//   "nlohmann_version"}: medians in seconds,
//                                       and {"model", "columns"}: what a session with the run holds
//                                       in memory [byte]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "core/json/tokenizer.hpp"
#include "core/model/run.hpp"
#include "core/session/session.hpp"

namespace {

// As large as the pieces that the page hands to the core.
constexpr std::size_t piece_size = std::size_t{4} << 20;
constexpr int rounds = 5;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Takes the events and keeps a sum, so that nothing of the reading can be left out.
struct Sum : crema::json::Handler {
  double sum = 0;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t v) override { return add(static_cast<double>(v)); }
  bool number_unsigned(std::uint64_t v) override { return add(static_cast<double>(v)); }
  bool number_float(double v, std::string_view) override { return add(v); }
  bool string(std::string_view v) override { return add(static_cast<double>(v.size())); }
  bool start_object() override { return true; }
  bool key(std::string_view v) override { return add(static_cast<double>(v.size())); }
  bool end_object() override { return true; }
  bool start_array() override { return true; }
  bool end_array() override { return true; }
  bool add(double v) {
    sum += v;
    return true;
  }
};

struct NlohmannSum : nlohmann::json_sax<nlohmann::json> {
  Sum to;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t v) override { return to.number_integer(v); }
  bool number_unsigned(std::uint64_t v) override { return to.number_unsigned(v); }
  bool number_float(double v, const std::string& text) override { return to.number_float(v, text); }
  bool string(std::string& v) override { return to.string(v); }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string& v) override { return to.key(v); }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }
};

template <class Push>
void in_pieces(const std::string& text, const Push& push) {
  for (std::size_t at = 0; at < text.size(); at += piece_size)
    push(std::string_view(text).substr(at, piece_size));
}

bool same_sums(const std::string& text, std::vector<double>& ours, std::vector<double>& theirs) {
  Sum sum;
  crema::json::Tokenizer tokenizer(sum);
  ours.push_back(
      seconds([&] { in_pieces(text, [&](std::string_view piece) { tokenizer.push(piece); }); }));
  NlohmannSum peer;
  theirs.push_back(seconds([&] { nlohmann::json::sax_parse(text, &peer); }));
  return tokenizer.finish() && sum.sum == peer.to.sum;
}

/// What is allocated now [byte]; 0 where the C library does not tell.
std::size_t allocated() {
#if defined(__GLIBC__)
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

struct Memory {
  std::size_t model = 0;
  std::size_t columns = 0;
};

bool opens(const std::string& text, std::vector<double>& times, Memory& memory) {
  const std::size_t before = allocated();
  crema::Session session;
  bool opened = false;
  times.push_back(seconds([&] {
    const crema::FileId file = session.add_file(0, "metrics.json", text.size());
    in_pieces(text, [&](std::string_view piece) {
      session.push(file, {piece.data(), piece.size()});
    });
    session.finish_file(file);
    opened = static_cast<bool>(session.finish());
  }));
  if (!opened) return false;
  memory = {allocated() - before, 0};
  crema::Run& run = *const_cast<crema::Run*>(session.run(0));  // only to be looked at
  crema::for_each_column(
      run, [&](const auto& column) { memory.columns += column.size() * sizeof(column[0]); });
  return opened;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<double> tokens, run, peer;
  Memory memory;
  for (int round = 0; round < rounds; ++round) {
    if (!same_sums(text, tokens, peer) || !opens(text, run, memory)) return 1;
  }
  std::printf(
      R"({"bytes": %zu, "tokens": %.6f, "run": %.6f, "nlohmann": %.6f, "nlohmann_version": "%d.%d.%d", "model": %zu, "columns": %zu})"
      "\n",
      text.size(), median(tokens), median(run), median(peer), NLOHMANN_JSON_VERSION_MAJOR,
      NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, memory.model, memory.columns);
}
