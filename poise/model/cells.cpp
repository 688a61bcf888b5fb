#include "poise/model/cells.h"

#include <algorithm>
#include <map>
#include <set>

#include "poise/model/step.h"

namespace poise::model {

namespace {

Integer count_from(std::size_t index, const std::vector<Cluster>& clusters,
                   const std::map<SlotId, std::vector<std::size_t>>& behind) {
  Integer total = 0;
  const Cluster& cluster = clusters[index];
  for (const std::vector<Value>& cell : cluster.cells) {
    Integer ways = 1;
    for (std::size_t i = 0; i < cluster.order.size(); ++i) {
      const auto guarded = behind.find(cluster.order[i]);
      if (guarded == behind.end() || !holds(cell[i])) continue;
      for (const std::size_t child : guarded->second) {
        ways = ways * count_from(child, clusters, behind);
      }
    }
    total += ways;
  }
  return total;
}

Integer context_count(const Model& model, const std::vector<Cluster>& clusters) {
  std::map<SlotId, std::vector<std::size_t>> behind;
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto guard = guard_slot(model, clusters[i].order.front());
    if (clusters[i].order.size() == 1 && guard) {
      behind[*guard].push_back(i);
    } else {
      roots.push_back(i);
    }
  }
  Integer total = 1;
  for (const std::size_t cluster : roots) total = total * count_from(cluster, clusters, behind);
  return total;
}

}  // namespace

Result<Cells> Cells::of(const Model& model, Budget& budget) {
  ClusterFinder finder(model, budget);
  Cells cells;
  cells.model_ = &model;
  cells.clusters_ = finder.clusters();
  cells.cluster_of_.resize(model.slots.size());
  for (std::size_t i = 0; i < cells.clusters_.size(); ++i) {
    Cluster& cluster = cells.clusters_[i];
    for (const SlotId slot : cluster.order) cells.cluster_of_[slot.index] = i;
    if (const Result<void> tests = finder.add_tests(cluster); !tests) return Failure(tests.error());
    if (const Result<void> parts = finder.add_cells(cluster); !parts) return Failure(parts.error());
  }
  cells.count_ = context_count(model, cells.clusters_);
  return cells;
}

bool Cells::has_value(SlotId slot, const Context& context) const {
  const std::optional<SlotId> guard = guard_slot(*model_, slot);
  return !guard || holds(context[guard->index]);
}

void Cells::for_each_context(const std::function<bool(const Context&)>& visit) const {
  Context context(model_->slots.size());
  visit_from(0, context, {visit, {}});
}

std::optional<Context> Cells::context_with(const std::vector<bool>& atoms) const {
  std::optional<Context> found;
  const Visit visit = {[&](const Context& context) {
                         found = context;
                         return false;
                       },
                       [&](const Cluster& cluster, const Context& context) {
                         return std::ranges::all_of(cluster.atoms, [&](AtomId atom) {
                           return model::holds(model_->atoms[atom], context) == atoms[atom.index];
                         });
                       }};
  Context context(model_->slots.size());
  visit_from(0, context, visit);
  return found;
}

bool Cells::visit_from(std::size_t index, Context& context, const Visit& visit) const {
  // Clusters with one choice are passed in a loop: recursion is as deep as there are real choices,
  // of which an enumerable model has few.
  const auto fits = [&](const Cluster& cluster) {
    return !visit.fits || visit.fits(cluster, context);
  };
  for (; index < clusters_.size(); ++index) {
    const Cluster& cluster = clusters_[index];
    const auto enter = [&](const std::vector<Value>& cell) {
      for (std::size_t i = 0; i < cell.size(); ++i) context[cluster.order[i].index] = cell[i];
    };
    const bool waits = cluster.order.size() == 1;
    if (waits && !has_value(cluster.order.front(), context)) {
      context[cluster.order.front().index] = std::nullopt;
      if (!fits(cluster)) return true;
      continue;
    }
    if (cluster.cells.size() == 1) {
      enter(cluster.cells.front());
      if (!fits(cluster)) return true;
      continue;
    }
    for (const std::vector<Value>& cell : cluster.cells) {
      enter(cell);
      if (fits(cluster) && !visit_from(index + 1, context, visit)) return false;
    }
    return true;
  }
  return visit.visit(context);
}

std::vector<Rational> Cells::values(SlotId slot, const Context& context) const {
  const Cluster& cluster = clusters_[cluster_of_[slot.index]];
  // While other slots of the cluster have no value yet, it is unknown which integers will fit.
  const bool has_all = std::ranges::all_of(cluster.order, [&](SlotId other) {
    return other == slot || context[other.index].has_value();
  });
  if (cluster.by_integers && !has_all && !is_real(*model_, slot)) return all_values(*model_, slot);
  std::vector<Rational> values;
  std::set<std::vector<int>> known;
  Context trial = context;
  for (const Rational& value : part_values(*model_, slot, cluster.forms, context)) {
    trial[slot.index] = value;
    if (known.insert(signature(cluster, trial)).second) values.push_back(value);
  }
  return values;
}

std::vector<Context> Cells::told_apart(std::vector<Context> contexts) const {
  std::set<std::vector<int>> seen;
  std::erase_if(contexts, [&](const Context& context) {
    std::vector<int> part;
    for (const Cluster& cluster : clusters_) {
      const std::vector<int> here = signature(cluster, context);
      part.insert(part.end(), here.begin(), here.end());
    }
    return !seen.insert(std::move(part)).second;
  });
  return contexts;
}

bool Cells::same(const Context& a, const Context& b) const {
  if (a == b) return true;
  return std::ranges::all_of(clusters_, [&](const Cluster& cluster) {
    return signature(cluster, a) == signature(cluster, b);
  });
}

}  // namespace poise::model
