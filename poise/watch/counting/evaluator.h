#pragma once

// Evaluators tell whether queries hold. The full one works a query out anew whenever it is asked;
// the incremental one keeps counts up to date with every element that comes or goes, where that is
// cheaper. Both give the same answers, so tests use each as the oracle of the other.

#include <functional>
#include <memory>

#include "poise/watch/store/instance.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Before the first event of an instance, or of one whose elements were restored from a snapshot.
  virtual void start(std::uint32_t instance) = 0;
  // An event is about to come: prefetches the memory that it will need.
  virtual void expect(std::uint32_t /*instance*/) {}
  // An element has come into a collection, or has left it. Returns whether that may have changed
  // the truth of a query that a rule of the present state asks.
  virtual bool added(std::uint32_t instance, const Instance& of, CollectionId collection,
                     const Cell* element) = 0;
  virtual bool removed(std::uint32_t instance, const Instance& of, CollectionId collection,
                       const Cell* element) = 0;
  // A state was entered: all `next` windows are empty and open again.
  virtual void entered(std::uint32_t instance, const Instance& of) = 0;
  // A slot has another value.
  virtual void assigned(std::uint32_t instance, model::SlotId slot) = 0;

  [[nodiscard]] virtual Truth truth(std::uint32_t instance, const Instance& of,
                                    model::QueryId query) = 0;
};

using MakeEvaluator =
    std::function<std::unique_ptr<Evaluator>(const WatchedModel& watched, const Numbers& numbers)>;

[[nodiscard]] std::unique_ptr<Evaluator> full_evaluator(const WatchedModel& watched,
                                                        const Numbers& numbers);
[[nodiscard]] std::unique_ptr<Evaluator> incremental_evaluator(const WatchedModel& watched,
                                                               const Numbers& numbers);
// The same, but it counts even where a scan is cheaper: for tests and measurements.
[[nodiscard]] std::unique_ptr<Evaluator> counting_evaluator(const WatchedModel& watched,
                                                            const Numbers& numbers);

// The truth of a node of a query, worked out from the elements. `elements` has, by binding, those
// that the quantifiers around the node bind.
[[nodiscard]] Truth evaluate(const WatchedModel& watched, const Numbers& numbers,
                             const Instance& instance, const CellQuery& query, std::uint32_t node,
                             std::vector<const Cell*>& elements);

}  // namespace poise::watch
