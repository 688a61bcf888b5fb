#pragma once

// Whether queries hold. Two ways: everything again whenever it is asked (full), or kept up to date
// with every element that comes or goes (incremental). Both say the same.

#include <functional>
#include <memory>

#include "poise/watch/store/instance.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Before the first event of an instance, and where it goes on with the elements of a snapshot.
  virtual void start(std::uint32_t instance) = 0;
  // An event is about to come: asks for the memory that it will need.
  virtual void expect(std::uint32_t /*instance*/) {}
  // An element is now in a collection, or out of it. Whether a query may have changed by that.
  virtual bool added(std::uint32_t instance, const Instance& of, CollectionId collection,
                     const Cell* element) = 0;
  virtual bool removed(std::uint32_t instance, const Instance& of, CollectionId collection,
                       const Cell* element) = 0;
  // All `next` windows are empty and open again.
  virtual void entered(std::uint32_t instance, const Instance& of) = 0;
  // A slot has another value.
  virtual void assigned(std::uint32_t instance, model::SlotId slot) = 0;

  [[nodiscard]] virtual Truth truth(std::uint32_t instance, const Instance& of,
                                    model::QueryId query) = 0;
};

using MakeEvaluator =
    std::function<std::unique_ptr<Evaluator>(const WatchedModel& program, const Numbers& numbers)>;

[[nodiscard]] std::unique_ptr<Evaluator> full_evaluator(const WatchedModel& program,
                                                        const Numbers& numbers);
[[nodiscard]] std::unique_ptr<Evaluator> incremental_evaluator(const WatchedModel& program,
                                                               const Numbers& numbers);
// The same, but it counts also where that does not pay.
[[nodiscard]] std::unique_ptr<Evaluator> counting_evaluator(const WatchedModel& program,
                                                            const Numbers& numbers);

// The truth of a node of a query, worked out from the elements. `elements` holds those that the
// quantifiers around it bind.
[[nodiscard]] Truth evaluate(const WatchedModel& program, const Numbers& numbers,
                             const Instance& instance, const CellQuery& query, std::uint32_t node,
                             std::vector<const Cell*>& elements);

}  // namespace poise::watch
