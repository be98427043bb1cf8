import Localization

/// Finds the changes for translators in a commit, compared with an earlier commit such as its first parent. Without an earlier commit, all
/// strings are new.
///
/// Both commits are compared after sync with their code, so strings that are only in code count. A string that the code no longer has
/// counts as removed, even if its translations are kept (stale).
struct CommitComparison {
  let old: Snapshot?
  let new: Snapshot
  /// The old paths of catalogs that git detects as renamed, by new path.
  var renames: [TreePath: TreePath] = [:]

  func record() -> CommitRecord {
    var record = CommitRecord(new.commit)
    let skipped = uncertain
    let before = Self.living(old?.synced ?? [:], except: skipped, beside: new.synced)
    let after = Self.living(new.synced, except: skipped, beside: old?.synced ?? [:])
    var changes: [CommitRecord.Change] = []
    var sites: [UnitID: ExtractionSite]?
    var last: UnitID?
    for change in CatalogDiff.changes(from: before, to: after, renames: renames) {
      guard let kind = Self.kind(of: change) else {
        record.counts.translations += 1
        continue
      }
      // Each string gets one change: if its text and its comment changed, only the change of the text is listed.
      guard last != change.unit else { continue }
      last = change.unit
      record.counts.add(kind)
      guard changes.count < CommitRecord.changeLimit else { continue }
      let known = sites ?? Self.sites(in: new)
      sites = known
      changes.append(line(change, kind, before, after, kind == .removed ? nil : known[change.unit]))
    }
    record.changes = changes
    if !skipped.isEmpty {
      let names = skipped.sorted().prefix(3).map(\.text).joined(separator: ", ")
      record.fault =
        "catalogs that cannot be read were not compared: \(names)"
        + (skipped.count > 3 ? " and \(skipped.count - 3) more" : "")
    }
    return record
  }

  /// The catalogs that cannot be read on at least one side, including those that one side may have and that cannot be read there. Their units
  /// are not compared.
  private var uncertain: Set<TreePath> {
    var paths = Set(new.broken.keys)
    guard let old else { return paths }
    paths.formUnion(old.broken.keys)
    for path in Set(old.synced.keys).symmetricDifference(new.synced.keys)
    where old.isUncertain(path) || new.isUncertain(path) {
      paths.insert(path)
    }
    return paths
  }

  /// Returns catalogs without their stale strings. A catalog that is the same on the other side is left out, because nothing in it changed.
  private static func living(
    _ catalogs: [TreePath: Catalog], except skipped: Set<TreePath>, beside other: [TreePath: Catalog]
  ) -> [TreePath: Catalog] {
    var result: [TreePath: Catalog] = [:]
    for (path, catalog) in catalogs where !skipped.contains(path) && other[path] != catalog {
      result[path] = catalog
      result[path]?.entries = catalog.entries.filter { $0.value.extractionState != .stale }
    }
    return result
  }

  private static func sites(in snapshot: Snapshot) -> [UnitID: ExtractionSite] {
    var sites: [UnitID: ExtractionSite] = [:]
    for string in snapshot.found {
      guard let first = string.sites.min() else { continue }
      sites[UnitID(catalog: string.catalog, key: string.key)] = first
    }
    return sites
  }

  /// Returns the kind that the history lists for a change.
  /// - Returns: `nil` for a change of a translation.
  private static func kind(of change: UnitChange) -> CommitRecord.Kind? {
    switch change.kind {
    case .added, .revived: .added
    case .removed, .becameStale: .removed
    case .sourceChanged: .changed
    case .commentChanged: .commented
    case .translationChanged: nil
    }
  }

  private func line(
    _ change: UnitChange, _ kind: CommitRecord.Kind, _ before: [TreePath: Catalog], _ after: [TreePath: Catalog],
    _ site: ExtractionSite?
  ) -> CommitRecord.Change {
    var line = CommitRecord.Change(unit: change.unit, kind: kind, text: "", path: site?.path, line: site?.line)
    switch change.kind {
    case .sourceChanged(let old, let new): (line.text, line.former) = (Self.text(new), Self.text(old))
    case .commentChanged(let old, let new): (line.text, line.former) = (Self.short(new ?? ""), Self.short(old ?? ""))
    default:
      let origin = renames[change.unit.catalog] ?? change.unit.catalog
      let catalog = kind == .removed ? before[change.unit.catalog] ?? before[origin] : after[change.unit.catalog]
      line.text = catalog.map { Self.text(of: change.unit.key, in: $0) } ?? change.unit.key.text
    }
    return line
  }

  private static func text(of key: UnitKey, in catalog: Catalog) -> String {
    guard let entry = catalog.entries[key] else { return short(key.text) }
    let source = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage).translation
    return short(source.leaves.flatMap { $0.leaf.texts }.joined(separator: "\n"))
  }

  private static func text(_ forms: [String: String]) -> String {
    short(forms.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n"))
  }

  /// Shortens a text for display.
  private static func short(_ text: String) -> String { text.count > 400 ? text.prefix(399) + "…" : text }
}
