#include "poise/report/rank_case.h"

#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

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

}  // namespace

std::string seen_text(const rank::Seen& seen) {
  if (seen.entries == 0) return "never seen";
  std::string text = "seen " + (seen.times == 1 ? "once" : fmt::format("{} times", seen.times));
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
