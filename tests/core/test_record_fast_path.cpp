#include "core/json/router.hpp"

#include <cstring>
#include <random>

#include "core/json/tokenizer.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

namespace {

/// Writes down every call. What belongs to a record counts only once it has ended, as the fast path
/// asks of its nodes.
class Teller : public json::Node {
 public:
  explicit Teller(std::string& text) : text_(text) {}
  void null() override { text_ += "null "; }
  bool boolean(bool value) override {
    text_ += value ? "true " : "false ";
    return true;
  }
  bool number(double value) override {
    std::uint64_t bits = 0;  // Emscripten's library has no bit_cast yet
    std::memcpy(&bits, &value, sizeof bits);
    text_ += std::to_string(bits) + " ";
    return true;
  }
  bool string(std::string_view value) override {
    text_.append("'").append(value).append("' ");
    return value != "refused";
  }
  bool begin_object() override {
    text_ += "{ ";
    return true;
  }
  bool begin_array() override {
    text_ += "[ ";
    return true;
  }
  Node* member(std::string_view key) override {
    text_ += std::string(key) + ": ";
    return key == "skipped" ? nullptr : this;
  }
  Node* element(std::size_t index) override {
    text_ += std::to_string(index) + ". ";
    return this;
  }
  void end() override { text_ += "end "; }

 private:
  std::string& text_;
};

class Record : public json::Node {
 public:
  bool begin_object() override {
    pending_ = "record ";
    return true;
  }
  Node* member(std::string_view key) override { return teller_.member(key); }
  void end() override { told += pending_; }

  std::string told;

 private:
  std::string pending_;
  Teller teller_{pending_};
};

class List : public json::Node {
 public:
  explicit List(bool geared) : geared_(geared) {}
  bool begin_array() override { return true; }
  Node* element(std::size_t) override { return &record; }
  bool wants_raw() const override { return geared_; }
  std::size_t consume_raw(std::string_view bytes, std::size_t& index) override {
    const std::size_t before = index;
    const std::size_t bytes_taken = fast_path_.take(bytes, record, index);
    taken += index - before;
    return bytes_taken;
  }

  Record record;
  std::size_t taken = 0;

 private:
  bool geared_;
  json::RecordFastPath fast_path_;
};

struct Reading {
  std::string told;
  std::size_t taken;  // records, by the fast path
};

/// All that can be seen of reading `text`, a list of records, cut into two at `cut`.
Reading read_text(const std::string& text, bool geared, std::size_t cut = std::string::npos) {
  List list(geared);
  std::string notes;
  json::Router router(list, [&](const std::string& path, std::uint64_t offset, std::string_view) {
    notes += path + " at " + std::to_string(offset) + " ";
  });
  json::Tokenizer tokenizer(router);
  // copies, so that a sanitizer sees what is read beyond them
  const std::string first = text.substr(0, cut);
  const std::string second = cut < text.size() ? text.substr(cut) : "";
  if (tokenizer.push(first) && tokenizer.push(second)) tokenizer.finish();
  std::string told = list.record.told + notes;
  if (const auto& error = tokenizer.error())
    told += error->detail + " at " + std::to_string(error->offset);
  return {told, list.taken};
}

const std::string indented = R"([
    {
      "t_start": 1765894214.7705882,
      "events": 10000,
      "error": null,
      "file": "root://xcache-6.example.org//store/nano_00624.root",
      "skipped": [1, "x"],
      "branches": [ "Jet_pt" , "Jet_eta"],
      "timing": {
        "skim": 2.5,
        "none": {},
        "deep": {"er": true}
      },
      "memory": {
        "skim": -0.25e2
      }
    },
    {
      "t_start": 1765894224.976986,
      "events": -0,
      "error": "a long one that does not fit in sixteen bytes",
      "file": null,
      "skipped": 7,
      "branches": [],
      "timing": {
        "skim": 0.014999999999999999445,
        "none": {},
        "deep": {"er": false}
      },
      "memory": {
        "skim": 12345678901234567890123
      }
    },
    {
      "t_start": 1e3,
      "events": 12345678,
      "error": "",
      "file": "f",
      "skipped": true,
      "branches": [1.5],
      "timing": {
        "skim": 0,
        "none": {},
        "deep": {"er": null}
      },
      "memory": {
        "skim": 18446744073709551615
      }
    }
  ])";

}  // namespace

TEST_CASE("Records written alike are all taken, and tell what the tokenizer tells of them") {
  const Reading geared = read_text(indented, true);
  CHECK(geared.taken == 3);
  CHECK(geared.told == read_text(indented, false).told);
}

TEST_CASE("Where a record is cut it is read by the tokenizer, and the next ones are taken again") {
  const Reading whole = read_text(indented, false);
  for (std::size_t cut = 0; cut <= indented.size(); ++cut) {
    const Reading geared = read_text(indented, true, cut);
    CHECK(geared.told == whole.told);
    CHECK(geared.taken >= 2);
  }
}

TEST_CASE(
    "Whatever byte is another one, records taken by the fast_path tell what the tokenizer tells") {
  std::mt19937 random(7);
  const std::string bytes = "{}[]:,\"\\ \n0-.eEtfnN+x\x01\x7f\xc3\xa9";
  for (std::size_t at = 0; at < indented.size(); ++at) {
    std::string text = indented;
    for (int times = 0; times < 4; ++times) {
      text[at] = bytes[random() % bytes.size()];
      CHECK(read_text(text, true).told == read_text(text, false).told);
    }
    text = indented;
    text.erase(at, 1 + random() % 3);
    CHECK(read_text(text, true).told == read_text(text, false).told);
    text = indented;
    text.insert(at, 1, bytes[random() % bytes.size()]);
    CHECK(read_text(text, true).told == read_text(text, false).told);
  }
}

TEST_CASE("One record of another form is an exception, two are a new form") {
  const std::string a = R"({"x": 1})";
  const std::string b = R"({"y": 1})";
  // the exception is the tokenizer's
  CHECK(read_text("[" + a + "," + a + "," + b + "," + a + "]", true).taken == 3);
  // so is the first of the new form
  CHECK(read_text("[" + a + "," + a + "," + b + "," + b + "," + b + "]", true).taken == 4);
}

TEST_CASE("What the fast_path does not know is left to the tokenizer") {
  for (const char* record :
       {R"({"x": [{}]})", R"({"x": [[1]]})", R"({"\u0078": 1})", R"({"x": "\n"})", R"({"x": "é"})",
        R"({"x": NaN})", R"({"x": "refused"})", R"({"x": 1e999})"}) {
    const std::string text = std::string("[") + record + "," + record + "]";
    INFO(text);
    const Reading geared = read_text(text, true);
    CHECK(geared.taken == 0);
    CHECK(geared.told == read_text(text, false).told);
  }
}
