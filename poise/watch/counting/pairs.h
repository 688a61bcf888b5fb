#pragma once

// Pairs of elements that no key brings together: `exists a in A: exists b in B: a.x < b.x`.
//
// Every outer element remembers how many inner elements fit it. An element that comes or goes is
// compared with all elements of the other side, column by column, in loops that compilers turn into
// vector instructions: the work grows with the window, not with its square. Where the condition
// bounds the difference of two fields (a.x - 5 <= b.x and b.x <= a.x + 5: a *band*), both sides lie
// on a grid of tiles as wide as the band, and only neighbouring tiles are compared.

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "poise/watch/counting/plan.h"
#include "poise/watch/counting/tally.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// Elements of one side in the order of their arrival: the fields that the condition reads, a column
// for each.
struct Shelf {
  std::vector<std::vector<Cell>> columns;
  std::size_t first = 0;  // rows before it are gone, and not yet erased
  std::size_t odd = 0;    // cells without a value, or too large for plain 64-bit arithmetic
  // Outer elements only
  std::vector<std::uint8_t> classes;
  std::vector<std::vector<std::uint32_t>> found;  // by lookup and row: how many elements fit

  [[nodiscard]] std::size_t size() const { return columns.front().size(); }
  void clear();
  void put(const std::vector<std::uint32_t>& fields, const Cell* element);
  // The first row with these values, which must be there. Which of several makes no difference.
  [[nodiscard]] std::size_t row_of(const std::vector<std::uint32_t>& fields, const Cell* element,
                                   std::optional<std::size_t> the_class) const;
  void take(std::size_t row);
};

class Pairs {
 public:
  Pairs(const WatchedModel& watched, const Numbers& numbers, const Plan& plan);

  void clear();

  // An element of the outer collection, or of that of a lookup, has come (+1) or is gone (-1).
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
  // A part of the grid; without a band there is a single one.
  struct Tile {
    Shelf outer;
    std::vector<Shelf> inner;  // by lookup
  };
  // The side whose rows are gone through; the element of the other side and the slots stay fixed.
  struct Side {
    std::uint32_t binding;
    const std::vector<std::uint32_t>* fields;
    const Shelf* shelf;
    [[nodiscard]] const Cell* column(std::uint32_t field) const;
  };

  // A simple atom: base + the sum of factor * cell over its varying terms, compared with 0.
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
  // The simplest condition: a column compared with a number.
  struct Bound {
    const Cell* cells;
    model::Relation relation;
    Cell number;
    // How many of these rows satisfy it.
    [[nodiscard]] std::size_t count(std::size_t begin, std::size_t rows) const;
  };

  [[nodiscard]] std::size_t case_of(const Shelf& outer, std::size_t row) const;
  [[nodiscard]] Tile& tile(Cell place);
  void drop_if_empty(Cell place);
  [[nodiscard]] Cell place_of(Cell value) const;
  // visit(tile) for the tiles that may hold values from value + below to value + above.
  template <class Visit>
  void for_each_neighbour(Cell value, Cell below, Cell above, Visit visit);

  // into[i] = 1 if the condition holds for row begin + i, else 0; at most a block of rows.
  void mask(std::uint32_t node, const Side& side, std::size_t begin, std::size_t count,
            std::uint8_t* into);
  void mask_atom(const CellAtom& atom, const Side& side, std::size_t begin, std::size_t count,
                 std::uint8_t* into);
  // Nothing if the atom, or a number that it reads now, is not simple.
  [[nodiscard]] std::optional<Line> line(const CellAtom& atom, const Side& side) const;
  // Nothing if the condition of the lookup is more than that.
  [[nodiscard]] std::optional<Bound> bound(const Plan::Lookup& lookup, const Side& side) const;
  // visit(first row, mask) for the rows of a side, a block at a time: mask[i] is 1 if that row fits
  // by the lookup. Blocks in which a Bound shows quickly that none fits are left out.
  template <class Visit>
  void for_each_block(const Plan::Lookup& lookup, const Side& side, Visit visit);
  // How many inner elements of a shelf fit the outer element under way.
  [[nodiscard]] std::uint32_t fitting(std::size_t lookup, const Shelf& inner);
  // The inner element under way has come or gone: updates the outer elements that it fits.
  void change_found(Shelf& outer, std::size_t lookup, int by, const Tally& tally);

  const WatchedModel& watched_;
  const Numbers& numbers_;
  const Plan& plan_;
  std::vector<std::uint32_t> outer_fields_;
  std::vector<std::vector<std::uint32_t>> inner_fields_;  // by lookup
  std::unordered_map<Cell, Tile> tiles_;
  std::vector<std::unordered_map<Cell, Tile>::node_type> spare_;  // empty tiles, to be used again
  // Of the change under way
  std::vector<const Cell*> elements_;  // by binding
  std::span<const Cell> slots_;
  std::vector<Cell> gathered_;  // a row of a shelf as an element, where no Line is possible
};

}  // namespace poise::watch
