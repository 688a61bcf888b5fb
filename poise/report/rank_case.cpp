#include "poise/report/rank_case.h"

#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "poise/base/budget.h"
#include "poise/base/text.h"
#include "poise/finding/groups.h"

namespace poise::report {

finding::Fault as_fault(const rank::Report& report, std::uint32_t the_case) {
  const finding::Case& one = report.cases[the_case];
  finding::Fault fault = report.faults[one.fault];
  fault.situations = 1;
  fault.when = finding::Condition{one.situation};
  fault.witness = one.witness;
  return fault;
}

std::vector<std::size_t> groups_of_ranked(const rank::Report& report) {
  // Only faults with a ranked case: a pruned fault that overlaps two groups must not join them.
  std::vector<finding::Fault> left;
  std::map<std::uint32_t, std::size_t> index;
  for (const rank::Ranked& ranked : report.ranked) {
    const std::uint32_t fault = report.cases[ranked.the_case].fault;
    if (index.try_emplace(fault, left.size()).second) left.push_back(report.faults[fault]);
  }
  std::vector<std::size_t> core(left.size());
  std::size_t cores = 0;
  for (const finding::FaultKind kind : finding::kAllFaultKinds) {
    for (const finding::Group& group : finding::groups(left, kind)) {
      for (const finding::Fault* fault : group.faults) {
        core[static_cast<std::size_t>(fault - left.data())] = cores;
      }
      ++cores;
    }
  }
  std::vector<std::size_t> numbers(cores, 0);
  std::size_t next = 0;
  std::vector<std::size_t> groups;
  for (const rank::Ranked& ranked : report.ranked) {
    std::size_t& number = numbers[core[index.at(report.cases[ranked.the_case].fault)]];
    if (number == 0) number = ++next;
    groups.push_back(number);
  }
  return groups;
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * 3600) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

namespace {

// A time that can be seconds since 1970 (from 1973 on) becomes a date in UTC. Others are taken for
// seconds since some start and stay as they are.
std::string time_text(double time) {
  constexpr double kNoDate = 1e8;
  if (time < kNoDate || time > 1e11) return fmt::format("at t = {:.0f}", time);
  const auto whole = std::chrono::seconds(static_cast<std::int64_t>(std::floor(time)));
  const std::chrono::sys_seconds moment(whole);
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(moment - day).count();
  return fmt::format("on {:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     minutes / 60, minutes % 60);
}

std::string times_text(std::size_t times) {
  return times == 1 ? "once" : fmt::format("{} times", times);
}

}  // namespace

std::string happened_text(const std::optional<rank::Happened>& happened) {
  if (!happened) return "not replayed";
  if (happened->at_most == 0) return "did not happen";
  const std::string more = happened->at_most > happened->times
                               ? fmt::format(", {} at most: the state at the start is not known",
                                             times_text(happened->at_most))
                               : "";
  if (happened->times == 0) return "may have happened" + more;
  std::string text = "happened " + times_text(happened->times);
  if (happened->first_time && happened->times == 1) text += ", " + time_text(*happened->first_time);
  if (happened->first_time && happened->last_time && happened->times > 1) {
    text += fmt::format(", first {}, last {}", time_text(*happened->first_time),
                        time_text(*happened->last_time));
  }
  return text +
         fmt::format(", {} {}", happened->times == 1 ? "line" : "first line",
                     happened->first_line) +
         more;
}

std::string not_replayed_text(const rank::ReplaySummary& replay) {
  using End = rank::ReplaySummary::End;
  switch (replay.end) {
    case End::Whole: break;
    case End::Streams: return "rules ask about streams, which `poise watch` replays";
    case End::LongRun: return "a run is too long to be followed to its end";
    case End::ManyStarts: return "too many states fit to the beginning of the log";
    case End::TimeLimit: return std::string(reason(Exhausted::Time));
    case End::MemoryLimit: return std::string(reason(Exhausted::Memory));
    case End::NoLog: return "no log";
  }
  return "";
}

std::string replay_text(const rank::ReplaySummary& replay) {
  if (replay.end != rank::ReplaySummary::End::Whole) {
    return fmt::format("none: {}; places are by situations", not_replayed_text(replay));
  }
  const bool known = replay.unknown_starts == 0;
  std::string text;
  if (known) {
    text = counted(replay.firings, "rule") + " fired, ";
  } else {
    const std::string whose =
        replay.instances == 1
            ? ""
            : fmt::format(" of {} of {} instances", replay.unknown_starts, replay.instances);
    text = fmt::format("from each state that fits ({}), as the one at the start{} is not known; ",
                       replay.most_starts, whose);
    text += "for certain ";
  }
  text += replay.incidents == 0 ? "no fault happened"
                                : fmt::format("faults happened {}", times_text(replay.incidents));
  if (replay.unlisted > 0) text += fmt::format(", {} of them not listed", replay.unlisted);
  if (replay.undecided > 0) text += "; more than one state fits to the end of the log";
  return text;
}

std::string seen_text(const rank::Seen& seen) {
  if (seen.entries == 0) return "its situation never";
  std::string text = "its situation " + times_text(seen.times);
  if (seen.seconds > 0) text += fmt::format(", {} in all", duration_text(seen.seconds));
  if (seen.last_time) text += ", last " + time_text(*seen.last_time);
  return text + fmt::format(", first line {}", seen.first_line);
}

std::string share_text(const rank::Estimate& estimate) {
  const auto percent = [](double share) {
    return share * 100 < 0.1 ? fmt::format("{:.2g}", share * 100)
                             : fmt::format("{:.1f}", share * 100);
  };
  return fmt::format("{} % of the time ({} to {})", percent(estimate.share), percent(estimate.low),
                     percent(estimate.high));
}

}  // namespace poise::report
