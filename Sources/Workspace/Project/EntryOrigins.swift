package import Localization

/// The commits that added text units, with their current source texts, to their catalogs.
///
/// Only the history of the catalog's current path is used. For a renamed file, this history begins with the commit that renamed the file.
package struct EntryOrigins: Sendable {
  /// One commit of a history.
  package struct Version: Sendable {
    package var commit: String
    package var author: String
    /// The time of the commit in seconds since 1970, UTC.
    package var seconds: Int64

    package init(commit: String, author: String, seconds: Int64) {
      self.commit = commit
      self.author = author
      self.seconds = seconds
    }
  }

  package enum Origin: Sendable {
    case commit(Version)
    /// The newest commit does not contain the unit with its current source text.
    case uncommitted
  }

  /// The maximum number of versions of catalogs that are read. Older origins are unknown.
  package static let readings = 400

  private struct Search {
    var blob: BlobID?
    /// The units whose origin is not found yet, with the pins of their current source texts.
    var units: [UnitKey: SourcePin]
    /// The oldest version so far that contains these units; `nil` if none is known.
    var holder: Version?
    /// Whether the version with `blob` could be read.
    var isReadable = true
  }

  private let tools: ProjectTools
  private let sourceLanguages: [TreePath: LocaleIdentifier]
  private var searches: [TreePath: Search]
  private var readings = EntryOrigins.readings
  private var isAtFirst = true
  package private(set) var found: [UnitID: Origin] = [:]

  /// Creates a search for the origins of text units. No version is checked yet.
  /// - Parameter units: the units whose origins to find. Their current texts are in the catalogs.
  package init(of units: [UnitID], in catalogs: [TreePath: Catalog], with tools: ProjectTools) {
    self.tools = tools
    sourceLanguages = catalogs.mapValues(\.sourceLanguage)
    var searches: [TreePath: Search] = [:]
    for unit in units {
      guard let catalog = catalogs[unit.catalog], let entry = catalog.entries[unit.key] else { continue }
      searches[unit.catalog, default: Search(units: [:])].units[unit.key] = SourcePin(
        key: unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage)
    }
    self.searches = searches
  }

  /// Checks the next older version. A catalog that cannot be read in this version is skipped.
  /// - Parameter tree: the tree of the version; `nil` if the version does not have the project's folder.
  /// - Returns: whether older versions are needed; `false` also if the maximum number of readings is reached.
  package mutating func look(at version: Version, _ tree: (any SourceTree)?) -> Bool {
    for (path, search) in searches {
      let entry = tree.flatMap { try? $0.entry(at: path) }
      guard isAtFirst || entry?.blob != search.blob else {
        if search.isReadable { searches[path]?.holder = version }
        continue
      }
      guard readings > 0 else { return false }
      readings -= 1
      let present = entry?.isFile == true ? pins(of: path, in: tree) : [:]
      searches[path]?.blob = entry?.blob
      searches[path]?.isReadable = present != nil
      guard let present else { continue }
      for (key, pin) in search.units where present[key] != pin {
        searches[path]?.units[key] = nil
        // If the newest versions cannot be read, it is unknown whether they contain the unit, so its origin stays unknown.
        guard search.holder != nil || search.isReadable else { continue }
        found[UnitID(catalog: path, key: key)] = search.holder.map(Origin.commit) ?? .uncommitted
      }
      searches[path]?.holder = version
      if searches[path]?.units.isEmpty == true { searches[path] = nil }
    }
    isAtFirst = false
    return !searches.isEmpty
  }

  /// Ends the search at the first commit of the history. Units that are not found yet come from the oldest version that is known to contain them.
  package mutating func end() {
    for (path, search) in searches {
      guard let holder = search.holder else { continue }
      for key in search.units.keys { found[UnitID(catalog: path, key: key)] = .commit(holder) }
    }
    searches = [:]
  }

  /// Returns the source pins of the units to find, in one version of a catalog; `nil` if this version cannot be read, for example because it has
  /// conflict markers.
  private func pins(of path: TreePath, in tree: (any SourceTree)?) -> [UnitKey: SourcePin]? {
    guard let bytes = try? tree?.read(path), let format = tools.format(path) else { return nil }
    let files = CatalogFiles(bytes, at: path, sourceLanguage: sourceLanguages[path] ?? "en")
    guard let catalog = try? format.read(files) else { return nil }
    let wanted = searches[path]?.units ?? [:]
    var pins: [UnitKey: SourcePin] = [:]
    for key in wanted.keys {
      guard let entry = catalog.entries[key] else { continue }
      pins[key] = SourcePin(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
    }
    return pins
  }
}
