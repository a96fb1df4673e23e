// Texts as numbers: the pool that knows them, and their order. Lines of the analysis.
#include <algorithm>
#include <string>

#include "core/base/order.hpp"
#include "core/base/text.hpp"
#include "core/report/answer_text.hpp"
#include "tests/core/catch.hpp"

using namespace crema;

TEST_CASE(
    "A pool keeps every text once, under the number of its first sight, however many there are") {
  StringPool pool;
  CHECK(pool.find("a") == no_string);
  CHECK(pool.intern("") == 0);
  CHECK(pool[no_string].empty());
  std::vector<std::string_view> seen;
  for (StringId i = 1; i < 3000; ++i) {
    CHECK(pool.intern("text " + std::to_string(i)) == i);
    seen.push_back(pool[i]);
  }
  for (StringId i = 1; i < 3000; ++i) {
    const std::string text = "text " + std::to_string(i);
    CHECK(pool.intern(text) == i);
    CHECK(pool.find(text) == i);
    CHECK(seen[i - 1] == text);  // what was handed out is valid still
  }
  CHECK(pool.find("text 3000") == no_string);
  CHECK(pool.size() == 3000);

  const StringPool moved = std::move(pool);
  CHECK(moved[7] == "text 7");
  CHECK(moved.find("text 7") == 7);
}

TEST_CASE("Texts are ordered by their bytes, shorter ones first, whatever they begin with") {
  using namespace std::string_literals;
  const std::string alike = "root://cache.example//store/nano_";
  const std::vector<std::string> texts = {
      alike + "10.root",
      alike + "9.root",
      alike,
      "b",
      "",
      "a\0"s,
      "a",
      "\xc3\xa9",
      "a\0\0"s,
      "1234567",
      "12345678",
      "123456",
      alike + "10.root",
      "",
      "1234567\0"s,
  };
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<std::string_view> ordered;
  for (const std::uint32_t at : text_order(views)) ordered.push_back(views[at]);
  std::vector<std::string_view> expected = views;
  std::sort(expected.begin(), expected.end());
  CHECK(ordered == expected);
  CHECK(ordered[2] == "123456");
  CHECK(ordered.back() == "\xc3\xa9");
  CHECK(text_order({}).empty());
}

TEST_CASE("A line of the analysis says what helps, where it makes a call of which that is known") {
  const auto has = [](const char* line, const char* text) {
    return report::line_hint(line).find(text) != std::string::npos;
  };
  CHECK(has("value = eval(formula, names)", "compile"));
  CHECK(report::line_hint("value = model.eval(x)").empty());
  CHECK(report::line_hint("value = retrieval(x)").empty());
  CHECK(has("table = np.column_stack([table, column])", "joined once"));
  CHECK(report::line_hint("table = np.column_stack([first, column])").empty());
  CHECK(report::line_hint("table = np.column_stack([the_table, column])").empty());
  CHECK(has("x = ak.fill_none(ak.pad_none(x, 120, clip=True), 0)", "as long as"));
  CHECK(report::line_hint("x = ak.fill_none(ak.pad_none(x, 1), 0)[:, 0]").empty());
  CHECK(has("a = ak.concatenate([a, b])", "joined once"));
  CHECK(has("n = np.append(n, 1)", "joined once"));
  CHECK(report::line_hint("parts = np.concatenate(parts)").empty());
  CHECK(report::line_hint("jets = ak.concatenate([a, b])[jets]").empty());
  CHECK(has("total += sum(weights)", "item by item"));
  CHECK(report::line_hint("total += np.sum(weights)").empty());
  CHECK(report::line_hint("total += sum(w for w in weights)").empty());
  CHECK(report::line_hint("total += sum([a, b])").empty());
  CHECK(report::line_hint("total = sum(").empty());
  CHECK(report::line_hint("np.fill_diagonal(cdist(x, x), np.inf)").empty());
  CHECK(report::line_hint("x = events[\"O\"]").empty());
  CHECK(report::line_hint("pool.execute(fetch_file, x)").empty());
  CHECK(has("x = np.array(x, dtype=object)", "objects"));
  CHECK(has("new = [number not in seen for number in event.tolist()]", "a set, or np.isin"));
  CHECK(has("kept = [one for one in found if one in names]", "a set, or np.isin"));
  CHECK(report::line_hint("for name in names: fill(name)").empty());
  CHECK(report::line_hint("for name in names if name else none:").empty());
  CHECK(has("d = cdist(a, b).diagonal()", "all pairs"));
  CHECK(has("row = base.execute(query).fetchone()", "index"));
  CHECK(has("near = np.argpartition(cdist(a, b), 11, axis=1)", "KDTree"));
  CHECK(has("y = np.convolve(counts, kernel, mode=\"same\")", "fftconvolve"));
  CHECK(report::line_hint("y = fftconvolve(counts, kernel)").empty());
  CHECK(has("keys.append(np.char.mod(\"%d\", values))", "item by item"));
  CHECK(has("ct = unumpy.uarray(length, error)", "object for each item"));
  CHECK(report::line_hint("").empty());
}
