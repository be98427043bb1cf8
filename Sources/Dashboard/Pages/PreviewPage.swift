internal import Foundation
package import Localization

/// A way in which the preview changes source texts, as pseudo-localization does: with accents, with accents and longer, doubled, or right to left.
package enum PreviewStyle: String, Hashable, Sendable, CaseIterable {
  case accented, longer, doubled
  case rightToLeft = "right-to-left"
}

/// A source text, and its changed form in a style of the preview.
package struct PreviewedText: Hashable, Sendable {
  package var unit: UnitID
  package var source: String
  package var shown: String

  package init(unit: UnitID, source: String, shown: String) {
    self.unit = unit
    self.source = source
    self.shown = shown
  }
}

extension DashboardPages {
  /// Returns the page with source texts that are changed in a style.
  /// - Parameters:
  ///   - texts: the first texts of the branch.
  ///   - count: the number of all texts of the branch.
  package func preview(
    _ texts: [PreviewedText], of count: Int, in pipeline: String, branch: String, branches: [String],
    style: PreviewStyle
  ) -> String {
    let title = t(message("Preview with pseudolanguages", comment: "A link to a page with changed texts."))
    return page(
      "preview", title,
      [
        "title": title, "crumbs": crumbs, "all": t(message("Pipelines", comment: "A link of the navigation.")),
        "url": Shown.url(pipeline), "pipeline": Shown.line(pipeline),
        "lead": t(
          message(
            "The texts in an accented, longer, doubled or right-to-left form. Placeholders and tags are not changed.",
            comment: "Below the title of the preview.")),
        "branchLabel": t(message("Branch", comment: "A column.")),
        "branches": branches.map { ["raw": $0, "name": Shown.line($0), "chosen": $0 == branch] as View },
        "styleLabel": t(message("Style", comment: "The label of a choice: how texts are changed.")),
        "styles": PreviewStyle.allCases.map {
          ["raw": $0.rawValue, "name": name(of: $0), "chosen": $0 == style] as View
        },
        "show": t(message("Show", comment: "A button.")),
        "count": t.counted(
          count, one: message("1 text", comment: "A count."), other: message("%lld texts", count, comment: "A count.")),
        "sourceLabel": t(message("Source text", comment: "The label of a text.")), "shownLabel": name(of: style),
        "texts": texts.map { text -> View in
          [
            "source": Shown.text(text.source, limit: 500), "shown": Shown.text(text.shown, limit: 1500),
            "target": target(of: text.unit.key.text, in: pipeline), "reversed": style == .rightToLeft,
          ]
        },
        "rest": rest(count - texts.count),
      ])
  }

  private func name(of style: PreviewStyle) -> String {
    switch style {
    case .accented: t(message("Accented", comment: "A style of the preview: letters get accents."))
    case .longer: t(message("Accented and longer", comment: "A style of the preview."))
    case .doubled: t(message("Twice as long", comment: "A style of the preview."))
    case .rightToLeft: t(message("Right to left", comment: "A style of the preview."))
    }
  }
}
