// The bytes, in a seal with the format and a checksum (base/bytes.h): the shape of the model, the
// state of the random generator, the summary, the texts and the numbers that cells refer to, each
// by its content, then the instances.
//
// What follows from the rest is left out: the schedules, the counts of evaluators, and whether an
// instance is settled (so that rules may be asked once more than needed).

#include "poise/watch/snapshot.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "poise/base/bytes.h"
#include "poise/base/check.h"
#include "poise/base/text.h"

namespace poise::watch {

using model::StreamId;
using model::Window;

// The friend through which this file gets into a monitor.
struct SnapshotParts {
  static std::string written(const Monitor& monitor);
  static Result<void> read(Monitor& monitor, std::string_view bytes);
};

namespace {

constexpr std::string_view kFormat = "poise watch snapshot 1\n";

// Elements are numbered from 0, so no monitor ever gets this far. The numbers fit a cell.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 62U;

// A cell as a number: even for a plain value; odd for no value, or for a row of the table of texts
// or of numbers that comes before the instances.
constexpr std::uint64_t kNoValue = 1;
std::uint64_t row_code(std::uint64_t row) { return 2 * row + 3; }

std::uint64_t zigzag(Cell cell) {
  return static_cast<std::uint64_t>(cell) << 1U ^ (cell < 0 ? UINT64_MAX : 0);
}
Cell unzigzag(std::uint64_t bits) {
  return static_cast<Cell>(bits >> 1U ^ ((bits & 1U) != 0 ? UINT64_MAX : 0));
}

bool has_ahead(const WatchedModel& watched, CollectionId id) {
  return watched.collection(id).kind == Window::Kind::Next;
}

void write_number(ByteWriter& writer, const Rational& number) {
  writer.text(number.numerator().to_string());
  writer.text(number.denominator().to_string());
}

std::optional<Integer> integer_from(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || !std::ranges::all_of(text, is_digit)) {
    return std::nullopt;
  }
  return negative ? -Integer::from_digits(text) : Integer::from_digits(text);
}

Rational number_from(ByteReader& reader) {
  const std::optional<Integer> numerator = integer_from(reader.text());
  const std::optional<Integer> denominator = integer_from(reader.text());
  if (numerator && denominator && denominator->sign() > 0) return {*numerator, *denominator};
  reader.fail();
  return {};
}

// All that reading the instances relies on; it also tells most models apart.
std::vector<std::uint64_t> shape_of(const WatchedModel& watched) {
  const model::Model& model = watched.model();
  std::vector<std::uint64_t> shape = {model.states.size(), model.rules.size(), model.slots.size(),
                                      model.streams.size(), watched.collections().size()};
  for (const model::Stream& stream : model.streams) {
    shape.push_back(stream.fields.size());
    for (const model::Field& field : stream.fields) {
      shape.push_back(field.text ? 0 : 1 + static_cast<std::uint64_t>(field.type.kind));
    }
  }
  for (const Collection& collection : watched.collections()) {
    shape.push_back(collection.stream.index);
    shape.push_back(static_cast<std::uint64_t>(collection.kind));
    shape.push_back(static_cast<std::uint64_t>(collection.length));
  }
  return shape;
}

// ---- Writing ----

// Instances, and on the way the rows that their cells refer to, in the order of first use.
class InstanceWriter {
 public:
  InstanceWriter(const WatchedModel& watched, const Texts& texts, const Numbers& numbers)
      : watched_(watched), texts_(texts.rows()), numbers_(numbers.rows()) {}

  void write(const std::string& name, const Instance& instance) {
    out_.text(name);
    out_.number(std::uint64_t{instance.started});
    out_.number(instance.state.index);
    out_.whole(instance.now);
    out_.whole(instance.entered);
    for (const Cell cell : instance.slots) write_number_cell(cell);
    for (const StreamId stream : watched_.model().streams.ids()) write_ring(instance, stream);
    for (const CollectionId id : watched_.collections().ids()) {
      if (has_ahead(watched_, id)) {
        write_ahead(instance, id);
      } else {
        out_.number(instance.cursors[id.index]);
      }
    }
  }

  [[nodiscard]] const std::string& bytes() const { return out_.bytes(); }
  [[nodiscard]] const std::vector<Cell>& texts() const { return texts_.used; }
  [[nodiscard]] const std::vector<Cell>& numbers() const { return numbers_.used; }

 private:
  // The rows of a table that are used, in the order of first use, and the place of each in it.
  struct Rows {
    explicit Rows(std::size_t count) : places(count, UINT32_MAX) {}
    std::uint64_t place(std::size_t row, Cell cell) {
      if (places[row] == UINT32_MAX) {
        places[row] = static_cast<std::uint32_t>(used.size());
        used.push_back(cell);
      }
      return places[row];
    }
    std::vector<std::uint32_t> places;
    std::vector<Cell> used;
  };

  void write_number_cell(Cell cell) {
    if (cell == kNone) {
      out_.number(kNoValue);
    } else if (is_plain(cell)) {
      out_.number(zigzag(cell) << 1U);
    } else {
      out_.number(row_code(numbers_.place(static_cast<std::size_t>(cell - kFirstRow), cell)));
    }
  }
  void write_text_cell(Cell cell) {
    out_.number(cell == kNone ? kNoValue
                              : row_code(texts_.place(static_cast<std::size_t>(cell), cell)));
  }
  void write_element(StreamId stream, const Cell* element) {
    const std::vector<model::Field>& fields = watched_.model().streams[stream].fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      fields[i].text ? write_text_cell(element[i]) : write_number_cell(element[i]);
    }
  }

  // An element that was taken back. Its texts may have been given to others, so it has no values.
  void write_gap(StreamId stream) {
    const std::size_t fields = watched_.model().streams[stream].fields.size();
    for (std::size_t i = 0; i < fields; ++i) out_.number(kNoValue);
  }

  void write_ring(const Instance& instance, StreamId stream) {
    const Ring& ring = instance.rings[stream.index];
    const std::uint64_t first = first_known(watched_, instance, stream);
    out_.number(first);
    out_.number(ring.end() - first);
    std::vector<std::uint64_t> gaps;
    std::uint64_t there = first;
    while (there != ring.end() && ring.is_gone(there)) ++there;
    // Elements that were taken back have no time any more; any will do that does not go back.
    Time before = there == ring.end() ? instance.now : ring.time(there);
    for (std::uint64_t number = first; number != ring.end(); ++number) {
      // Times never go back, but two may be further apart than a signed number can say.
      const Time time = ring.is_gone(number) ? before : ring.time(number);
      number == first
          ? out_.whole(time)
          : out_.number(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(before));
      before = time;
      if (ring.is_gone(number)) {
        gaps.push_back(number - first);
        write_gap(stream);
      } else {
        write_element(stream, ring.cells(number));
      }
    }
    out_.number(gaps.size());
    for (const std::uint64_t gap : gaps) out_.number(gap);
  }

  void write_ahead(const Instance& instance, CollectionId id) {
    const StreamId stream = watched_.collection(id).stream;
    const std::vector<Cell>& cells = instance.ahead[watched_.collection(id).place];
    const std::size_t width = watched_.model().streams[stream].fields.size() + 1;
    out_.number(cells.size() / width);
    for (std::size_t row = 0; row < cells.size(); row += width) {
      write_element(stream, cells.data() + row);
      out_.number(static_cast<std::uint64_t>(cells[row + width - 1]));
    }
  }

  const WatchedModel& watched_;
  Rows texts_;
  Rows numbers_;
  ByteWriter out_;
};

// ---- Reading ----

// The texts and numbers that cells refer to, and the new tables of the monitor.
struct Tables {
  std::vector<std::string_view> texts;
  std::vector<Rational> numbers;
  Texts held;
  Numbers known;
};

class InstanceReader {
 public:
  InstanceReader(const WatchedModel& watched, Tables& tables, ByteReader& in)
      : watched_(watched), tables_(tables), in_(in) {}

  // If something is wrong, the byte reader fails and the instance is of no use.
  Instance read() {
    Instance instance(watched_);
    const model::Model& model = watched_.model();
    const std::uint64_t started = in_.number();
    const std::uint64_t state = in_.number();
    instance.now = in_.whole();
    instance.entered = in_.whole();
    if (started > 1 || state >= model.states.size() || instance.entered > instance.now) in_.fail();
    instance.started = started == 1;
    instance.state = {static_cast<std::uint32_t>(state)};
    for (Cell& cell : instance.slots) {
      cell = number_cell(
          watched_.scale(model::SlotId{static_cast<std::uint32_t>(&cell - instance.slots.data())}));
    }
    for (const StreamId stream : model.streams.ids()) {
      instance.rings[stream.index] = ring(stream, instance.now);
    }
    for (const CollectionId id : watched_.collections().ids()) read_collection(instance, id);
    const auto has_elements = [](const Ring& ring) { return ring.first() != ring.end(); };
    if (!instance.started && std::ranges::any_of(instance.rings, has_elements)) in_.fail();
    if (!in_.failed()) find_expiries(instance);
    return instance;
  }

 private:
  Cell number_cell(Scale scale) {
    const std::uint64_t code = in_.number();
    if (code == kNoValue) return kNone;
    if (code % 2 == 0) {
      const Cell cell = unzigzag(code / 2);
      if (cell > -kFirstRow && cell < kFirstRow) return cell;
    } else if ((code - row_code(0)) / 2 < tables_.numbers.size()) {
      return tables_.known.cell(tables_.numbers[(code - row_code(0)) / 2], scale);
    }
    in_.fail();
    return kNone;
  }
  Cell text_cell() {
    const std::uint64_t code = in_.number();
    if (code == kNoValue) return kNone;
    if (code % 2 == 1 && (code - row_code(0)) / 2 < tables_.texts.size()) {
      return tables_.held.number(tables_.texts[(code - row_code(0)) / 2]);
    }
    in_.fail();
    return kNone;
  }
  void read_element(StreamId stream, std::vector<Cell>& into) {
    const std::vector<model::Field>& fields = watched_.model().streams[stream].fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      into.push_back(fields[i].text ? text_cell() : number_cell(watched_.scale(stream, i)));
    }
  }

  Ring ring(StreamId stream, Time now) {
    const std::uint64_t first = in_.number();
    const std::size_t count = in_.count();
    if (first > kMostElements) in_.fail();
    Ring ring(in_.failed() ? 0 : first);
    Time time = 0;
    for (std::size_t i = 0; i < count && !in_.failed(); ++i) {
      const Time before = time;
      time = i == 0 ? in_.whole()
                    : static_cast<Time>(static_cast<std::uint64_t>(before) + in_.number());
      if ((i > 0 && time < before) || time > now) in_.fail();
      element_.clear();
      read_element(stream, element_);
      ring.add(time, element_);
    }
    const std::size_t gaps = in_.count();
    for (std::size_t i = 0; i < gaps && !in_.failed(); ++i) {
      const std::uint64_t gap = in_.number();
      if (gap >= count || ring.is_gone(first + gap)) {
        in_.fail();
      } else {
        ring.take_back(first + gap);
      }
    }
    return ring;
  }

  void read_collection(Instance& instance, CollectionId id) {
    const Collection& collection = watched_.collection(id);
    const Ring& ring = instance.rings[collection.stream.index];
    if (collection.kind == Window::Kind::Next) {
      read_ahead(collection.stream, ring, instance.ahead[watched_.collection(id).place]);
      return;
    }
    const std::uint64_t cursor = in_.number();
    if (in_.failed()) return;
    instance.cursors[id.index] = cursor;
    const bool latest = collection.kind == Window::Kind::Latest;
    const bool none = cursor == (latest ? 0 : ring.end());
    const std::uint64_t number = latest ? cursor - 1 : cursor;
    const bool there = number >= ring.first() && number < ring.end();
    if (!none && (!there || ring.is_gone(number))) in_.fail();
  }

  void read_ahead(StreamId stream, const Ring& ring, std::vector<Cell>& cells) {
    const std::size_t count = in_.count();
    for (std::size_t i = 0; i < count && !in_.failed(); ++i) {
      read_element(stream, cells);
      const std::uint64_t number = in_.number();
      if (number >= ring.end()) in_.fail();
      cells.push_back(static_cast<Cell>(number));
    }
  }

  // Elements that were taken back are gaps in the schedules as they are in the rings, behind the
  // elements that came before them.
  void find_expiries(Instance& instance) const {
    struct Arrival {
      Time time;
      CollectionId collection;
      std::uint64_t number;
      bool gone;
      auto operator<=>(const Arrival&) const = default;
    };
    std::vector<Arrival> arrivals;
    for (const CollectionId id : watched_.expiring()) {
      const Ring& ring = instance.rings[watched_.collection(id).stream.index];
      Time time = 0;
      for (std::uint64_t i = instance.cursors[id.index]; i != ring.end(); ++i) {
        const bool gone = ring.is_gone(i);
        if (!gone) time = ring.time(i);
        arrivals.push_back({time, id, i, gone});
      }
    }
    std::ranges::sort(arrivals);
    for (const Arrival& arrival : arrivals) {
      const Collection& collection = watched_.collection(arrival.collection);
      if (arrival.gone) {
        instance.schedules[collection.place].add_gap();
      } else {
        schedule(instance, arrival.collection, collection, arrival.time);
      }
    }
    if (instance.next <= instance.now) in_.fail();
  }

  const WatchedModel& watched_;
  Tables& tables_;
  ByteReader& in_;
  std::vector<Cell> element_;
};

}  // namespace

std::string SnapshotParts::written(const Monitor& monitor) {
  InstanceWriter instances(monitor.watched_, monitor.texts_, monitor.numbers_);
  for (std::size_t i = 0; i < monitor.names_.size(); ++i) {
    instances.write(*monitor.names_[i], monitor.instances_[i]);
  }
  ByteWriter out;
  const std::vector<std::uint64_t> shape = shape_of(monitor.watched_);
  for (const std::uint64_t number : shape) out.number(number);
  out.number(monitor.random_.state());
  out.number(monitor.summary_.events);
  out.number(monitor.summary_.expiries);
  out.number(monitor.summary_.adaptations);
  for (const std::size_t faults : monitor.summary_.faults) out.number(faults);
  out.number(instances.texts().size());
  for (const Cell text : instances.texts()) out.text(monitor.texts_.text(text));
  out.number(instances.numbers().size());
  for (const Cell row : instances.numbers()) {
    // A row is its number, whatever the scale.
    write_number(out, monitor.numbers_.number(row, Scale::Whole));
  }
  out.number(monitor.names_.size());
  out.raw(instances.bytes());
  return sealed(kFormat, out.bytes());
}

Result<void> SnapshotParts::read(Monitor& monitor, std::string_view bytes) {
  POISE_CHECK(monitor.instances_.empty());
  const Result<std::string_view> inside = unsealed(kFormat, bytes);
  if (!inside) return Failure(inside.error());
  ByteReader in(*inside);
  for (const std::uint64_t expected : shape_of(monitor.watched_)) {
    if (in.number() != expected) return failure("it is of another model");
  }
  const std::uint64_t random = in.number();
  Summary summary;
  summary.events = in.number();
  summary.expiries = in.number();
  summary.adaptations = in.number();
  for (std::size_t& faults : summary.faults) faults = in.number();

  Tables tables{.texts = {}, .numbers = {}, .held = monitor.texts_, .known = monitor.numbers_};
  const std::size_t texts = in.count();
  for (std::size_t i = 0; i < texts; ++i) tables.texts.push_back(in.text());
  const std::size_t numbers = in.count();
  for (std::size_t i = 0; i < numbers && !in.failed(); ++i) {
    tables.numbers.push_back(number_from(in));
  }
  std::vector<const std::string*> names;
  std::vector<Instance> instances;
  decltype(monitor.apps_) apps;
  InstanceReader reader(monitor.watched_, tables, in);
  const std::size_t count = in.count();
  for (std::size_t i = 0; i < count && !in.failed(); ++i) {
    const auto [app, is_new] = apps.emplace(in.text(), AppId{static_cast<std::uint32_t>(i)});
    if (!is_new) in.fail();
    names.push_back(&app->first);
    instances.push_back(reader.read());
  }
  if (!in.is_done()) return failure("it is damaged: its content is wrong");

  summary.instances = count;
  monitor.random_.go_on_from(random);
  monitor.summary_ = summary;
  monitor.texts_ = std::move(tables.held);
  monitor.numbers_ = std::move(tables.known);
  monitor.names_ = std::move(names);
  monitor.instances_ = std::move(instances);
  monitor.apps_ = std::move(apps);
  for (std::uint32_t i = 0; i < count; ++i) monitor.evaluator_->start(i);
  return {};
}

std::string snapshot(const Monitor& monitor) { return SnapshotParts::written(monitor); }

Result<void> restore(Monitor& monitor, std::string_view bytes) {
  return SnapshotParts::read(monitor, bytes);
}

}  // namespace poise::watch
