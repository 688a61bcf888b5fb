#pragma once

// One application instance: its state, its variables, and the elements of its streams.
//
// An element is stored once, in the ring of its stream. A `last` window is the part of the ring
// from a cursor to the end; a schedule says when the cursor moves on. The latest element is a
// cursor, too. A `next` window has copies, because it may hold elements for longer than the ring.
// The monitor tells the evaluator of every element that enters or leaves a collection, so an
// evaluator need not know about time.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/watch/store/ring.h"
#include "poise/watch/store/schedule.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

struct Instance {
  bool started = false;  // by its first event
  // No rule of the state was satisfied, nothing that they read has changed since, and nothing will
  // by time alone: rules need not be asked.
  bool settled = false;
  model::StateId state;
  Time next = kNever;  // when the next element leaves a window
  Time now = 0;        // of the last change
  Time entered = 0;    // when the state was entered
  std::vector<Cell> slots;
  std::vector<Ring> rings;  // by stream
  // By collection, a number in the ring. `last`: that of the first element in the window, or the
  // end. Latest: one more than that of the element; 0 if there is none.
  std::vector<std::uint64_t> cursors;
  std::vector<Schedule> schedules;  // of `last` windows, by Collection::place
  // The elements of `next` windows, row by row, each with its number in the ring behind its cells:
  // those that came since the state was entered, while the window was open. They stay until the
  // state is left.
  std::vector<std::vector<Cell>> ahead;  // by Collection::place

  Instance() = default;
  explicit Instance(const WatchedModel& watched);
};

// Prefetches the memory that an event will need. With many instances none of it is in a cache; this
// way the parts are fetched at the same time.
inline void expect(const Instance& instance) {
  __builtin_prefetch(instance.slots.data());
  __builtin_prefetch(instance.rings.data());
  __builtin_prefetch(instance.cursors.data());
  __builtin_prefetch(instance.schedules.data());
}

// The schedule from which an element leaves next. If there are several, the answer is as good as
// random, so this must not branch on it. A mask makes sure of that; compilers would not always.
inline Schedule& next_of_some(std::span<Schedule> schedules) {
  std::size_t best = 0;
  Time first = schedules[0].next();
  for (std::size_t i = 1; i < schedules.size(); ++i) {
    const Time next = schedules[i].next();
    best ^= (best ^ i) & -std::size_t{next < first};
    first = std::min(first, next);
  }
  return schedules[best];
}
inline void find_next(Instance& instance) {
  instance.next = next_of_some(instance.schedules).next();
}

// An element has come into a `last` window: notes when it will leave.
inline void schedule(Instance& instance, std::uint32_t place, const Due& due) {
  instance.schedules[place].add(due);
  if (due.leaves < instance.next) instance.next = due.leaves;
}
inline void schedule(Instance& instance, CollectionId id, const Collection& collection, Time came) {
  schedule(instance, collection.place, {later(came, collection.length), id});
}

// Whether a `next` window still waits for elements.
[[nodiscard]] inline bool is_open(const Instance& instance, const Collection& collection) {
  return instance.now < later(instance.entered, collection.length);
}

// So many of the latest elements of a stream are remembered, even if no window holds them, for the
// sake of `remove`: if the latest element is taken back, the one before it is the latest again; and
// an element that came after a `next` window had closed is taken back itself, not an earlier one
// like it inside the window. Streams that have only `last` windows need none.
inline constexpr std::uint64_t kRemembered = 16;

// The number of the first element of a stream that a window holds or that is remembered. What the
// ring has before it has not been dropped yet, and makes no difference any more.
[[nodiscard]] inline std::uint64_t first_known(const WatchedModel& watched,
                                               const Instance& instance, model::StreamId stream) {
  const Ring& ring = instance.rings[stream.index];
  std::uint64_t known = ring.end();
  for (const CollectionId id : watched.collections_of(stream)) {
    const std::uint64_t cursor = instance.cursors[id.index];
    const model::Window::Kind kind = watched.collection(id).kind;
    if (kind == model::Window::Kind::Last) {
      known = std::min(known, cursor);
      continue;
    }
    known = std::min(known, ring.end() - std::min(ring.end() - ring.first(), kRemembered));
    if (kind == model::Window::Kind::Latest && cursor != 0) known = std::min(known, cursor - 1);
  }
  return known;
}

// An upper bound of how many elements a collection has, quick to find. (Elements that were taken
// back may count, and a `next` window counts cells.)
[[nodiscard]] inline std::uint64_t most_elements(const WatchedModel& watched,
                                                 const Instance& instance, CollectionId id) {
  const Collection& collection = watched.collection(id);
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
void for_each_ahead(const WatchedModel& watched, const Instance& instance,
                    const Collection& collection, Visit visit) {
  const std::vector<Cell>& cells = instance.ahead[collection.place];
  const std::size_t width = watched.model().streams[collection.stream].fields.size() + 1;
  for (std::size_t row = 0; row < cells.size(); row += width) {
    if (!visit(cells.data() + row)) return;
  }
}

// Calls visit(cells) with each element of a collection, the oldest first, until it returns false.
template <class Visit>
void for_each_element(const WatchedModel& watched, const Instance& instance, CollectionId id,
                      Visit visit) {
  const Collection& collection = watched.collection(id);
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
    case model::Window::Kind::Next: for_each_ahead(watched, instance, collection, visit); return;
  }
}

// Calls visit(cells) with each element of a stream that is in a window or remembered, with some of
// them more than once.
template <class Visit>
void for_each_known(const WatchedModel& watched, const Instance& instance, model::StreamId stream,
                    Visit visit) {
  const Ring& ring = instance.rings[stream.index];
  for (std::uint64_t i = first_known(watched, instance, stream); i != ring.end(); ++i) {
    if (!ring.is_gone(i)) visit(ring.cells(i));
  }
  for (const CollectionId id : watched.collections_of(stream)) {
    if (watched.collection(id).kind != model::Window::Kind::Next) continue;
    for_each_ahead(watched, instance, watched.collection(id), [&](const Cell* element) {
      visit(element);
      return true;
    });
  }
}

}  // namespace poise::watch
