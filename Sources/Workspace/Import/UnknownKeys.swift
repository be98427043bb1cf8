package import Localization

/// Advice about units that an import holds because the catalogs do not have their keys.
package enum UnknownKeys {
  /// The maximum number of keys that are listed for a catalog because the bundle has them with other white space or another Unicode normalization.
  private static let mostAltered = 20

  package static func diagnostics(of review: ReviewedImport, in catalogs: [TreePath: Catalog]) -> [Diagnostic] {
    let held = Dictionary(grouping: review.outcomes.filter { $0.holdReason == .unknownKey }, by: \.unit.catalog)
    return held.sorted { $0.key < $1.key }.flatMap { path, held in
      let unknown = Set(held.map(\.unit.key)).sorted()
      let known = catalogs[path].map(keysByLooseText) ?? [:]
      let altered = unknown.compactMap { key in known[loose(key.text)].map { (given: key, known: $0) } }
      let count = unknown.count - altered.count
      var found = altered.prefix(mostAltered).map { diagnostic($0.given, $0.known, in: path) }
      if count > 0, path.isKeptInStep {
        found.append(
          Diagnostic(
            path: path.text, severity: .warning,
            message: "the catalog does not have \(count == 1 ? "1 key" : "\(count) keys") of the bundle",
            hint: "if code has them, run `dragoman sync` and import again"))
      }
      return found
    }
  }

  /// Returns the keys of a catalog, by their text with unified white space. Texts that differ only in Unicode normalization are also equal, because
  /// Swift's comparison ignores normalization. A text that several keys share is omitted.
  private static func keysByLooseText(of catalog: Catalog) -> [String: UnitKey] {
    var keys: [String: UnitKey?] = [:]
    for key in catalog.entries.keys {
      keys.updateValue(keys[loose(key.text)] == nil ? key : nil, forKey: loose(key.text))
    }
    return keys.compactMapValues(\.self)
  }

  private static func loose(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func diagnostic(_ given: UnitKey, _ known: UnitKey, in path: TreePath) -> Diagnostic {
    let difference: String
    var hint = "return ids as they were exported"
    if given.text == known.text {
      difference = "Unicode normalization"
      hint += "; the tool that wrote the bundle normalizes them"
    } else {
      difference = "white space"
      if known.text.contains(where: { $0.isNewline || $0 == "\t" }) {
        hint += ": a line break or tab in an XML attribute that is not written as &#10; or &#9; is read as a space"
      }
    }
    return Diagnostic(
      path: path.text, severity: .warning,
      message: "the catalog has the key \(known.text.cutForMessage.debugDescription), but the bundle has "
        + "\(given.text.cutForMessage.debugDescription), which differs only in \(difference)",
      hint: hint)
  }
}
