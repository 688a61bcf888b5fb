#include "poise/watch/store/instance.h"

namespace poise::watch {

Instance::Instance(const WatchedModel& program)
    : state(program.model().initial),
      slots(program.initial_slots()),
      rings(program.model().streams.size()),
      cursors(program.collections().size(), 0),
      schedules(program.lengths()),
      ahead(program.next_windows()) {}

}  // namespace poise::watch
