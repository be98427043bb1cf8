internal import Localization

/// The names of the folders and files in a drop folder.
enum DropNames {
  static let toTranslate: TreePath = "to-translate"
  static let translated: TreePath = "translated"
  static let done: TreePath = "done"
  static let held: TreePath = "held"
  /// The names of the folders that contain bundles.
  static let folders = Set([toTranslate, translated, done, held].map(\.text))
  /// The folder of the markers, the files that record which shipments were sent. The dot in its name hides the folder from translators.
  static let markers: TreePath = ".dragoman"
  /// The file that records which installation and pipeline use the drop folder.
  static let claim: TreePath = ".dragoman-claim.json"

  /// Returns whether an entry of `translated/` may be a bundle. Hidden files, incomplete downloads, editors' temporary files, reviews and system
  /// files of Windows are excluded.
  static func isCandidate(_ name: String) -> Bool {
    let lower = name.lowercased()
    let unfinished = [".part", ".partial", ".tmp", ".crdownload", ".download", ".filepart", ".swp", "~"]
    let litter = ["desktop.ini", "thumbs.db"]
    return !name.hasPrefix(".") && !unfinished.contains { lower.hasSuffix($0) } && !litter.contains(lower)
      && !lower.hasSuffix(".review.txt")
  }

  /// Returns the path of the note that lists the withdrawn units of a bundle. The note is next to the bundle.
  static func withdrawalNote(of bundle: String) -> TreePath { toTranslate.appending(bundle + ".withdrawn.txt") }

  /// Returns the pipeline in the name of a bundle; `nil` if the name does not have the form of a sent bundle's name.
  static func pipeline(of name: String) -> String? { shipment(of: name)?.pipeline }

  /// Returns the parts of the name of a bundle that was sent: `<pipeline>-<round>-<language>.xcloc.zip`; `nil` for other names. If the
  /// name is numbered, the number stays part of the language: `uk-2`.
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

  /// Returns the rank of an entry. Pulls read entries in the order of their ranks. Entries that are probably bundles come first, so other entries do
  /// not delay them.
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

  /// Returns a name with a number before its extension: `uk.xcloc.zip`, 2 → `uk-2.xcloc.zip`. Number 1 leaves the name unchanged.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let lower = name.lowercased()
    let double = [".xcloc.zip", ".xliff.zip"].first { lower.hasSuffix($0) && lower.utf8.count > $0.utf8.count }
    let ending = double.map { String(name.suffix($0.count)) } ?? TreePath(trusted: name).ending.asEnding
    return String(name.dropLast(ending.count)) + "-\(number)" + ending
  }

  /// Returns whether a path is part of the metadata that macOS adds to zips and folders.
  static func isLitter(_ path: TreePath) -> Bool {
    path.components.contains { $0 == "__MACOSX" || $0.hasPrefix("._") || $0 == ".DS_Store" }
  }
}

extension String {
  fileprivate var asEnding: String { isEmpty ? "" : "." + self }
}
