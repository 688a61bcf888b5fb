#pragma once

// Typed ids and the tables they index. An id is a row number that cannot be mixed up with the row
// number of another table; a table grows at its end only, so an id stays valid for its lifetime.
//
//   using StateId = Id<struct StateTag>;
//   Table<StateId, State> states;
//   StateId general = states.add({.name = "General"});

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "poise/base/check.h"

namespace poise {

template <class Tag>
struct Id {
  std::uint32_t index = 0;
  friend auto operator<=>(const Id&, const Id&) = default;
};

template <class IdType, class Row>
class Table {
 public:
  IdType add(Row row) {
    POISE_CHECK(rows_.size() < UINT32_MAX);
    rows_.push_back(std::move(row));
    return IdType{static_cast<std::uint32_t>(rows_.size() - 1)};
  }

  const Row& operator[](IdType id) const {
    POISE_CHECK(id.index < rows_.size());
    return rows_[id.index];
  }
  Row& operator[](IdType id) {
    POISE_CHECK(id.index < rows_.size());
    return rows_[id.index];
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }

  // The ids of all rows in order: for (StateId state : model.states.ids()).
  class Ids {
   public:
    struct Iterator {
      std::uint32_t index;
      IdType operator*() const { return IdType{index}; }
      Iterator& operator++() {
        ++index;
        return *this;
      }
      friend bool operator==(const Iterator&, const Iterator&) = default;
    };
    explicit Ids(std::uint32_t count) : count_(count) {}
    [[nodiscard]] Iterator begin() const { return {0}; }
    [[nodiscard]] Iterator end() const { return {count_}; }

   private:
    std::uint32_t count_;
  };
  [[nodiscard]] Ids ids() const { return Ids(static_cast<std::uint32_t>(rows_.size())); }

 private:
  std::vector<Row> rows_;
};

}  // namespace poise

template <class Tag>
struct std::hash<poise::Id<Tag>> {
  std::size_t operator()(poise::Id<Tag> id) const noexcept { return id.index; }
};
