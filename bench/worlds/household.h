#pragma once

// A simulated household, and what its smart home senses every five minutes, for
// bench/worlds/smart-home.poise. A seed is a household: who lives there, when they come and go, and
// how good the sensors are, is drawn from it. Only whole numbers are drawn and compared, so the
// same seed gives the same readings with every compiler and on every platform.
//
//   Household household(7);
//   for (int i = 0; i < 2016; ++i) out << smart_home_line(household.next()) << '\n';  // a week
//
// docs/rank-simulation.md describes the assumptions.

#include <cstdint>
#include <string>
#include <vector>

#include "poise/base/random.h"

namespace poise::bench {

// One reading of all sensors of the home.
struct HomeSensed {
  std::int64_t t = 0;  // seconds since the start, a Monday in January at midnight
  int people = 0;      // telephones that are in reach
  bool door = false;
  bool window = false;
  int lux = 0;
  int warmth = 0;  // tenths of a degree, never below 0
  int watt = 0;    // of the stove
  bool tv = false;
  bool bed = false;
  bool smoke = false;
  int minute = 0;  // of the day
};

class Household {
 public:
  explicit Household(std::uint64_t seed);
  [[nodiscard]] HomeSensed next();

 private:
  // What somebody does on one day, in minutes. Nobody is out if `leaves` is not before `returns`.
  struct Day {
    int wakes = 420;
    int leaves = 0;
    int returns = 0;
    int sleeps = 1380;
  };
  struct Habits {
    int wakes = 420;
    int leaves = 480;
    int returns = 1020;
    int sleeps = 1350;
    int works = 5;  // days a week
  };

  void plan_day();
  [[nodiscard]] Day plan_of(const Habits& habits, bool free_day);
  void plan_kitchen();
  [[nodiscard]] bool is_in(const Day& day) const;
  [[nodiscard]] bool is_asleep(const Day& day) const;
  void move_window(int awake, int in);
  [[nodiscard]] int daylight() const;
  void move_warmth(int in);
  [[nodiscard]] int about(int minute, int spread);
  [[nodiscard]] bool chance(int in_thousand);

  Random random_;
  std::vector<Habits> habits_;
  // In thousand, unless said otherwise.
  int guests_often_ = 0;  // days with guests
  int airs_often_ = 0;    // steps at which somebody who is awake opens the window
  int forgets_ = 0;       // to close the window before everybody leaves
  int burns_ = 0;         // steps of cooking at which there is smoke
  int watches_ = 0;       // evenings with television
  int misses_ = 0;        // telephones that are not seen
  int cat_ = 0;           // steps at which a cat lies down on the bed
  int lamp_lux_ = 0;      // of the lamps, where the sensor is

  int day_ = -1;
  int minute_ = 1435;
  int away_days_ = 0;  // of holidays that are left
  int clouds_ = 0;     // in percent
  std::vector<Day> days_;
  int guests_ = 0;
  int guests_come_ = 0;
  int guests_leave_ = 0;
  int tv_from_ = 0;
  int tv_to_ = 0;
  struct Meal {
    int from = 0;
    int to = 0;
    int watt = 0;
  };
  std::vector<Meal> meals_;
  int in_before_ = 0;
  int window_left_ = 0;  // minutes for which it stays open
  int cat_left_ = 0;
  int smoke_left_ = 0;
  int warmth_ = 200;
};

// One line of a log in JSON Lines, without the end of the line.
[[nodiscard]] std::string smart_home_line(const HomeSensed& sensed);

}  // namespace poise::bench
