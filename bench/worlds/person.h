#pragma once

// A simulated person who carries a phone, and what the phone senses every five minutes: input for
// measurements that need weeks or years of plausible sensor readings. A seed is a person: where the
// days go, and how good the sensors are, is drawn from it. The same seed gives the same readings
// with every compiler and on every platform.
//
//   Person person(7);
//   for (int i = 0; i < 2016; ++i) {  // a week, a little more if the phone was off
//     out << phone_adapter_line(person.next()) << '\n';
//   }
//
// docs/rank-simulation.md describes the assumptions, person_assumptions.h has their numbers.

#include <cstdint>
#include <memory>
#include <string>

namespace poise::bench {

enum class Place : std::uint8_t { Home, Office, Park, Elsewhere };

// One reading of all sensors of the phone.
struct Sensed {
  double t = 0;                  // seconds since the start, a Monday at midnight
  bool gps_on = false;           // the GPS has a fix
  Place place = Place::Home;     // of the last fix; it stays when the GPS is lost
  double speed = 0;              // km/h in steps of 0.1, of the last fix
  bool bt_car = false;           // devices in the last Bluetooth scan: the car's hands-free set,
  bool bt_home_pc = false;       // the computer at home,
  bool bt_office_pc = false;     // the office's laptop, which is sometimes taken home,
  bool bt_office_phone = false;  // and the telephone on the desk
  int bt_count = 0;              // all devices in the last scan, those four included; at most 50
  int minute = 0;                // of the day, 0 to 1439
  bool wifi_home = false;
  bool wifi_office = false;
  bool meeting_starts = false;  // by the calendar, within the five minutes from now
  bool meeting_ends = false;    // likewise
  bool battery_low = false;
};

class Person {
 public:
  explicit Person(std::uint64_t seed);
  Person(Person&&) noexcept;
  Person& operator=(Person&&) noexcept;
  ~Person();

  // Moments follow each other every five minutes from t = 0 on. While the phone is off it senses
  // nothing: those moments are left out.
  [[nodiscard]] Sensed next();

 private:
  class Phone;
  std::unique_ptr<Phone> phone_;
};

// One line of a log in JSON Lines, without the end of the line: {"t": 300, "set": {...}}. Place and
// speed are those of the last fix, also while there is none.

// For examples/phone-adapter.poise. It knows no park: that is elsewhere.
[[nodiscard]] std::string phone_adapter_line(const Sensed& sensed);

// For examples/tasker.poise. Of a meeting that starts and one that ends, the calendar tells the
// start.
[[nodiscard]] std::string tasker_line(const Sensed& sensed);

}  // namespace poise::bench
