import Localization

/// Finds keys that no source file contains. They most likely remained in a table by mistake, and no user sees their texts.
///
/// A key without spaces is never reported as unused, because code builds keys such as `status.\(name)` from parts. A key with `%`, a quotation mark,
/// a backslash or a line break is not reported either, because code may write it differently.
struct UnusedKeys {
  private let snapshot: ProjectSnapshot
  /// The catalogs with keys that extraction found in code. Files that extraction does not read may use keys of other tables.
  private let catalogs: Set<TreePath>

  init(_ snapshot: ProjectSnapshot) {
    self.snapshot = snapshot
    let inCode = snapshot.extraction.strings.filter { $0.origin == .swift || $0.origin == .objectiveC }
    catalogs = Set(inCode.map(\.catalog))
  }

  /// Returns the units that code may use.
  func removed(from units: [AdvisedUnit]) -> [AdvisedUnit] {
    let open = units.filter(canBeUnused)
    guard !open.isEmpty else { return units }
    var unused = Set(open.map(\.key.text))
    for path in sources where !unused.isEmpty {
      guard let bytes = try? snapshot.tree.read(path) else { continue }
      Self.eachText(in: bytes) { unused.remove($0) }
    }
    return units.filter { !canBeUnused($0) || !unused.contains($0.key.text) }
  }

  private func canBeUnused(_ unit: AdvisedUnit) -> Bool {
    let key = unit.key.text
    return unit.string == nil && catalogs.contains(unit.catalog) && key.contains(" ") && !key.contains("%")
      && !key.contains { "\"\\\n".contains($0) }
  }

  private var sources: [TreePath] {
    let targets = snapshot.project.targets
    return Set(targets.flatMap { $0.swiftSources + $0.otherSources }.map(\.path)).sorted()
  }

  /// Calls `body` with the text between each pair of quotation marks or angle brackets of a line, even if the text is not a literal.
  private static func eachText(in bytes: [UInt8], _ body: (String) -> Void) {
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\n"): start = nil
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
        if let start, start < index { body(String(decoding: bytes[start..<index], as: UTF8.self)) }
        start = index + 1
      default: break
      }
    }
  }
}
