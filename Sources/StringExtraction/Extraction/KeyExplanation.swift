package import Localization
import SwiftLinking

/// The explanation of one key (`extract --why`): the places with the key, the catalogs that contain it although it was not extracted for them, and
/// similar texts.
package struct KeyExplanation: Sendable {
  /// A place in a source with the requested key: a literal with the key as its text, key or default value, a text outside code, or a use of the
  /// symbol that Xcode generates for the key.
  package struct Site: Hashable, Sendable {
    package var path: TreePath
    /// The line, counted from 1.
    package var line: Int
    /// The column in UTF-8 bytes, counted from 1.
    package var column: Int
    /// The rule by which the literal was extracted, or the reason why it was not, as a clause of a message.
    package var reason: String
    /// The strings that were extracted from the literal, by catalog; empty if it was not extracted.
    package var strings: [Taken]
    /// The change after which the literal would be extracted, as a clause of a message; `nil` if there is no advice.
    package var advice: String?
  }

  /// A string that was extracted from a literal.
  package struct Taken: Hashable, Sendable {
    package var catalog: TreePath
    package var key: UnitKey
    /// Whether the catalog exists. A missing catalog is not created.
    package var hasCatalog: Bool
  }

  /// A catalog that contains the key although no string with this key was extracted for it.
  package struct Holding: Hashable, Sendable {
    package var catalog: TreePath
    package var state: ExtractionState?
    /// A note about a literal in code that may be the key: either a declaration that determines its type is not in the repository, or only Release
    /// builds compile the literal. `nil` if there is no such literal.
    package var uncertain: Diagnostic?
    /// The reasons why the catalog may contain keys from sources that were not read; empty if all sources were read.
    package var gaps: [Diagnostic]
  }

  /// A text that is nearly equal to the requested key.
  package struct NearMiss: Hashable, Sendable {
    package var text: String
    /// The difference, as a clause of a message.
    package var difference: String
    package var place: Place
  }

  /// A place in a source file, or a catalog.
  package struct Place: Hashable, Comparable, Sendable {
    package var path: TreePath
    /// The line, counted from 1; `nil` for a catalog.
    package var line: Int?
    /// The column in UTF-8 bytes, counted from 1.
    package var column: Int?

    package static func < (a: Self, b: Self) -> Bool {
      (a.path, a.line ?? 0, a.column ?? 0) < (b.path, b.line ?? 0, b.column ?? 0)
    }
  }

  /// The requested text, as it was given.
  package let key: String
  /// The places with the requested key, sorted by path and position.
  package private(set) var sites: [Site] = []
  package private(set) var holdings: [Holding] = []
  /// At most ten similar texts; empty if a string was extracted from one of the sites.
  package private(set) var nearMisses: [NearMiss] = []

  /// Explains a key.
  /// - Parameters:
  ///   - asked: a text, key or default value. Its interpolations and escapes may be those of Swift code (`AskedText`).
  ///   - existing: the catalogs of the tree.
  ///   - extraction: the result of extracting the tree.
  package init(
    _ asked: String, in project: ProjectDescription, from tree: any SourceTree, existing: [TreePath: Catalog],
    extraction: Extraction, options: ExtractionOptions, cache: (any FactCache)?
  ) throws {
    self.key = asked
    let extractor = SourceStringExtractor()
    let literals = try extractor.explain(nil, in: project, from: tree, options: options, cache: cache)
    let unfed = try extractor.explain(nil, in: project, from: tree, options: options, isOfUnfed: true, cache: cache)
    let readings = AskedText.readings(of: asked)
    func isKnown(_ text: String) -> Bool {
      if existing.values.contains(where: { $0.entries[UnitKey(text)] != nil }) { return true }
      if extraction.strings.contains(where: { $0.key.text.isExactly(text) || $0.value.isExactly(text) }) { return true }
      return (literals + unfed).contains { $0.explanation.text.isExactly(text) }
    }
    let key = readings.first(where: isKnown) ?? readings.last ?? asked
    let known = Set(existing.keys).union(project.catalogs.map(\.path))
    var taken: [Place: [Taken]] = [:]
    var found: [Place: String] = [:]
    for string in extraction.strings {
      let isMeant = string.key.text.isExactly(key) || string.value.isExactly(key)
      for site in string.sites {
        let place = Place(path: site.path, line: site.line, column: site.column)
        taken[place, default: []].append(
          Taken(catalog: string.catalog, key: string.key, hasCatalog: known.contains(string.catalog)))
        if isMeant { found[place] = Self.words(string.origin, site.api) }
      }
    }
    var seen: Set<Place> = []
    let owners = Self.owners(of: project.targets.filter(\.feedsCatalogs))
    for (path, literal) in literals {
      let place = Place(path: path, line: literal.line, column: literal.column)
      guard literal.text.isExactly(key) || found[place] != nil, seen.insert(place).inserted else { continue }
      let strings = taken[place] ?? []
      let reason =
        strings.isEmpty && literal.isTaken ? literal.rule + Self.left(owners[path] ?? []) : literal.rule
      sites.append(Site(place, reason: reason, strings: strings, advice: strings.isEmpty ? literal.advice : nil))
    }
    for (place, words) in found where seen.insert(place).inserted {
      sites.append(Site(place, reason: words, strings: taken[place] ?? []))
    }
    let unfedOwners = Self.owners(of: project.targets.filter { !$0.feedsCatalogs })
    for (path, literal) in unfed where literal.text.isExactly(key) {
      let place = Place(path: path, line: literal.line, column: literal.column)
      guard seen.insert(place).inserted else { continue }
      let names = (unfedOwners[path] ?? []).map(\.name).joined(separator: ", ")
      sites.append(
        Site(
          place,
          reason: "in target \(names), which has no catalog or is a test target; the literal itself is \(literal.rule)",
          strings: []))
    }
    let everyOwner = Self.owners(of: project.targets)
    // Files that no target builds are searched for the text as it was given.
    for place in Self.strays(of: asked, in: tree) where everyOwner[place.path] == nil && seen.insert(place).inserted {
      sites.append(Site(place, reason: "in a file that no known target builds", strings: []))
    }
    for catalog in project.catalogs where existing[catalog.path]?.entries[UnitKey(key)]?.extractionState == .manual {
      let uses = try extractor.symbolUses(
        of: key, in: catalog, of: project, from: tree, options: options, cache: cache)
      for use in uses {
        let place = Place(path: use.path, line: use.line, column: use.column)
        guard seen.insert(place).inserted else { continue }
        let taken = Taken(catalog: catalog.path, key: UnitKey(key), hasCatalog: true)
        sites.append(Site(place, reason: "the symbol that Xcode generates for the key", strings: [taken]))
      }
    }
    sites.sort { ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column) }
    let used = Set(sites.flatMap(\.strings).filter { $0.key.text.isExactly(key) }.map(\.catalog))
    holdings = Self.holdings(of: key, existing, extraction).filter { !used.contains($0.catalog) }
    guard !sites.contains(where: { !$0.strings.isEmpty }) else { return }
    nearMisses = Self.nearMisses(
      of: key, literals: literals + unfed, strings: extraction.strings, catalogs: existing)
  }

  private static func owners(of targets: [ProjectTarget]) -> [TreePath: [ProjectTarget]] {
    var owners: [TreePath: [ProjectTarget]] = [:]
    for target in targets {
      for source in target.swiftSources + target.otherSources { owners[source.path, default: []].append(target) }
    }
    return owners
  }

  /// Returns the reason why no string was extracted from a literal of a localizable type.
  private static func left(_ targets: [ProjectTarget]) -> String {
    if let target = targets.first(where: { $0.codeStrings != .typed }) {
      return target.codeStrings == .none
        ? "; but SWIFT_EMIT_LOC_STRINGS of target \(target.name) is not YES, and no catalog has the key"
        : "; but SWIFT_EMIT_LOC_STRINGS of target \(target.name) is not YES, so Xcode takes only Text(\"…\") and NSLocalizedString"
    }
    return "; but its table is not a literal, or no file can hold the table"
  }

  /// Returns the places of this text in straight quotes, in all Swift and Objective-C files of at most 8 MB, even if no target builds the file. Stops
  /// after 1,000 places.
  private static func strays(of key: String, in tree: any SourceTree) -> [Place] {
    let wanted = Array("\"\(key)\"".utf8)
    var found: [Place] = []
    for entry in tree.walk() where entry.isFile && ["swift", "m", "mm"].contains(entry.path.ending) {
      // The extraction already reports files that cannot be read.
      guard let bytes = try? tree.read(entry.path), bytes.count <= 8 << 20 else { continue }
      for range in bytes.ranges(of: wanted) {
        let before = bytes[..<range.lowerBound]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        found.append(Place(path: entry.path, line: line, column: range.lowerBound - start + 1))
        if found.count == 1000 { return found }
      }
    }
    return found
  }

  private static func words(_ origin: StringOrigin, _ api: String) -> String {
    switch origin {
    case .swift: "localized by \(api)"
    case .objectiveC: "the key of \(api)"
    case .interfaceBuilder: "a text of Interface Builder (\(api))"
    case .infoPlist: "a value of an Info.plist or of a build setting (\(api))"
    case .intents: "a text of an intent definition (\(api))"
    case .appShortcuts: "a phrase of an App Shortcut"
    }
  }

  private static func holdings(
    of key: String, _ catalogs: [TreePath: Catalog], _ extraction: Extraction
  ) -> [Holding] {
    let fed = Set(extraction.strings.filter { $0.key.text.isExactly(key) }.map(\.catalog))
    return catalogs.sorted { $0.key < $1.key }.compactMap { path, catalog in
      guard !fed.contains(path), let entry = catalog.entries[UnitKey(key)] else { return nil }
      let uncertain = extraction.uncertainKeys[path]?[UnitKey(key)].map { site in
        Diagnostic(
          path: site.path.text, line: site.line, column: site.column, severity: .note,
          message: site.isReleaseOnly
            ? "only Release builds compile this literal, and Xcode may have built a Release configuration last"
            : "this literal may be localized: a declaration that decides it is not in the repository")
      }
      return Holding(
        catalog: path, state: entry.extractionState, uncertain: uncertain,
        gaps: extraction.incompleteCatalogs[path] ?? [])
    }
  }

  private static func nearMisses(
    of key: String, literals: [(path: TreePath, explanation: LiteralExplanation)], strings: [ExtractedString],
    catalogs: [TreePath: Catalog]
  ) -> [NearMiss] {
    let asked = NearMatch(key)
    var found: [NearMiss] = []
    var seen: Set<UnitKey> = [UnitKey(key)]
    // The explanation of a literal with interpolations has the same place as its string, so the place is reported only once.
    var places: Set<Place> = []
    func consider(_ text: String, _ place: @autoclosure () -> Place?) {
      guard found.count < 10, let difference = asked.difference(from: text), seen.insert(UnitKey(text)).inserted,
        let place = place(), place.line == nil || places.insert(place).inserted
      else { return }
      found.append(NearMiss(text: text, difference: difference, place: place))
    }
    for string in strings {
      consider(
        string.key.text, string.sites.first.map { Place(path: $0.path, line: $0.line, column: $0.column) })
    }
    for (path, literal) in literals {
      consider(literal.text, Place(path: path, line: literal.line, column: literal.column))
    }
    for (path, catalog) in catalogs.sorted(by: { $0.key < $1.key }) {
      for key in catalog.entries.keys.sorted() { consider(key.text, Place(path: path, line: nil, column: nil)) }
    }
    return found
  }
}

extension KeyExplanation.Site {
  fileprivate init(
    _ place: KeyExplanation.Place, reason: String, strings: [KeyExplanation.Taken], advice: String? = nil
  ) {
    self.init(
      path: place.path, line: place.line ?? 1, column: place.column ?? 1, reason: reason,
      strings: strings.sorted { ($0.catalog, $0.key) < ($1.catalog, $1.key) }, advice: advice)
  }
}
