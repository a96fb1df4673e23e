#include "core/report/association_text.hpp"

#include <algorithm>

#include "core/base/number_format.hpp"
#include "core/base/text.hpp"

namespace crema::report {

using namespace diagnose;

namespace {

/// A value with less of the selected chunks is not what they have in common: one of the thousands
/// of files that were read in a stretch of time.
constexpr double least_share = 0.05;

std::string number_text(ChunkFeature::Unit unit, double value) {
  switch (unit) {
    case ChunkFeature::Unit::seconds: return format_number(value) + " s";
    case ChunkFeature::Unit::bytes: return format_bytes(value);
    case ChunkFeature::Unit::memory: return format_memory(value);
    case ChunkFeature::Unit::number:
    case ChunkFeature::Unit::name: break;
  }
  return format_number(value);
}

}  // namespace

std::string value_text(const FeatureAssociation& association) {
  if (!association.value) return {};
  const ChunkFeature& feature = *association.feature;
  if (feature.unit == ChunkFeature::Unit::name)
    return std::string(feature.names[*association.value]);
  const auto& [low, high] = feature.ranges[*association.value];
  const std::string from = number_text(feature.unit, low), to = number_text(feature.unit, high);
  return from == to ? from : from + " to " + to;
}

std::string verdict_text(const std::vector<FeatureAssociation>& associations, double selected,
                         double others) {
  const std::string these = format_count(selected, "chunk");
  if (std::min(selected, others) < least_selected)
    return sentence(
        {these, " against ", format_number(others), ": too few to be distinguished from chance"});
  if (associations.empty() || !associations[0].is_significant)
    return sentence({"Nothing recorded distinguishes these ", these, " beyond chance"});
  const FeatureAssociation& first = associations[0];
  std::string text =
      first.selected < least_share * selected
          ? sentence({"The ", first.feature->name, " explains ", format_percent(first.explained),
                      " of what separates these ", these, " from the others, no single one much"})
          : sentence({first.feature->name, " ", value_text(first), ": ",
                      format_number(first.selected), " of these ", these, ", ",
                      format_number(first.lift), " times as often as chance"});
  const auto also = std::find_if(associations.begin() + 1, associations.end(),
                                 [](const auto& other) { return other.is_significant_then; });
  return also == associations.end()
             ? text
             : sentence({text, "; at equal times also the ", also->feature->name});
}

}  // namespace crema::report
