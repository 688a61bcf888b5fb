#include "bench/worlds/person.h"

#include <algorithm>
#include <string_view>

#include "bench/worlds/person_assumptions.h"
#include "bench/worlds/person_days.h"
#include "poise/base/random.h"

namespace poise::bench {
namespace {

bool at_wheel(Activity activity) { return setting(activity).power == Power::Car; }

}  // namespace

// The phone in the person's pocket.
class Person::Phone {
 public:
  explicit Phone(std::uint64_t seed)
      : traits_(traits_of(seed)), days_(seed, traits_), random_(seed, 2) {
    enter(days_.next());
  }

  Sensed next() {
    while (true) {
      now_ = next_;
      next_ += kStep;
      while (here_.end <= now_) enter(days_.next());
      use_battery();
      if (!off_ && !empty_) return sensed();
    }
  }

 private:
  struct Scan {
    bool car = false;
    bool home_pc = false;
    bool office_pc = false;
    bool office_phone = false;
    int count = 0;
  };

  struct Fix {
    bool on = false;
    Place place = Place::Home;
    int speed = 0;
  };

  void enter(const Segment& segment) {
    here_ = segment;
    entered_ = true;
    const Setting& here = setting(segment.activity);
    off_ = chance(random_, here.off == kOwn ? traits_.off_at_night : here.off);
    charging_ = chance(random_, charges(here.power));
    strangers_ = drawn(random_, here.strangers) + crowd(segment.activity);
  }

  [[nodiscard]] int charges(Power power) const {
    switch (power) {
      case Power::None: return 0;
      case Power::Night: return empty_ ? 1000 : 1000 - traits_.forgets_charging;
      case Power::Socket: return empty_ ? 1000 : battery_ < kTimeToCharge ? traits_.tops_up : 0;
      case Power::Car: return traits_.charges_in_car ? 1000 : 0;
    }
    return 0;
  }

  [[nodiscard]] int crowd(Activity activity) const {
    const Setting& here = setting(activity);
    if (here.sky != Sky::Indoors) return 0;
    if (here.place == Place::Home) return traits_.neighbours_devices;
    return here.place == Place::Office ? traits_.colleagues_devices : 0;
  }

  void use_battery() {
    const int use = off_ ? 0 : setting(here_.activity).drain * drawn(random_, kDrainVaries);
    battery_ += (charging_ ? kCharged : 0) - use * traits_.drain / 10000;
    battery_ = std::clamp(battery_, 0, kFull);
    if (battery_ == 0) empty_ = true;
    if (battery_ >= kWakesAgain) empty_ = false;
  }

  Sensed sensed() {
    take_fix();
    scan();
    const Setting& here = setting(here_.activity);
    return {.t = 60.0 * now_,
            .gps_on = fix_.on,
            .place = fix_.place,
            .speed = fix_.speed / 10.0,
            .bt_car = scan_.car,
            .bt_home_pc = scan_.home_pc,
            .bt_office_pc = scan_.office_pc,
            .bt_office_phone = scan_.office_phone,
            .bt_count = scan_.count,
            .minute = now_ % (24 * 60),
            .wifi_home = chance(random_, wifi_home_reach()),
            .wifi_office = chance(random_, here.wifi_office),
            .meeting_starts = days_.meeting_starts(now_),
            .meeting_ends = days_.meeting_ends(now_),
            .battery_low = battery_ < kLow};
  }

  // Whether there is a fix, and on which side of a border, stays as it is for a while: what
  // disturbs the GPS does not go away every five minutes.
  void take_fix() {
    const bool was_on = fix_.on;
    if (entered_ || chance(random_, kGpsChanges)) {
      fix_.on = chance(random_, fix_chance());
      beyond_border_ = chance(random_, border_chance());
    }
    entered_ = false;
    if (!fix_.on || (!was_on && chance(random_, kStaleFix))) return;
    fix_.place = beyond_border_ ? here_.near : setting(here_.activity).place;
    fix_.speed = speed();
  }

  [[nodiscard]] int fix_chance() const {
    const Setting& here = setting(here_.activity);
    switch (here.sky) {
      case Sky::Outdoors: return traits_.fix_outdoors;
      case Sky::Vehicle: return traits_.fix_in_vehicle;
      case Sky::Indoors: break;
    }
    if (here.place == Place::Home) return traits_.fix_at_home;
    return here.place == Place::Office ? traits_.fix_at_office : traits_.fix_indoors;
  }

  [[nodiscard]] int border_chance() const {
    const Setting& here = setting(here_.activity);
    return here.near_border + (here.sky == Sky::Indoors ? traits_.multipath : 0);
  }

  int speed() {
    const Setting& here = setting(here_.activity);
    if (here.sky == Sky::Indoors && chance(random_, kIndoorJump)) {
      return drawn(random_, kIndoorJumpSpeed);
    }
    if (chance(random_, here.stands)) return 0;
    switch (here_.activity) {
      case Activity::Motorway:
        return traits_.cruise + drawn(random_, {-kCruiseVaries, kCruiseVaries});
      case Activity::JogOnRoad:
      case Activity::JogInPark: return traits_.pace + drawn(random_, {-kPaceVaries, kPaceVaries});
      default: return drawn(random_, here.speed);
    }
  }

  void scan() {
    if (chance(random_, kStaleScan)) return;
    scan_ = {};
    if (chance(random_, kEmptyScan)) return;
    scan_.car = car_in_reach() && !chance(random_, traits_.misses_car);
    scan_.home_pc = here_.home_pc && !chance(random_, traits_.misses_home_pc);
    scan_.office_pc = here_.office_pc && !chance(random_, traits_.misses_office_pc);
    scan_.office_phone = here_.office_phone && !chance(random_, traits_.misses_office_phone);
    const int strangers = strangers_ + drawn(random_, {-kStrangersVary, kStrangersVary});
    const int known = scan_.car + scan_.home_pc + scan_.office_pc + scan_.office_phone;
    scan_.count = std::min(kMostDevices, known + std::max(0, strangers));
  }

  bool car_in_reach() {
    if (at_wheel(here_.activity)) return true;
    const bool at_home = setting(here_.activity).place == Place::Home;
    return at_home && here_.activity != Activity::Asleep && traits_.shares_car &&
           chance(random_, kPartnerParks);
  }

  [[nodiscard]] int wifi_home_reach() const {
    switch (here_.activity) {
      case Activity::Garden: return traits_.wifi_in_garden;
      case Activity::Neighbour: return traits_.wifi_at_neighbour;
      // Only on the walks that begin or end at home.
      case Activity::Walk:
      case Activity::JogOnRoad:
        return here_.near == Place::Home ? setting(here_.activity).wifi_home : 0;
      default: return setting(here_.activity).wifi_home;
    }
  }

  Traits traits_;
  Days days_;
  Random random_;
  Segment here_ = {};
  int now_ = 0;
  int next_ = 0;                // the moment of the next reading
  bool entered_ = true;         // the segment is new to the GPS
  bool beyond_border_ = false;  // fixes are in the neighbouring place
  Fix fix_;
  Scan scan_;
  int strangers_ = 0;
  int battery_ = kFull;
  bool charging_ = false;
  bool off_ = false;
  bool empty_ = false;
};

Person::Person(std::uint64_t seed) : phone_(std::make_unique<Phone>(seed)) {}
Person::Person(Person&&) noexcept = default;
Person& Person::operator=(Person&&) noexcept = default;
Person::~Person() = default;

Sensed Person::next() { return phone_->next(); }

namespace {

// A speed is a whole number of tenths, and the product is off by far less than a quarter.
int tenths(double speed) { return static_cast<int>(speed * 10 + 0.25); }

bool within(int minute, Range range) { return range.low <= minute && minute <= range.high; }

std::string_view boolean(bool value) { return value ? "true" : "false"; }

std::string_view place_word(Place place) {
  switch (place) {
    case Place::Home: return "home";
    case Place::Office: return "office";
    case Place::Park: return "park";
    case Place::Elsewhere: return "elsewhere";
  }
  return {};
}

std::string_view speed_word(double speed) {
  if (tenths(speed) < kSlowBelow) return "slow";
  return tenths(speed) < kFastFrom ? "normal" : "fast";
}

std::string_view calendar_word(const Sensed& sensed) {
  if (sensed.meeting_starts) return "meeting_start";
  return sensed.meeting_ends ? "meeting_end" : "other";
}

std::string_view time_word(int minute) {
  if (within(minute, kMidnight)) return "midnight";
  return within(minute, kMorning) ? "morning" : "other";
}

// A line as it grows: fields in the order in which they are added.
class Line {
 public:
  explicit Line(double t) {
    text_.reserve(256);
    text_ += "{\"t\": ";
    text_ += std::to_string(static_cast<std::int64_t>(t));
    text_ += ", \"set\": {";
  }

  void add(std::string_view name, std::string_view value) {
    if (text_.back() != '{') text_ += ", ";
    text_ += '"';
    text_ += name;
    text_ += "\": ";
    text_ += value;
  }

  void add_word(std::string_view name, std::string_view word) {
    add(name, "\"");
    text_ += word;
    text_ += '"';
  }

  // A list is begun, gets its words, and is ended.
  void begin_list(std::string_view name) { add(name, "["); }
  void add_to_list(std::string_view word) {
    text_ += text_.back() == '[' ? "\"" : ", \"";
    text_ += word;
    text_ += '"';
  }
  void end_list() { text_ += ']'; }

  [[nodiscard]] std::string whole() && {
    text_ += "}}";
    return std::move(text_);
  }

 private:
  std::string text_;
};

}  // namespace

std::string phone_adapter_line(const Sensed& sensed) {
  const int speed = tenths(sensed.speed);
  const Place place = sensed.place == Place::Park ? Place::Elsewhere : sensed.place;
  Line line(sensed.t);
  line.add("gps.on", boolean(sensed.gps_on));
  line.add_word("gps.place", place_word(place));
  line.add("gps.speed", std::to_string(speed / 10) + "." + std::to_string(speed % 10));
  line.begin_list("bt.devices");
  if (sensed.bt_car) line.add_to_list("car_handsfree");
  if (sensed.bt_home_pc) line.add_to_list("home_pc");
  if (sensed.bt_office_pc) line.add_to_list("office_pc");
  if (sensed.bt_office_phone) line.add_to_list("office_phone");
  line.end_list();
  line.add("bt.count", std::to_string(sensed.bt_count));
  line.add("clock", std::to_string(sensed.minute));
  return std::move(line).whole();
}

std::string tasker_line(const Sensed& sensed) {
  Line line(sensed.t);
  line.begin_list("wifi.networks");
  if (sensed.wifi_home) line.add_to_list("home");
  if (sensed.wifi_office) line.add_to_list("office");
  line.end_list();
  line.add("gps.on", boolean(sensed.gps_on));
  line.add_word("gps.place", place_word(sensed.place));
  line.add_word("gps.speed", speed_word(sensed.speed));
  line.add_word("calendar.now", calendar_word(sensed));
  line.add_word("clock.time", time_word(sensed.minute));
  line.add("battery.low", boolean(sensed.battery_low));
  return std::move(line).whole();
}

}  // namespace poise::bench
