// A run that is renewed while it is being recorded answers as one that was opened anew.
#include <random>

#include "core/export/export.hpp"
#include "core/query/question.hpp"
#include "tests/core/allocations.hpp"
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"

namespace crema::test {
namespace {

/// A recording by `crema.record` that grows: tasks of two workers, of three datasets in four files,
/// some of which fail. What is written is divided into parts; small ones are put together later.
class GrowingRecording {
 public:
  explicit GrowingRecording(unsigned seed) : random_(seed) {}

  /// One or more tasks come as a part, or small parts become one.
  void grow() {
    if (parts_.size() > 2 && below(3) == 0) {
      const std::size_t first = below(parts_.size() - 1);
      const std::size_t last = first + 1 + below(parts_.size() - first - 1);
      parts_[first] = {parts_[first].begin, parts_[last].end, number_++};
      parts_.erase(parts_.begin() + std::ptrdiff_t(first) + 1,
                   parts_.begin() + std::ptrdiff_t(last) + 1);
    } else {
      const std::size_t begin = tasks_.size();
      for (std::size_t more = 1 + below(6); more > 0; --more) add_task();
      parts_.push_back({begin, tasks_.size(), number_++});
    }
  }

  /// So many tasks come as a part; 32 parts become one, and so do 32 of these.
  void record(std::size_t tasks) {
    const std::size_t begin = tasks_.size();
    while (tasks_.size() < begin + tasks) add_task();
    parts_.push_back({begin, tasks_.size(), number_++});
    for (std::size_t level = 0; level < 2; ++level) {
      const auto first = std::find_if(parts_.begin(), parts_.end(),
                                      [&](const Part& part) { return part.level == level; });
      if (parts_.end() - first < 32) continue;
      *first = {first->begin, parts_.back().end, number_++, level + 1};
      parts_.erase(first + 1, parts_.end());
    }
  }

  /// Its files as they are now.
  std::vector<File> files() const {
    std::vector<File> files;
    for (const Part& part : parts_)
      files.push_back({"run/tasks-" + std::to_string(part.number) + ".json", text_of(part)});
    files.push_back({"run/tasks.json", index()});
    return files;
  }

 private:
  struct Task {
    long long begin, wall;  // [µs]
    unsigned worker, dataset, file, entry;
    bool failed;
  };
  struct Part {
    std::size_t begin, end, number, level = 0;
  };

  // std::uniform_int_distribution differs between standard libraries; this does not.
  std::size_t below(std::size_t n) { return random_() % n; }

  void add_task() {
    const auto worker = static_cast<unsigned>(below(2));
    const auto wall = static_cast<long long>(100'000 + below(900'000));
    tasks_.push_back({until_[worker], wall, worker, static_cast<unsigned>(below(3)),
                      static_cast<unsigned>(below(4)), 1000 * static_cast<unsigned>(below(50)),
                      below(8) == 0});
    until_[worker] += wall + static_cast<long long>(below(50'000));
  }

  std::string text_of(const Part& part) const {
    std::string columns[10], sections[3];
    const auto add = [](std::string& column, const std::string& value) {
      column += (column.empty() ? "" : ", ") + value;
    };
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Task& task = tasks_[i];
      const std::string values[] = {"0",
                                    std::to_string(2 + task.worker),
                                    std::to_string(task.failed ? 5 : 4),
                                    std::to_string(6 + task.dataset),
                                    std::to_string(9 + task.file),
                                    std::to_string(task.entry),
                                    std::to_string(task.entry + 1000),
                                    task.failed ? "null" : "1000",
                                    std::to_string(task.begin),
                                    std::to_string(task.wall)};
      for (std::size_t column = 0; column < 10; ++column) add(columns[column], values[column]);
      if (task.failed) continue;
      add(sections[0], std::to_string(i - part.begin));
      add(sections[1], std::to_string(13 + i % 2));
      add(sections[2], std::to_string(task.wall / 2));
    }
    const char* names[] = {"kind",        "worker",     "status", "dataset", "file",
                           "entry_start", "entry_stop", "events", "begin",   "wall"};
    std::string text =
        R"({"format": "crema_tasks_v1", "epoch": 1000000, "strings": ["chunk", "host", "W-1", "W-2",
          "ok", "failed", "dy", "tt", "data", "a.root", "b.root", "c.root", "d.root", "jets", "fit"],
          "tasks": {)";
    for (std::size_t column = 0; column < 10; ++column)
      text += (column == 0 ? "\"" : ", \"") + std::string(names[column]) + "\": [" +
              columns[column] + "]";
    const std::string alike = std::to_string(part.end - part.begin);
    std::string hosts, pids;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      add(hosts, "1");
      add(pids, std::to_string(7 + tasks_[i].worker));
    }
    return text + ", \"host\": [" + hosts + "], \"pid\": [" + pids +
           "]}, \"sections\": {\"task\": [" + sections[0] + "], \"name\": [" + sections[1] +
           "], \"wall\": [" + sections[2] + "]}, \"processes\": []}";
  }

  std::string index() const {
    const auto seconds = [](long long micros) {
      return std::to_string(1'000'000 + micros / 1'000'000) + "." +
             std::to_string(1'000'000 + micros % 1'000'000).substr(1);
    };
    std::string workers;
    for (int worker = 0; worker < 2; ++worker) {
      workers += std::string(worker == 0 ? "" : ", ") + R"({"host": "host", "pid": )" +
                 std::to_string(7 + worker) + R"(, "worker": "W-)" + std::to_string(1 + worker) +
                 R"(", "begin": 1000000, "end": )" + seconds(until_[worker] + 1) +
                 R"(, "threads": 1})";
    }
    return R"({"format": "crema_task_index_v1", "state": "running", "begin": 1000000, "until": )" +
           seconds(std::max(until_[0], until_[1]) + 500'000) + R"(, "rows": )" +
           std::to_string(tasks_.size()) +
           R"(, "dropped": 0, "notes": [], "cluster": false, "workers": [)" + workers +
           R"(], "parts": []})";
  }

  std::mt19937 random_;
  std::vector<Task> tasks_;
  std::vector<Part> parts_;
  long long until_[2] = {0, 0};  // [µs] when each worker is free
  std::size_t number_ = 0;
};

std::string answer_text(Session& session, RunId run, const query::Question& question) {
  const Result<Table> answer = session.ask(question.name, {&run, 1}, {}, {});
  return answer ? exports::table_json(answer.value()) : answer.error().sentence();
}

}  // namespace

TEST_CASE("A run renewed part by part answers every question as one that is opened anew") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    GrowingRecording recording(seed);
    recording.grow();
    Session following;
    const RunId run = open_files(following, recording.files()).value().runs.at(0);
    std::vector<File> before = recording.files();
    for (int step = 0; step < 6; ++step) {
      CAPTURE(step);
      recording.grow();
      const std::vector<File> files = recording.files();
      // all parts up to the first that is another one
      bool is_same = true;
      for (std::size_t i = 0; i < files.size(); ++i) {
        const File& file = files[i];
        is_same =
            is_same && i + 1 < std::min(files.size(), before.size()) && file.path == before[i].path;
        CHECK(following.reuse_file(run, 0, file.path) == is_same);
        if (is_same) continue;
        const FileId id = following.add_file(0, file.path, file.content.size());
        following.push(id, file.content);
        following.finish_file(id);
      }
      REQUIRE(following.renew(run).value().runs == std::vector<RunId>{run});

      Session anew;
      REQUIRE(open_files(anew, files));
      for (const query::Question* question : query::all()) {
        if (question->run_count.least > 1) continue;
        CAPTURE(question->name);
        CHECK(answer_text(following, run, *question) == answer_text(anew, 0, *question));
      }
      before = files;
    }
  }
}

TEST_CASE("Parts are reused of a run whose recording goes on, each once") {
  GrowingRecording recording(1);
  recording.grow();
  std::vector<File> files = recording.files();
  Session session;
  const RunId run = open_files(session, files).value().runs.at(0);
  CHECK_FALSE(session.reuse_file(run + 1, 0, files[0].path));
  CHECK_FALSE(session.reuse_file(run, 0, "run/tasks-99.json"));
  CHECK(session.reuse_file(run, 0, files[0].path));
  CHECK_FALSE(session.reuse_file(run, 0, files[0].path));  // it has been taken
  CHECK_FALSE(session.finish());                           // of which only a renewal can make a run
  CHECK(session.run(run)->recording.tasks.size() > 0);

  const std::string running = "running";
  std::string& index = files.back().content;
  index.replace(index.find(running), running.size(), "complete");
  const RunId ended = open_files(session, files).value().runs.at(0);
  CHECK_FALSE(session.reuse_file(ended, 0, files[0].path));
}

TEST_CASE("A client that begins again has parts of the same names, and is read anew") {
  GrowingRecording first(1), second(2);
  first.record(5);
  second.record(3);
  Session session;
  const RunId run = open_files(session, first.files()).value().runs.at(0);
  std::vector<File> files = second.files();
  std::string& index = files.back().content;
  const std::string begin = R"("begin": 1000000, "until")";
  index.replace(index.find(begin), begin.size(), R"("begin": 1000100, "until")");
  const auto look = [&] {
    for (const File& file : files) {
      if (session.reuse_file(run, 0, file.path)) continue;
      const FileId id = session.add_file(0, file.path, file.content.size());
      session.push(id, file.content);
      session.finish_file(id);
    }
    return bool(session.renew(run));
  };
  CHECK_FALSE(look());
  CHECK(session.run(run)->recording.tasks.size() == 5);
  REQUIRE(look());
  CHECK(session.run(run)->recording.tasks.size() == 3);
  CHECK(session.runs() == std::vector<RunId>{run});
}

namespace {

/// [byte] What it has allocated.
std::size_t held_by(std::unique_ptr<Session> session) {
  const std::size_t with = AllocationCount::held();
  session.reset();
  return with - AllocationCount::held();
}

}  // namespace

TEST_CASE("A run that is renewed for hours holds no more than one that is opened anew") {
  // 8 h of parts: a look every 5 minutes, and parts put together as the recorder does it
  GrowingRecording recording(7);
  recording.record(30);
  auto following = std::make_unique<Session>();
  const RunId run = open_files(*following, recording.files()).value().runs.at(0);
  for (int minutes = 5; minutes < 8 * 60; minutes += 5) {
    recording.record(30);
    for (const File& file : recording.files()) {
      if (following->reuse_file(run, 0, file.path)) continue;
      const FileId id = following->add_file(0, file.path, file.content.size());
      following->push(id, file.content);
      following->finish_file(id);
    }
    REQUIRE(following->renew(run));
  }
  CHECK(following->run(run)->recording.tasks.size() == 2880);
  auto anew = std::make_unique<Session>();
  REQUIRE(open_files(*anew, recording.files()));
  const auto data = static_cast<double>(held_by(std::move(anew)));
  CHECK(static_cast<double>(held_by(std::move(following))) < 1.3 * data);
}

}  // namespace crema::test
