#pragma once

// One application instance: where it is, what it senses, and the elements of its streams.
//
// Everything that happens to a collection goes through the few functions here, which tell the
// evaluator: an element is in, an element is out. So an evaluator needs no idea of time.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/watch/store/ring.h"
#include "poise/watch/store/schedule.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

struct Instance {
  bool started = false;
  // Nothing has changed, since no rule was satisfied, that a rule of the state reads, and nothing
  // does by time alone.
  bool settled = false;
  model::StateId state;
  Time next = kNever;  // when something leaves a window
  Time now = 0;
  Time entered = 0;
  std::vector<Cell> slots;
  std::vector<Ring> rings;             // by stream
  std::vector<std::uint64_t> cursors;  // by collection; `last`: the first element that is in it;
                                       // latest: the one behind the element, 0 if there is none
  std::vector<Schedule> schedules;     // of `last` windows, by Collection::place
  // The elements of the `next` windows, row by row: those that came since the state was entered,
  // while the window was open. They stay as long as the state does.
  std::vector<std::vector<Cell>> ahead;  // by Collection::place

  Instance() = default;
  explicit Instance(const WatchedModel& program);
};

// Asks for the memory that an event will need. Where there are many instances, each part of it
// comes from afar, and so they come at the same time.
inline void expect(const Instance& instance) {
  __builtin_prefetch(instance.slots.data());
  __builtin_prefetch(instance.rings.data());
  __builtin_prefetch(instance.cursors.data());
  __builtin_prefetch(instance.schedules.data());
}

// The schedule from which an element leaves next. Where there are some, which one it is is as good
// as random, so this must not branch on it, and compilers are not sure of that: hence the mask.
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

// An element has come into a `last` window.
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

// Where the latest element is taken back, the one before it is the latest again; and an element
// that came after a `next` window had closed is taken back instead of one like it inside. So many
// are kept beside those in windows.
inline constexpr std::uint64_t kRemembered = 16;

// The first element of a stream that a window holds or that is remembered. What the ring has before
// it has not been dropped yet, and makes no difference any more.
[[nodiscard]] inline std::uint64_t first_known(const WatchedModel& program,
                                               const Instance& instance, model::StreamId stream) {
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
[[nodiscard]] inline std::uint64_t most_elements(const WatchedModel& program,
                                                 const Instance& instance, CollectionId id) {
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
void for_each_ahead(const WatchedModel& program, const Instance& instance,
                    const Collection& collection, Visit visit) {
  const std::vector<Cell>& cells = instance.ahead[collection.place];
  const std::size_t width = program.model().streams[collection.stream].fields.size() + 1;
  for (std::size_t row = 0; row < cells.size(); row += width) {
    if (!visit(cells.data() + row)) return;
  }
}

// Calls visit(cells) with each element of a collection, the oldest first, until it returns false.
template <class Visit>
void for_each_element(const WatchedModel& program, const Instance& instance, CollectionId id,
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
void for_each_known(const WatchedModel& program, const Instance& instance, model::StreamId stream,
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
