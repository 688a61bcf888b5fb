#include "cli/verbs/shake_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <istream>
#include <memory>
#include <ostream>
#include <system_error>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/io/log_file.h"
#include "poise/base/hash.h"
#include "poise/base/text.h"
#include "poise/importer/fcl.h"
#include "poise/importer/fll.h"
#include "poise/json/writer.h"
#include "poise/lang/lang.h"
#include "poise/log/json_lines.h"
#include "poise/report/json/shake.h"
#include "poise/report/svg/shake.h"
#include "poise/shake/grid/pict.h"

namespace poise::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDrawnFlows = 10;

// For file names: everything but letters and digits becomes a hyphen, and 40 characters are enough.
std::string file_name(std::string_view words) {
  std::string name;
  for (const char c : words.substr(0, 40)) {
    const bool plain = is_letter_or_digit(c);
    name += plain ? c : '-';
  }
  return name;
}

std::string quake_text(const model::Model& model, const shake::Report& report,
                       const shake::Failing& failing) {
  json::Object object;
  object.add_text("model", model.name);
  object.add_text("failure", failing.name);
  object.add("flow", report::json_flow(report.grid, failing.smallest));
  return object.json() + "\n";
}

Result<std::string> file_text(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  const Result<std::unique_ptr<std::istream>> file = open_file(path);
  if (!file) return Failure(file.error());
  std::string text;
  std::array<char, 1 << 14> buffer{};
  while (text.size() < kMost) {
    (*file)->read(buffer.data(), buffer.size());
    const std::streamsize count = (*file)->gcount();
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return failure(fmt::format("{} is too large", path));
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return {};
  return failure(fmt::format("cannot make the folder {}: {}", folder, error.message()));
}

void say_mistakes(const Source& source, const diag::Diagnostics& diagnostics,
                  const Streams& streams, ColorChoice color) {
  streams.err << rendered(source, diagnostics, streams, color) << std::flush;
}

}  // namespace

std::optional<ShakenModel> shaken_model(const std::string& path, const Streams& streams,
                                        ColorChoice color) {
  Result<Source> source = read_source(path, streams.in);
  if (!source) {
    complain(streams, source.error().message);
    return std::nullopt;
  }
  const bool fll = path.ends_with(".fll");
  if (fll || path.ends_with(".fcl")) {
    importer::Imported imported =
        fll ? importer::from_fll(source->text) : importer::from_fcl(source->text);
    if (!imported.diagnostics.empty()) {
      say_mistakes(*source, imported.diagnostics, streams, color);
      return std::nullopt;
    }
    const LineIndex lines(source->text);
    for (const importer::ImportRemark& remark : imported.remarks) {
      const poise::Position at = lines.position(remark.at.begin);
      streams.err << fmt::format("{}:{}:{}: warning: {}\n", path, at.line, at.column,
                                 remark.message);
    }
    streams.err << std::flush;
    source->text = std::move(imported.text);
  }
  lang::Parsed parsed = lang::parse(*source);
  if (!parsed.model) {
    say_mistakes(*source, parsed.diagnostics, streams, color);
    return std::nullopt;
  }
  return ShakenModel{std::move(*parsed.model), std::move(source->text)};
}

std::optional<PictFile> pict_file(const std::string& path, const Streams& streams) {
  const Result<Source> source = read_source(path, streams.in);
  if (!source) {
    complain(streams, source.error().message);
    return std::nullopt;
  }
  shake::ImportedGrid imported = shake::read_pict(source->text);
  const auto say = [&](const std::vector<shake::PictMistake>& mistakes, std::string_view kind) {
    for (const shake::PictMistake& mistake : mistakes) {
      streams.err << fmt::format("{}:{}:{}: {}: {}\n", path, mistake.at.line, mistake.at.column,
                                 kind, mistake.message);
    }
  };
  say(imported.remarks, "warning");
  say(imported.mistakes, "error");
  streams.err << std::flush;
  if (!imported.grid) return std::nullopt;
  return PictFile{std::move(*imported.grid), std::move(imported.plan)};
}

Result<std::vector<shake::KeptFailure>> quakes_in(const std::vector<std::string>& files,
                                                  const shake::Grid& grid) {
  std::vector<shake::KeptFailure> quakes;
  for (const std::string& file : files) {
    const Result<std::string> text = file_text(file);
    if (!text) return Failure(text.error());
    Result<shake::KeptFailure> quake = shake::kept_failure_from(*text, grid);
    if (!quake) return failure(fmt::format("{}: {}", file, quake.error().message));
    const Result<shake::Replay> replay = shake::replay_of(*quake, grid);
    if (!replay) return failure(fmt::format("{}: {}", file, replay.error().message));
    quakes.push_back(std::move(*quake));
  }
  return quakes;
}

Result<std::vector<shake::KeptFailure>> kept_quakes(const std::string& folder,
                                                    const shake::Grid& grid) {
  std::vector<std::string> files;
  std::error_code error;
  if (!folder.empty() && fs::is_directory(folder, error)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return quakes_in(files, grid);
}

std::string quake_path(const std::string& folder, const model::Model& model,
                       const shake::Report& report, std::size_t failure) {
  const shake::Failing& failing = report.failures[failure];
  const std::string text = quake_text(model, report, failing);
  const auto hash = static_cast<std::uint32_t>(fnv1a(text));
  return (fs::path(folder) / fmt::format("{}-{:08x}.json", file_name(failing.name), hash)).string();
}

Result<void> keep_quakes(const std::string& folder, const model::Model& model,
                         const shake::Report& report) {
  if (report.failures.empty()) return {};
  if (auto made = make_folder(folder); !made) return made;
  for (std::size_t i = 0; i < report.failures.size(); ++i) {
    const std::string path = quake_path(folder, model, report, i);
    std::error_code error;
    if (fs::exists(path, error)) continue;
    const Result<void> written = write_file(path, quake_text(model, report, report.failures[i]));
    if (!written) return written;
  }
  return {};
}

Result<std::vector<std::vector<double>>> recorded_contexts(const std::string& path,
                                                           const model::Model& model,
                                                           const shake::Grid& grid) {
  Result<LineSource> source = LineSource::open_growing(path);
  if (!source) return Failure(source.error());
  log::JsonLines reader(model);
  std::vector<std::vector<double>> contexts;
  std::vector<double> now(model.slots.size(), std::nan(""));
  std::vector<bool> known(model.slots.size());
  for (std::size_t number = 1;; ++number) {
    const Result<LineSource::Taken> taken = source->take();
    if (!taken) return Failure(taken.error());
    if (taken->kind != LineSource::Taken::Kind::Line) break;
    const Result<const log::Entry*> entry = reader.read(number, taken->line);
    if (!entry) {
      return failure(fmt::format("{}:{}: {}", path, number, entry.error().message));
    }
    if (*entry == nullptr) continue;
    for (const log::Update& update : (*entry)->updates) {
      const bool value = update.kind == log::Update::Kind::Value;
      now[update.slot.index] = value ? to_double(update.value) : std::nan("");
      known[update.slot.index] = update.kind != log::Update::Kind::Unknown;
    }
    std::vector<double> context;
    bool whole = true;
    for (const shake::Property& property : grid.properties) {
      whole = whole && property.slot && known[property.slot->index];
      if (whole) context.push_back(now[property.slot->index]);
    }
    if (whole) contexts.push_back(std::move(context));
  }
  if (contexts.empty()) {
    return failure(fmt::format("{}: no context is known as a whole", path));
  }
  return contexts;
}

Result<void> draw_pictures(const std::string& folder, const shake::Report& report) {
  if (auto made = make_folder(folder); !made) return made;
  const auto draw = [&](const std::string& name, const std::string& svg) {
    return write_file((fs::path(folder) / (name + ".svg")).string(), svg);
  };
  for (std::size_t i = 0; i < report.failures.size(); ++i) {
    const std::string svg = report::failure_svg(report, report.failures[i]);
    if (auto drawn = draw(fmt::format("failure-{}", i + 1), svg); !drawn) return drawn;
  }
  for (std::size_t i = 0; i < std::min(kDrawnFlows, report.flows.size()); ++i) {
    if (auto drawn = draw(fmt::format("flow-{}", i + 1), report::flow_svg(report, i)); !drawn) {
      return drawn;
    }
  }
  if (auto drawn = draw("shapes", report::shapes_svg(report)); !drawn) return drawn;
  if (report.mutation) return draw("matrix", report::matrix_svg(report));
  return {};
}

std::string matrix_csv(const shake::Report& report) {
  std::string text = "mutant,group,status";
  for (std::size_t i = 0; i < report.flows.size(); ++i) text += fmt::format(",flow-{}", i + 1);
  text += "\n";
  for (const shake::MutantResult& mutant : report.mutation->mutants) {
    const auto word = [&] {
      switch (mutant.status) {
        case shake::MutantResult::Status::Killed: return "killed";
        case shake::MutantResult::Status::Survived: return "survived";
        case shake::MutantResult::Status::Killable: return "killable";
        case shake::MutantResult::Status::Equivalent: return "equivalent";
      }
      return "";
    };
    text += fmt::format("{},{},{}", mutant.id, mutant.group, word());
    for (const std::int32_t tick : mutant.killed_at) {
      text += tick < 0 ? "," : fmt::format(",{}", tick + 1);
    }
    text += "\n";
  }
  return text;
}

}  // namespace poise::cli
