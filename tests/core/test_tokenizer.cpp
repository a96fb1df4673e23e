#include "core/json/tokenizer.hpp"

#include <bit>
#include <random>
#include <vector>

#include "core/json/block.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/recorded_events.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

using namespace std::string_literals;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Documents after the classes of JSONTestSuite (N. Seriot): what every JSON reader must accept.
std::vector<std::string> valid_documents() {
  return {
      "null",
      "true",
      "false",
      "0",
      "-0",
      "-1",
      "42",
      " 7 ",
      "\t[\r\n]\n",
      "\"\"",
      "\"a\"",
      "[]",
      "{}",
      "[[]]",
      "[[],[]]",
      "[{}]",
      "{\"\":0}",
      "{\"a\":{}}",
      "{\"a\":[],\"b\":{}}",
      "{\"a\":1,\"a\":2}",
      "[1,2,3]",
      "[ 1 , 2 ]",
      "[null,true,false]",
      "{ \"a\" : 1 , \"b\" : [ 2 ] }",
      "[1\n]",
      "[\"a\",\"b\"]",
      // numbers
      "[0.0]",
      "[-0.0]",
      "[1.5]",
      "[1.5E+3]",
      "[1e5]",
      "[1E-5]",
      "[0e1]",
      "[0e+1]",
      "[123e65]",
      "[123.456e78]",
      "[1e308]",
      "[1e-400]",
      "[-1e-400]",
      "[4.9e-324]",
      "[2.2250738585072011e-308]",
      "[1.7976931348623157e308]",
      "[9007199254740993]",
      "[9007199254740992]",
      "[-9007199254740993]",
      "[18446744073709551615]",
      "[18446744073709551616]",
      "[9223372036854775807]",
      "[-9223372036854775808]",
      "[-9223372036854775809]",
      "[100000000000000000000000000000000000000000000000001]",
      "[0.1]",
      "[0.30000000000000004]",
      "[3.147200000000461e-05]",
      "[1795225368.2341964]",
      "[-237462374673276894279832749832423479823246327846]",
      "[0." + repeated("3", 300) + "]",
      "[" + repeated("9", 300) + "]",
      // strings
      R"(["\"\\\/\b\f\n\r\t"])",
      R"(["\u0041\u00e9\u20ac"])",
      R"(["\ud83d\ude00"])",
      R"(["\uD83D\uDE00x"])",
      R"(["\u0000"])",
      R"(["a\u0022b"])",
      R"({"k\n":"\\u0041"})",
      "[\"\x7f\"]",
      "[\"é\"]",
      "[\"€\"]",
      "[\"😀\"]",
      "[\"\xef\xbf\xbf\"]",
      "[\"\xef\xbb\xbf\"]",
      "[\"\xf4\x8f\xbf\xbf\"]",
      "[\"\xc2\x80\"]",
      "[\"\xe0\xa0\x80\"]",
      "[\"\xed\x9f\xbf\"]",
      "[\"\xee\x80\x80\"]",
      "[\"\xf0\x90\x80\x80\"]",
      "[\"http://x/?a=1,2:3{}[]\"]",
      "[\"NaN\"]",
      "\"" + repeated("long ", 2000) + "\"",
  };
}

/// What every JSON reader must refuse.
std::vector<std::string> invalid_documents() {
  return {
      // documents
      "",
      " ",
      "\n",
      "[",
      "]",
      "{",
      "}",
      "[1",
      "[1,",
      "{\"a\"",
      "{\"a\":",
      "{\"a\":1",
      "{\"a\":1,",
      "\"",
      "\"a",
      "\"\\\"",
      "[\"a",
      "[\"a\\",
      "{]",
      "[}",
      "[1}",
      "{\"a\":1]",
      "[[1]",
      "[]]",
      "{}}",
      "1 2",
      "[][]",
      "{} {}",
      "[1]x",
      "[1],",
      "null,",
      "\"a\" \"b\"",
      // commas and colons
      "[1,]",
      "[,1]",
      "[,]",
      "[1,,2]",
      "[1 2]",
      "{,}",
      "{\"a\":1,}",
      "{\"a\" 1}",
      "{\"a\"::1}",
      "{\"a\":1 \"b\":2}",
      "{\"a\",1}",
      "{\"a\":}",
      "{:1}",
      "{1:1}",
      "{a:1}",
      "{'a':1}",
      "{null:1}",
      "[:]",
      ":",
      ",",
      "[\"a\":1]",
      "[1:2]",
      "{\"a\":1:2}",
      "{[]:1}",
      "{\"a\":1,,\"b\":2}",
      "{\"a\":1,2}",
      // words
      "nul",
      "nulll",
      "tru",
      "truefalse",
      "True",
      "None",
      "undefined",
      "[nan]",
      "[inf]",
      "[NULL]",
      "[Nan]",
      "[infinity]",
      "[+Infinity]",
      "[nullnull]",
      "n",
      "t",
      // numbers
      "01",
      "-01",
      "00",
      "-",
      "+1",
      "[.5]",
      "[1.]",
      "[-.5]",
      "[1.e3]",
      "[1e]",
      "[1e+]",
      "[1E-]",
      "[0x10]",
      "[1a]",
      "[1_000]",
      "[--1]",
      "[1-1]",
      "[1.2.3]",
      "[1e2.5]",
      "[0e]",
      "[- 1]",
      "[1 .5]",
      "[1e 5]",
      "[\xef\xbc\x91]",
      // strings
      "['a']",
      "[\"\n\"]",
      "[\"\t\"]",
      "[\"\x01\"]",
      "[\"\0\"]"s,
      "[\"\x1f\"]",
      R"(["\x41"])",
      R"(["\a"])",
      R"(["\u12"])",
      R"(["\u12G4"])",
      R"(["\u"])",
      R"(["\)",
      R"(["\'"])",
      R"(["\ud800\u"])",
      R"(["\U0041"])",
      "[a]",
      "[\"a\"b]",
      "\\u0041",
      "[\"\\\xc3\xa9\"]",
      // bytes that are no UTF-8
      "[\"\x80\"]",
      "[\"\xbf\"]",
      "[\"\xff\"]",
      "[\"\xfe\"]",
      "[\"\xc0\xaf\"]",
      "[\"\xc1\xbf\"]",
      "[\"\xc3\"]",
      "[\"\xc3(\"]",
      "[\"\xe2\x82\"]",
      "[\"\xe2(\xa1\"]",
      "[\"\xe0\x80\xaf\"]",
      "[\"\xe0\x9f\xbf\"]",
      "[\"\xed\xa0\x80\"]",
      "[\"\xed\xbf\xbf\"]",
      "[\"\xf0\x8f\xbf\xbf\"]",
      "[\"\xf4\x90\x80\x80\"]",
      "[\"\xf5\x80\x80\x80\"]",
      "[\"\xf0\x9f\x98\"]",
      "[\"\xf8\x88\x80\x80\x80\"]",
      "{\"\xff\":1}",
      "[\xff]",
      "[\xc3\xa9]",
      // other bytes outside strings
      "[\0]"s,
      "\0"s,
      "[\x01]",
      "[\f]",
      "[\v1]",
      "[\xc2\xa0]",
      "/* c */ 1",
      "[1] // c",
      "#1",
      "<html>",
      "\xef\xbb[1]",
      "\xef[1]",
      "\xef\xbb\xbe[1]",
      "[1]\xef\xbb\xbf",
      "\xfe\xff\0[\0]"s,
      "[\0]\0"s,
  };
}

std::string in_pieces(std::string_view text, const std::vector<std::size_t>& cuts,
                      std::optional<Error>* error = nullptr) {
  EventLog log;
  json::Tokenizer tokenizer(log);
  std::size_t from = 0;
  for (const std::size_t cut : cuts) {
    // A copy of its own, so that the sanitizer sees a read beyond the piece.
    const std::string piece(text.substr(from, cut - from));
    tokenizer.push(piece);
    from = cut;
  }
  const std::string rest(text.substr(from));
  tokenizer.push(rest);
  const bool well = tokenizer.finish();
  if (error != nullptr) *error = tokenizer.error();
  return log.text + (well ? "" : " REFUSED");
}

std::optional<Error> error_of(std::string_view text) {
  std::optional<Error> error;
  in_pieces(text, {}, &error);
  return error;
}

std::uint64_t offset_of(std::string_view text) { return error_of(text).value().offset; }

}  // namespace

TEST_CASE("Valid documents give the events that nlohmann's reader gives") {
  for (const std::string& text : valid_documents()) {
    CAPTURE(text);
    const Reading ours = read_by_tokenizer(text);
    CHECK_FALSE(ours.refused);
    CHECK(ours == read_by_nlohmann(text));
  }
}

TEST_CASE("Invalid documents are refused, as by nlohmann's reader") {
  for (const std::string& text : invalid_documents()) {
    CAPTURE(text);
    CHECK(read_by_tokenizer(text).refused);
    CHECK(read_by_nlohmann(text).refused);
  }
}

TEST_CASE("The events and the error do not depend on where a document is cut") {
  std::vector<std::string> all = valid_documents();
  for (std::string& text : invalid_documents()) all.push_back(std::move(text));
  all.push_back("\xef\xbb\xbf{\"a\":[1,NaN,-Infinity]}");
  for (const std::string& text : all) {
    if (text.size() > 400) continue;
    CAPTURE(text);
    std::optional<Error> whole_error;
    const std::string whole = in_pieces(text, {}, &whole_error);
    std::vector<std::size_t> every;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      std::optional<Error> error;
      CHECK(in_pieces(text, {cut}, &error) == whole);
      CHECK(error.has_value() == whole_error.has_value());
      if (error && whole_error) {
        CHECK(error->code == whole_error->code);
        CHECK(error->offset == whole_error->offset);
      }
      every.push_back(cut);
    }
    CHECK(in_pieces(text, every) == whole);
  }
}

TEST_CASE("The events are the same wherever in a block a token lies") {
  std::vector<std::string> all = valid_documents();
  for (std::string& text : invalid_documents()) all.push_back(std::move(text));
  for (const std::string& text : all) {
    CAPTURE(text);
    const Reading plain = read_by_nlohmann(text);
    const bool nul_at_end = !text.empty() && text.back() == '\0';  // where nlohmann stops
    for (std::size_t before = 0; before<70; before += text.size()> 400 ? 13 : 1) {
      const std::string shifted = std::string(before, ' ') + text;
      const Reading ours = read_by_tokenizer(shifted);
      CHECK(ours.refused == (plain.refused || nul_at_end));
      if (!ours.refused) CHECK(ours.events == plain.events);
    }
  }
}

TEST_CASE("Documents with a few bytes changed give the same events for every cut") {
  const std::string_view bytes = "\"\\{}[]:, \n\t0123456789-+.eEtrufalsn\x01\x7f\x80\xc3\xa9\xe2";
  const std::vector<std::string> all = valid_documents();
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    std::string text = "{\"padding\": \"" +
                       std::string(random() % 70, random() % 8 == 0 ? '\\' : 'x') +
                       "\", \"list\": [";
    while (text.size() < 200) text += all[random() % (all.size() - 1)] + ",";
    text += "1]}";
    for (unsigned changes = random() % 3; changes > 0; --changes)
      text[random() % text.size()] = bytes[random() % bytes.size()];
    CAPTURE(text);
    const Reading ours = read_by_tokenizer(text);
    CHECK(ours == read_by_tokenizer(text, 1 + random() % 90));
    const Reading theirs = read_by_nlohmann(text);
    if (ours.refused != theirs.refused) {
      // The only ones that they refuse and we do not: lone surrogates and numbers beyond a double's
      // range.
      CHECK(theirs.refused);
      CHECK(
          (text.find("\\u") != std::string::npos || ours.events.find("inf") != std::string::npos));
    } else if (!ours.refused) {
      CHECK(ours.events == theirs.events);
    }
  }
}

namespace {

template <class Vector>
void check_classification() {
  std::mt19937 random(3);
  const std::string_view likely = "\"\\{}[]:, \n\t\r";
  for (int round = 0; round < 500; ++round) {
    char bytes[json::Block::size];
    for (char& c : bytes)
      c = random() % 3 == 0 ? likely[random() % likely.size()] : static_cast<char>(random() % 256);
    const json::Block block = json::classify<Vector>(bytes);
    for (unsigned i = 0; i < json::Block::size; ++i) {
      const auto is = [&](std::uint64_t bits) { return ((bits >> i) & 1U) != 0; };
      const char c = bytes[i];
      const bool line = c == '\n' || c == '\t' || c == '\r';
      CHECK(is(block.quote) == (c == '"'));
      CHECK(is(block.structural) == (std::string_view("[]{}:,").find(c) != std::string_view::npos));
      CHECK(is(block.blank) == (c == ' ' || line));
      CHECK(is(block.line) == line);
      CHECK(is(block.backslash) == (c == '\\'));
      CHECK(is(block.control) == (c >= 0 && c < 0x20 && !line));
      CHECK(is(block.high) == (c < 0));
    }
  }
}

}  // namespace

TEST_CASE("A block's bits say what each byte is") {
  check_classification<json::simd::Portable>();
  check_classification<json::simd::Sixteen>();
}

TEST_CASE(
    "A backslash escapes the byte behind it, unless it is escaped itself, also across blocks") {
  std::mt19937_64 random(5);
  bool carry = false;
  bool escaped = false;
  for (int round = 0; round < 2000; ++round) {
    std::uint64_t backslash = random() | (round % 2 == 0 ? random() : 0);
    if (round % 7 == 0) backslash = ~std::uint64_t{0};
    if (round % 11 == 0) backslash = 0;
    std::uint64_t expected = 0;
    for (unsigned i = 0; i < 64; ++i) {
      if (escaped) expected |= std::uint64_t{1} << i;
      escaped = !escaped && ((backslash >> i) & 1U) != 0;
    }
    CHECK(json::escaped_bytes(backslash, carry) == expected);
    CHECK(carry == escaped);
  }
}

TEST_CASE("Two vectors of bytes are the same when all their bytes are") {
  std::string a = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz";
  for (std::size_t length = 0; length <= a.size(); ++length) {
    std::string b = a.substr(0, length);
    CHECK(json::simd::same_bytes(a.data(), b.data(), length));
    for (char& c : b) {
      c ^= 0x20;
      CHECK_FALSE(json::simd::same_bytes(a.data(), b.data(), length));
      c ^= 0x20;
    }
  }
}

namespace {

/// Skips the containers of some keys' values.
class SkipsBoring : public EventLog {
  bool boring_ = false;
  bool key(std::string_view value) override {
    boring_ = value == "boring";
    return EventLog::key(value);
  }
  bool start_object() override { return EventLog::start_object() && note(); }
  bool start_array() override { return EventLog::start_array() && note(); }
  bool note() {
    skip = boring_;
    boring_ = false;
    return true;
  }
};

}  // namespace

TEST_CASE(
    "What a handler skips gives no events, not even of its end, and is checked all the same") {
  const auto read_text = [](std::string_view text, std::size_t piece) {
    SkipsBoring log;
    json::Tokenizer tokenizer(log);
    for (std::size_t at = 0; at < text.size(); at += piece) tokenizer.push(text.substr(at, piece));
    const bool well = tokenizer.finish();
    return Reading{log.text, !well};
  };
  for (const std::size_t piece : {1UL, 3UL, 1000UL}) {
    CHECK(read_text(
              R"({"a":[1,{"boring":[[2],{"x":"y"},"\n",-1.5e3,null,NaN]},3],"boring":{},"b":[]})",
              piece) == Reading{"{ k:a [ u:1 { k:boring [ } u:3 ] k:boring { k:b [ ] }", false});
    for (const std::string& text : invalid_documents()) {
      CAPTURE(text);
      const std::string inside = R"({"boring":[)" + text + "]}";
      CHECK(read_text(inside, piece).refused == read_by_tokenizer(inside).refused);
    }
    for (const std::string& text : valid_documents())
      CHECK_FALSE(read_text(R"({"boring":[)" + text + "]}", piece).refused);
  }
}

TEST_CASE("Recorded files give the events that nlohmann's reader gives, however they are cut") {
  for (const char* file : {"local-4x1/metrics.json", "schema-improve-api/metrics.json",
                           "local-4x1/scheduler_info.json", "adaptive/span_metrics.json",
                           "ab-before/profile_merged.json.gz"}) {
    CAPTURE(file);
    const std::string text = read_test_file(file);
    const Reading theirs = read_by_nlohmann(text);
    REQUIRE_FALSE(theirs.refused);
    CHECK((read_by_tokenizer(text) == theirs));
    std::mt19937 random(20251121);
    for (int round = 0; round < 3; ++round) {
      std::vector<std::size_t> cuts;
      for (std::size_t at = 0; at < text.size(); at += 1 + random() % (round == 0 ? 20 : 50000))
        cuts.push_back(at);
      CHECK((in_pieces(text, cuts) == theirs.events));
    }
  }
}

TEST_CASE("Differs from nlohmann: NaN, Infinity and -Infinity are numbers, as Python writes them") {
  CHECK(read_by_tokenizer("[NaN,Infinity,-Infinity]").events.find("nan") != std::string::npos);
  CHECK(read_by_tokenizer("[Infinity,-Infinity]") == Reading{"[ d:inf d:-inf ]", false});
  CHECK_FALSE(read_by_tokenizer("NaN").refused);
  CHECK(read_by_nlohmann("[NaN]").refused);
  CHECK(read_by_tokenizer("[-NaN]").refused);
}

TEST_CASE(
    "Differs from nlohmann: a number beyond the range of a double is infinite, as Python reads "
    "it") {
  CHECK(read_by_tokenizer("[1e400,-1e400]") == Reading{"[ d:inf d:-inf ]", false});
  CHECK(read_by_nlohmann("[1e400]").refused);
}

TEST_CASE("Differs from nlohmann: a NUL byte is no end of the document") {
  CHECK(read_by_tokenizer("[1]\0"s).refused);
  CHECK_FALSE(read_by_nlohmann("[1]\0"s).refused);
}

TEST_CASE("A byte order mark before the document is skipped, and only a whole one") {
  CHECK(read_by_tokenizer("\xef\xbb\xbf[1]") == Reading{"[ u:1 ]", false});
  CHECK(read_by_nlohmann("\xef\xbb\xbf[1]") == Reading{"[ u:1 ]", false});
  CHECK(read_by_tokenizer("\xef\xbb\xbf\xef\xbb\xbf[1]").refused);
  CHECK(read_by_tokenizer("\xef[1]").refused);
  CHECK(read_by_tokenizer("\xef\xbb[1]").refused);
  CHECK(error_of("\xef\xbb\xbf").value().code == ErrorCode::empty_file);
  CHECK(error_of("\xef\xbb").value().code == ErrorCode::not_json);
}

TEST_CASE("Differs from nlohmann: a lone surrogate becomes U+FFFD instead of an error") {
  const std::string fffd = "\xef\xbf\xbd";
  CHECK(read_by_tokenizer(R"(["\ud800"])").events == "[ s:" + fffd + " ]");
  CHECK(read_by_tokenizer(R"(["\udc00x"])").events == "[ s:" + fffd + "x ]");
  CHECK(read_by_tokenizer(R"(["\ud800\u0041"])").events == "[ s:" + fffd + "A ]");
  CHECK(read_by_tokenizer(R"(["\ud800\ud800\udc00"])").events ==
        "[ s:" + fffd + "\xf0\x90\x80\x80 ]");
  CHECK(read_by_tokenizer(R"(["\ud800\n"])").events == "[ s:" + fffd + "\n ]");
  CHECK(read_by_nlohmann(R"(["\ud800"])").refused);
}

TEST_CASE(
    "Differs from nlohmann: a scalar of more than 4096 bytes is refused, so that no binary file is "
    "gathered") {
  CHECK_FALSE(read_by_tokenizer("[" + repeated("1", 4096) + "]").refused);
  CHECK(read_by_tokenizer("[" + repeated("1", 4097) + "]").refused);
  CHECK(offset_of("[" + repeated("1", 100000)) == 1);
}

TEST_CASE("An error names the byte at which the document stops being JSON") {
  CHECK(offset_of("[1,]") == 3);
  CHECK(offset_of("{\"a\" 1}") == 5);
  CHECK(offset_of("[1] x") == 4);
  CHECK(offset_of("  nul") == 2);
  CHECK(offset_of("[01]") == 1);
  CHECK(offset_of("[\"ab\ncd\"]") == 4);
  CHECK(offset_of(R"(["ab\qcd"])") == 4);
  CHECK(offset_of("[\"ab\xff\"]") == 4);
  CHECK(offset_of("[\"\\n\\n\xff\"]") == 6);
  CHECK(offset_of("[1}") == 2);
  CHECK(offset_of("\xef\xbb\xbf[1,]") == 6);
}

TEST_CASE("A document that ends too early is truncated at its end, an empty one is empty") {
  CHECK(error_of("[1,2").value().code == ErrorCode::truncated);
  CHECK(offset_of("[1,2") == 4);
  CHECK(error_of("{\"a\":\"b").value().code == ErrorCode::truncated);
  CHECK(offset_of("{\"a\":\"b") == 7);
  CHECK(error_of("").value().code == ErrorCode::empty_file);
  CHECK(error_of("   ").value().code == ErrorCode::truncated);
}

TEST_CASE("A number that the end of the file may have cut is not reported") {
  CHECK(in_pieces("[1,23", {}) == "[ u:1 REFUSED");
  CHECK(in_pieces("23", {}) == "u:23");
}

TEST_CASE(
    "Nesting of 10,000 is read without recursion, and beyond max_depth it is refused at its byte") {
  const std::size_t deep = 10000;
  const Reading arrays = read_by_tokenizer(std::string(deep, '[') + std::string(deep, ']'));
  CHECK_FALSE(arrays.refused);
  CHECK(arrays.events.size() == deep * 4 - 1);
  const Reading objects =
      read_by_tokenizer(repeated("{\"a\":", deep) + "1" + std::string(deep, '}'));
  CHECK_FALSE(objects.refused);

  const std::string most(json::max_depth, '[');
  CHECK_FALSE(read_by_tokenizer(most + std::string(json::max_depth, ']')).refused);
  CHECK(error_of(most + "[").value().code == ErrorCode::too_deep);
  CHECK(offset_of(most + "[") == json::max_depth);
}

TEST_CASE("After an error nothing more is read, and the first error stays") {
  EventLog log;
  json::Tokenizer tokenizer(log);
  CHECK_FALSE(tokenizer.push("[1,]"));
  CHECK_FALSE(tokenizer.push("2,3]"));
  CHECK_FALSE(tokenizer.finish());
  CHECK(tokenizer.error()->offset == 3);
  CHECK(log.text == "[ u:1");
}

TEST_CASE("A handler stops the reading, which is no error of the document") {
  class StopsAtTwo : public EventLog {
    bool number_unsigned(std::uint64_t value) override {
      return value != 2 && EventLog::number_unsigned(value);
    }
  };
  StopsAtTwo log;
  json::Tokenizer tokenizer(log);
  CHECK_FALSE(tokenizer.push("[1,2,3]"));
  CHECK_FALSE(tokenizer.finish());
  CHECK_FALSE(tokenizer.error());
  CHECK(log.text == "[ u:1");
}

TEST_CASE("The handler's offset is the first byte of each event's token") {
  class Offsets : public EventLog {
   public:
    std::vector<std::uint64_t> seen;
    bool number_unsigned(std::uint64_t) override { return note(); }
    bool key(std::string_view) override { return note(); }
    bool start_array() override { return note(); }
    bool end_array() override { return note(); }

   private:
    bool note() {
      seen.push_back(offset);
      return true;
    }
  };
  const std::string text = "{\"key\" : [ 12 , 3 ] }";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Offsets handler;
    json::Tokenizer tokenizer(handler);
    tokenizer.push(text.substr(0, cut));
    tokenizer.push(text.substr(cut));
    CHECK(tokenizer.finish());
    CHECK(handler.seen == std::vector<std::uint64_t>{1, 9, 11, 16, 18});
  }
}

namespace {

/// Second fast path for elements that are single digits: takes them with the commas between them as
/// far as the bytes at hand show where each one ends; everything else is left to the tokenizer.
class TakesDigits : public EventLog {
 public:
  std::size_t taken = 0;
  std::size_t consume_raw(std::string_view bytes) override {
    std::size_t end = 0;
    std::size_t at = 0;
    std::string words;
    while (at + 1 < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' &&
           (bytes[at + 1] == ',' || bytes[at + 1] == ']')) {
      words += std::string(" u:") + bytes[at];
      end = at + 1;
      if (bytes[at + 1] == ']') break;
      at += 2;
    }
    text += words;
    taken += end;
    return end;
  }
};

}  // namespace

TEST_CASE(
    "A handler that consumes elements itself gives the same events, wherever the document is cut") {
  const std::vector<std::string> documents = {"[1,2,3]",
                                              "[1,2,33,4,5]",
                                              "[ 1,2 ,3, 4]",
                                              "[[1,2],[3],[]]",
                                              "{\"a\":[1,2],\"b\":[3]}",
                                              "[1,\"x\",2]",
                                              "[1,2,]",
                                              "[1,2",
                                              "[1,2}",
                                              "[1,,2]",
                                              "{\"a\":1}",
                                              "[[1],2,{\"b\":3}]",
                                              "1",
                                              "[1]"};
  for (const std::string& text : documents) {
    CAPTURE(text);
    const Reading plain = read_by_tokenizer(text);
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      CAPTURE(cut);
      TakesDigits log;
      json::Tokenizer tokenizer(log);
      tokenizer.push(text.substr(0, cut));
      tokenizer.push(text.substr(cut));
      const bool well = tokenizer.finish();
      CHECK(Reading{log.text, !well} == plain);
    }
  }
  TakesDigits log;
  json::Tokenizer tokenizer(log);
  tokenizer.push("[1,2,3,44]");
  CHECK(tokenizer.finish());
  CHECK(log.taken == 5);
}
