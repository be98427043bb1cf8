extension ReviewedImport {
  /// Reverts the changes that a format refuses to write, and holds the units of these changes. Without the changes, the catalog can be written.
  /// - Parameters:
  ///   - original: the catalog before the import.
  ///   - write: writes a catalog. It throws if the format refuses a change.
  /// - Returns: the result of `write` for the reduced catalog; `nil` if no change remains.
  @discardableResult
  package mutating func holdRefused<Written>(
    in path: TreePath, original: Catalog, write: @escaping (Catalog) throws(InputFault) -> Written
  ) -> Written? {
    guard let changed = catalogs[path] else { return nil }
    if let written = try? write(changed) { return written }
    let changes = changed.entries.sorted { $0.key < $1.key }.flatMap { key, entry in
      entry.translations.sorted { $0.key < $1.key }.filter { original.entries[key]?.translations[$0.key] != $0.value }
        .map { TranslationChange(id: TranslationID(key: key, language: $0.key), translation: $0.value) }
    }
    let found = RefusedChanges(of: changes, in: original, write: write)
    catalogs[path] = found.accepted == 0 ? nil : found.catalog
    for index in outcomes.indices where outcomes[index].verdict == .taken && outcomes[index].unit.catalog == path {
      let outcome = outcomes[index]
      let id = TranslationID(key: outcome.unit.key, language: outcome.language)
      if let refusal = found.reasons[id] { outcomes[index].verdict = .held(.notWritable(refusal)) }
    }
    filled.removeAll {
      $0.unit.catalog == path && found.reasons[TranslationID(key: $0.unit.key, language: $0.language)] != nil
    }
    return found.written
  }
}

/// Finds the translations that a format refuses to write, such as a text in addition to variations, or characters outside a file's encoding.
///
/// The search is a bisection: it takes a few dozen attempts to find a few refused translations among many thousands.
package struct RefusedChanges<Written> {
  /// The catalog with the changes that the format accepts.
  package private(set) var catalog: Catalog
  /// The number of changes that the format accepts.
  package private(set) var accepted = 0
  /// The reasons why the other changes are refused, by translation.
  package private(set) var reasons: [TranslationID: String] = [:]
  /// The result for the catalog with all accepted changes; `nil` if none is accepted.
  package private(set) var written: Written?
  private let write: (Catalog) throws(InputFault) -> Written
  /// The number of attempts so far. It is limited, because each attempt writes a whole catalog. After the limit is reached, changes are refused in
  /// groups if one change of the group is refused.
  private var attempts = 0

  /// Makes the changes that the format accepts.
  /// - Parameters:
  ///   - changes: new translations of existing keys.
  ///   - write: writes a catalog. It throws if the format refuses a change.
  package init(
    of changes: [TranslationChange], in catalog: Catalog, write: @escaping (Catalog) throws(InputFault) -> Written
  ) {
    self.catalog = catalog
    self.write = write
    accept(changes[...])
  }

  private mutating func accept(_ changes: ArraySlice<TranslationChange>) {
    guard !changes.isEmpty else { return }
    var next = catalog
    for change in changes { next.entries[change.id.key]?.translations[change.id.language] = change.translation }
    attempts += 1
    do {
      written = try write(next)
      catalog = next
      accepted += changes.count
    } catch {
      guard changes.count > 1, attempts < 1_000 else {
        for change in changes {
          reasons[change.id] = error.diagnostics.first?.message ?? "the format cannot express it"
        }
        return
      }
      let middle = changes.startIndex + changes.count / 2
      accept(changes[..<middle])
      accept(changes[middle...])
    }
  }
}

/// A new translation of a key.
package struct TranslationChange: Sendable {
  var id: TranslationID
  var translation: Translation

  package init(id: TranslationID, translation: Translation) {
    self.id = id
    self.translation = translation
  }
}
