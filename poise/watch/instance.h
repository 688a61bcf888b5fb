#pragma once

// One application instance: where it is, what it senses, and the elements of its streams.
//
// Everything that happens to a collection goes through the few functions here, which tell the
// evaluator: an element is in, an element is out. So an evaluator needs no idea of time.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/watch/program.h"
#include "poise/watch/ring.h"

namespace poise::watch {

struct Instance {
  bool started = false;
  model::StateId state;
  // Nothing has changed, since no rule was satisfied, that a rule of the state reads, and nothing
  // does by time alone.
  bool settled = false;
  Time now = 0;
  Time entered = 0;
  Time next_expiry = kNever;        // the first of `leaves`
  std::uint32_t next_expiring = 0;  // and whose it is
  std::vector<Cell> slots;
  std::vector<Ring> rings;             // by stream
  std::vector<std::uint64_t> cursors;  // by collection; `last`: the first element that is in it;
                                       // latest: the one behind the element, 0 if there is none
  // When the next element leaves each `last` window.
  std::vector<Time> leaves;  // by Collection::place
  // The elements of the `next` windows, row by row: those that came since the state was entered,
  // while the window was open. They stay as long as the state does.
  std::vector<std::vector<Cell>> ahead;  // by Collection::place

  Instance() = default;
  explicit Instance(const Program& program);
};

// Asks for the memory that an event will need. Where there are many instances, each part of it
// comes from afar, and so they come at the same time.
inline void expect(const Instance& instance) {
  __builtin_prefetch(instance.slots.data());
  __builtin_prefetch(instance.rings.data());
  __builtin_prefetch(instance.cursors.data());
  __builtin_prefetch(instance.leaves.data());
}

// The first of them all.
inline void find_next_expiry(Instance& instance) {
  Time first = kNever;
  std::size_t whose = 0;
  for (std::size_t i = 0; i < instance.leaves.size(); ++i) {
    whose = instance.leaves[i] < first ? i : whose;
    first = std::min(first, instance.leaves[i]);
  }
  instance.next_expiry = first;
  instance.next_expiring = static_cast<std::uint32_t>(whose);
}

// For a `last` window whose first element is another one now.
inline void find_expiry(Instance& instance, CollectionId id, const Collection& collection) {
  const Ring& ring = instance.rings[collection.stream.index];
  const std::uint64_t cursor = instance.cursors[id.index];
  instance.leaves[collection.place] =
      cursor == ring.end() ? kNever : later(ring.time(cursor), collection.length);
  find_next_expiry(instance);
}

// Whether a `next` window still waits for elements.
[[nodiscard]] inline bool is_open(const Instance& instance, const Collection& collection) {
  return instance.now < later(instance.entered, collection.length);
}

// Where the latest element is taken back, the one before it is the latest again; and an element
// that came after a `next` window had closed is taken back instead of one like it inside. So many
// are kept beside those in windows.
inline constexpr std::uint64_t kRemembered = 16;

// The first element of a stream that a window holds or that is remembered. What the ring has before
// it has not been dropped yet, and makes no difference any more.
[[nodiscard]] inline std::uint64_t first_known(const Program& program, const Instance& instance,
                                               model::StreamId stream) {
  const Ring& ring = instance.rings[stream.index];
  std::uint64_t known = ring.end();
  for (const CollectionId id : program.collections_of(stream)) {
    const std::uint64_t cursor = instance.cursors[id.index];
    const model::Window::Kind kind = program.collection(id).kind;
    if (kind == model::Window::Kind::Last) {
      known = std::min(known, cursor);
      continue;
    }
    known = std::min(known, ring.end() - std::min(ring.end() - ring.first(), kRemembered));
    if (kind == model::Window::Kind::Latest && cursor != 0) known = std::min(known, cursor - 1);
  }
  return known;
}

// How many elements a collection has, or some more.
[[nodiscard]] inline std::uint64_t most_elements(const Program& program, const Instance& instance,
                                                 CollectionId id) {
  const Collection& collection = program.collection(id);
  switch (collection.kind) {
    case model::Window::Kind::Latest: return 1;
    case model::Window::Kind::Last:
      return instance.rings[collection.stream.index].end() - instance.cursors[id.index];
    case model::Window::Kind::Next: return instance.ahead[collection.place].size();
  }
  return 0;
}

// Calls visit(cells) with each element of a `next` window until it returns false.
template <class Visit>
void for_each_ahead(const Program& program, const Instance& instance, const Collection& collection,
                    Visit visit) {
  const std::vector<Cell>& cells = instance.ahead[collection.place];
  const std::size_t width = program.model().streams[collection.stream].fields.size() + 1;
  for (std::size_t row = 0; row < cells.size(); row += width) {
    if (!visit(cells.data() + row)) return;
  }
}

// Calls visit(cells) with each element of a collection, the oldest first, until it returns false.
template <class Visit>
void for_each_element(const Program& program, const Instance& instance, CollectionId id,
                      Visit visit) {
  const Collection& collection = program.collection(id);
  const Ring& ring = instance.rings[collection.stream.index];
  const std::uint64_t cursor = instance.cursors[id.index];
  switch (collection.kind) {
    case model::Window::Kind::Latest:
      if (cursor != 0) visit(ring.cells(cursor - 1));
      return;
    case model::Window::Kind::Last:
      for (std::uint64_t number = cursor; number != ring.end(); ++number) {
        if (!ring.is_gone(number) && !visit(ring.cells(number))) return;
      }
      return;
    case model::Window::Kind::Next: for_each_ahead(program, instance, collection, visit); return;
  }
}

// Calls visit(cells) with each element of a stream that is in a window or remembered; with some
// more than once.
template <class Visit>
void for_each_known(const Program& program, const Instance& instance, model::StreamId stream,
                    Visit visit) {
  const Ring& ring = instance.rings[stream.index];
  for (std::uint64_t i = first_known(program, instance, stream); i != ring.end(); ++i) {
    if (!ring.is_gone(i)) visit(ring.cells(i));
  }
  for (const CollectionId id : program.collections_of(stream)) {
    if (program.collection(id).kind != model::Window::Kind::Next) continue;
    for_each_ahead(program, instance, program.collection(id), [&](const Cell* element) {
      visit(element);
      return true;
    });
  }
}

}  // namespace poise::watch
