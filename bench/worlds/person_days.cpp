#include "bench/worlds/person_days.h"

#include <algorithm>
#include <array>

namespace poise::bench {
namespace {

constexpr int kDay = 24 * 60;
constexpr int kSaturday = 5;

int drawn_or_none(Random& random, Range range) { return std::max(0, drawn(random, range)); }

Activity in_car_at(Place place) {
  if (place == Place::Home) return Activity::CarAtHome;
  return place == Place::Office ? Activity::CarAtOffice : Activity::CarParked;
}

}  // namespace

// Braces keep the order of the draws the same with every compiler.
Traits traits_of(std::uint64_t seed) {
  Random random(seed);
  const auto one = [&](Range range) { return drawn_or_none(random, range); };
  return Traits{
      .commute = one(ranges::kCommute),
      .cruise = one(ranges::kCruise),
      .wake = one(ranges::kWake),
      .sleep = one(ranges::kSleep),
      .office_hours = one(ranges::kOfficeHours),
      .jog = one(ranges::kJog),
      .pace = one(ranges::kPace),
      .walk_to_park = one(ranges::kWalkToPark),
      .jogs_mornings = chance(random, ranges::kJogsMornings),
      .home_office = one(ranges::kHomeOffice),
      .laptop_home = one(ranges::kLaptopHome),
      .laptop_to_meeting = one(ranges::kLaptopToMeeting),
      .phone_in_meeting = one(ranges::kPhoneInMeeting),
      .meeting = one(ranges::kMeeting),
      .second_meeting = one(ranges::kSecondMeeting),
      .lunch_out = one(ranges::kLunchOut),
      .bus = one(ranges::kBus),
      .goes_out = one(ranges::kGoesOut),
      .neighbour = one(ranges::kNeighbour),
      .guests = one(ranges::kGuests),
      .neighbours_devices = one(ranges::kNeighboursDevices),
      .colleagues_devices = one(ranges::kColleaguesDevices),
      .shares_car = chance(random, ranges::kSharesCar),
      .pc_always_on = chance(random, ranges::kPcAlwaysOn),
      .pc_use = one(ranges::kPcUse),
      .fix_at_home = one(ranges::kFixAtHome),
      .fix_at_office = one(ranges::kFixAtOffice),
      .fix_indoors = one(ranges::kFixIndoors),
      .fix_outdoors = one(ranges::kFixOutdoors),
      .fix_in_vehicle = one(ranges::kFixInVehicle),
      .multipath = one(ranges::kMultipath),
      .misses_car = one(ranges::kMissesCar),
      .misses_home_pc = one(ranges::kMissesHomePc),
      .misses_office_pc = one(ranges::kMissesOfficePc),
      .misses_office_phone = one(ranges::kMissesOfficePhone),
      .wifi_in_garden = one(ranges::kWifiInGarden),
      .wifi_at_neighbour = one(ranges::kWifiAtNeighbour),
      .drain = one(ranges::kDrain),
      .forgets_charging = one(ranges::kForgetsCharging),
      .tops_up = one(ranges::kTopsUp),
      .off_at_night = one(ranges::kOffAtNight),
      .charges_in_car = chance(random, ranges::kChargesInCar),
  };
}

Segment Days::next() {
  if (next_ == plan_.size()) {
    plan_.clear();
    next_ = 0;
    plan_day();
  }
  return plan_[next_++];
}

bool Days::meeting_starts(int minute) const {
  return std::ranges::any_of(calendar_, [&](Range meeting) {
    return minute <= meeting.low && meeting.low < minute + kStep;
  });
}

bool Days::meeting_ends(int minute) const {
  return std::ranges::any_of(calendar_, [&](Range meeting) {
    return minute <= meeting.high && meeting.high < minute + kStep;
  });
}

Days::Kind Days::begin_run(Kind kind, int days) {
  run_ = kind;
  run_left_ = days - 1;
  return kind;
}

Days::Kind Days::kind_of(int day) {
  if (run_left_ > 0) {
    --run_left_;
    return run_;
  }
  const int weekday = day % 7;
  if (weekday == kSaturday && chance(random_, kHoliday)) {
    const int days = drawn(random_, kHolidayDays);
    return begin_run(chance(random_, kHolidayAway) ? Kind::Away : Kind::Free, days);
  }
  if (chance(random_, kSick)) return begin_run(Kind::Sick, drawn(random_, kSickDays));
  if (weekday >= kSaturday || chance(random_, kPublicHoliday)) return Kind::Free;
  if (chance(random_, kBusinessTrip)) return Kind::Trip;
  return chance(random_, traits_.home_office) ? Kind::HomeOffice : Kind::Office;
}

// The two ends of each meeting; at most one in the morning and one in the afternoon.
std::vector<Range> Days::calendar_of(Kind kind) {
  const bool free = kind == Kind::Free || kind == Kind::Away;
  const int midnight = day_ * kDay;
  std::vector<Range> meetings;
  const auto enter = [&](Range half_hours) {
    const int start = midnight + 30 * drawn(random_, half_hours);
    meetings.push_back({start, start + 30 * drawn(random_, kMeetingHalfHours)});
  };
  if (chance(random_, free ? kMeetingOnFreeDay : traits_.meeting)) {
    if (chance(random_, kMeetingAsUsual)) {
      meetings.push_back({midnight + kUsualMeeting.low, midnight + kUsualMeeting.high});
    } else {
      enter(kMorningHalfHours);
    }
  }
  if (!free && chance(random_, traits_.second_meeting)) enter(kAfternoonHalfHours);
  return meetings;
}

// Tonight's bedtime, which can be after midnight.
int Days::bedtime() {
  const bool free_tomorrow = tomorrow_ == Kind::Free || tomorrow_ == Kind::Away;
  const int usual = (day_ + 1) * kDay + traits_.wake - traits_.sleep + drawn(random_, kBedtime);
  return free_tomorrow ? usual + drawn(random_, kUpLonger) : usual;
}

void Days::plan_day() {
  if (day_ == 0) tomorrow_ = kind_of(0);
  today_ = tomorrow_;
  tomorrow_ = kind_of(day_ + 1);
  calendar_ = calendar_of(today_);
  const bool sleeps_late = today_ == Kind::Free || today_ == Kind::Away || today_ == Kind::Sick;
  const int wake = day_ * kDay + traits_.wake +
                   (sleeps_late ? drawn(random_, kOversleeps) : drawn(random_, kAlarm));
  add_until(away_ ? Activity::LodgingNight : Activity::Asleep, wake);
  switch (today_) {
    case Kind::Office: office_day(); break;
    case Kind::HomeOffice: home_office_day(); break;
    case Kind::Trip: trip_day(); break;
    case Kind::Sick: sick_day(); break;
    case Kind::Free: free_day(); break;
    case Kind::Away: away_day(); break;
  }
  ++day_;
}

void Days::office_day() {
  const bool jogs = chance(random_, traits_.jog);
  if (jogs && traits_.jogs_mornings) jog();
  home_until(at_ + drawn(random_, kBreakfast));
  by_bus_ = chance(random_, traits_.bus);
  if (laptop_ == Laptop::Home && !chance(random_, kLaptopForgotten)) laptop_ = Laptop::Bag;
  commute(Place::Home, Place::Office);
  if (laptop_ == Laptop::Bag) laptop_ = Laptop::Office;
  work(at_ + traits_.office_hours + drawn(random_, kLeavesLater));
  leave_office();
  if (jogs && !traits_.jogs_mornings && at_ % kDay < kLastJog) {
    home_until(at_ + drawn(random_, kBeforeGoingOut));
    jog();
  }
  evening();
}

// At the desk except for meetings and lunch. A person who arrives after the start of a meeting
// joins it.
void Days::work(int end) {
  bool had_lunch = false;
  const int lunch_at = day_ * kDay + drawn(random_, kLunchAt);
  const auto lunch_before = [&](int minute) {
    if (had_lunch || lunch_at >= minute || at_ > lunch_at + kLunchLate) return;
    had_lunch = true;
    desk_until(lunch_at);
    lunch();
  };
  for (const Range meeting : calendar_) {
    lunch_before(std::min(meeting.low, end));
    if (meeting.low < end && at_ < meeting.high && !chance(random_, kMissesMeeting))
      attend(meeting);
  }
  lunch_before(end);
  desk_until(end);
}

void Days::attend(Range meeting) {
  desk_until(meeting.low + drawn(random_, kToMeeting));
  int end = meeting.high;
  if (chance(random_, kOverruns)) {
    end += drawn(random_, kOverrun);
  } else if (chance(random_, kEndsEarly)) {
    end -= drawn(random_, kEarly);
  }
  add_until(Activity::Meeting, end);
  if (chance(random_, kPeopleStay)) add(Activity::DeskVisited, kVisit);
}

void Days::desk_until(int end) {
  while (end - at_ > kAtDesk.high) {
    add(Activity::Desk, kAtDesk);
    const int draw = drawn(random_, {0, 999});
    if (draw < kCoffee) {
      add(Activity::Canteen, kCoffeeBreak);
    } else if (draw < kCoffee + kVisitors) {
      add(Activity::DeskVisited, kVisit);
    } else if (draw < kCoffee + kVisitors + kFreshAir) {
      add(Activity::OfficeYard, kFreshAirBreak);
    }
  }
  add_until(Activity::Desk, end);
}

void Days::lunch() {
  if (!chance(random_, traits_.lunch_out)) {
    add(Activity::Canteen, kLunch);
    return;
  }
  const int way = drawn(random_, kLunchWalk);
  add(Activity::Walk, way, Place::Office);
  add(Activity::LunchPlace, drawn(random_, kLunch), Place::Office);
  add(Activity::Walk, way, Place::Office);
}

void Days::leave_office() {
  const bool needs_laptop = tomorrow_ == Kind::HomeOffice || tomorrow_ == Kind::Trip;
  if (laptop_ == Laptop::Office &&
      chance(random_, needs_laptop ? 1000 - kLaptopMissed : traits_.laptop_home)) {
    laptop_ = Laptop::Bag;
  }
  commute(Place::Office, Place::Home);
  if (laptop_ == Laptop::Bag) laptop_ = Laptop::Home;
}

void Days::commute(Place from, Place to) {
  if (from == Place::Office) add(Activity::OfficeYard, kStrollIntoOffice);
  if (by_bus_) {
    const int half = traits_.commute * kBusPercent / 200;
    add(Activity::Walk, drawn(random_, kToBusStop), from);
    add(Activity::Bus, half, from);
    add(Activity::Bus, half, to);
    add(Activity::Walk, drawn(random_, kToBusStop), to);
  } else {
    drive_commute(from, to);
  }
  if (to == Place::Office) add(Activity::OfficeYard, kStrollIntoOffice);
}

// Stops are near home: soon after leaving it, or shortly before coming back.
void Days::drive_commute(Place from, Place to) {
  const int draw = drawn(random_, {0, 999});
  const int detour = drawn(random_, kDetour);
  if (to == Place::Office && draw < kBakery) {
    drive(from, Place::Elsewhere, detour);
    add(Activity::Shop, kBakeryStay);
    drive(Place::Elsewhere, to, traits_.commute);
  } else if (to == Place::Home && draw < kShopsOnWayHome + kErrandOnWayHome) {
    const bool shops = draw < kShopsOnWayHome;
    drive(from, Place::Elsewhere, traits_.commute);
    add(shops ? Activity::Shop : Activity::Errand, shops ? kShopping : kErrand);
    drive(Place::Elsewhere, to, detour);
  } else {
    drive(from, to, traits_.commute);
  }
}

void Days::home_office_day() {
  const bool jogs = chance(random_, traits_.jog);
  if (jogs && traits_.jogs_mornings) jog();
  home_until(at_ + drawn(random_, kBreakfast));
  const int end = at_ + drawn(random_, kHomeOfficeHours);
  const int lunch_at = day_ * kDay + drawn(random_, kLunchAt);
  while (end - at_ > kAtDesk.high) {
    const bool before_lunch = at_ < lunch_at;
    add(Activity::HomeOffice, kAtDesk);
    if (before_lunch && at_ >= lunch_at) {
      if (chance(random_, traits_.lunch_out / 2)) {
        outing(Activity::LunchPlace, kLunch);
      } else {
        add(Activity::AtHome, kLunch);
      }
    } else if (chance(random_, kGarden)) {
      add(Activity::Garden, kGardenBreak);
    }
  }
  add_until(Activity::HomeOffice, end);
  if (chance(random_, kShopsOnWayHome)) outing(Activity::Shop, kShopping);
  if (jogs && !traits_.jogs_mornings && at_ % kDay < kLastJog) jog();
  evening();
}

void Days::trip_day() {
  home_until(at_ + drawn(random_, kBreakfast));
  if (laptop_ == Laptop::Home) laptop_ = Laptop::Bag;
  const int way = drawn(random_, kTripDrive);
  journey(way, Place::Home, Place::Elsewhere);
  add(Activity::OtherOffice, drawn(random_, kTripStay) / 2);
  add(Activity::LunchPlace, drawn(random_, kLunch), Place::Elsewhere);
  add(Activity::OtherOffice, drawn(random_, kTripStay) / 2);
  journey(way, Place::Elsewhere, Place::Home);
  if (laptop_ == Laptop::Bag) laptop_ = Laptop::Home;
  evening();
}

void Days::sick_day() {
  home_until(day_ * kDay + drawn(random_, kDoctorAt));
  if (chance(random_, kDoctor)) outing(Activity::Errand, kErrand);
  home_until(bedtime());
}

void Days::free_day() {
  bool jogs = chance(random_, traits_.jog);
  home_until(at_ + drawn(random_, kBreakfast));
  if (chance(random_, kOfficeOnFreeDay)) {
    drive(Place::Home, Place::Office, traits_.commute);
    desk_until(at_ + drawn(random_, kExtraOffice));
    drive(Place::Office, Place::Home, traits_.commute);
  }
  while (at_ - day_ * kDay < kFreeDayEnds) {
    if (jogs && chance(random_, kJogsNext)) {
      jog();
      jogs = false;
    } else {
      spend_free_time();
    }
    home_until(at_ + drawn(random_, kBetween));
  }
  evening();
}

void Days::spend_free_time() {
  int draw = drawn(random_, {0, 999});
  const auto is = [&](int permille) {
    const bool hit = 0 <= draw && draw < permille;
    draw -= permille;
    return hit;
  };
  const bool early = at_ - day_ * kDay < kLastExcursion;
  if (is(kFreeShop)) {
    outing(Activity::Shop, kShopping);
  } else if (is(kFreeGarden)) {
    add(Activity::Garden, kGardening);
  } else if (is(kFreePark)) {
    visit_park();
  } else if (is(kFreeFriends)) {
    outing(Activity::Friends, kEveningOut);
  } else if (is(kFreeNeighbour)) {
    add(Activity::Neighbour, drawn(random_, kAtNeighbour), Place::Home);
  } else if (is(kFreeExcursion) && early) {
    excursion();
  } else {
    home_until(at_ + drawn(random_, kAtHome));
  }
}

void Days::away_day() {
  if (!away_) {
    home_until(at_ + drawn(random_, kBreakfast));
    journey(drawn(random_, kJourney), Place::Home, Place::Elsewhere);
    away_ = true;
  }
  if (tomorrow_ == Kind::Away) {
    while (at_ - day_ * kDay < kFreeDayEnds) {
      add(Activity::Sights, kExcursion);
      add(Activity::Lodging, kAtHome);
    }
    if (chance(random_, kDinesOut)) add(Activity::Restaurant, kEveningOut);
    add_until(Activity::Lodging, bedtime());
    return;
  }
  add(Activity::Lodging, kBreakfast);
  if (random_.coin()) add(Activity::Sights, kExcursion);
  journey(drawn(random_, kJourney), Place::Elsewhere, Place::Home);
  away_ = false;
  home_until(bedtime());
}

// From coming home to going to bed.
void Days::evening() {
  const int bed = bedtime();
  const int draw = drawn(random_, {0, 999});
  if (bed - at_ > kEveningOut.low + 2 * kBeforeGoingOut.high) {
    if (draw < traits_.goes_out) {
      home_until(at_ + drawn(random_, kBeforeGoingOut));
      go_out();
    } else if (draw < traits_.goes_out + traits_.neighbour) {
      home_until(at_ + drawn(random_, kBeforeGoingOut));
      add(Activity::Neighbour, drawn(random_, kAtNeighbour), Place::Home);
    } else if (draw < traits_.goes_out + traits_.neighbour + traits_.guests) {
      home_until(at_ + drawn(random_, kBeforeGoingOut));
      add(Activity::WithGuests, kGuestsStay);
    }
  }
  home_until(bed);
}

// In pieces, so that the computer is on in some of them and one is outside now and then.
void Days::home_until(int end) {
  while (end - at_ > kAtHome.high) {
    add(Activity::AtHome, kAtHome);
    const bool daytime = kDaytime.low < at_ % kDay && at_ % kDay < kDaytime.high;
    if (daytime && chance(random_, kGarden)) add(Activity::Garden, kGardenBreak);
  }
  add_until(Activity::AtHome, end);
}

void Days::jog() {
  const int way = std::max(1, traits_.walk_to_park / 2);
  add(Activity::JogOnRoad, way, Place::Home);
  add(Activity::JogInPark, kJogInPark);
  if (chance(random_, kRestsAfterJog)) add(Activity::ParkBench, kRest);
  add(Activity::JogOnRoad, way, Place::Home);
}

void Days::visit_park() {
  add(Activity::Walk, traits_.walk_to_park, Place::Home);
  add(Activity::Stroll, kInPark);
  if (random_.coin()) add(Activity::ParkBench, kInPark);
  add(Activity::Walk, traits_.walk_to_park, Place::Home);
}

void Days::excursion() {
  const int way = drawn(random_, kExcursionDrive);
  drive(Place::Home, Place::Elsewhere, way);
  add(Activity::Sights, kExcursion);
  if (random_.coin()) add(Activity::Restaurant, drawn(random_, kEveningOut));
  drive(Place::Elsewhere, Place::Home, way);
}

void Days::go_out() {
  constexpr std::array kWhere = {Activity::Restaurant, Activity::Friends, Activity::Cinema};
  outing(kWhere[random_.below(kWhere.size())], kEveningOut);
}

void Days::outing(Activity activity, Range stay) {
  const int how = drawn(random_, {0, 999});
  const bool on_foot = how < kGoesOnFoot;
  const bool lift = !on_foot && how < kGoesOnFoot + kTakesALift;
  const int way = drawn(random_, on_foot ? kOnFoot : kShortDrive);
  const auto travel = [&](Place from, Place to) {
    if (on_foot) {
      add(Activity::Walk, way, Place::Home);
    } else if (lift) {
      add(Activity::Lift, way, Place::Home);
    } else {
      drive(from, to, way);
    }
  };
  travel(Place::Home, Place::Elsewhere);
  add(activity, drawn(random_, stay), Place::Elsewhere);
  travel(Place::Elsewhere, Place::Home);
}

// Between home and a distant place, by car or by train.
void Days::journey(int minutes, Place from, Place to) {
  if (chance(random_, kByTrain)) {
    add(Activity::Lift, drawn(random_, kToStation), from);
    add(Activity::Train, minutes);
    add(Activity::Lift, drawn(random_, kToStation), to);
    return;
  }
  while (minutes > kMotorwayStint.high) {
    const int stint = drawn(random_, kMotorwayStint);
    drive(from, Place::Elsewhere, stint);
    add(Activity::RestStop, kRestStop);
    from = Place::Elsewhere;
    minutes -= stint;
  }
  drive(from, to, minutes);
}

void Days::drive(Place from, Place to, int minutes) {
  add(in_car_at(from), kInParkedCar);
  if (minutes <= kTownOnly) {
    add(Activity::Town, minutes / 2, from);
    add(Activity::Town, minutes - minutes / 2, to);
  } else {
    const int first = std::min(drawn(random_, kTownPart), minutes / 2);
    const int last = std::min(drawn(random_, kTownPart), minutes / 2);
    add(Activity::Town, first, from);
    if (chance(random_, kJam)) add(Activity::Jam, kJamLength);
    add(Activity::Motorway, minutes - first - last);
    add(Activity::Town, last, to);
  }
  add(in_car_at(to), kInParkedCar);
}

void Days::add(Activity activity, int minutes, Place near) {
  if (minutes <= 0) return;
  at_ += minutes;
  const bool home_pc = chance(random_, home_pc_reach(activity));
  const bool office_pc = chance(random_, laptop_reach(activity));
  const bool office_phone = chance(random_, office_phone_reach(activity));
  plan_.push_back({activity, at_, near, home_pc, office_pc, office_phone});
}

// What a wrong fix shows where the plan says nothing else.
Place Days::near(Activity activity) const {
  const Place place = setting(activity).place;
  const bool park_is_near = traits_.walk_to_park <= kNearPark;
  if (place == Place::Home && park_is_near) return Place::Park;
  if (place == Place::Park && park_is_near) return Place::Home;
  return Place::Elsewhere;
}

int Days::home_pc_reach(Activity activity) {
  const int reach = setting(activity).home_pc;
  if (activity == Activity::Asleep) return traits_.pc_always_on ? traits_.pc_use : kPcOnAtNight;
  return traits_.pc_always_on || chance(random_, traits_.pc_use) ? reach : 0;
}

int Days::laptop_reach(Activity activity) const {
  const Setting& here = setting(activity);
  // At home is where the computer at home can be in reach: the garden too, the neighbour's hardly.
  const bool present = laptop_ == Laptop::Bag || (laptop_ == Laptop::Home && here.home_pc != 0) ||
                       (laptop_ == Laptop::Office && here.place == Place::Office);
  if (!present) return 0;
  return activity == Activity::Meeting ? traits_.laptop_to_meeting : here.laptop;
}

int Days::office_phone_reach(Activity activity) const {
  return activity == Activity::Meeting ? traits_.phone_in_meeting : setting(activity).office_phone;
}

}  // namespace poise::bench
