// Dask's task stream: `[{key, worker, thread, startstops: [{action, start, stop}], nbytes, status},
// …]`.
#include "core/json/nodes.hpp"
#include "core/read/json_reader.hpp"
#include "core/read/readers.hpp"

namespace crema::read {

namespace {

/// One task; its actions are put into the columns at the record's end.
class TaskNode : public json::Node {
 public:
  explicit TaskNode(Run& run) : run_(run) {}

  bool begin_object() override {
    key_.clear();
    worker_.clear();
    status_.clear();
    exception_.clear();
    thread_ = nbytes_ = absent;
    actions_.clear();
    return true;
  }
  json::Node* member(std::string_view key) override {
    if (key == "key") return &key_node_;
    if (key == "worker") return &text_.at(&worker_);
    if (key == "status") return &text_.at(&status_);
    if (key == "exception_text") return &text_.at(&exception_);
    if (key == "thread") return &number_.at(&thread_);
    if (key == "nbytes") return &number_.at(&nbytes_);
    if (key == "startstops") return &action_list_;
    return nullptr;
  }
  void end() override {
    StringPool& strings = run_.names->strings;
    Tasks& tasks = run_.tasks;
    const StringId key = strings.intern(key_);
    const StringId prefix = strings.intern(key_split(key_));
    const StringId worker = strings.intern(worker_);
    const StringId status = status_.empty() ? no_string : strings.intern(status_);
    const StringId exception = exception_.empty() ? no_string : strings.intern(exception_);
    for (const Action& action : actions_) {
      tasks.key.push_back(key);
      tasks.prefix.push_back(prefix);
      tasks.worker.push_back(worker);
      tasks.thread.push_back(thread_);
      tasks.action.push_back(strings.intern(action.name));
      tasks.t0.push_back(action.start);
      tasks.t1.push_back(action.stop);
      tasks.nbytes.push_back(nbytes_);
      tasks.status.push_back(status);
      tasks.exception.push_back(exception);
    }
  }
  std::string_view expects() const override { return "an object for each task"; }

 private:
  struct Action {
    std::string name;
    double start = absent;
    double stop = absent;
  };

  /// A key is a text, or a tuple, which JSON writes as a list: its first text is what names it.
  class KeyNode : public json::Node {
   public:
    explicit KeyNode(TaskNode& owner) : owner_(owner) {}
    bool string(std::string_view value) override {
      if (owner_.key_.empty()) owner_.key_ = value;
      else owner_.key_ += ", " + std::string(value);
      return true;
    }
    bool number(double value) override {
      std::string text;
      json::TextInto(&text).number(value);
      owner_.key_ += ", " + text;
      return true;
    }
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return this; }
    std::string_view expects() const override {
      return "a key: a text, or a list of texts and numbers";
    }

   private:
    TaskNode& owner_;
  };

  class ActionNode : public json::Node {
   public:
    explicit ActionNode(TaskNode& owner) : owner_(owner) {}
    bool begin_object() override {
      action_ = {};
      return true;
    }
    json::Node* member(std::string_view key) override {
      if (key == "action") return &text_.at(&action_.name);
      if (key == "start") return &number_.at(&action_.start);
      if (key == "stop") return &number_.at(&action_.stop);
      return nullptr;
    }
    void end() override {
      if (action_.stop >= action_.start) {
        owner_.actions_.push_back(action_);
      } else {
        owner_.run_.add_note(
            "task-time", Severity::low,
            "an action of a task has no usable start and stop time; it was left out",
            owner_.run_.tasks.source);
      }
    }

   private:
    TaskNode& owner_;
    Action action_;
    json::TextInto text_;
    json::NumberInto number_;
  };

  class ActionList : public json::Node {
   public:
    explicit ActionList(TaskNode& owner) : item_(owner) {}
    bool begin_array() override { return true; }
    json::Node* element(std::size_t) override { return &item_; }
    std::string_view expects() const override { return "a list of actions"; }

   private:
    ActionNode item_;
  };

  Run& run_;
  std::string key_, worker_, status_, exception_;
  double thread_ = absent, nbytes_ = absent;
  std::vector<Action> actions_;
  json::TextInto text_;
  json::NumberInto number_;
  KeyNode key_node_{*this};
  ActionList action_list_{*this};
};

class TaskListNode : public json::Node {
 public:
  explicit TaskListNode(Run& run) : task_(run) {}
  bool begin_array() override { return true; }
  json::Node* element(std::size_t) override { return &task_; }
  std::string_view expects() const override { return "a list of tasks"; }

 private:
  TaskNode task_;
};

bool recognises_task_stream(const Head& head) {
  if (!head.sample().is_array() || head.sample().empty() || !head.sample()[0].is_object())
    return false;
  const auto& first = head.sample()[0];
  return holds(first, "startstops") ||
         (holds(first, "key") && holds(first, "worker") && holds(first, "thread"));
}

std::unique_ptr<Reader> open_task_stream(Run& run, const std::string& path) {
  run.tasks.source = path;
  return std::make_unique<JsonReader>(run, path, std::make_unique<TaskListNode>(run));
}

}  // namespace

const Format task_stream_format = {"task_stream", "Dask task stream",     true,
                                   true,          recognises_task_stream, open_task_stream};

}  // namespace crema::read
