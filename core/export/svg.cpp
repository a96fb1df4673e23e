#include "core/export/export.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace crema::exports {

using namespace profile;

namespace {

// By Category: the page's light theme (web/styles/tokens.css, --pk-*).
constexpr std::string_view fills[] = {"#f3b35c", "#d6b08c", "#c4b0e6", "#a5d3a0",
                                      "#a3c6ea", "#93d6d0", "#eeb0b4", "#d5d0c8",
                                      "#e4dfd6", "#cfc3d6", "#cfc3d6"};
constexpr double row_height = 18;
constexpr double character = 6.6;  // [px] a generous mean of 11 px sans-serif
constexpr double top = 34;

// A pixel's hundredth is enough.
std::string pixels(double value) { return number_text(std::round(value * 100) / 100); }

std::string percent(double share) { return number_text(std::round(share * 1000) / 10) + " %"; }

std::string rect(double x, double y, double width, double height, std::string_view fill) {
  return "<rect x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" width=\"" + pixels(width) +
         "\" height=\"" + pixels(height) + "\" fill=\"" + std::string(fill) + "\"/>";
}

std::string text_at(double x, double y, std::string_view text) {
  return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\">" + xml_text(text) + "</text>";
}

// The middle of a long name says least: module and function stand at its ends. Never within a
// character of several bytes.
std::string cut(const std::string& text, double room) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) starts.push_back(i);
  }
  const auto fits = static_cast<std::size_t>(std::max(0.0, room / character));
  if (starts.size() <= fits) return text;
  if (fits < 3) return {};
  const std::size_t first = (fits - 1 + 1) / 2;
  const std::size_t tail = fits - 1 - first;
  return text.substr(0, starts[first]) + "…" +
         (tail == 0 ? "" : text.substr(starts[starts.size() - tail]));
}

constexpr Option width_option{.name = "width",
                              .type = Option::Type::number,
                              .about = "width of the picture in pixels",
                              .fallback = "1200",
                              .least = 100,
                              .most = 100000};
constexpr Option order_option{
    .name = "order", .about = "order of siblings", .fallback = "heavy", .values = "heavy, name"};

std::vector<Artefact> write_svg(const Run& run, const Selection& selection,
                                const Options& options) {
  const double width = options.number(width_option);
  const auto order = options.choice<SiblingOrder>(order_option);
  const Profiles profiles = profiles_of(run, selection);
  const ExportedProfile one = exported_profile(run, profiles, options);
  const ExportedTree of = exported_tree(run, *one.profile, options);
  const ResolvedTree& tree = of.tree();
  const FrameFacts& facts = *of.of->facts;
  const double whole = tree.whole();
  if (!(whole > 0)) throw Failure(ErrorCode::nothing_to_export, "the call tree is empty");
  const double scale = width / whole;
  Window window;
  window.min_width = 0.1 / scale;
  window.runs = true;
  const Layout layout = lay_out(tree, ordered_children(tree, facts, order), window);
  const std::uint32_t rows = 1 + *std::max_element(layout.depth.begin(), layout.depth.end());
  double hidden = 0;

  std::string boxes;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const NodeId n = layout.node[i];
    const FrameId f = tree.frame[n];
    const double x = layout.begin[i] * scale;
    const double wide = (layout.end[i] - layout.begin[i]) * scale;
    const double y = top + layout.depth[i] * row_height;
    const bool open = layout.is_unresolved[i];
    if (layout.run_at(i) > 0) hidden += layout.run_at(i);
    const std::string name = layout.run_at(i) > 0
                                 ? std::to_string(layout.run_at(i)) + " narrow boxes"
                             : open   ? std::string(unresolved_label)
                             : n == 0 ? title_of(*one.profile)
                                      : of.label(f);
    const std::string_view fill = layout.run_at(i) > 0 ? "#c6bdb0"
                                  : open               ? "url(#open)"
                                  : n == 0             ? "#d5d0c8"
                                           : fills[static_cast<std::size_t>(facts.category[f])];
    const double amount = layout.end[i] - layout.begin[i];
    boxes += "<g><title>" + xml_text(name) + " — " + percent(amount / whole) + ", " +
             number_text(amount);
    if (layout.run_at(i) == 0 && !open) {
      boxes += "; self " + number_text(tree.self[n]);
      if (tree.self_max(n) > tree.self_min(n))
        boxes +=
            " (" + number_text(tree.self_min(n)) + " to " + number_text(tree.self_max(n)) + ")";
    }
    boxes +=
        "</title>" + rect(x, y, std::max(0.1, wide - (wide > 2 ? 0.5 : 0)), row_height - 1, fill);
    if (!open && layout.run_at(i) == 0 && tree.estimated(n) > 0) {
      const double part = tree.estimated(n) * scale;
      boxes += rect(x + wide - part, y, part, row_height - 1, "url(#estimate)");
    }
    const std::string text =
        layout.run_at(i) > 0 ? "" : cut(open || n == 0 ? name : std::string(of.name(f)), wide - 8);
    if (!text.empty()) boxes += text_at(x + 4, y + 12.5, text);
    boxes += "</g>\n";
  }

  const double height = top + rows * row_height + 40;
  const std::string unit = one.profile->trees.front()->unit;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + pixels(width) +
                    "\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " + pixels(width) + " " +
                    pixels(height) +
                    "\" font-family=\"system-ui, Segoe UI, Roboto, Noto Sans, DejaVu Sans, "
                    "sans-serif\" font-size=\"11\" fill=\"#1f1a14\">\n"
                    "<defs><pattern id=\"open\" width=\"6\" height=\"6\" "
                    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                    "<rect width=\"6\" height=\"6\" fill=\"#f0ece6\"/><path d=\"M0 0V6\" "
                    "stroke=\"#968b7c\" stroke-width=\"1.6\"/></pattern>"
                    "<pattern id=\"estimate\" width=\"6\" height=\"6\" "
                    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                    "<path d=\"M0 0V6\" stroke=\"#1f1a14\" stroke-opacity=\"0.45\" "
                    "stroke-width=\"1.2\"/></pattern></defs>\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"4\" y=\"20\" "
                    "font-size=\"14\" font-weight=\"600\">" +
                    xml_text((run.title.empty() ? "" : run.title + ": ") + title_of(*one.profile)) +
                    " — " + number_text(whole) + " " + xml_text(unit) + "</text>\n" + boxes;
  double x = 4;
  const double y = height - 12;
  for (std::size_t c = 0; c < category_names.size(); ++c) {
    const bool there = any_of(layout.node, [&](NodeId n) {
      return n > 0 && facts.category[tree.frame[n]] == static_cast<Category>(c);
    });
    if (!there) continue;
    svg += rect(x, y - 9, 10, 10, fills[c]) + text_at(x + 14, y, category_names[c]) + "\n";
    x += 26 + character * static_cast<double>(category_names[c].size());
  }
  if (hidden > 0)
    svg += text_at(x + 10, y, number_text(hidden) + " boxes are too narrow to be shown") + "\n";
  return {{one.file_name + ".svg", svg + "</svg>\n"}};
}

}  // namespace

const Writer svg_writer{
    "svg",
    write_svg,
    {&profile::profile_option, &worker_option, &key_option, &profile::leaves_option,
     &profile::transform_option, &hide_paths_option, &order_option, &width_option}};

}  // namespace crema::exports
