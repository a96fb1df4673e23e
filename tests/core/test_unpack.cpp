// What folders and archives give, and what is said of what they cannot give. As WebAssembly under
// Node others unpack (tests/package).
#ifndef __EMSCRIPTEN__

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "cli/bundle.hpp"
#include "cli/report.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"

using namespace crema;
using namespace crema::test;

namespace {

namespace fs = std::filesystem;

const std::string metrics = R"({"data_rate_gbps": 1, "total_events": 7})";
const std::string profile_text = "main;work 3\n";

/// A folder that is gone at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "crema-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator()(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (*this)(name);
  }

 private:
  fs::path path_;
};

struct Entry {
  std::string name;
  std::string content;
  mode_t type = AE_IFREG;
};

/// An archive as libarchive writes it: `format` "zip", "pax" or "raw"; `filter` "none", "gzip",
/// "xz", "zstd" or "bzip2".
std::string archive_of(const std::string& format, const std::vector<Entry>& entries,
                       const std::string& filter = "none", const std::string& options = "") {
  std::string bytes;
  const std::unique_ptr<archive, int (*)(archive*)> writer(archive_write_new(), archive_write_free);
  archive_write_set_format_by_name(writer.get(), format.c_str());
  if (filter != "none")
    REQUIRE(archive_write_add_filter_by_name(writer.get(), filter.c_str()) == ARCHIVE_OK);
  if (!options.empty())
    REQUIRE(archive_write_set_options(writer.get(), options.c_str()) == ARCHIVE_OK);
  archive_write_set_bytes_per_block(writer.get(), 0);
  const auto keep = [](archive*, void* all, const void* piece, std::size_t size) {
    static_cast<std::string*>(all)->append(static_cast<const char*>(piece), size);
    return static_cast<la_ssize_t>(size);
  };
  REQUIRE(archive_write_open(writer.get(), &bytes, nullptr, keep, nullptr) == ARCHIVE_OK);
  for (const Entry& entry : entries) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> header(archive_entry_new(),
                                                                          archive_entry_free);
    archive_entry_set_pathname(header.get(), entry.name.c_str());
    archive_entry_set_filetype(header.get(), entry.type);
    archive_entry_set_perm(header.get(), 0644);
    if (entry.type == AE_IFLNK) archive_entry_set_symlink(header.get(), entry.content.c_str());
    else archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.content.size()));
    REQUIRE(archive_write_header(writer.get(), header.get()) >= ARCHIVE_WARN);
    if (entry.type == AE_IFREG)
      archive_write_data(writer.get(), entry.content.data(), entry.content.size());
  }
  REQUIRE(archive_write_close(writer.get()) == ARCHIVE_OK);
  return bytes;
}

std::string zip_of(const std::vector<Entry>& entries) { return archive_of("zip", entries); }
std::string tar_of(const std::vector<Entry>& entries) { return archive_of("pax", entries); }
std::string gzip_of(const std::string& content) {
  return archive_of("raw", {{"file", content}}, "gzip");
}

/// What became of BUNDLEs: "title: file file | title: file", then a line per thing that cannot be
/// had.
std::string opened(const std::vector<std::string>& bundles) {
  Session session;
  std::ostringstream told;
  const auto result = cli::open_bundles(session, bundles, told);
  if (!result) return result.error().sentence();
  std::string text;
  for (const RunId id : session.runs()) {
    const Run& run = *session.run(id);
    text += (text.empty() ? "" : " | ") + run.title + ":";
    for (const Source& source : run.sources) text += " " + source.path;
  }
  return told.str().empty() ? text : text + "\n" + told.str();
}

/// Text that does not pack well: small archives would be read at once.
std::string events(std::size_t count) {
  std::string text = R"({"data_rate_gbps": 1, "total_events": 7, "filler": [)";
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : ",") + std::to_string(state = state * 1664525U + 1013904223U);
  return text + "]}";
}

}  // namespace

TEST_CASE("Folders of one name are two runs, and so is a folder given twice") {
  const Folder at;
  for (const char* above : {"old", "new"}) {
    at.write(std::string(above) + "/run/metadata.json", R"({"timestamp": "x", "format": "y"})");
    at.write(std::string(above) + "/run/metrics.json", metrics);
  }
  CHECK(
      opened({at("old/run"), at("new/run/")}) ==
      "old/run: run/metadata.json run/metrics.json | new/run: run/metadata.json run/metrics.json");
  CHECK(opened({at("old/run"), at("old/run")}) ==
        "run: run/metadata.json run/metrics.json | run (2): run/metadata.json run/metrics.json");
}

TEST_CASE("A recorded bundle beside itself, by the same path, is two runs that differ in nothing") {
  for (const char* bundle :
       {"ab-after", "ab-before", "adaptive", "local-4x1", "no-decorator", "no-tracking",
        "preproc-none", "scale-1", "scale-2", "scale-4", "schema-0.1.0", "schema-flat-old-528a064",
        "schema-improve-api", "skipbad", "notebook-stacks"}) {
    CAPTURE(bundle);
    const std::string path = test_data_path(bundle);
    Session session;
    const auto opened = cli::open_bundles(session, {path, path}).value();
    REQUIRE(opened.runs.size() == 2);
    CHECK(session.files(0).size() == session.files(1).size());
    const Table compared = session.ask("compare", opened.runs, {}, {}).value();
    CHECK(compared.rows() > 0);
    std::size_t different = 0;
    for (const double delta : compared.find("delta")->numbers)
      different += delta != 0 && !is_absent(delta) ? 1 : 0;
    CHECK(different == 0);
  }
}

TEST_CASE("Archives that hold folders of one name are two runs") {
  const Folder at;
  for (const char* name : {"a.zip", "b.zip"})
    at.write(name, zip_of({{"run/metrics.json", metrics}, {"run/p.folded", profile_text}}));
  CHECK(opened({at("a.zip"), at("b.zip")}) ==
        "a.zip/run: run/metrics.json run/p.folded | b.zip/run: run/metrics.json run/p.folded");
  CHECK(opened({at("a.zip"), at("a.zip")}) ==
        "run: run/metrics.json run/p.folded | run (2): run/metrics.json run/p.folded");
}

TEST_CASE("Single files are one run wherever they lie; metrics in two folders are two") {
  const Folder at;
  for (const char* path : {"old/metrics.json", "new/metrics.json"}) at.write(path, metrics);
  at.write("else/p.folded", profile_text);
  CHECK(opened({at("old/metrics.json"), at("else/p.folded")}) ==
        "metrics: old/metrics.json else/p.folded");
  CHECK(opened({at("old/metrics.json"), at("new/metrics.json")}) ==
        "old: old/metrics.json | new: new/metrics.json");
  CHECK(opened({at("old/metrics.json"), at("old/metrics.json")}) ==
        "metrics: metrics.json | metrics (2): metrics.json");
}

TEST_CASE("Every kind of archive and packing gives its files") {
  const Folder at;
  const std::vector<Entry> entries = {{"run/metrics.json", metrics},
                                      {"run/p.folded", profile_text}};
  const std::string expected = "run: run/metrics.json run/p.folded";
  CHECK(opened({at.write("a.zip", zip_of(entries))}) == expected);
  CHECK(opened({at.write("zip64.zip", archive_of("zip", entries, "none", "zip64"))}) == expected);
  CHECK(opened({at.write("a.tar", tar_of(entries))}) == expected);
  for (const char* filter : {"gzip", "xz", "zstd", "bzip2"}) {
    CAPTURE(filter);
    CHECK(opened({at.write(std::string("a.tar.") + filter, archive_of("pax", entries, filter))}) ==
          expected);
    CHECK(
        has_part(opened({at.write("metrics.json.gz", archive_of("raw", {{"x", metrics}}, filter))}),
                 "metrics: metrics.json"));
  }
  CHECK(opened({at.write("my.zip",
                         zip_of({{"metrics.json", metrics}, {"dask/p.folded", profile_text}}))}) ==
        "my: my/metrics.json my/dask/p.folded");
}

TEST_CASE("A file so large that a thread unpacks it gives the same, also where it is damaged") {
  // 26 MB in which every byte counts: the sum of the events of all chunks
  const Folder folder;
  std::string large = R"({"data_rate_gbps": 1, "raw_chunk_metrics": [)";
  constexpr std::size_t chunks = 400'000;
  for (std::size_t i = 0; i < chunks; ++i) {
    large += R"({"num_events": )" + std::to_string(i) + R"(, "dataset": "a dataset of events"},)";
  }
  large.back() = ']';
  large += "}";
  const auto opened = [&](const std::string& file) {
    Session session;
    std::ostringstream told;
    REQUIRE(cli::open_bundles(session, {file}, told));
    const Run& run = *session.run(0);
    double events = 0;
    for (const double one : run.chunks.events) events += one;
    return std::tuple(run.chunks.size(), events, told.str());
  };
  const double events = 0.5 * chunks * (chunks - 1);
  const std::tuple whole(chunks, events, std::string());
  CHECK(opened(folder.write("metrics.json", large)) == whole);
  const std::string fast = "compression-level=1";
  const std::string packed = archive_of("raw", {{"metrics.json", large}}, "gzip", fast);
  CHECK(opened(folder.write("metrics.json.gz", packed)) == whole);
  const std::vector<Entry> entries = {{"run/metrics.json", large},
                                      {"run/profile.folded", profile_text}};
  CHECK(opened(folder.write("run.zip", archive_of("zip", entries, "none", fast))) == whole);
  CHECK(opened(folder.write("run.tar.gz", archive_of("pax", entries, "gzip", fast))) == whole);

  std::string wrong = packed;
  wrong[wrong.size() - 6] ^= 1;  // of its checksum
  const auto [size, sum, told] = opened(folder.write("wrong.json.gz", wrong));
  CHECK(size == chunks);
  CHECK(sum == events);
  CHECK(told.find("the packed file is damaged") != std::string::npos);

  // Broken JSON is not read on: whether what is packed is damaged further on, nobody asks.
  std::string broken = large;
  broken[broken.size() - 300'000] = '\x01';
  std::string both = archive_of("raw", {{"metrics.json", broken}}, "gzip", fast);
  both[both.size() - 6] ^= 1;
  CHECK(std::get<2>(opened(folder.write("both.json.gz", both))).empty());
}

TEST_CASE("Archives in archives and in folders are read, up to a depth") {
  const Folder at;
  const std::string run = zip_of({{"run/metrics.json", gzip_of(metrics)}});
  CHECK(opened({at.write("outer.zip", zip_of({{"a.zip", run}, {"b.zip", run}}))}) ==
        "a.zip/run: outer/a.zip/run/metrics.json | b.zip/run: outer/b.zip/run/metrics.json");
  CHECK(has_part(
      opened({at.write("deep.zip",
                       zip_of({{"1.zip", zip_of({{"2.zip", zip_of({{"3.zip", run}})}})}}))}),
      "not recognised"));
  at.write("all/x/a.zip", run);
  at.write("all/y/a.zip", run);
  CHECK(opened({at("all")}) ==
        "x/a.zip/run: all/x/a.zip/run/metrics.json | y/a.zip/run: all/y/a.zip/run/metrics.json");
}

TEST_CASE("Hidden files and folders, and what operating systems leave, are not looked at") {
  const Folder at;
  const std::vector<Entry> entries = {{"run/metrics.json", metrics},
                                      {"run/.ipynb_checkpoints/metrics-checkpoint.json", metrics},
                                      {"run/.hidden.json", metrics},
                                      {"__MACOSX/run/metrics.json", metrics},
                                      {"run/desktop.ini", "x"}};
  for (const Entry& entry : entries) at.write("all/" + entry.name, entry.content);
  CHECK(opened({at("all")}) == "run: all/run/metrics.json");
  CHECK(opened({at.write("a.zip", zip_of(entries))}) == "run: run/metrics.json");
  CHECK(opened({at("all/run/.hidden.json")}) == ".hidden: .hidden.json");
}

TEST_CASE("Names outside ASCII do not end the reading") {
  const Folder at;
  const std::string utf8 = zip_of({{"run/XX.folded", profile_text}, {"run/metrics.json", metrics}});
  const auto renamed = [&](std::string bytes, const std::string& name) {
    for (std::size_t i = bytes.find("XX"); i != std::string::npos; i = bytes.find("XX", i))
      bytes.replace(i, 2, name);
    return bytes;
  };
  CHECK(opened({at.write("latin1.zip", renamed(utf8, "\xe9\xe8"))}) ==
        "run: run/éè.folded run/metrics.json");
  CHECK(opened({at.write("utf8.zip", renamed(utf8, "é"))}) == "run: run/é.folded run/metrics.json");
  CHECK(opened({at.write("utf8.tar", tar_of({{"run/焙煎.folded", profile_text},
                                             {"run/metrics.json", metrics}}))}) ==
        "run: run/焙煎.folded run/metrics.json");
}

TEST_CASE(
    "A tar whose header was overwritten gives what else it holds, and says that something is "
    "missing") {
  const Folder at;
  for (const std::string& lost : {std::string(3000, 'x'), std::string(3000, '\0')}) {
    std::string tar = tar_of(
        {{"run/metrics.json", metrics}, {"run/lost.json", lost}, {"run/p.folded", profile_text}});
    const std::size_t header = tar.find("run/lost.json");
    tar.replace(header, 512, std::string(512, '\xff'));
    const std::string text = opened({at.write("a.tar", tar)});
    CHECK(has_part(text, "run: run/metrics.json run/p.folded\n"));
    CHECK(has_part(text, "a.tar: the archive is damaged or cut off: a part is missing"));
  }
}

TEST_CASE("A cut archive gives what stands before the cut, and says so") {
  const Folder at;
  const std::vector<Entry> entries = {{"run/metrics.json", events(20'000)},
                                      {"run/p.folded", profile_text},
                                      {"run/q.json", events(20'000)}};
  const auto cut = [](std::string bytes) { return bytes.substr(0, bytes.size() * 2 / 3); };
  const std::string zip = opened({at.write("a.zip", cut(zip_of(entries)))});
  CHECK(has_part(zip, "run: run/metrics.json run/p.folded"));
  CHECK(has_part(zip, "a.zip: the archive is damaged or cut off"));
  for (const char* filter : {"none", "gzip"}) {
    CAPTURE(filter);
    const std::string tar = opened({at.write("a.tar", cut(archive_of("pax", entries, filter)))});
    CHECK(has_part(tar, "run: run/metrics.json run/p.folded"));
    CHECK(has_part(tar, "a.tar: the archive is damaged or cut off"));
  }
}

TEST_CASE("A wrong checksum is said of the file, in a zip and in gzip") {
  const Folder at;
  std::string zip =
      archive_of("zip", {{"run/metrics.json", metrics}, {"run/p.folded", profile_text}}, "none",
                 "compression=store");
  zip[zip.find("main;work 3") + 10] = '4';
  const std::string text = opened({at.write("a.zip", zip)});
  CHECK(has_part(text, "run: run/metrics.json run/p.folded\n"));
  CHECK(has_part(text, "run/p.folded: it is damaged in the archive (ZIP bad CRC"));

  std::string gz = gzip_of(metrics);
  gz[gz.size() - 6] = static_cast<char>(gz[gz.size() - 6] ^ 1);
  CHECK(has_part(opened({at.write("metrics.json.gz", gz)}),
                 "metrics: metrics.json\ncrema: metrics.json: the packed file is damaged"));
  std::string tgz = archive_of("pax", {{"run/metrics.json", metrics}}, "gzip");
  tgz[tgz.size() - 6] = static_cast<char>(tgz[tgz.size() - 6] ^ 1);
  CHECK(has_part(opened({at.write("a.tgz", tgz)}), "a.tgz: the archive is damaged or cut off"));
}

TEST_CASE("A gzip file that is cut off gives what can be unpacked; several in a row are one file") {
  const Folder at;
  const std::string gz = gzip_of(events(1000));
  const std::string text = opened({at.write("metrics.json.gz", gz.substr(0, gz.size() / 2))});
  CHECK(has_part(text, "metrics: metrics.json"));
  CHECK(has_part(text, "metrics.json: the packed file is cut off"));
  CHECK(opened({at.write("two.json.gz", gzip_of(metrics.substr(0, 10)) +
                                            gzip_of(metrics.substr(10)))}) == "two: two.json");
}

TEST_CASE("An archive of which nothing can be had is an error that names it") {
  const Folder at;
  CHECK(has_part(opened({at.write("a.zip", zip_of({{"run/metrics.json", metrics}}).substr(0, 40))}),
                 "a.zip"));
  CHECK(has_part(opened({at.write("empty.zip", zip_of({}))}), "holds no file"));
  CHECK(has_part(opened({at("none.zip")}), "there is no such file"));
}

TEST_CASE("Entries of one name are both read; links are not followed and lose nothing silently") {
  const Folder at;
  CHECK(opened({at.write(
            "a.zip", zip_of({{"run/metrics.json", metrics}, {"run/metrics.json", metrics}}))}) ==
        "run: run/metrics.json | metrics: run/metrics.json");
  const std::string link = archive_of(
      "pax", {{"run/metrics.json", metrics}, {"run/p.folded", "../else.folded", AE_IFLNK}});
  Session session;
  REQUIRE(cli::open_bundles(session, {at.write("link.tar", link)}));
  CHECK(has_note(*session.run(0), "not-recognised"));

  at.write("run/metrics.json", metrics);
  at.write("p.folded", profile_text);
  fs::create_symlink(at("p.folded"), at("run/linked.folded"));
  fs::create_directory_symlink(at("run"), at("run/around"));
  fs::create_symlink(at("nowhere"), at("run/dangling.json"));
  CHECK(has_part(opened({at("run")}), "run: run/linked.folded run/metrics.json"));
  CHECK(has_part(opened({at("run")}), "run/dangling.json: "));
}

TEST_CASE("What may not be read is said, and the rest is read") {
  const Folder at;
  fs::permissions(at(""), fs::perms::all);
  at.write("run/metrics.json", metrics);
  at.write("run/secret.json", metrics);
  at.write("run/secrets/metrics.json", metrics);
  fs::permissions(at("run/secret.json"), fs::perms::none);
  fs::permissions(at("run/secrets"), fs::perms::none);
  // root may read anything
  const bool is_root = geteuid() == 0;
  const fs::path here = fs::current_path();
  if (is_root) {
    // who is not root may not even enter root's own folder
    fs::current_path(at(""));
    REQUIRE(seteuid(65534) == 0);
  }
  const std::string text = opened({at("run")});
  const std::string alone = opened({at("run/secret.json")});
  if (is_root) {
    REQUIRE(seteuid(0) == 0);
    fs::current_path(here);
  }
  fs::permissions(at("run/secrets"), fs::perms::all);
  CHECK(has_part(text, "run: run/metrics.json\n"));
  CHECK(has_part(text, "run/secret.json: it cannot be read: Permission denied"));
  CHECK(has_part(text, "run/secrets: it cannot be read: Permission denied"));
  INFO(alone);
  CHECK(has_part(alone, "secret.json: "));
  CHECK(has_part(alone, "Permission denied"));
}

TEST_CASE("Ten thousand files are read, and one more is refused in an archive") {
  const Folder at;
  std::vector<Entry> entries = {{"run/metrics.json", metrics}};
  for (int i = 1; i < 10'000; ++i) entries.push_back({"run/x/" + std::to_string(i) + ".txt", "x"});
  const std::string zip = at.write("a.zip", zip_of(entries));
  Session session;
  REQUIRE(cli::open_bundles(session, {zip}));
  CHECK(session.run(0)->sources.size() == 10'000);
  entries.push_back({"run/x/last.txt", "x"});
  CHECK(has_part(opened({at.write("b.zip", zip_of(entries))}), "more than 10,000 files"));
}

TEST_CASE("An archive that unpacks to more than any run is given up, with what was read before") {
  const Folder at;
  // a stack of any depth is read on: what is clear to be of no use would not be unpacked to here
  std::string stack = "main;work 2\n";
  while (stack.size() < 40U << 20U) stack += "main;";
  const std::string text = opened(
      {at.write("bomb.zip", zip_of({{"run/metrics.json", metrics}, {"run/deep.folded", stack}}))});
  CHECK(has_part(text, "run: run/metrics.json"));
  CHECK(has_part(text,
                 "bomb.zip: the unpacked files are more than 250 times as large as the archive"));
  CHECK(has_part(opened({at.write("deep.folded.gz", gzip_of(stack))}), "more than 250 times"));
}

TEST_CASE(
    "A report opens again as the runs that were put into it, apart though their folders are called "
    "alike") {
  const Folder at;
  for (const char* above : {"old", "new"})
    at.write(std::string(above) + "/run/metrics.json", metrics);
  at.write("new/run/p.zip", zip_of({{"dask/p.folded", profile_text}}));
  const std::vector<std::string> bundles = {at("old/run"), at("new/run")};
  Session session;
  REQUIRE(cli::open_bundles(session, bundles));
  cli::Report report = cli::report_of(session, bundles);
  const std::string page =
      at.write("crema.html", "<!doctype html><body><!--crema-report--></body>");
  const std::string path = at.write("report.html", cli::report_page(page, report));
  CHECK(opened({path}) ==
        "old/run: run/metrics.json | new/run: run/metrics.json run/p.zip/dask/p.folded");

  at.write("run/metrics.json", metrics);
  fs::copy_file(path, at("run/report.html"));
  CHECK(opened({at("run")}) == "run: run/metrics.json run/report.html");
}

TEST_CASE("A report of single files, and one that an older program wrote") {
  const Folder at;
  at.write("a/metrics.json", metrics);
  at.write("b/p.folded", profile_text);
  const std::vector<std::string> bundles = {at("a/metrics.json"), at("b/p.folded")};
  Session session;
  REQUIRE(cli::open_bundles(session, bundles));
  const std::string page =
      at.write("crema.html", "<!doctype html><body><!--crema-report--></body>");
  CHECK(
      opened({at.write("report.html", cli::report_page(page, cli::report_of(session, bundles)))}) ==
      "metrics: a/metrics.json b/p.folded");
  const std::string older =
      R"(<!doctype html><script type="application/json" id="crema-report">{"version":1,"hash":"","files":[)"
      R"({"path":"run/p.folded","data":"bWFpbjt3b3JrIDMK"},{"path":"run/x.json","data":"?"}]}</script>)";
  const std::string text = opened({at.write("older.html", older)});
  CHECK(has_part(text, "run: run/p.folded\n"));
  CHECK(has_part(text, "run/x.json: it is not base64"));
  CHECK(has_part(opened({at.write("broken.html", older.substr(0, 100))}),
                 "the report is damaged or cut off at byte 100"));
  const std::string cut = opened({at.write("cut.html", older.substr(0, older.find("run/x.json")))});
  CHECK(has_part(cut, "run: run/p.folded\n"));
  CHECK(has_part(cut, "cut.html: the report is damaged or cut off"));
}

#endif
