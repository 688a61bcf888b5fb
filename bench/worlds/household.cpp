#include "bench/worlds/household.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace poise::bench {

namespace {

constexpr int kEveryMinutes = 5;
constexpr int kMinutesOfDay = 1440;

// How much day there is, in percent, by the hour of an ordinary day between the seasons.
constexpr std::array<int, 24> kSun = {0,   0,   0,  0,  0,  2,  10, 30, 55, 75, 90, 100,
                                      100, 100, 90, 80, 60, 35, 15, 4,  0,  0,  0,  0};

// A year as a triangle: 0 at its beginning, 100 in its middle.
int season(int day) {
  const int of_year = day % 365;
  return of_year < 182 ? of_year * 100 / 182 : (364 - of_year) * 100 / 182;
}

}  // namespace

bool Household::chance(int in_thousand) {
  return static_cast<int>(random_.below(1000)) < in_thousand;
}

int Household::about(int minute, int spread) {
  const auto width = static_cast<std::uint64_t>(2 * spread + 1);
  const int moved = minute - spread + static_cast<int>(random_.below(width));
  return std::clamp(moved, 0, kMinutesOfDay - kEveryMinutes) / kEveryMinutes * kEveryMinutes;
}

Household::Household(std::uint64_t seed) : random_(seed, 20) {
  const auto between = [this](int low, int high) {
    return low + static_cast<int>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  habits_.resize(1 + random_.below(4));
  for (Habits& one : habits_) {
    one = {between(330, 450), between(460, 540), between(900, 1110), between(1290, 1420),
           between(2, 5)};
  }
  guests_often_ = between(20, 150);
  airs_often_ = between(8, 40);
  forgets_ = between(20, 250);
  burns_ = between(1, 12);
  watches_ = between(200, 900);
  misses_ = between(1, 30);
  cat_ = random_.below(3) == 0 ? between(1, 12) : 0;
  lamp_lux_ = between(60, 220);
}

Household::Day Household::plan_of(const Habits& habits, bool free_day) {
  Day day;
  day.wakes = about(habits.wakes + (free_day ? 90 : 0), 30);
  day.sleeps = about(habits.sleeps + (free_day ? 20 : 0), 50);
  if (!free_day) {
    day.leaves = about(habits.leaves, 25);
    day.returns = about(habits.returns, 60);
  } else if (chance(600)) {  // shopping, sports, friends
    day.leaves = about(700, 180);
    day.returns = day.leaves + about(120, 90);
  }
  if (free_day && chance(120)) {  // out in the evening
    day.leaves = about(1080, 60);
    day.returns = std::min(kMinutesOfDay - kEveryMinutes, day.leaves + about(240, 90));
  }
  return day;
}

void Household::plan_kitchen() {
  meals_.clear();
  const auto add = [this](int from, int length, int watt) {
    const int begins = about(from, 40);
    meals_.push_back(
        {begins, begins + about(length, length / 2),
         watt / 2 + static_cast<int>(random_.below(static_cast<std::uint64_t>(watt)))});
  };
  add(days_.front().wakes + 25, 10, 900);
  if (chance(300)) add(750, 30, 1400);
  if (chance(750)) add(1110, 40, 1800);
  if (guests_ > 0) add(guests_come_, 50, 2200);
  if (chance(400)) add(950, 5, 2000);  // the kettle
}

void Household::plan_day() {
  ++day_;
  clouds_ = static_cast<int>(random_.below(90));
  if (away_days_ > 0) {
    --away_days_;
  } else if (chance(12)) {
    away_days_ = 3 + static_cast<int>(random_.below(10));
  }
  days_.clear();
  for (const Habits& one : habits_) {
    const bool free_day = day_ % 7 >= one.works || chance(60);
    days_.push_back(plan_of(one, free_day));
  }
  guests_ = chance(guests_often_) ? 1 + static_cast<int>(random_.below(6)) : 0;
  guests_come_ = about(1140, 60);
  guests_leave_ = std::min(kMinutesOfDay - kEveryMinutes, guests_come_ + about(200, 80));
  tv_from_ = tv_to_ = 0;
  if (chance(watches_)) {
    tv_from_ = about(1210, 70);
    tv_to_ = tv_from_ + about(110, 60);
  }
  plan_kitchen();
}

bool Household::is_in(const Day& day) const {
  return away_days_ == 0 && !(minute_ >= day.leaves && minute_ < day.returns);
}

bool Household::is_asleep(const Day& day) const {
  return minute_ < day.wakes || minute_ >= day.sleeps;
}

void Household::move_window(int awake, int in) {
  if (window_left_ > 0) window_left_ -= kEveryMinutes;
  if (in == 0) {
    if (in_before_ > 0 && !chance(forgets_)) window_left_ = 0;
    return;
  }
  if (awake == 0 || window_left_ > 0 || !chance(airs_often_)) return;
  window_left_ = season(day_) > 65 ? about(150, 120) : about(20, 12);
}

int Household::daylight() const {
  const int shift = (season(day_) - 50) / 50;  // summer days are longer by an hour at both ends
  const int hour = minute_ / 60;
  const int moved = hour < 12 ? std::clamp(hour + shift, 0, 11) : std::clamp(hour - shift, 12, 23);
  const int sun = kSun[static_cast<std::size_t>(moved)];
  return sun * (20 + season(day_) / 2) * (100 - clouds_) / 250;
}

void Household::move_warmth(int in) {
  const int outside = season(day_) * 3 - 40 + kSun[static_cast<std::size_t>(minute_ / 60)] / 2;
  const int heated = std::max(outside, in > 0 ? 210 : 180);
  const int wanted = window_left_ > 0 ? outside : heated;
  warmth_ += (wanted - warmth_) / (window_left_ > 0 ? 8 : 12);
}

HomeSensed Household::next() {
  minute_ += kEveryMinutes;
  if (minute_ >= kMinutesOfDay) {
    minute_ = 0;
    plan_day();
  }
  HomeSensed sensed;
  int in = 0;
  int awake = 0;
  for (const Day& one : days_) {
    if (!is_in(one)) continue;
    ++in;
    if (!is_asleep(one)) ++awake;
    if (!chance(misses_)) ++sensed.people;
  }
  sensed.bed = in > awake;
  if (guests_ > 0 && in > 0 && minute_ >= guests_come_ && minute_ < guests_leave_) {
    in += guests_;
    sensed.people += guests_;
  }
  move_window(awake, in);
  move_warmth(in);
  if (cat_left_ > 0) cat_left_ -= kEveryMinutes;
  if (in > 0 && cat_left_ <= 0 && chance(cat_)) cat_left_ = about(90, 60);
  sensed.bed = sensed.bed || cat_left_ > 0;
  const bool is_evening = daylight() < 100 && minute_ > 600;
  sensed.tv = awake > 0 && minute_ >= tv_from_ && minute_ < tv_to_;
  const bool lamps = awake > 0 && (is_evening || minute_ < 540) && !(sensed.tv && chance(700));
  sensed.lux = daylight() + (lamps ? lamp_lux_ : 0) + static_cast<int>(random_.below(9));
  sensed.watt = 2 + static_cast<int>(random_.below(4));
  for (const Meal& meal : meals_) {
    if (awake > 0 && minute_ >= meal.from && minute_ < meal.to) sensed.watt = meal.watt;
  }
  if (smoke_left_ > 0) smoke_left_ -= kEveryMinutes;
  if (sensed.watt > 400 && chance(burns_)) smoke_left_ = about(8, 7);
  sensed.smoke = smoke_left_ > 0;
  sensed.door = in != in_before_ || chance(in > 0 ? 8 : 1);
  sensed.window = window_left_ > 0;
  sensed.warmth = std::max(warmth_, 0);
  sensed.minute = minute_;
  sensed.t = (static_cast<std::int64_t>(day_) * kMinutesOfDay + minute_) * 60;
  in_before_ = in;
  return sensed;
}

std::string smart_home_line(const HomeSensed& sensed) {
  return fmt::format(
      R"({{"t": {}, "set": {{"people.count": {}, "door.open": {}, "window.open": {}, )"
      R"("light.lux": {}, "room.warmth": {}.{}, "stove.watt": {}, "tv.on": {}, )"
      R"("bed.occupied": {}, "smoke": {}, "clock": {}}}}})",
      sensed.t, sensed.people, sensed.door, sensed.window, sensed.lux, sensed.warmth / 10,
      sensed.warmth % 10, sensed.watt, sensed.tv, sensed.bed, sensed.smoke, sensed.minute);
}

}  // namespace poise::bench
