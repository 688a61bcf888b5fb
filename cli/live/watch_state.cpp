#include "cli/live/watch_state.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/bytes.h"

namespace poise::cli {

namespace {

constexpr std::string_view kFormat = "poise watch state 1\n";

void write(ByteWriter& out, const Mark& mark) {
  for (const std::uint64_t number :
       {mark.position.bytes, std::uint64_t{mark.position.lines}, mark.head_size, mark.head,
        mark.line_start, mark.line_size, mark.line}) {
    out.number(number);
  }
}

Mark mark_from(ByteReader& in) {
  Mark mark;
  mark.position.bytes = in.number();
  mark.position.lines = in.number();
  mark.head_size = in.number();
  mark.head = in.number();
  mark.line_start = in.number();
  mark.line_size = in.number();
  mark.line = in.number();
  return mark;
}

}  // namespace

std::string bytes_of(const WatchState& state) {
  ByteWriter out;
  out.number(state.model);
  out.text(state.options);
  write(out, state.input);
  out.number(state.output.size);
  out.number(state.output.tail_size);
  out.number(state.output.tail);
  out.number(state.wrong_lines);
  out.number(state.late_lines);
  out.number(state.unknown_names);
  out.number(state.first_unknown ? 1 : 0);
  if (state.first_unknown) {
    out.text(state.first_unknown->name);
    out.number(state.first_unknown->line);
  }
  state.durations.write(out);
  out.number(state.held_back.size());
  for (const watch::HeldLine& line : state.held_back) {
    out.number(line.number);
    out.text(line.text);
  }
  out.text(state.monitor);
  return sealed(kFormat, out.bytes());
}

Result<WatchState> watch_state_from(std::string_view bytes) {
  const Result<std::string_view> inside = unsealed(kFormat, bytes);
  if (!inside) return Failure(inside.error());
  ByteReader in(*inside);
  WatchState state;
  state.model = in.number();
  state.options = in.text();
  state.input = mark_from(in);
  state.output.size = in.number();
  state.output.tail_size = in.number();
  state.output.tail = in.number();
  state.wrong_lines = in.number();
  state.late_lines = in.number();
  state.unknown_names = in.number();
  if (in.number() == 1) {
    log::UnknownName& unknown = state.first_unknown.emplace();
    unknown.name = in.text();
    unknown.line = in.number();
  }
  state.durations.read(in);
  const std::size_t held_back = in.count();
  for (std::size_t i = 0; i < held_back; ++i) {
    watch::HeldLine& line = state.held_back.emplace_back();
    line.number = in.number();
    line.text = in.text();
  }
  state.monitor = in.text();
  if (!in.is_done()) return failure("it is damaged: its content is wrong");
  return state;
}

Failure Keeping::cannot_go_on(std::string_view why) const {
  return Failure(
      Error{fmt::format("cannot go on from the state in `{}`: {}; to start anew, remove the folder",
                        folder_.path(), why)});
}

Result<std::optional<WatchState>> Keeping::kept() const {
  const Result<std::optional<std::string>> bytes = folder_.kept();
  if (!bytes) return Failure(bytes.error());
  if (!*bytes) return std::nullopt;
  Result<WatchState> state = watch_state_from(**bytes);
  if (!state) return cannot_go_on(state.error().message);
  if (state->model != model_) return cannot_go_on("it is of another model");
  if (state->options != options_) {
    const auto shown = [](const std::string& options) {
      return options.empty() ? std::string("none") : fmt::format("`{}`", options);
    };
    return cannot_go_on(fmt::format("its options were {}, and now they are {}",
                                    shown(state->options), shown(options_)));
  }
  return *std::move(state);
}

Result<void> Keeping::keep(WatchState state, Clock::time_point begun) {
  state.model = model_;
  state.options = options_;
  const Result<void> done = folder_.keep(bytes_of(state));
  // However large the state is, keeping it takes at most a twentieth of the time of the run.
  constexpr int kShare = 20;
  const Clock::time_point now = Clock::now();
  next_ = now + std::max(every_, (kShare - 1) * (now - begun));
  return done;
}

}  // namespace poise::cli
