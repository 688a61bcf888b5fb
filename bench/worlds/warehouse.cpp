#include "bench/worlds/warehouse.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "poise/base/random.h"

namespace poise::bench {
namespace {

using Time = std::chrono::milliseconds;  // since the start, or a span
using namespace std::chrono_literals;

// Drawn evenly, both ends included.
struct Span {
  Time low;
  Time high;
};

// ---- Every number that the simulation assumes beside the options. Those of the paper are marked.
constexpr Span kBegins{0s, 5s};          // forklifts begin their work
constexpr Span kTask{20s, 59900ms};      // paper: from the loading bay and back in 20 to 60 s
constexpr Span kOtherUse{1s, 40s};       // paper: of the forklift. The pallet: as long
constexpr Time kAtStorage = 14s;         // of a task, at most for unloading and checks
constexpr Span kOutShare{400ms, 550ms};  // of a second of driving, for the way out: it is loaded
constexpr Time kShortestWayBack = 2s;    // where unloading and checks took long
constexpr Span kBeforeLoading{1s, 3s};   // the driver looks at the papers
constexpr Span kBoxToBox{30ms, 90ms};    // a gate reads box after box
constexpr Span kPause{500ms, 1500ms};    // between any two parts of the work
constexpr Span kRecovery{200ms, 500ms};  // per missing box
constexpr Span kDiscard{20ms, 40ms};     // the application discards a cross reading
constexpr Span kPlateToPallet{100ms, 300ms};  // the plate is in front of the gate
constexpr Time kPalletToPallet = 1s;          // a gate reads the pallet again
constexpr Time kSignalBack = 100ms;           // control takes its word back
constexpr Span kPalletFirst{500ms, 5s};       // the pallet comes so long before the forklift
constexpr Span kFetch{5s, 15s};               // the forklift fetches its pallet
constexpr int kForkliftBringsPallet = 200;    // per mille of the other uses of the forklift
constexpr int kOtherPallet = 500;  // per mille: a forklift with another pallet comes next

// The window of the example in which its application must have seen the pallet.
constexpr Time kPalletWindow = 60s;

bool happens(Random& random, int permille) {
  return static_cast<int>(random.below(1000)) < permille;
}

Time time_in(Random& random, Span span) {
  return span.low +
         Time(random.below(static_cast<std::uint64_t>((span.high - span.low).count()) + 1));
}

// What follows time and instance in a line.
struct Change {
  Time at;
  std::string text;
};

struct Box {
  std::string tag;
  bool crossed = false;
  bool missing = false;
};

// The work of one forklift or convoy from start to end. Changes are noted as they are thought of,
// which is not in the order of time: the pallet is read while other things happen.
class Work {
 public:
  Work(const WarehouseOptions& options, int number)
      : options_(options),
        number_(number),
        together_(options.forklifts == Forklifts::Convoy ? options.scale : 1),
        random_(options.seed, static_cast<std::uint64_t>(number)) {}

  void run() {
    now_ = time_in(random_, kBegins);
    arrive_with_pallet();
    for (int task = 1; task <= options_.transports; ++task) {
      take_boxes(task);
      load();
      go_out();
      unload();
      recover_missing();
      leave_storage();
      come_back();
    }
    read_pallet_until(now_);
    // Of changes at the same time the one that was noted first comes first.
    std::ranges::stable_sort(changes_, {}, &Change::at);
  }

  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  [[nodiscard]] const WarehouseCounts& counts() const { return counts_; }

 private:
  void take_boxes(int task) {
    boxes_.clear();
    for (int i = 1; i <= options_.boxes * together_; ++i) {
      boxes_.push_back({.tag = fmt::format("{}-{}-{}", number_, task, i),
                        .crossed = happens(random_, options_.cross_readings),
                        .missing = happens(random_, options_.missing_readings)});
      counts_.cross_readings += boxes_.back().crossed;
      counts_.missing_readings += boxes_.back().missing;
    }
    ++counts_.transports;
    counts_.boxes += options_.boxes * together_;
  }

  void load() {
    pass(kBeforeLoading);
    for (const Box& box : boxes_) {
      pass_shared(kBoxToBox);
      add_box("B_load", box, now_);
    }
    pass(kPause);
    read_pallet_until(now_);
    add_plate("R_load", "up");
    left_ = now_;
    task_ = time_in(random_, kTask);
  }

  void go_out() {
    const Time driving = task_ - kAtStorage;
    const Time way = driving * time_in(random_, kOutShare).count() / 1000;
    for (const Box& box : boxes_) {
      if (box.crossed) add_box("B_gate", box, now_ + time_in(random_, {way / 2, way}));
    }
    now_ += way;
  }

  void unload() {
    add_plate("R_stor", "down");
    pass(kPlateToPallet);
    add_pallet("T_stor", "own", now_);
    random_.shuffle(std::span(boxes_));
    for (const Box& box : boxes_) {
      if (box.missing) continue;
      pass_shared(kBoxToBox);
      read_at_storage(box);
    }
    pass(kPause);
    add_signal("go");
    counts_.proceeded_with_missing += std::ranges::any_of(boxes_, &Box::missing);
  }

  void recover_missing() {
    pass(kPause);
    for (const Box& box : boxes_) {
      if (!box.missing) continue;
      pass_shared(kRecovery);
      read_at_storage(box);
    }
    pass(kPause);
  }

  void leave_storage() {
    add_plate("R_stor", "up");
    now_ += kSignalBack;
    add_signal("wait");
    if (happens(random_, kOtherPallet))
      add_pallet("T_stor", "other", now_ + time_in(random_, kPause));
  }

  void come_back() {
    now_ = std::max(now_ + kShortestWayBack, left_ + task_);
    if (happens(random_, options_.forklift_used)) {
      ++counts_.forklift_used;
      come_back_late();
    } else if (happens(random_, options_.pallet_used)) {
      ++counts_.pallet_used;
      come_back_without_pallet();
    } else {
      arrive_with_pallet();
    }
  }

  void come_back_late() {
    const Time delay = time_in(random_, kOtherUse);
    if (happens(random_, kForkliftBringsPallet)) {
      now_ += delay;
      arrive_with_pallet();
      return;
    }
    pallet_since_ = now_ + std::max(0ms, delay - time_in(random_, kPalletFirst));
    counts_.pallet_came_first += pallet_unseen(pallet_since_);
    now_ += delay;
    add_plate("R_load", "down");
  }

  void come_back_without_pallet() {
    add_plate("R_load", "down");
    pass(kOtherUse);
    add_plate("R_load", "up");
    counts_.left_without_pallet += pallet_unseen(now_);
    pass(kFetch);
    arrive_with_pallet();
  }

  void arrive_with_pallet() {
    add_plate("R_load", "down");
    pass(kPlateToPallet);
    pallet_since_ = now_;
  }

  // It was last read when it left. What leaves a window at an instant is gone at that instant.
  [[nodiscard]] bool pallet_unseen(Time at) const { return at >= left_ + kPalletWindow; }

  void read_pallet_until(Time end) {
    for (Time at = pallet_since_; at < end; at += kPalletToPallet) add_pallet("T_load", "own", at);
    add_pallet("T_load", "own", end);
  }

  void read_at_storage(const Box& box) {
    add_box("B_stor", box, now_);
    if (!box.crossed) return;
    note(now_ + time_in(random_, kDiscard),
         fmt::format(R"("remove": "B_gate", "value": {{"tag": "{}"}})", box.tag));
  }

  void pass(Span span) { now_ += time_in(random_, span); }

  // Each forklift of a convoy has a gate of its own: all together they are so much faster. Time
  // does not stand still: a forklift is read box after box.
  void pass_shared(Span span) { now_ += std::max(1ms, time_in(random_, span) / together_); }

  void add_plate(std::string_view stream, std::string_view status) {
    add(now_, stream, "status", status);
  }
  void add_signal(std::string_view signal) { add(now_, "C_stor", "signal", signal); }
  void add_pallet(std::string_view stream, std::string_view whose, Time at) {
    add(at, stream, "whose", whose);
  }
  void add_box(std::string_view stream, const Box& box, Time at) {
    add(at, stream, "tag", box.tag);
  }

  void add(Time at, std::string_view stream, std::string_view field, std::string_view value) {
    note(at, fmt::format(R"("add": "{}", "value": {{"{}": "{}"}})", stream, field, value));
  }
  void note(Time at, std::string text) { changes_.push_back({at, std::move(text)}); }

  WarehouseOptions options_;
  int number_;
  int together_;  // forklifts in the convoy
  Random random_;
  std::vector<Change> changes_;
  WarehouseCounts counts_;
  std::vector<Box> boxes_;  // of the task
  Time now_ = 0s;           // of the forklift
  Time left_ = 0s;          // the forklift left the loading bay with its boxes
  Time task_ = 0s;          // from then until it is back, without other work
  Time pallet_since_ = 0s;  // the pallet is at the loading bay
};

WarehouseCounts sum(const WarehouseCounts& a, const WarehouseCounts& b) {
  return {.transports = a.transports + b.transports,
          .boxes = a.boxes + b.boxes,
          .cross_readings = a.cross_readings + b.cross_readings,
          .missing_readings = a.missing_readings + b.missing_readings,
          .forklift_used = a.forklift_used + b.forklift_used,
          .pallet_used = a.pallet_used + b.pallet_used,
          .left_without_pallet = a.left_without_pallet + b.left_without_pallet,
          .pallet_came_first = a.pallet_came_first + b.pallet_came_first,
          .proceeded_with_missing = a.proceeded_with_missing + b.proceeded_with_missing};
}

}  // namespace

WarehouseRun warehouse_run(const WarehouseOptions& options) {
  struct Entry {
    Time at;
    std::string line;
  };
  const bool instances = options.forklifts == Forklifts::Instances;
  std::vector<Entry> entries;
  WarehouseRun run;
  for (int number = 1; number <= (instances ? options.scale : 1); ++number) {
    Work work(options, number);
    work.run();
    const std::string app =
        instances ? fmt::format(R"("app": "forklift-{}", )", number) : std::string();
    for (const Change& change : work.changes()) {
      const auto t = change.at.count();
      entries.push_back({change.at, fmt::format(R"({{"t": {}.{:03}, {}{}}})", t / 1000, t % 1000,
                                                app, change.text)});
    }
    run.counts = sum(run.counts, work.counts());
  }
  std::ranges::stable_sort(entries, {}, &Entry::at);
  run.lines.reserve(entries.size());
  for (Entry& entry : entries) run.lines.push_back(std::move(entry.line));
  return run;
}

}  // namespace poise::bench
