#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/tokenizer.hpp"

namespace crema::json {

/// What a reader wants of one JSON value. A Router calls it; a reader is a tree of Nodes, made
/// before or while reading.
///
/// Scalars: the node says whether it takes the value (`false` = of a type it did not expect; the
/// Router reports it). null is "missing" and accepted by all; so is NaN, which Python writes for
/// it. Numbers are finite: an infinite one is reported. Containers: `begin_object`/`begin_array`
/// say whether it takes that kind; then `member` or `element` names the node for each child,
/// nullptr to skip the child with all below it; then `end`. A container that the file cuts off gets
/// no `end`. Nodes may be reused for many values.
class Node {
 public:
  /// `expects`: what it takes, for messages: "a number".
  explicit Node(std::string_view expects = "another type") : expects_(expects) {}
  virtual ~Node() = default;
  virtual void null() {}
  virtual bool boolean(bool) { return false; }
  virtual bool number(double) { return false; }
  virtual bool string(std::string_view) { return false; }
  virtual bool begin_object() { return false; }
  virtual bool begin_array() { return false; }
  virtual Node* member(std::string_view) { return nullptr; }
  virtual Node* element(std::size_t) { return nullptr; }
  virtual void end() {}
  /// Whether `consume_raw` is worth calling for the elements of this array, or members of this
  /// object.
  virtual bool wants_raw() const { return false; }
  /// Handler::consume_raw for these; adds those taken to `index`.
  virtual std::size_t consume_raw(std::string_view, std::size_t& /*index*/) { return 0; }
  /// The containers that `consume_raw` has just begun and not ended, outermost first.
  struct Entered {
    Node* node;
    bool object;
    std::size_t index;  ///< of the next element (arrays)
    bool is_empty;      ///< nothing of it was read yet
  };
  virtual std::span<const Entered> entered() const { return {}; }
  std::string_view expects() const { return expects_; }

 private:
  std::string_view expects_;
};

/// Walks Nodes along a document's events, with a stack of its own (no recursion).
class Router : public Handler {
 public:
  /// `mismatch(path, offset, expected)` is called for each value a node does not take.
  using Mismatch =
      std::function<void(const std::string& path, std::uint64_t offset, std::string_view expected)>;

  explicit Router(Node& root, Mismatch mismatch = {})
      : root_(&root), mismatch_(std::move(mismatch)) {
    wants_raw = false;
  }

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(std::int64_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) override { return number(static_cast<double>(value)); }
  bool number_float(double value, std::string_view) override { return number(value); }
  bool string(std::string_view value) override;
  bool start_object() override { return start(true); }
  bool key(std::string_view value) override;
  bool end_object() override { return end(); }
  bool start_array() override { return start(false); }
  bool end_array() override { return end(); }
  std::size_t consume_raw(std::string_view bytes) override;

  /// The path of the value being read, as far as nodes know it:
  /// `tracking_data.worker_cpu["tcp://…"][12]`. For people: the middle of a path of thousands of
  /// levels is left out, and so is the end of a long key.
  std::string path() const;

 private:
  struct Frame {
    Node* node;
    bool object;
    bool wants_raw;
    std::size_t index;  // of the element being read (arrays)
    std::string key;    // of the member being read (objects)
  };

  Node* next();  // the node for the value that begins now, nullptr = skip
  bool number(double value);
  bool start(bool object);
  void push(Node& node, bool object, std::size_t index);
  bool end();
  void report(const Node& node);

  Node* root_;
  Mismatch mismatch_;
  std::vector<Frame> frames_;  // frames_[0 .. depth_) are in use; kept for their strings
  std::size_t depth_ = 0;
  Node* pending_ = nullptr;  // the member's node, named by its key
};

/// Reads the elements of an array without the tokenizer: lists of scalars, and objects with the
/// same members in the same order and the same white space. The bytes between an object's values
/// are compared with those of an object that was parsed before; only the values are parsed. The
/// record's nodes get the calls that the Router would make. Everything else is left to the
/// tokenizer: no byte is accepted unchecked.
class RecordFastPath {
 public:
  /// Takes whole records from the beginning of `bytes`, where an element begins, into `record`. A
  /// record that cannot be taken is begun and not ended; it is read again, so `record` may keep
  /// nothing of it before its `end`. Returns how many bytes it took and adds the records to
  /// `count`.
  std::size_t take(std::string_view bytes, Node& record, std::size_t& count);

 private:
  struct Step {
    enum class Kind : std::uint8_t { value, open, close };

    std::string before;  // from the end of the last value, brackets of objects included
    std::string key;     // of the member, but for `close`
    Kind kind;
  };

  const char* replay(const char* p, const char* end, Node& record);
  [[gnu::cold]] bool learn(const char* p, const char* end);

  std::vector<Step> steps_;
  std::vector<Node*> open_;  // of each object that is open; nullptr = skipped
  unsigned learned_ = 0;
  bool missed_ = true;  // the last record could not be taken
};

}  // namespace crema::json
