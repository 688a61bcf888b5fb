#pragma once

// Every number that bench/worlds/person.h assumes. They are guesses of what is ordinary, made
// without looking at what any ranking makes of them; docs/rank-simulation.md describes them in
// words.
//
// Units: probabilities are per mille, durations are minutes, times of day are minutes since
// midnight, speeds are tenths of km/h, the battery holds 10,000. Ranges are drawn evenly, both ends
// included. All are whole numbers, so that no platform rounds differently.

#include <array>
#include <cstddef>
#include <cstdint>

#include "bench/worlds/person.h"

namespace poise::bench {

struct Range {
  int low;
  int high;
};

// ---- Who the person is: drawn once. A negative draw counts as 0, so that a range which begins
// below 0 says how many never do the thing.
namespace ranges {

inline constexpr Range kCommute{5, 60};              // by car from home to the office
inline constexpr Range kCruise{950, 1350};           // usual speed on the motorway
inline constexpr Range kWake{330, 480};              // gets up at, on working days
inline constexpr Range kSleep{400, 510};             // sleeps so long before working days
inline constexpr Range kOfficeHours{450, 570};       // from arriving to leaving
inline constexpr Range kJog{-200, 500};              // jogs on a day
inline constexpr int kJogsMornings = 300;            // jogs before breakfast, not in the evening
inline constexpr Range kPace{80, 120};               // usual speed of jogging
inline constexpr Range kWalkToPark{2, 15};           // from home
inline constexpr Range kHomeOffice{-150, 450};       // works at home on a working day
inline constexpr Range kLaptopHome{10, 400};         // takes the laptop home without needing it
inline constexpr Range kLaptopToMeeting{100, 950};   // takes the laptop along to a meeting
inline constexpr Range kPhoneInMeeting{0, 400};      // the desk phone is in reach in a meeting
inline constexpr Range kMeeting{500, 950};           // a meeting in the morning, per working day
inline constexpr Range kSecondMeeting{50, 400};      // one in the afternoon
inline constexpr Range kLunchOut{100, 700};          // lunch outside of the office
inline constexpr Range kBus{-100, 150};              // to work by bus, not by car
inline constexpr Range kGoesOut{50, 300};            // restaurant, cinema or friends in an evening
inline constexpr Range kNeighbour{10, 100};          // an evening at the neighbour's
inline constexpr Range kGuests{10, 80};              // an evening with guests
inline constexpr Range kNeighboursDevices{0, 3};     // seen at home beside what is counted below
inline constexpr Range kColleaguesDevices{0, 5};     // likewise in the office
inline constexpr int kSharesCar = 400;               // someone else in the house drives the car too
inline constexpr int kPcAlwaysOn = 250;              // the computer at home is never off
inline constexpr Range kPcUse{150, 800};             // else it is on for a while spent at home
inline constexpr Range kFixAtHome{50, 500};          // the GPS has a fix indoors at home,
inline constexpr Range kFixAtOffice{20, 350};        // in the office,
inline constexpr Range kFixIndoors{50, 300};         // in other buildings,
inline constexpr Range kFixOutdoors{850, 985};       // under the sky,
inline constexpr Range kFixInVehicle{700, 960};      // and in a vehicle
inline constexpr Range kMultipath{2, 25};            // a fix indoors is beyond a border
inline constexpr Range kMissesCar{5, 50};            // a scan misses the hands-free set in reach,
inline constexpr Range kMissesHomePc{20, 200};       // the computer at home,
inline constexpr Range kMissesOfficePc{20, 200};     // the laptop,
inline constexpr Range kMissesOfficePhone{20, 300};  // and the desk phone
inline constexpr Range kWifiInGarden{500, 980};      // the network of home reaches the garden
inline constexpr Range kWifiAtNeighbour{200, 950};   // and the neighbour's rooms
inline constexpr Range kDrain{70, 200};              // how fast the battery empties, percent
inline constexpr Range kForgetsCharging{10, 150};    // the phone is not charged in a night
inline constexpr Range kTopsUp{50, 700};             // charges in the day, when it is time
inline constexpr int kChargesInCar = 500;            // has a charger in the car
inline constexpr Range kOffAtNight{-300, 200};       // the phone is off in a night

}  // namespace ranges

// ---- Which day is what.
inline constexpr int kHoliday = 90;          // a Saturday begins a holiday: 4 to 5 a year
inline constexpr Range kHolidayDays{5, 15};  // with that many days
inline constexpr int kHolidayAway = 600;     // spent away from home
inline constexpr int kSick = 8;              // a day begins an illness: 3 a year
inline constexpr Range kSickDays{1, 5};      // of that many days
inline constexpr int kPublicHoliday = 38;    // a working day is free: 10 a year
inline constexpr int kBusinessTrip = 15;     // a working day elsewhere: 4 a year
inline constexpr int kOfficeOnFreeDay = 15;  // a few hours in the office on a free day

// ---- The calendar and the meetings. The calendar knows nothing of illness.
inline constexpr Range kUsualMeeting{600, 690};      // from 10:00 to 11:30
inline constexpr int kMeetingAsUsual = 800;          // else at another time of the morning
inline constexpr Range kMorningHalfHours{17, 22};    // which begins at one of these half hours
inline constexpr Range kAfternoonHalfHours{27, 32};  // and in the afternoon at one of these
inline constexpr Range kMeetingHalfHours{1, 3};      // with this length
inline constexpr int kMeetingOnFreeDay = 20;         // an entry that nobody deleted
inline constexpr int kMissesMeeting = 50;  // stays at the desk though the calendar says else
inline constexpr Range kToMeeting{-6, 4};  // enters the room so long after the start
inline constexpr int kOverruns = 350;      // the meeting is longer than planned
inline constexpr Range kOverrun{3, 35};    // by so much
inline constexpr int kEndsEarly = 120;     // or shorter
inline constexpr Range kEarly{5, 25};      // by so much
inline constexpr int kPeopleStay = 200;    // colleagues come along to the desk afterwards
inline constexpr Range kVisit{5, 25};      // for so long

// ---- Office days.
inline constexpr Range kAlarm{-10, 15};          // gets up so long after the usual time
inline constexpr Range kBreakfast{25, 60};       // from getting up to leaving
inline constexpr Range kStrollIntoOffice{1, 5};  // between car and desk
inline constexpr int kBakery = 80;               // stops on the way to work
inline constexpr Range kBakeryStay{4, 12};       // for so long
inline constexpr Range kLunchAt{700, 760};       // goes to lunch
inline constexpr int kLunchLate = 90;            // goes without if still busy so much later
inline constexpr Range kLunch{25, 60};           // how long it takes
inline constexpr Range kLunchWalk{3, 10};        // to a place for lunch
inline constexpr Range kAtDesk{35, 100};         // works without a break
inline constexpr int kCoffee = 500;              // a break in the canteen,
inline constexpr Range kCoffeeBreak{5, 15};      // for so long
inline constexpr int kVisitors = 150;            // or colleagues at the desk,
inline constexpr int kFreshAir = 80;             // or a break in front of the building
inline constexpr Range kFreshAirBreak{4, 12};    // for so long
inline constexpr Range kLeavesLater{-30, 45};    // than the usual hours say
inline constexpr int kLaptopForgotten = 40;      // left at home though it should go back
inline constexpr int kLaptopMissed = 20;         // left in the office though it is needed at home
inline constexpr Range kDetour{3, 10};           // between home and a stop on the way
inline constexpr int kShopsOnWayHome = 200;      // shops before coming home
inline constexpr int kErrandOnWayHome = 60;      // or runs an errand
inline constexpr Range kHomeOfficeHours{420, 540};  // from the first to the last work at home
inline constexpr Range kTripDrive{60, 200};         // a business trip, one way
inline constexpr Range kTripStay{180, 400};         // at work there

// ---- The way: town at both ends, a motorway between if the way is long.
inline constexpr Range kInParkedCar{1, 4};       // before and after a drive, the engine running
inline constexpr int kTownOnly = 15;             // a drive up to this long never leaves town
inline constexpr Range kTownPart{4, 12};         // of a longer drive, at each end
inline constexpr int kJam = 120;                 // a longer drive meets with a jam
inline constexpr Range kJamLength{5, 30};        // for so long
inline constexpr int kBusPercent = 150;          // how long the bus takes, of the car's time
inline constexpr Range kToBusStop{2, 8};         // on foot, at each end
inline constexpr Range kMotorwayStint{60, 120};  // of a long journey, between two breaks
inline constexpr Range kRestStop{10, 25};        // each break
inline constexpr Range kJourney{120, 420};       // to a holiday
inline constexpr int kByTrain = 350;             // a holiday or a business trip
inline constexpr Range kToStation{8, 20};        // in a taxi, at each end

// ---- Free time.
inline constexpr Range kOversleeps{30, 150};      // on a free day
inline constexpr Range kUpLonger{0, 90};          // before a free day
inline constexpr Range kBedtime{-40, 40};         // how much going to bed varies
inline constexpr Range kAtHome{40, 110};          // a while at home, until one does something else
inline constexpr int kGarden = 120;               // then goes outside for a moment, in daytime
inline constexpr Range kDaytime{420, 1290};       // which is this
inline constexpr Range kGardenBreak{2, 15};       // for so long
inline constexpr Range kBeforeGoingOut{15, 60};   // at home first
inline constexpr int kLastJog = 1230;             // does not begin to jog later than this
inline constexpr int kJogsNext = 250;             // of a free day: jogging is what comes next
inline constexpr Range kJogInPark{15, 50};        // without the way there
inline constexpr int kRestsAfterJog = 300;        // on a bench
inline constexpr Range kRest{3, 10};              // for so long
inline constexpr Range kOnFoot{5, 20};            // the way to a place near home
inline constexpr Range kShortDrive{6, 30};        // the way to other places
inline constexpr int kGoesOnFoot = 250;           // to such a place
inline constexpr int kTakesALift = 150;           // goes in someone else's car or a taxi
inline constexpr Range kEveningOut{60, 200};      // at friends, in a restaurant, in the cinema
inline constexpr Range kAtNeighbour{20, 180};     // a visit
inline constexpr Range kGuestsStay{90, 240};      // for so long
inline constexpr Range kShopping{15, 60};         // in the shop
inline constexpr Range kErrand{10, 50};           // at a bank, a workshop, the doctor
inline constexpr Range kGardening{30, 120};       // of a free day
inline constexpr Range kInPark{15, 90};           // walking, and as long again on a bench
inline constexpr Range kExcursionDrive{25, 100};  // one way
inline constexpr Range kExcursion{90, 300};       // on foot there; also on holidays
inline constexpr Range kExtraOffice{60, 200};     // the hours in the office on a free day
inline constexpr int kDoctor = 350;               // sees the doctor when ill
inline constexpr Range kDoctorAt{540, 900};       // leaves home for it at
inline constexpr int kDinesOut = 500;             // in an evening of a holiday away
inline constexpr int kFreeDayEnds = 1110;         // begins no more of the following after this
inline constexpr int kLastExcursion = 840;        // begins no excursion after this
inline constexpr Range kBetween{10, 60};          // at home between two of the following
// What a free day is made of; the rest is spent at home.
inline constexpr int kFreeShop = 160;      // goes shopping
inline constexpr int kFreeGarden = 110;    // works in the garden
inline constexpr int kFreePark = 130;      // walks in the park
inline constexpr int kFreeFriends = 90;    // visits friends
inline constexpr int kFreeNeighbour = 40;  // visits the neighbour
inline constexpr int kFreeExcursion = 70;  // drives somewhere for some hours

// ---- Sensors.
inline constexpr int kStep = 5;          // minutes from one reading to the next
inline constexpr int kGpsChanges = 300;  // the GPS finds or loses its fix only this often
inline constexpr int kStaleFix = 30;     // the first fix after a loss is the last one again
inline constexpr int kIndoorJump = 30;   // a fix indoors jumps, which looks like a speed
inline constexpr Range kIndoorJumpSpeed{10, 90};  // of this size
inline constexpr int kCruiseVaries = 150;         // speed on the motorway, up and down
inline constexpr int kPaceVaries = 20;            // and of jogging
inline constexpr int kNearPark = 4;       // if the walk is no longer, wrong fixes at home are there
inline constexpr int kStaleScan = 20;     // a Bluetooth scan is that of five minutes ago
inline constexpr int kEmptyScan = 5;      // a scan finds nothing at all
inline constexpr int kStrangersVary = 1;  // from scan to scan, up and down
inline constexpr int kPartnerParks = 4;   // the shared car is seen from inside, per scan
inline constexpr int kMostDevices = 50;   // a scan stops there
inline constexpr int kPcOnAtNight = 60;   // left on, and in reach of the bed

// ---- Battery.
inline constexpr int kFull = 10000;            // what the battery holds
inline constexpr int kLow = 1500;              // 15 %
inline constexpr int kTimeToCharge = 3500;     // some charge during the day from here on
inline constexpr int kWakesAgain = 500;        // an empty phone needs this to start
inline constexpr int kCharged = 450;           // per step at a charger
inline constexpr Range kDrainVaries{50, 150};  // use from step to step, percent

// ---- Words of the models.
inline constexpr int kSlowBelow = 40;       // gps.speed is slow below 4 km/h: standing, strolling
inline constexpr int kFastFrom = 70;        // and fast from 7 km/h on: running, driving
inline constexpr Range kMidnight{0, 14};    // clock.time is midnight from 0:00 to 0:14
inline constexpr Range kMorning{420, 434};  // and morning from 7:00 to 7:14

// ---- What one can be doing, and what the phone can sense there.
// clang-format off
enum class Activity : std::uint8_t {
  Asleep, AtHome, HomeOffice, WithGuests, Garden, Neighbour,         // at home, or nearly
  CarAtHome, CarAtOffice, CarParked, Town, Motorway, Jam,            // in one's own car
  Lift, Bus, Train, RestStop,                                        // on other ways
  OfficeYard, Desk, DeskVisited, Meeting, Canteen,                   // in the office
  Walk, LunchPlace, OtherOffice,                                     // elsewhere for work
  JogOnRoad, JogInPark, Stroll, ParkBench,                           // in the park or on the way
  Shop, Errand, Restaurant, Cinema, Friends, Sights, Lodging, LodgingNight,  // elsewhere
};
// clang-format on

enum class Sky : std::uint8_t { Indoors, Outdoors, Vehicle };

// Where the phone can be charged: overnight, at a socket, in the car.
enum class Power : std::uint8_t { None, Night, Socket, Car };

struct Setting {
  Activity activity;  // the row's own
  Place place;        // where this is
  Sky sky;
  Power power;
  Range speed;       // when moving
  int stands;        // how often one does not move
  int near_border;   // a fix is at the other side of a border: a neighbouring place
  Range strangers;   // other people's Bluetooth devices
  int laptop;        // in reach and awake, if it is at this place or in the bag
  int home_pc;       // in reach
  int office_phone;  // in reach
  int wifi_home;     // in reach
  int wifi_office;   // in reach
  int drain;         // of the battery, per step
  int off;           // the phone is switched off all the while
};

// kOwn: a number of the person, see person.cpp and person_days.cpp.
inline constexpr int kOwn = -1;

// clang-format off
inline constexpr std::array kSettings = std::to_array<Setting>({
  // activity              place             sky            power          speed     stands near strangers laptop  pc    phone home  office drain off
  {Activity::Asleep,       Place::Home,      Sky::Indoors,  Power::Night,  {0, 3},      0,    0, {0, 1},     40, kOwn,    0,  985,    0,   10, kOwn},
  {Activity::AtHome,       Place::Home,      Sky::Indoors,  Power::Socket, {0, 8},      0,    0, {0, 3},    250,  900,    0,  985,    0,   35,    2},
  {Activity::HomeOffice,   Place::Home,      Sky::Indoors,  Power::Socket, {0, 5},      0,    0, {0, 2},   1000,  950,    0,  985,    0,   30,    1},
  {Activity::WithGuests,   Place::Home,      Sky::Indoors,  Power::Socket, {0, 8},      0,    0, {2, 7},    100,  700,    0,  985,    0,   25,    2},
  {Activity::Garden,       Place::Home,      Sky::Outdoors, Power::None,   {0, 30},   300,   60, {0, 3},    100,  350,    0, kOwn,    0,   30,    1},
  {Activity::Neighbour,    Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 8},      0,  500, {0, 5},     20,   80,    0, kOwn,    0,   25,    2},
  {Activity::CarAtHome,    Place::Home,      Sky::Vehicle,  Power::Car,    {0, 150},  400,  100, {0, 2},    150,  150,    0,  700,    0,   40,    0},
  {Activity::CarAtOffice,  Place::Office,    Sky::Vehicle,  Power::Car,    {0, 150},  400,  100, {0, 4},    150,    0,   20,    0,  450,   40,    0},
  {Activity::CarParked,    Place::Elsewhere, Sky::Vehicle,  Power::Car,    {0, 150},  400,    0, {0, 5},    150,    0,    0,    0,    0,   40,    0},
  {Activity::Town,         Place::Elsewhere, Sky::Vehicle,  Power::Car,    {80, 600}, 220,   60, {0, 4},    150,    0,    0,    0,    0,   45,    0},
  {Activity::Motorway,     Place::Elsewhere, Sky::Vehicle,  Power::Car,    {0, 0},      0,    0, {0, 1},    150,    0,    0,    0,    0,   45,    0},
  {Activity::Jam,          Place::Elsewhere, Sky::Vehicle,  Power::Car,    {0, 350},  300,    0, {0, 5},    150,    0,    0,    0,    0,   45,    0},
  {Activity::Lift,         Place::Elsewhere, Sky::Vehicle,  Power::None,   {80, 600}, 220,   60, {1, 4},    150,    0,    0,    0,    0,   45,    1},
  {Activity::Bus,          Place::Elsewhere, Sky::Vehicle,  Power::None,   {50, 450}, 300,   60, {2, 12},   150,    0,    0,    0,    0,   60,    1},
  {Activity::Train,        Place::Elsewhere, Sky::Vehicle,  Power::None,   {600, 2000}, 80,   0, {3, 15},   300,    0,    0,    0,    0,   60,    5},
  {Activity::RestStop,     Place::Elsewhere, Sky::Outdoors, Power::None,   {0, 30},   400,    0, {1, 6},     50,    0,    0,    0,    0,   40,    1},
  {Activity::OfficeYard,   Place::Office,    Sky::Outdoors, Power::None,   {0, 50},   300,  150, {0, 4},    100,    0,   40,    0,  600,   35,    1},
  {Activity::Desk,         Place::Office,    Sky::Indoors,  Power::Socket, {0, 5},      0,    0, {0, 4},   1000,    0, 1000,    0,  985,   30,    2},
  {Activity::DeskVisited,  Place::Office,    Sky::Indoors,  Power::Socket, {0, 5},      0,    0, {2, 8},   1000,    0, 1000,    0,  985,   20,    1},
  {Activity::Meeting,      Place::Office,    Sky::Indoors,  Power::None,   {0, 3},      0,    0, {2, 10},  kOwn,    0, kOwn,    0,  970,   20,   20},
  {Activity::Canteen,      Place::Office,    Sky::Indoors,  Power::None,   {0, 10},     0,    0, {2, 10},    60,    0,   50,    0,  930,   30,    1},
  {Activity::Walk,         Place::Elsewhere, Sky::Outdoors, Power::None,   {25, 60},  150,  120, {0, 4},    100,    0,    0,   60,    0,   45,    1},
  {Activity::LunchPlace,   Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 6},      0,   10, {2, 10},   100,    0,    0,    0,    0,   35,    2},
  {Activity::OtherOffice,  Place::Elsewhere, Sky::Indoors,  Power::Socket, {0, 5},      0,    0, {2, 12},   900,    0,    0,    0,    0,   30,   10},
  {Activity::JogOnRoad,    Place::Elsewhere, Sky::Outdoors, Power::None,   {0, 0},     80,  100, {0, 2},      0,    0,    0,   30,    0,   70,    1},
  {Activity::JogInPark,    Place::Park,      Sky::Outdoors, Power::None,   {0, 0},     60,   60, {0, 3},      0,    0,    0,    0,    0,   70,    1},
  {Activity::Stroll,       Place::Park,      Sky::Outdoors, Power::None,   {10, 50},  250,   60, {0, 5},     20,    0,    0,    0,    0,   40,    2},
  {Activity::ParkBench,    Place::Park,      Sky::Outdoors, Power::None,   {0, 10},   600,   40, {0, 6},     50,    0,    0,    0,    0,   40,    2},
  {Activity::Shop,         Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 30},   300,    0, {3, 15},    50,    0,    0,    0,    0,   35,    1},
  {Activity::Errand,       Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 15},   300,    0, {1, 8},     50,    0,    0,    0,    0,   40,   20},
  {Activity::Restaurant,   Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 5},      0,    0, {2, 10},    50,    0,    0,    0,    0,   30,   10},
  {Activity::Cinema,       Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 2},      0,    0, {4, 15},    20,    0,    0,    0,    0,   15,  400},
  {Activity::Friends,      Place::Elsewhere, Sky::Indoors,  Power::None,   {0, 6},      0,    0, {1, 6},     50,    0,    0,    0,    0,   30,    3},
  {Activity::Sights,       Place::Elsewhere, Sky::Outdoors, Power::None,   {0, 55},   250,    0, {0, 10},    10,    0,    0,    0,    0,   50,    5},
  {Activity::Lodging,      Place::Elsewhere, Sky::Indoors,  Power::Socket, {0, 6},      0,    0, {0, 5},    300,    0,    0,    0,    0,   30,   10},
  {Activity::LodgingNight, Place::Elsewhere, Sky::Indoors,  Power::Night,  {0, 3},      0,    0, {0, 4},     40,    0,    0,    0,    0,   10, kOwn},
});
// clang-format on

[[nodiscard]] constexpr const Setting& setting(Activity activity) {
  return kSettings[static_cast<std::size_t>(activity)];
}

static_assert([] {
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    if (static_cast<std::size_t>(kSettings[i].activity) != i) return false;
  }
  return true;
}());

}  // namespace poise::bench
