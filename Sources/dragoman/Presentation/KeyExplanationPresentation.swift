import Localization
import StringExtraction

/// The presentation of the result of `extract --why` for people.
struct KeyExplanationPresentation {
  let explanation: KeyExplanation
  let console: Console

  func show() {
    for site in explanation.sites { console.results(Self.lines(of: site)) }
    for holding in explanation.holdings {
      console.result(text(of: holding))
      // There are many reasons if a whole target cannot be resolved, but only the first is shown.
      if let gap = holding.uncertain ?? holding.gaps.first { console.text("  \(gap)") }
    }
    if explanation.sites.isEmpty {
      console.result(
        message(
          "No literal with the text %@ found.", explanation.key.debugDescription,
          comment: "The end of the command extract --why: a text in quotation marks."))
    }
    for near in explanation.nearMisses {
      console.result(
        message(
          "Similar text: %@: %@ (%@)", Self.text(of: near.place), near.text.debugDescription, near.difference,
          comment: "A line of extract --why: a place in a file, a text in quotation marks, the difference."))
    }
  }

  private static func lines(of site: KeyExplanation.Site) -> [String] {
    let place = "\(site.path):\(site.line):\(site.column)"
    guard !site.strings.isEmpty else {
      let line = message(
        "%@: not extracted: %@", place, site.reason,
        comment: "A line of extract --why: a place in a file, and why a text there is not localizable.")
      let advice = site.advice.map {
        message(
          "  to translate it: %@", $0,
          comment: "A line of extract --why below a text that is not localizable: what to write instead.")
      }
      return [line, advice].compactMap(\.self)
    }
    let line = message(
      "%@: extracted: %@", place, site.reason,
      comment: "A line of extract --why: a place in a file, and by which rule a text there is localizable.")
    let catalogs = site.strings.map { string in
      string.hasCatalog
        ? "  → \(string.catalog): \(string.key.text.debugDescription)"
        : message(
          "  → %@: %@ (no such catalog)", string.catalog.text, string.key.text.debugDescription,
          comment: "A line of extract --why: a catalog that does not exist, and the key that it would hold.")
    }
    return [line] + catalogs
  }

  private func text(of holding: KeyExplanation.Holding) -> String {
    if holding.uncertain != nil {
      return message(
        "%@ has the key (%@). Sync keeps it, because code may localize it:", holding.catalog.text,
        holding.state?.rawValue ?? "-", comment: "A line of extract --why: a catalog, and the key's extraction state.")
    }
    return holding.gaps.isEmpty
      ? message(
        "%@ has the key (%@), but no source file does.", holding.catalog.text, holding.state?.rawValue ?? "-",
        comment: "A line of extract --why: a catalog, and the key's extraction state.")
      : message(
        "%@ has the key (%@), but some of its sources are unreadable:", holding.catalog.text,
        holding.state?.rawValue ?? "-", comment: "A line of extract --why: a catalog, and the key's extraction state.")
  }

  private static func text(of place: KeyExplanation.Place) -> String {
    [place.path.text, place.line.map(String.init), place.column.map(String.init)].compactMap(\.self)
      .joined(separator: ":")
  }
}

/// The JSON of `extract --why`, as cli.md specifies it.
struct KeyExplanationReport: Encodable {
  struct Site: Encodable {
    struct Taken: Encodable {
      let catalog, key: String
      let hasCatalog: Bool
    }

    let path: TreePath
    let line, column: Int
    let taken: Bool
    let reason: String
    let advice: String?
    let strings: [Taken]
  }

  struct Holding: Encodable {
    let catalog: TreePath
    let extractionState: String?
    let gaps: [Diagnostic]
  }

  struct NearMiss: Encodable {
    let key, difference: String
    let path: TreePath
    let line, column: Int?
  }

  let key: String
  let sites: [Site]
  let catalogsOnly: [Holding]
  let nearMisses: [NearMiss]
  let diagnostics: [Diagnostic]

  init(_ explanation: KeyExplanation, diagnostics: [Diagnostic]) {
    key = explanation.key
    sites = explanation.sites.map { site in
      Site(
        path: site.path, line: site.line, column: site.column, taken: !site.strings.isEmpty, reason: site.reason,
        advice: site.advice,
        strings: site.strings.map {
          Site.Taken(catalog: $0.catalog.text, key: $0.key.text, hasCatalog: $0.hasCatalog)
        })
    }
    catalogsOnly = explanation.holdings.map {
      Holding(
        catalog: $0.catalog, extractionState: $0.state?.rawValue, gaps: ($0.uncertain.map { [$0] } ?? []) + $0.gaps)
    }
    nearMisses = explanation.nearMisses.map {
      NearMiss(
        key: $0.text, difference: $0.difference, path: $0.place.path, line: $0.place.line, column: $0.place.column)
    }
    self.diagnostics = diagnostics
  }
}
