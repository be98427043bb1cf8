extension ReviewedImport {
  /// Reverts the changes that a format refuses to write, so that the rest of the catalog can be written: a text beside variations,
  /// characters outside a file's encoding. Their units are held.
  /// - Parameters:
  /// - original: the catalog before the import.
  /// - write: writes a catalog, or throws.
  /// - Returns: the result of `write` for the reduced catalog; `nil` if nothing changes.
  @discardableResult
  package mutating func holdRefused<Written>(
    in path: TreePath, original: Catalog, write: @escaping (Catalog) throws(InputFault) -> Written
  ) -> Written? {
    guard let changed = catalogs[path] else { return nil }
    if let written = try? write(changed) { return written }
    let changes = changed.entries.sorted { $0.key < $1.key }.flatMap { key, entry in
      entry.translations.sorted { $0.key < $1.key }.filter { original.entries[key]?.translations[$0.key] != $0.value }
        .map { Change(key: key, language: $0.key, translation: $0.value) }
    }
    var search = RefusalSearch(catalog: original, write: write)
    search.accept(changes[...])
    catalogs[path] = search.accepted == 0 ? nil : search.catalog
    for index in outcomes.indices where outcomes[index].verdict == .taken && outcomes[index].unit.catalog == path {
      let outcome = outcomes[index]
      let change = ChangeID(key: outcome.unit.key, language: outcome.language)
      if let refusal = search.refused[change] { outcomes[index].verdict = .held(.notWritable(refusal)) }
    }
    filled.removeAll {
      $0.unit.catalog == path && search.refused[ChangeID(key: $0.unit.key, language: $0.language)] != nil
    }
    return search.written
  }

  fileprivate struct ChangeID: Hashable {
    var key: UnitKey
    var language: LocaleIdentifier
  }

  fileprivate struct Change {
    var key: UnitKey
    var language: LocaleIdentifier
    var translation: Translation
  }
}

/// Finds the refused changes by bisection. Finding a few among many thousand takes a few dozen attempts.
private struct RefusalSearch<Written> {
  var catalog: Catalog
  var accepted = 0
  var refused: [ReviewedImport.ChangeID: String] = [:]
  /// The result for the catalog with all accepted changes.
  var written: Written?
  let write: (Catalog) throws(InputFault) -> Written
  /// Attempts are counted, because each writes a whole catalog.
  private var attempts = 0

  init(catalog: Catalog, write: @escaping (Catalog) throws(InputFault) -> Written) {
    self.catalog = catalog
    self.write = write
  }

  mutating func accept(_ changes: ArraySlice<ReviewedImport.Change>) {
    guard !changes.isEmpty else { return }
    var next = catalog
    for change in changes { next.entries[change.key]?.translations[change.language] = change.translation }
    attempts += 1
    do {
      written = try write(next)
      catalog = next
      accepted += changes.count
    } catch {
      guard changes.count > 1, attempts < 1_000 else {
        for change in changes {
          refused[ReviewedImport.ChangeID(key: change.key, language: change.language)] =
            error.diagnostics.first?.message ?? "the format cannot express it"
        }
        return
      }
      let middle = changes.startIndex + changes.count / 2
      accept(changes[..<middle])
      accept(changes[middle...])
    }
  }
}
