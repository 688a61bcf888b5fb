#pragma once

// Pairs of elements that no key brings together: `exists a in A: exists b in B: a.x < b.x`.
//
// Every outer element remembers how many inner ones fit it. An element that comes or goes is
// compared with those on the other side, column by column: work that grows with the window, but not
// with its square. Where an inner element can fit only within a distance, a *band*, both sides lie
// on a grid, and only the neighbours are compared.

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "poise/watch/counting/plan.h"
#include "poise/watch/counting/tally.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// Elements in the order of their arrival: what pairs read of them, a column for each field.
struct Shelf {
  std::vector<std::vector<Cell>> columns;
  std::size_t first = 0;  // what is before has gone
  std::size_t odd = 0;    // cells that need more than a simple calculation
  // Outer elements only
  std::vector<std::uint8_t> classes;
  std::vector<std::vector<std::uint32_t>> found;  // by lookup

  [[nodiscard]] std::size_t size() const { return columns.front().size(); }
  void clear();
  void put(const std::vector<std::uint32_t>& fields, const Cell* element);
  // The first row of an element like this, which must be there.
  [[nodiscard]] std::size_t row_of(const std::vector<std::uint32_t>& fields, const Cell* element,
                                   std::optional<std::size_t> the_class) const;
  void take(std::size_t row);
};

class Pairs {
 public:
  Pairs(const WatchedModel& program, const Numbers& numbers, const Plan& plan);

  void clear();

  // An element of the outer collection, or of that of a lookup, is there (+1) or gone (-1).
  void change_outer(const Cell* element, std::size_t the_class, int by, std::span<const Cell> slots,
                    const Tally& tally);
  void change_inner(std::size_t lookup, const Cell* element, int by, std::span<const Cell> slots,
                    const Tally& tally);
  // visit(case) for every outer element.
  template <class Visit>
  void for_each_case(Visit visit) const {
    for (const auto& [place, tile] : tiles_) {
      for (std::size_t row = tile.outer.first; row < tile.outer.classes.size(); ++row) {
        visit(case_of(tile.outer, row));
      }
    }
  }

 private:
  // Part of the grid; without a band there is one.
  struct Tile {
    Shelf outer;
    std::vector<Shelf> inner;  // by lookup
  };
  // What varies while the rows of a shelf are gone through; the rest stays.
  struct Side {
    std::uint32_t binding;
    const std::vector<std::uint32_t>* fields;
    const Shelf* shelf;
    [[nodiscard]] const Cell* column(std::uint32_t field) const;
  };

  // An atom of which a term or two vary: their sum and a number that stays are compared with 0.
  struct Varying {
    const Cell* cells;  // of the shelf
    std::int64_t factor;
  };
  struct Line {
    model::Relation relation;
    std::int64_t base;
    std::size_t terms = 0;
    std::array<Varying, 2> varying = {};
  };
  // Cells of a shelf stand in a relation to a number.
  struct Bound {
    const Cell* cells;
    model::Relation relation;
    Cell number;
    [[nodiscard]] std::size_t count(std::size_t begin, std::size_t rows) const;
  };

  [[nodiscard]] std::size_t case_of(const Shelf& outer, std::size_t row) const;
  [[nodiscard]] Tile& tile(Cell place);
  void drop_if_empty(Cell place);
  [[nodiscard]] Cell place_of(Cell value) const;
  // The tiles in which a value may find others that lie so far from it.
  template <class Visit>
  void for_each_neighbour(Cell value, Cell below, Cell above, Visit visit);

  // Whether a condition holds for each of some rows.
  void mask(std::uint32_t node, const Side& side, std::size_t begin, std::size_t count,
            std::uint8_t* into);
  void mask_atom(const CellAtom& atom, const Side& side, std::size_t begin, std::size_t count,
                 std::uint8_t* into);
  // Where a simple calculation is enough.
  [[nodiscard]] std::optional<Line> line(const CellAtom& atom, const Side& side) const;
  // Where the condition of a lookup is no more than that.
  [[nodiscard]] std::optional<Bound> bound(const Plan::Lookup& lookup, const Side& side) const;
  // visit(first row, mask) for a lookup's rows, some at a time, but for those of which none fits if
  // that is quick to see.
  template <class Visit>
  void for_each_block(const Plan::Lookup& lookup, const Side& side, Visit visit);
  [[nodiscard]] std::uint32_t fitting(std::size_t lookup, const Shelf& inner);
  void change_found(Shelf& outer, std::size_t lookup, int by, const Tally& tally);

  const WatchedModel& program_;
  const Numbers& numbers_;
  const Plan& plan_;
  std::vector<std::uint32_t> outer_fields_;
  std::vector<std::vector<std::uint32_t>> inner_fields_;  // by lookup
  std::unordered_map<Cell, Tile> tiles_;
  std::vector<std::unordered_map<Cell, Tile>::node_type> spare_;
  // Of the change under way
  std::vector<const Cell*> elements_;  // by binding
  std::span<const Cell> slots_;
  std::vector<Cell> gathered_;
};

}  // namespace poise::watch
