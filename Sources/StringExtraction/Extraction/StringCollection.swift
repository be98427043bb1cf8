import Localization
import SwiftFacts
import SwiftLinking

/// A collection that merges the literals and found strings of all targets into one string for each catalog and key.
struct StringCollection {
  private struct Identity: Hashable {
    var catalog: TreePath
    var key: UnitKey
  }

  /// The sites and values of one string. This type is a class, so its values can be changed in place.
  private final class Gathered {
    let table: String
    var values: [(site: ExtractionSite, value: String)] = []
    // These arrays may contain an element repeatedly. Most strings have one site, for which an array is faster than a set.
    var comments: [UnitKey] = []
    var targets: [TargetID] = []
    var sites: [ExtractionSite] = []
    var phrases: [(site: ExtractionSite, phrases: [String])] = []
    /// Whether any of the literals, or any of their default values, contains an interpolation.
    var hasInterpolation = false
    /// Whether the string may become a new key: it was found outside Swift code, or in a target whose new keys are added to catalogs.
    var addsKeys = false
    /// Whether all sites are in code that only Debug builds compile.
    var isOnlyForDebugging = true
    /// The origin of each site outside Swift code, and of each site of an App Shortcut's phrases.
    var origins: [ExtractionSite: StringOrigin] = [:]

    init(table: String) { self.table = table }
  }

  /// A target with the properties that are determined once for all of its literals.
  struct Source {
    let target: ProjectTarget
    /// Whether the strings of its code are only found by a text search.
    let isSearched: Bool
    let takesNewKeys: Bool

    init(_ target: ProjectTarget) {
      self.target = target
      isSearched = target.codeStrings == .searched
      takesNewKeys = target.takesNewKeys
    }
  }

  private let existing: [TreePath: Catalog]
  private var gathered: [Identity: Gathered] = [:]
  /// The keys of catalogs that code may use, each with the first site: a literal with this text and of unknown type, or a literal that may have this
  /// key because the type of an argument is unknown.
  private var uncertain: [Identity: ExtractionSite] = [:]
  private struct KnownKey {
    var key: String
    var isStale: Bool
  }

  /// Diagnostics about strings whose table name cannot be a file name, at most `mostUnplaceable`.
  private(set) var unplaceable: [Diagnostic] = []

  /// The keys with `%` of each catalog by skeleton: the key with a mark in place of each specifier. They are collected when a literal does not
  /// determine a specifier.
  private var skeletons: [TreePath: [String: [KnownKey]]] = [:]

  init(existing: [TreePath: Catalog]) { self.existing = existing }

  mutating func add(_ literal: LocalizedLiteral, at path: TreePath, of source: Source) {
    if let phrases = literal.phrases {
      add(phrases.map(KeyRendering.phrase), of: literal, at: path, source)
      return
    }
    let table: String
    switch literal.table {
    case .standard: table = "Localizable"
    case .named(let name): table = name.isEmpty ? "Localizable" : name
    case .computed: return
    }
    guard isFileName(table, at: path, Int(literal.place.line), Int(literal.place.column)) else { return }
    let catalog = source.target.catalog(of: table)
    let isSearched = source.isSearched && catalog.isKeptInStep
    if isSearched, !literal.isFoundBySearch || literal.key.allSatisfy({ $0 == .text("") }) { return }
    let parts = isSearched ? literal.key.map(\.searched) : literal.key
    let (key, others) = KeyRendering.key(parts) { skeleton in
      let known = keys(of: catalog)[skeleton] ?? []
      // Stale keys are used only if there are no other keys.
      return known.contains { !$0.isStale } ? known.filter { !$0.isStale }.map(\.key) : known.map(\.key)
    }
    let identity = Identity(catalog: catalog, key: UnitKey(key))
    let site = ExtractionSite(
      path: path, line: Int(literal.place.line), column: Int(literal.place.column), api: literal.api)
    // The argument of unknown type may also give these keys, so they are not removed (decision 10).
    for other in others { noteUncertain(Identity(catalog: catalog, key: UnitKey(other)), at: site) }
    if literal.isUncertain {
      guard !isSearched, existing[catalog]?.entries[identity.key] != nil else { return }
      return noteUncertain(identity, at: site)
    }
    let entry = entry(identity, table)
    if let value = literal.value { entry.values.append((site, KeyRendering.value(value))) }
    if let comment = literal.comment, !comment.isEmpty { entry.comments.append(UnitKey(comment)) }
    entry.hasInterpolation =
      entry.hasInterpolation || Self.hasInterpolation(literal.key) || Self.hasInterpolation(literal.value ?? [])
    entry.addsKeys = entry.addsKeys || source.takesNewKeys
    entry.isOnlyForDebugging = entry.isOnlyForDebugging && literal.isOnlyForDebugging
    entry.targets.append(source.target.id)
    entry.sites.append(site)
  }

  private mutating func noteUncertain(_ identity: Identity, at site: ExtractionSite) {
    uncertain[identity] = min(uncertain[identity] ?? site, site)
  }

  /// Adds the phrases of an App Shortcut: one string in a catalog, or one key for each phrase in a `.strings` table. Does nothing if the target has
  /// neither, or if the strings of its code are only found by a text search and would be added to a catalog (xcode-extraction.md E).
  private mutating func add(
    _ phrases: [String], of literal: LocalizedLiteral, at path: TreePath, _ source: Source
  ) {
    guard let catalog = source.target.catalogs["AppShortcuts"], let first = phrases.first else { return }
    let site = ExtractionSite(
      path: path, line: Int(literal.place.line), column: Int(literal.place.column), api: literal.api)
    let isSet = catalog.isKeptInStep
    if isSet, source.isSearched { return }
    for key in isSet ? [first] : phrases {
      let identity = Identity(catalog: catalog, key: UnitKey(key))
      let entry = entry(identity, "AppShortcuts")
      if isSet { entry.phrases.append((site, phrases)) }
      entry.origins[site] = .appShortcuts
      entry.isOnlyForDebugging = false
      entry.addsKeys = entry.addsKeys || source.takesNewKeys
      entry.targets.append(source.target.id)
      entry.sites.append(site)
    }
  }

  private static func hasInterpolation(_ parts: [KeyPart]) -> Bool {
    parts.contains { if case .text = $0 { false } else { true } }
  }

  /// Returns whether a file can have the name of a table, which can be any text in code. If no file can have the name, adds a diagnostic.
  private mutating func isFileName(_ table: String, at path: TreePath, _ line: Int, _ column: Int) -> Bool {
    let isName =
      table != "." && table != ".." && table.utf8.count <= Self.mostBytesOfTable
      && table.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    if !isName, unplaceable.count < Self.mostUnplaceable {
      unplaceable.append(
        Diagnostic(
          path: path.text, line: line, column: column, severity: .warning,
          message: "no file can have the name of the table \(Self.quoted(table)), so this string is left out"))
    }
    return isName
  }

  /// The maximum length of a table's name in bytes. A file name has at most 255 bytes, including its extension.
  private static let mostBytesOfTable = 200
  private static let mostUnplaceable = 20

  /// Adds a string that a non-Swift reader found.
  mutating func add(_ found: FoundString, of target: ProjectTarget) {
    guard
      found.catalog != nil || isFileName(found.table, at: found.site.path, found.site.line, found.site.column)
    else { return }
    let catalog = found.catalog ?? target.catalog(of: found.table)
    let identity = Identity(catalog: catalog, key: UnitKey(found.key))
    let entry = entry(identity, found.table)
    if let value = found.value { entry.values.append((found.site, value)) }
    if let comment = found.comment, !comment.isEmpty { entry.comments.append(UnitKey(comment)) }
    entry.addsKeys = true
    entry.isOnlyForDebugging = false
    entry.targets.append(target.id)
    entry.sites.append(found.site)
    entry.origins[found.site] = found.origin
  }

  private mutating func keys(of catalog: TreePath) -> [String: [KnownKey]] {
    if let known = skeletons[catalog] { return known }
    var made: [String: [KnownKey]] = [:]
    for (key, entry) in existing[catalog]?.entries ?? [:] where key.text.utf8.contains(UInt8(ascii: "%")) {
      made[KeyRendering.skeleton(ofKey: key.text), default: []]
        .append(KnownKey(key: key.text, isStale: entry.extractionState == .stale))
    }
    skeletons[catalog] = made
    return made
  }

  private mutating func entry(_ identity: Identity, _ table: String) -> Gathered {
    if let known = gathered[identity] { return known }
    let made = Gathered(table: table)
    gathered[identity] = made
    return made
  }

  /// Returns the value that is used for a string, with its site; `nil` if no site gives a value. The catalog's text is kept if one place has it:
  /// several targets can have their own values for one catalog, and it is unknown which target Xcode built when it last synced the catalog.
  /// Otherwise, the first value is used.
  private func used(of entry: Gathered, _ identity: Identity) -> (site: ExtractionSite, value: String)? {
    let places = entry.values.sorted { $0.site < $1.site }
    guard places.count > 1, let catalog = existing[identity.catalog],
      case .text(let known)? = catalog.entries[identity.key]?.translations[catalog.sourceLanguage]?[.root]?.words
    else { return places.first }
    let same = places.first { place in
      let origin = entry.origins[place.site] ?? .swift
      return known.isExactly(origin.numbered(place.value) ?? place.value)
    }
    return same ?? places.first
  }

  /// A diagnostic for each key that has different default values in Swift code, about one that is not used. Xcode also uses only one of the default
  /// values.
  var unusedValues: [Diagnostic] {
    var found: [(site: ExtractionSite, diagnostic: Diagnostic)] = []
    for (identity, entry) in gathered where entry.values.count > 1 {
      let values = entry.values.filter { entry.origins[$0.site] == nil }.sorted { $0.site < $1.site }
      guard let used = self.used(of: entry, identity), entry.origins[used.site] == nil,
        let other = values.first(where: { !$0.value.isExactly(used.value) })
      else { continue }
      let words = "the key \(Self.quoted(identity.key.text)) has the default value \(Self.quoted(other.value)) here"
      found.append(
        (
          other.site,
          Diagnostic(
            path: other.site.path.text, line: other.site.line, column: other.site.column, severity: .warning,
            message: "\(words), but \(Self.quoted(used.value)) in \(used.site.path):\(used.site.line), which is used",
            hint: "give each text its own key")
        ))
    }
    return found.sorted { $0.site < $1.site }.map(\.diagnostic)
  }

  private static func quoted(_ text: String) -> String {
    String(text.unicodeScalars.prefix(100).map(Character.init)).debugDescription
  }

  /// The keys of catalogs that occur in code only as literals of unknown type, or with arguments of unknown type, with the first site.
  var uncertainKeys: [TreePath: [UnitKey: ExtractionSite]] {
    var found: [TreePath: [UnitKey: ExtractionSite]] = [:]
    for (identity, site) in uncertain where gathered[identity] == nil {
      found[identity.catalog, default: [:]][identity.key] = site
    }
    return found
  }

  /// Returns the elements in ascending order, each once.
  private static func distinct<Element: Comparable>(_ elements: [Element]) -> [Element] {
    guard elements.count > 1 else { return elements }
    var found: [Element] = []
    for element in elements.sorted() where found.last != element { found.append(element) }
    return found
  }

  func strings() -> [ExtractedString] {
    // Sort before creating the strings, because extracted strings are large and expensive to move.
    let catalogs = Dictionary(grouping: gathered.keys, by: \.catalog).sorted { $0.key < $1.key }
    let sorted = catalogs.flatMap { $0.value.sorted { $0.key < $1.key } }
    return sorted.compactMap { identity in
      guard let entry = gathered[identity] else { return nil }
      // A text that Xcode does not extract must not become a new key. The build settings that decide this do not apply to a `.strings` table.
      guard
        entry.addsKeys || !identity.catalog.isKeptInStep
          || existing[identity.catalog]?.entries[identity.key] != nil
      else { return nil }
      let sites = Self.distinct(entry.sites)
      return ExtractedString(
        catalog: identity.catalog, table: entry.table, key: identity.key,
        value: used(of: entry, identity)?.value,
        comment: entry.comments.isEmpty
          ? nil : Self.distinct(entry.comments).map(\.text).joined(separator: "\n"),
        phrases: entry.phrases.min { $0.site < $1.site }?.phrases,
        origin: sites.first.flatMap { entry.origins.isEmpty ? nil : entry.origins[$0] } ?? .swift,
        targets: Self.distinct(entry.targets), sites: sites, hasInterpolation: entry.hasInterpolation,
        isOnlyForDebugging: entry.isOnlyForDebugging)
    }
  }
}
