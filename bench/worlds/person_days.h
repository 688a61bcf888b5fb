#pragma once

// Where a simulated person is and what is in reach there, minute by minute: the truth that
// person.cpp then senses with all its errors. A day is planned when the person goes to bed the
// evening before, as a list of segments one after the other.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/worlds/person.h"
#include "bench/worlds/person_assumptions.h"
#include "poise/base/random.h"

namespace poise::bench {

[[nodiscard]] inline bool chance(Random& random, int permille) {
  return static_cast<int>(random.below(1000)) < permille;
}

[[nodiscard]] inline int drawn(Random& random, Range range) {
  return range.low +
         static_cast<int>(random.below(static_cast<std::uint64_t>(range.high - range.low) + 1));
}

// Who the person is: a draw from each of the ranges, under the same name.
struct Traits {
  int commute, cruise, wake, sleep, office_hours;
  int jog, pace, walk_to_park;
  bool jogs_mornings;
  int home_office, laptop_home, laptop_to_meeting, phone_in_meeting, meeting, second_meeting;
  int lunch_out, bus, goes_out, neighbour, guests, neighbours_devices, colleagues_devices;
  bool shares_car, pc_always_on;
  int pc_use;
  int fix_at_home, fix_at_office, fix_indoors, fix_outdoors, fix_in_vehicle, multipath;
  int misses_car, misses_home_pc, misses_office_pc, misses_office_phone;
  int wifi_in_garden, wifi_at_neighbour;
  int drain, forgets_charging, tops_up, off_at_night;
  bool charges_in_car;
};

[[nodiscard]] Traits traits_of(std::uint64_t seed);

// A while in which nothing changes but what chance does to the sensors.
struct Segment {
  Activity activity;
  int end;       // the first minute after it, since the start of the simulation
  Place near;    // what a fix shows that is on the wrong side of a border
  bool home_pc;  // these devices are on and in reach
  bool office_pc;
  bool office_phone;
};

class Days {
 public:
  Days(std::uint64_t seed, const Traits& traits) : traits_(traits), random_(seed, 1) {}

  // Each begins where the one before ended, the first at minute 0.
  [[nodiscard]] Segment next();

  // Whether the calendar has such an event in the kStep minutes that begin here.
  [[nodiscard]] bool meeting_starts(int minute) const;
  [[nodiscard]] bool meeting_ends(int minute) const;

 private:
  enum class Kind : std::uint8_t { Office, HomeOffice, Trip, Sick, Free, Away };
  enum class Laptop : std::uint8_t { Office, Home, Bag };

  [[nodiscard]] Kind kind_of(int day);
  [[nodiscard]] Kind begin_run(Kind kind, int days);
  [[nodiscard]] std::vector<Range> calendar_of(Kind kind);
  [[nodiscard]] int bedtime();

  void plan_day();
  void office_day();
  void home_office_day();
  void trip_day();
  void sick_day();
  void free_day();
  void spend_free_time();
  void away_day();

  void work(int end);
  void attend(Range meeting);
  void desk_until(int end);
  void lunch();
  void leave_office();
  void commute(Place from, Place to);
  void drive_commute(Place from, Place to);
  void evening();
  void home_until(int end);
  void jog();
  void visit_park();
  void excursion();
  void go_out();
  void outing(Activity activity, Range stay);
  void journey(int minutes, Place from, Place to);
  void drive(Place from, Place to, int minutes);

  void add(Activity activity, int minutes, Place near);
  void add(Activity activity, int minutes) { add(activity, minutes, near(activity)); }
  void add(Activity activity, Range minutes) { add(activity, drawn(random_, minutes)); }
  void add_until(Activity activity, int end) { add(activity, end - at_); }
  [[nodiscard]] Place near(Activity activity) const;
  [[nodiscard]] int home_pc_reach(Activity activity);
  [[nodiscard]] int laptop_reach(Activity activity) const;
  [[nodiscard]] int office_phone_reach(Activity activity) const;

  Traits traits_;
  Random random_;
  std::vector<Segment> plan_;
  std::size_t next_ = 0;         // the first segment of the plan that was not given out
  std::vector<Range> calendar_;  // today's meetings, in minutes since the start
  int at_ = 0;                   // the plan ends here
  int day_ = 0;                  // the next to be planned
  Kind today_ = Kind::Office;
  Kind tomorrow_ = Kind::Office;  // known a day before, for the laptop's sake
  Kind run_ = Kind::Free;         // several days of one kind: a holiday, an illness
  int run_left_ = 0;
  bool away_ = false;    // sleeps in a lodging
  bool by_bus_ = false;  // today
  Laptop laptop_ = Laptop::Office;
};

}  // namespace poise::bench
