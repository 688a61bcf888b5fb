#include "cli/verbs/questions.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "poise/base/text.h"
#include "poise/report/fingerprint.h"
#include "poise/report/rank_case.h"

namespace poise::cli {

namespace {

using rank::Verdict;

constexpr std::string_view kQuestion =
    "[c]onfirm  [r]eject  (C, R: with all its kin)  [s]kip  [u]ndo  [q]uit > ";

bool ends_within_a_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() <= 0) return false;
  file.seekg(-1, std::ios::end);
  return file.get() != '\n';
}

class Inspector {
 public:
  Inspector(Questions inspection, const Streams& streams)
      : it_(std::move(inspection)), streams_(streams) {}

  Result<void> run() {
    while (const std::optional<std::size_t> place = next_place()) {
      streams_.out << '\n'
                   << readable(report::ranked_text(it_.model, it_.report, *place, it_.text),
                               streams_.environment.signs);
      if (const std::size_t kin = kin_of(*place).size() - 1; kin > 0) {
        streams_.out << fmt::format("      kin     {} more with this core\n", kin);
      }
      const Result<bool> goes_on = answered(*place);
      if (!goes_on) return Failure(goes_on.error());
      if (!*goes_on) break;
    }
    const auto open = std::ranges::count(it_.report.ranked, Verdict::None, &rank::Ranked::verdict);
    streams_.out << fmt::format("\n{} added to {}; {} without one\n", counted(made_, "verdict"),
                                it_.feedback, counted(static_cast<std::size_t>(open), "fault"))
                 << std::flush;
    return {};
  }

 private:
  // An answer that can be undone: what was there before it.
  struct Step {
    std::vector<std::pair<std::uint32_t, Verdict>> before;
    rank::Ranking ranking;
    std::optional<std::uint32_t> skipped = {};
  };

  [[nodiscard]] std::optional<std::size_t> next_place() const {
    for (std::size_t i = 0; i < it_.report.ranked.size(); ++i) {
      const rank::Ranked& ranked = it_.report.ranked[i];
      if (ranked.verdict == Verdict::None && !skipped_.contains(ranked.the_case)) return i;
    }
    return std::nullopt;
  }

  // The places of the same group that have no verdict yet, this one included.
  [[nodiscard]] std::vector<std::size_t> kin_of(std::size_t place) const {
    const std::vector<std::size_t> groups = report::groups_of_ranked(it_.report);
    std::vector<std::size_t> kin;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i] == groups[place] && it_.report.ranked[i].verdict == Verdict::None) {
        kin.push_back(i);
      }
    }
    return kin;
  }

  // Asks until the answer is valid, and carries it out. False to quit.
  Result<bool> answered(std::size_t place) {
    while (true) {
      streams_.out << kQuestion << std::flush;
      std::string answer;
      if (!std::getline(streams_.in, answer)) return false;
      if (answer == "q") return false;
      if (answer == "s") {
        skipped_.insert(it_.report.ranked[place].the_case);
        steps_.push_back({{}, it_.ranking, it_.report.ranked[place].the_case});
        return true;
      }
      if (answer == "u") {
        if (const Result<void> undone = undo(); !undone) return Failure(undone.error());
        return true;
      }
      const bool with_kin = answer == "C" || answer == "R";
      if (answer == "c" || answer == "r" || with_kin) {
        const bool confirmed = answer == "c" || answer == "C";
        const auto judged = judge(with_kin ? kin_of(place) : std::vector{place},
                                  confirmed ? Verdict::Confirmed : Verdict::Rejected);
        if (!judged) return Failure(judged.error());
        return true;
      }
      streams_.out << "an answer is one of c, r, C, R, s, u, q\n";
    }
  }

  Result<void> judge(const std::vector<std::size_t>& places, Verdict verdict) {
    Step step{{}, it_.ranking, {}};
    for (const std::size_t place : places) {
      const std::uint32_t the_case = it_.report.ranked[place].the_case;
      if (const auto written = write(the_case, verdict); !written) return written;
      step.before.emplace_back(the_case, it_.report.ranked[place].verdict);
      it_.ranking.apply(left_index(the_case), verdict);
      ++made_;
    }
    steps_.push_back(std::move(step));
    rank_again();
    return {};
  }

  Result<void> undo() {
    if (steps_.empty()) {
      streams_.out << "there is nothing to undo\n";
      return {};
    }
    if (steps_.back().skipped) skipped_.erase(*steps_.back().skipped);
    for (const auto& [the_case, verdict] : steps_.back().before) {
      if (const auto written = write(the_case, verdict); !written) return written;
      --made_;
    }
    it_.ranking = std::move(steps_.back().ranking);
    steps_.pop_back();
    rank_again();
    return {};
  }

  void rank_again() {
    it_.report.ranked = it_.ranking.ranked();
    for (rank::Ranked& ranked : it_.report.ranked) {
      ranked.the_case = it_.index_left[ranked.the_case];
    }
  }

  [[nodiscard]] std::uint32_t left_index(std::uint32_t the_case) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(it_.index_left, the_case) -
                                      it_.index_left.begin());
  }

  // Appends a line to the file, after a line break if its last line has none. The last verdict on a
  // case counts, so undoing appends, too.
  Result<void> write(std::uint32_t the_case, Verdict verdict) const {
    const finding::Case& one = it_.report.cases[the_case];
    const finding::Fault& fault = it_.report.faults[one.fault];
    const std::string_view line_break = ends_within_a_line(it_.feedback) ? "\n" : "";
    std::ofstream file(it_.feedback, std::ios::app);
    file << fmt::format("{}{{\"fault\": \"{}\", \"verdict\": \"{}\"}}\n", line_break,
                        report::fingerprint(it_.model, fault, one.situation), name(verdict))
         << std::flush;
    if (file) return {};
    return failure(fmt::format("cannot write {}", it_.feedback));
  }

  Questions it_;
  const Streams& streams_;
  std::vector<Step> steps_;
  std::set<std::uint32_t> skipped_;
  std::size_t made_ = 0;
};

}  // namespace

Result<void> inspect(Questions inspection, const Streams& streams) {
  return Inspector(std::move(inspection), streams).run();
}

}  // namespace poise::cli
