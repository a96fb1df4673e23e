#pragma once

#include <cstdint>
#include <memory>

#include "core/table/table.hpp"

// The Arrow C data and stream interfaces: two small structs that every version of Arrow keeps to
// (arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html). Their members are
// called as there.
extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace crema::arrow {

/// Whether a column's numbers are counts, and all whole: int64 in Arrow, int in Python.
bool is_whole(const Column& column);

/// The columns of `table`: numbers as float64, texts as large strings, flags as booleans, a matrix
/// column as lists of one length; what is missing is null. A field's metadata has its "unit" and
/// "formula", where there are any; the schema's the "question" and each note by its name.
void export_schema(const Table& table, ArrowSchema& out);

/// All rows as one batch. Numbers are not copied: what is given out keeps the table.
void export_stream(std::shared_ptr<const Table> table, ArrowArrayStream& out);

}  // namespace crema::arrow
