#include "poise/watch/store/instance.h"

namespace poise::watch {

Instance::Instance(const WatchedModel& watched)
    : state(watched.model().initial),
      slots(watched.initial_slots()),
      rings(watched.model().streams.size()),
      cursors(watched.collections().size(), 0),
      schedules(watched.lengths()),
      ahead(watched.next_windows()) {}

}  // namespace poise::watch
