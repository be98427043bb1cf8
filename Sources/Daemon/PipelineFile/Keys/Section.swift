import Localization

/// A mapping with a fixed set of keys. Its initializer reports unknown and missing keys.
struct Section<Key: SectionKey> {
  let field: Field
  private var fields: [Key: Field] = [:]
  /// The fields of the keys in `otherNames` that are present, by name.
  private(set) var others: [String: Field] = [:]

  /// - Returns: `nil` for a value that is not a mapping.
  init?(_ field: Field) { self.init(field, otherNames: []) }

  /// Reads a mapping, and reports its unknown and missing keys.
  /// - Parameter otherNames: known keys that are not cases of `Key`.
  /// - Returns: `nil` for a value that is not a mapping.
  init?(_ field: Field, otherNames: [String]) {
    self.field = field
    let names = Key.allCases.map(\.rawValue) + otherNames
    guard let pairs = field.pairs(field.keyPath.isEmpty ? "a pipeline" : "a mapping with \(Self.sentence(names))")
    else {
      return nil
    }
    var unknown: [String] = []
    for (key, value) in pairs {
      guard case .text(let name) = key.value.content else { continue }
      if let known = Key(rawValue: name) {
        fields[known] = value
      } else if otherNames.contains(name) {
        others[name] = value
      } else {
        unknown.append(name)
        key.report(
          "unknown key" + NearestName.suffix(name, names), hint: "known here: \(names.joined(separator: ", "))")
      }
    }
    for key in Key.required where fields[key] == nil {
      // If the key is probably misspelled, only the unknown key is reported.
      guard !unknown.contains(where: { NearestName.nearest(to: $0, among: names) == key.rawValue }) else { continue }
      field.report("the key `\(key.rawValue)` is missing", hint: Self.hint(forMissing: key))
    }
  }

  subscript(key: Key) -> Field? { fields[key] }

  /// Returns the hint for a missing key. A file without the key `pipeline` may belong to another tool, so the hint also mentions this case.
  private static func hint(forMissing key: Key) -> String {
    key as? RootKey == .pipeline
      ? "add it; if this is not a pipeline file, name the pipeline files instead of their folder" : "add it"
  }

  private static func sentence(_ names: [String]) -> String {
    names.count > 3 ? names.prefix(3).joined(separator: ", ") + ", …" : names.joined(separator: ", ")
  }
}
