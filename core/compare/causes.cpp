#include "core/compare/sides.hpp"

#include "core/base/elementary.hpp"
#include "core/base/order.hpp"

namespace crema::compare {

using namespace stats;

namespace {

using Kind = PartId::Kind;

constexpr double least_of_largest = 0.1;  // a part that changed by less is not named beside it
constexpr std::size_t most_causes = 6;

/// Whether most of a section's change is in one dataset.
bool most_in(const SpeedRatio& speed, const Effect& section,
             const std::optional<std::string>& dataset) {
  const Effect* const cell =
      speed.find({.kind = Kind::cell, .dataset = dataset, .section = section.section});
  return cell != nullptr && cell->excess() / section.excess() >= most_of_change;
}

/// Whether seconds of `x` may be seconds of `picked`, too.
bool overlaps(const SpeedRatio& speed, const Effect& x, const Effect& picked) {
  const auto is_whole = [](const Effect& p) {
    return p.id.kind == Kind::file || p.id.kind == Kind::host || p.id.kind == Kind::evenly;
  };
  // nor are a slow worker's chunks among those of other parts, nor what workers began with
  const auto is_apart = [](const Effect& p) {
    return p.id.kind == Kind::chunk || p.id.kind == Kind::first_chunks || p.id.kind == Kind::worker;
  };
  if (is_apart(x) || is_apart(picked)) return false;
  if (x.id.kind == Kind::other_files || picked.id.kind == Kind::other_files) return true;
  const auto is_mixed = [](const Effect& p) { return p.id.kind == Kind::host && !p.dataset; };
  if (is_mixed(x) || is_mixed(picked)) return is_whole(x) && is_whole(picked);
  if (is_whole(x) != is_whole(picked)) {
    const Effect& whole = is_whole(x) ? x : picked;
    const Effect& fine = is_whole(x) ? picked : x;
    // a dataset's own share is what its sections have in common; a file's and a host's is all
    if (whole.id.kind == Kind::evenly) return false;
    return !fine.dataset ? most_in(speed, fine, whole.dataset) : fine.dataset == whole.dataset;
  }
  if (is_whole(x)) {
    return x.id.kind == picked.id.kind ? (x.id.kind != Kind::evenly ? x.id.place == picked.id.place
                                                                    : x.dataset == picked.dataset)
                                       : x.dataset == picked.dataset;
  }
  return (speed.overlap || x.section == picked.section) &&
         (!x.dataset || !picked.dataset || x.dataset == picked.dataset);
}

bool is_row(Kind kind) {
  return kind == Kind::dataset || kind == Kind::section || kind == Kind::host;
}

/// Whether a change is explained without this part, of which `left` is left. What has a verdict is
/// named all the same.
bool is_needless(Kind kind, double left, double change) {
  return std::fabs(left) <= (1 - most_of_change) * std::fabs(change) && !is_row(kind) &&
         kind != Kind::evenly;
}

/// Whether only A has it.
bool is_gone(const Effect& part) {
  return part.log_ratio == -std::numeric_limits<double>::infinity();
}

/// What is told against the common factor itself: a section against all of its dataset, a chunk
/// against its like.
bool is_against_factor(Kind kind) {
  return kind != Kind::chunk && kind != Kind::first_chunks && kind != Kind::section &&
         kind != Kind::cell;
}

/// A place within `parent` that may hold all of its change.
bool is_finer(const Effect& child, const Effect& parent) {
  if (parent.id.kind == Kind::section)
    return child.id.kind == Kind::cell && child.section == parent.section;
  if (parent.id.kind == Kind::evenly || parent.id.kind == Kind::cell)
    return child.id.kind == Kind::file && child.dataset == parent.dataset;
  return false;
}

/// Whether a dataset's files moved with it, as far as they can be judged. Where one stayed behind,
/// it is the others that moved.
bool moved_as_one(const SpeedRatio& speed, const Effect& evenly) {
  return none_of(speed.parts, [&](const auto& entry) {
    const Effect& file = entry.second;
    if (file.id.kind != Kind::file || file.dataset != evenly.dataset) return false;
    const double behind = (evenly.log_ratio - file.log_ratio) / evenly.log_ratio;
    const double errors = std::fabs(evenly.log_ratio - file.log_ratio) / file.error;
    return behind > 0.5 && errors > z_bonferroni;
  });
}

/// What is significant, by how much it explains.
std::vector<const Effect*> candidates_of(const SpeedRatio& speed) {
  std::vector<const Effect*> significant;
  for (const auto& [id, part] : speed.parts) {
    if (part.is_significant && part.id.kind != Kind::dataset &&
        (part.id.kind != Kind::evenly || moved_as_one(speed, part)))
      significant.push_back(&part);
  }
  // A file is its dataset, where it explains no more.
  sort_stably(significant, [](const Effect* x, const Effect* y) {
    const auto weight = [](const Effect& p) {
      return std::fabs(p.excess()) * (p.id.kind == Kind::file ? 0.9 : 1);
    };
    return weight(*x) > weight(*y);
  });
  // A dataset changed, and nothing finer is certain.
  if (significant.empty()) {
    for (const auto& [id, part] : speed.parts) {
      if (part.is_significant) significant.push_back(&part);
    }
  }
  return significant;
}

Cause cause_of(const Effect& part) {
  return {.kind = Cause::Kind::part,
          .part = part,
          .seconds = part.excess(),
          .error = part.excess_error()};
}

/// A dataset or a file that changed because sections did everywhere has no change of its own.
bool has_own_change(const SpeedRatio& speed, const Effect& part) {
  const Effect* const evenly = speed.find({.kind = Kind::evenly, .dataset = part.dataset});
  if (evenly != nullptr && evenly->is_significant) return true;
  const Effect* const dataset = speed.find({.kind = Kind::dataset, .dataset = part.dataset});
  const double share = dataset == nullptr ? 1 : part.seconds_b / dataset->seconds_b;
  double rest = part.excess();
  for (const auto& [id, section] : speed.parts) {
    if (section.id.kind != Kind::section || !section.is_significant ||
        !std::isfinite(section.log_ratio) || most_in(speed, section, part.dataset))
      continue;
    const Effect* const cell =
        speed.find({.kind = Kind::cell, .dataset = part.dataset, .section = section.section});
    if (cell != nullptr) rest -= share * cell->excess();
  }
  return rest / part.excess() >= 0.5;
}

/// Whether most of a section's change is in one dataset that is less than that of the section.
bool is_of_one_dataset(const SpeedRatio& speed, const Effect& section) {
  return any_of(speed.parts, [&](const auto& entry) {
    const Effect& cell = entry.second;
    return cell.id.kind == Kind::cell && cell.section == section.section &&
           cell.excess() / section.excess() >= most_of_change &&
           cell.seconds_a < most_of_parent * section.seconds_a;
  });
}

}  // namespace

bool explains_nothing(const SpeedRatio& speed, const Effect& part) {
  return std::fabs(part.excess()) < least_named * speed.seconds_b ||
         (speed.paired && std::isfinite(part.log_ratio) &&
          (part.seconds_b - part.seconds_a) * part.excess() < 0);
}

std::vector<const Effect*> tested_parts(const SpeedRatio& speed, double core_time, bool rows) {
  const auto hosts =
      count_if(speed.parts, [](const auto& entry) { return entry.second.id.kind == Kind::host; });
  std::vector<const Effect*> all;
  for (const auto& [id, part] : speed.parts) {
    // The change of a whole run is its speed ratio.
    const bool is_all = part.id.kind == Kind::host && hosts < 2;
    const double size = std::max(part.seconds_a, part.seconds_b);
    if (is_row(part.id.kind) == rows && part.id.kind != Kind::other_files && !is_all &&
        size >= least_share * core_time)
      all.push_back(&part);
  }
  return all;
}

void mark_significant(SpeedRatio& speed, double core_time) {
  for (const bool rows : {true, false}) {
    const std::vector<const Effect*> all = tested_parts(speed, core_time, rows);
    // Each half of what may be false in all.
    const auto found = [&](bool with_moments) {
      std::vector<double> p_values;
      p_values.reserve(all.size());
      for (const Effect* part : all)
        p_values.push_back(part->is_of_moment && !with_moments ? absent : part->p_value());
      return benjamini_hochberg(p_values, false_discovery_rate / 2);
    };
    const std::vector<bool> changed = found(false);
    const std::vector<bool> with_moments = found(true);
    const auto tested = count_if(
        all, [](const Effect* part) { return !is_absent(part->p_value()) && !part->is_of_moment; });
    const auto told = std::count(changed.begin(), changed.end(), true);
    (rows ? speed.level_of_rows : speed.level_of_finer) =
        ratio(false_discovery_rate / 2 * static_cast<double>(std::max<std::ptrdiff_t>(told, 1)),
              static_cast<double>(tested));
    for (std::size_t i = 0; i < all.size(); ++i) {
      Effect& part = speed.parts.find(all[i]->id)->second;
      const bool is_large = std::fabs(part.excess()) >= least_change * core_time;
      part.is_significant = changed[i] && is_large;
      // A finer part that is noise needs no moment.
      part.is_of_moment = part.is_of_moment && (rows || (with_moments[i] && is_large));
    }
  }
  // What is known to differ is one question of its own.
  for (auto& [id, part] : speed.parts)
    if (id.kind == Kind::other_files)
      part.is_significant = part.p_value() < false_discovery_rate / 2;
  // Datasets come before what they did evenly: the map is by name.
  for (auto& [id, part] : speed.parts) {
    const bool is_place = part.id.kind == Kind::dataset || part.id.kind == Kind::file;
    if (is_place && (part.is_significant || part.is_of_moment) && !has_own_change(speed, part))
      part.is_significant = part.is_of_moment = false;
    // Nor has a section, most of whose change is in one of its datasets: that may be a chunk.
    if (part.id.kind == Kind::section && part.is_significant && std::isfinite(part.log_ratio))
      part.is_significant = !is_of_one_dataset(speed, part);
    // What its dataset's row does not say, the opening does not.
    if (part.id.kind != Kind::evenly || !part.is_significant) continue;
    const Effect* const row = speed.find({.kind = Kind::dataset, .dataset = part.dataset});
    part.is_significant =
        row != nullptr && row->is_significant && row->log_ratio * part.log_ratio > 0;
  }
}

double margin_of(const SpeedRatio& speed, const Effect& part) {
  if (part.id.kind == Kind::other_files) return part.margin(false_discovery_rate / 2);
  const double margin =
      part.margin(is_row(part.id.kind) ? speed.level_of_rows : speed.level_of_finer);
  return !part.is_significant && std::fabs(part.excess()) > margin ? absent : margin;
}

std::vector<Cause> causes_of(const SpeedRatio& speed, const Spent& a, const Spent& b, double floor,
                             bool is_cut) {
  const double change = b.process - a.process;
  if (!speed.known())
    return is_absent(change)
               ? std::vector<Cause>{}
               : std::vector<Cause>{{.kind = Cause::Kind::unexplained, .seconds = change}};
  const double factor = elementary::exp(speed.factor);
  const double evenly = a.process * (factor - 1);
  const double beyond = speed.seconds_b - factor * speed.seconds_a;
  std::vector<Cause> causes = {
      {.kind = Cause::Kind::evenly, .seconds = evenly, .error = a.process * factor * speed.error}};
  const std::vector<const Effect*> candidates = candidates_of(speed);
  std::vector<const Effect*> picked;
  double left = beyond;
  double least = 0;
  for (const Effect* part : candidates) {
    if (picked.size() == most_causes) break;
    if (std::fabs(part->excess()) < least || explains_nothing(speed, *part)) continue;
    least = std::max(least, least_of_largest * std::fabs(part->excess()));
    if (!picked.empty() && is_needless(part->id.kind, left, beyond)) continue;
    // a file cuts all of its dataset, a section's share of it or not
    const Effect* const all_of_it =
        part->id.kind == Kind::cell ? speed.find({.kind = Kind::dataset, .dataset = part->dataset})
                                    : part;
    for (const Effect* child : candidates) {
      if (all_of_it != nullptr && is_finer(*child, *part) &&
          child->excess() / part->excess() >= most_of_change &&
          child->seconds_b - child->excess() <=
              most_of_parent * (all_of_it->seconds_b - all_of_it->excess())) {
        part = child;
        break;
      }
    }
    if (any_of(picked, [&](const Effect* p) { return p == part || overlaps(speed, *part, *p); }))
      continue;
    picked.push_back(part);
    left -= part->excess();
    causes.push_back(cause_of(*part));
  }
  // Chunks that could not be compared cost what they cost more than at the common factor.
  const double alone = b.process - speed.seconds_b - factor * (a.process - speed.seconds_a);
  if (std::fabs(alone) >= floor)
    causes.push_back(
        {.kind = Cause::Kind::unpaired,
         .seconds = alone,
         .unpaired = b.repeated - factor * a.repeated >= most_of_change * alone && alone > 0
                         ? Cause::Unpaired::repeated
                     : is_cut       ? Cause::Unpaired::cut
                     : speed.paired ? Cause::Unpaired::other_chunks
                                    : Cause::Unpaired::other_datasets});
  double explained = 0;
  for (const Cause& cause : causes) explained += cause.seconds;
  causes.push_back({.kind = Cause::Kind::unexplained, .seconds = change - explained});
  return causes;
}

void settle_on_rest(SpeedRatio& speed, std::vector<Cause>& causes, const Spent& a, const Spent& b) {
  constexpr int most_steps = 100;
  constexpr double settled = 1e-9;
  double in_a = speed.paired ? speed.seconds_a : 0;
  const double in_b = speed.seconds_b;
  if (!speed.paired) {
    for (const auto& [id, part] : speed.parts) {
      if (id.kind == Kind::dataset && std::isfinite(part.log_ratio))
        in_a += (part.seconds_b - part.excess()) * elementary::exp(-speed.factor);
    }
  }
  // what B does not have would have changed as the rest
  for (const Cause& cause : causes)
    if (is_gone(cause.part)) in_a -= cause.part.seconds_a;
  const SpeedRatio agreed = speed;
  bool is_settled = false;
  for (int step = 0; step < most_steps && !is_settled; ++step) {
    double rest = in_b;
    for (const Cause& cause : causes) {
      if (cause.kind == Cause::Kind::part && !is_gone(cause.part))
        rest -= speed.find(cause.part.id)->excess();
    }
    if (!(rest > 0 && in_a > 0)) break;
    const double move = elementary::log(rest / in_a) - speed.factor;
    speed.factor += move;
    for (auto& [id, part] : speed.parts)
      if (is_against_factor(id.kind) && std::isfinite(part.log_ratio)) part.log_ratio -= move;
    is_settled = std::fabs(move) < settled;
  }
  // Where the parts leave no rest, what cells agree on stands.
  if (!is_settled) {
    speed = agreed;
    return;
  }
  const double factor = elementary::exp(speed.factor);
  double left = b.process - a.process;
  double stayed = a.process;
  for (const Cause& cause : causes)
    if (is_gone(cause.part)) stayed -= cause.part.seconds_a;
  for (Cause& cause : causes) {
    switch (cause.kind) {
      case Cause::Kind::evenly: cause.seconds = stayed * (factor - 1); break;
      case Cause::Kind::part: cause = cause_of(*speed.find(cause.part.id)); break;
      case Cause::Kind::unpaired:
        cause.seconds = b.process - speed.seconds_b - factor * (a.process - speed.seconds_a);
        break;
      default: cause.seconds = left;  // unexplained: the last one
    }
    left -= cause.seconds;
  }
}

bool are_all_needed(const std::vector<Cause>& causes, SpeedRatio& speed) {
  double all = 0;
  for (const Cause& cause : causes)
    if (cause.kind == Cause::Kind::part || cause.kind == Cause::Kind::unexplained)
      all += cause.seconds;
  double left = all;
  for (const Cause& cause : causes) {
    if (cause.kind != Cause::Kind::part) continue;
    if (std::fabs(cause.seconds) < least_named * speed.seconds_b ||
        (left != all && is_needless(cause.part.id.kind, left, all))) {
      speed.parts.find(cause.part.id)->second.is_significant = false;
      return false;
    }
    left -= cause.seconds;
  }
  return true;
}

Outside outside_of(const Spent& a, const Spent& b, double factor, const ElapsedChange& replayed) {
  Outside found;
  const double cores_a = ratio(a.available, a.elapsed);
  const double cores_b = ratio(b.available, b.elapsed);
  // On as many cores as A had. What is beside process() may have become as slow as its work, or
  // stayed what it was: which of the two is unknown, so that the smaller change counts.
  double speed = 1;
  const auto expected_at = [&](double at) {
    if (replayed.known()) return at == 1 ? replayed.with_process : replayed.with_pace;
    return (b.process + at * (a.available - a.process)) / cores_a;
  };
  const auto more_at = [&](double at) { return b.elapsed - expected_at(at); };
  if (std::fabs(more_at(elementary::exp(factor))) < std::fabs(more_at(1)))
    speed = elementary::exp(factor);
  if (more_at(elementary::exp(factor)) * more_at(1) <= 0) return found;
  const double expected = expected_at(speed);
  const double more = b.elapsed - expected;
  if (!(std::fabs(more) >= much_elapsed * expected)) return found;
  found.elapsed = more;
  found.expected = expected;
  std::vector<Cause> all;
  std::map<OutsidePhase, double> changed = b.outside;
  for (const auto& [phase, seconds] : a.outside) changed[phase] -= speed * seconds;
  all.reserve(changed.size() + 1);
  for (const auto& [phase, seconds] : changed)
    all.push_back({.kind = Cause::Kind::outside, .seconds = seconds, .phase = phase});
  all.push_back({.kind = Cause::Kind::cores,
                 .seconds = b.elapsed * (cores_a - cores_b),
                 .cores_a = cores_a,
                 .cores_b = cores_b});
  sort_stably(all,
              [&](const Cause& x, const Cause& y) { return x.seconds * more > y.seconds * more; });
  double left = more * cores_a;
  for (Cause& cause : all) {
    if (cause.seconds * more <= 0 || left * more <= (1 - most_of_change) * more * more * cores_a)
      break;
    left -= cause.seconds;
    found.causes.push_back(std::move(cause));
  }
  return found;
}

}  // namespace crema::compare
