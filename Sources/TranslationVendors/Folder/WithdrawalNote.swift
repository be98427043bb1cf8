internal import Localization

/// The note that lists the withdrawn units of a bundle, in sorted lines of the form `catalog: "key"` after a header. The note is next to the bundle.
enum WithdrawalNote {
  static func adding(_ units: [UnitID], language: LocaleIdentifier, bundle: String, to old: [UInt8]) -> [UInt8] {
    let header = "No longer wanted in \(language), of \(bundle):"
    var lines = Set(String(decoding: old, as: UTF8.self).split(separator: "\n").map { Array($0.utf8) })
    lines.remove(Array(header.utf8))
    for unit in units { lines.insert(Array("\(unit.catalog): \(quoted(unit.key.text))".utf8)) }
    let sorted = lines.sorted { $0.lexicographicallyPrecedes($1) }
    return Array(header.utf8) + [10] + sorted.flatMap { $0 + [10] }
  }

  private static func quoted(_ key: String) -> String {
    let escaped = key.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case "\"": "\\\""
      case "\\": "\\\\"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
