// Dask's task stream: `[{key, worker, thread, startstops: [{action, start, stop}], nbytes, status},
// …]`.
#include "core/read/list.hpp"

namespace crema::read {

namespace {

class TaskStream : public JsonDocument {
 public:
  TaskStream(Run& run, const std::string& path) : JsonDocument(run, path) {
    run.tasks.source = path;
  }
  json::Node& root() override { return tasks_; }

 private:
  struct Action {
    std::string name;
    double start = absent;
    double stop = absent;
  };

  /// A key is a text, or a tuple, which JSON writes as a list: its first text is what names it.
  struct Key : json::Value {
    using Value::Value;
    bool begin_array() override { return true; }
    Node* element(std::size_t) override { return this; }
  };
  void add_to_key(std::string_view part) {
    if (!task_.key.empty()) task_.key += ", ";
    task_.key += part;
  }

  void keep_action() {
    if (action_.stop >= action_.start) actions_.push_back(action_);
    else
      run_.add_note("task-time", Severity::low,
                    "an action of a task has no usable start and stop time; it was left out",
                    run_.tasks.source);
  }
  void keep_task() {
    StringPool& strings = run_.names->strings;
    Tasks& tasks = run_.tasks;
    const auto known = [&](const std::string& text) {
      return text.empty() ? no_string : strings.intern(text);
    };
    const StringId key = strings.intern(task_.key);
    const StringId prefix = strings.intern(key_split(task_.key));
    const StringId worker = strings.intern(task_.worker);
    for (const Action& action : actions_) {
      const StringId name = strings.intern(action.name);
      const StringId status = known(task_.status), exception = known(task_.exception);
      tasks.add(key, prefix, worker, task_.thread, name, action.start, action.stop, task_.nbytes,
                status, exception);
    }
  }

  struct {
    std::string key, worker, status, exception;
    double thread = absent, nbytes = absent;
  } task_;
  Action action_;
  std::vector<Action> actions_;  // of the task

  Key key_{"a key: a text, or a list of texts and numbers",
           [this](double part) { task_.key += ", " + number_text(part); },
           [this](std::string_view part) { add_to_key(part); }};
  json::Object one_action_{
      "an action",
      {{"action", action_.name}, {"start", action_.start}, {"stop", action_.stop}},
      [this] { keep_action(); }};
  json::List action_list_{"a list of actions", one_action_};
  json::Object one_task_{"an object for each task",
                         {{"key", key_},
                          {"worker", task_.worker},
                          {"thread", task_.thread},
                          {"startstops", action_list_},
                          {"nbytes", task_.nbytes},
                          {"status", task_.status},
                          {"exception_text", task_.exception}},
                         [this] { keep_task(); }};
  json::List tasks_{"a list of tasks", one_task_, [this](std::size_t) {
                      task_.key.clear();
                      actions_.clear();
                    }};
};

bool recognises_task_stream(const Head& head) {
  if (!head.sample().is_array() || head.sample().empty()) return false;
  const nlohmann::json& first = head.sample()[0];
  return holds(first, "startstops") ||
         (holds(first, "key") && holds(first, "worker") && holds(first, "thread"));
}

}  // namespace

const Format task_stream_format{task_stream_about, recognises_task_stream, open_reader<TaskStream>};

}  // namespace crema::read
