internal import Localization

/// The folders of a drop folder, and what names in them mean.
enum DropNames {
  static let toTranslate: TreePath = "to-translate"
  static let translated: TreePath = "translated"
  static let done: TreePath = "done"
  static let held: TreePath = "held"

  /// Whether a name in `translated/` may be a bundle: not hidden, not something that a program is still writing.
  static func isCandidate(_ name: String) -> Bool {
    let lower = name.lowercased()
    let unfinished = [".part", ".partial", ".tmp", ".crdownload", ".download", ".filepart", ".swp", "~"]
    let litter = ["desktop.ini", "thumbs.db"]
    return !name.hasPrefix(".") && !unfinished.contains { lower.hasSuffix($0) } && !litter.contains(lower)
      && !lower.hasSuffix(".review.txt")
  }

  /// The name with a number before its ending: `uk.xcloc.zip`, 2 → `uk-2.xcloc.zip`. Number 1 is the name itself.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let lower = name.lowercased()
    let double = [".xcloc.zip", ".xliff.zip"].first { lower.hasSuffix($0) && lower.utf8.count > $0.utf8.count }
    let ending = double.map { String(name.suffix($0.count)) } ?? TreePath(trusted: name).ending.asEnding
    return String(name.dropLast(ending.count)) + "-\(number)" + ending
  }

  /// Whether a path lies in what macOS adds to zips beside the files themselves.
  static func isLitter(_ path: TreePath) -> Bool {
    path.components.contains { $0 == "__MACOSX" || $0.hasPrefix("._") || $0 == ".DS_Store" }
  }
}

extension String {
  fileprivate var asEnding: String { isEmpty ? "" : "." + self }
}
