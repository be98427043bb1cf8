internal import Localization

/// The folders of a drop folder, and the meaning of names in them.
enum DropNames {
  static let toTranslate: TreePath = "to-translate"
  static let translated: TreePath = "translated"
  static let done: TreePath = "done"
  static let held: TreePath = "held"
  /// The names of the folders whose files are read or moved.
  static let folders = Set([toTranslate, translated, done, held].map(\.text))
  /// Records which shipments were sent; hidden from translators.
  static let markers: TreePath = ".dragoman"
  /// Records who uses the folder.
  static let claim: TreePath = ".dragoman-claim.json"

  /// Whether an entry of `translated/` may be a bundle: neither hidden nor still being written.
  static func isCandidate(_ name: String) -> Bool {
    let lower = name.lowercased()
    let unfinished = [".part", ".partial", ".tmp", ".crdownload", ".download", ".filepart", ".swp", "~"]
    let litter = ["desktop.ini", "thumbs.db"]
    return !name.hasPrefix(".") && !unfinished.contains { lower.hasSuffix($0) } && !litter.contains(lower)
      && !lower.hasSuffix(".review.txt")
  }

  /// The note beside a bundle that lists the units of it that were withdrawn.
  static func withdrawalNote(of bundle: String) -> TreePath { toTranslate.appending(bundle + ".withdrawn.txt") }

  /// The pipeline in the name of a bundle that was sent; `nil` for other names.
  static func pipeline(of name: String) -> String? { shipment(of: name)?.pipeline }

  /// The parts of the name of a bundle that was sent: `<pipeline>-<round>-<language>.xcloc.zip`; `nil` for other names. A number at the end
  /// stays with the language.
  static func shipment(of name: String) -> (pipeline: String, round: String, language: String)? {
    guard name.lowercased().hasSuffix(".xcloc.zip") else { return nil }
    let parts = name.dropLast(".xcloc.zip".count).split(separator: "-", omittingEmptySubsequences: false)
    // The round is the last number that is followed by a language.
    for index in parts.indices.reversed() where index > 0 && index + 1 < parts.count {
      let isNumber = !parts[index].isEmpty && parts[index].utf8.allSatisfy { (0x30...0x39).contains($0) }
      let language = LocaleIdentifier(parts[(index + 1)...].joined(separator: "-"))
      guard isNumber, language.isWellFormed else { continue }
      let pipeline = parts[..<index].joined(separator: "-")
      return pipeline.isEmpty ? nil : (pipeline, String(parts[index]), language.rawValue)
    }
    return nil
  }

  /// Likely bundles come first, so many other files do not delay them.
  static func rank(_ entry: DropEntry, pipeline own: String?) -> Int {
    let ending = entry.path.ending.lowercased()
    switch entry.kind {
    case .other: return 4
    case .folder: return ending == "xcloc" ? 1 : 2
    case .file:
      if let own, pipeline(of: entry.path.name) == own { return 0 }
      return ["zip", "xliff", "xlf"].contains(ending) ? 1 : 3
    }
  }

  /// The name with a number before its ending: `uk.xcloc.zip`, 2 → `uk-2.xcloc.zip`. Number 1 returns the name unchanged.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let lower = name.lowercased()
    let double = [".xcloc.zip", ".xliff.zip"].first { lower.hasSuffix($0) && lower.utf8.count > $0.utf8.count }
    let ending = double.map { String(name.suffix($0.count)) } ?? TreePath(trusted: name).ending.asEnding
    return String(name.dropLast(ending.count)) + "-\(number)" + ending
  }

  /// Whether a path belongs to the metadata that macOS adds to zips.
  static func isLitter(_ path: TreePath) -> Bool {
    path.components.contains { $0 == "__MACOSX" || $0.hasPrefix("._") || $0 == ".DS_Store" }
  }
}

extension String {
  fileprivate var asEnding: String { isEmpty ? "" : "." + self }
}
