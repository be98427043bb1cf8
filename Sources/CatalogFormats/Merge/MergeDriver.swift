package import Localization
internal import StructuredText

/// The three versions of a file in a git merge.
package struct MergeVersions: Sendable {
  package enum Side: String, Sendable {
    case base, ours, theirs
  }

  /// The common ancestor; `nil` if each side added the file.
  package var base: [UInt8]?
  package var ours: [UInt8]
  package var theirs: [UInt8]
  /// Whether a translation of our side that is kept in a conflict is marked for review. `false` if the caller resolves the conflicts itself.
  package var asksForReview: Bool

  /// - Parameter base: the common ancestor. It is empty if each side added the file, as in git's calls of a merge driver.
  package init(base: [UInt8], ours: [UInt8], theirs: [UInt8], asksForReview: Bool = true) {
    self.base = base.isEmpty ? nil : base
    self.ours = ours
    self.theirs = theirs
    self.asksForReview = asksForReview
  }
}

/// A merged file: one side's version with the changes of the other side.
package struct MergedFile: Sendable {
  package var bytes: [UInt8]
  /// The conflicts: first those that concern the whole file, then those of our keys in file order, then those of keys that only their version has.
  /// The file keeps our version of the text, or their version if we removed it.
  package var conflicts: [PlacedConflict]
  /// A warning for each duplicate key that remains in a merged String Catalog.
  package var warnings: [Diagnostic] = []
}

/// A conflict and the position of its key in the merged file.
package struct PlacedConflict: Hashable, Sendable {
  package var conflict: MergeConflict
  /// The line, counted from 1; `nil` if the conflict concerns the whole file or its key has no known position in the merged file.
  package var line: Int?
  /// The column in UTF-8 bytes, counted from 1; `nil` if `line` is `nil`.
  package var column: Int?

  package func diagnostic(at path: String) -> Diagnostic {
    Diagnostic(path: path, line: line, column: column, severity: .error, message: conflict.description)
  }
}

/// Merges localization files by key, language and variation. Git runs this merge with `dragoman merge-driver`, and the daemon uses it for delivery
/// branches.
package enum MergeDriver {
  /// Merges the versions of a file. If one side did not change the file, or both sides changed it in the same way, the versions are not parsed.
  /// - Parameter path: the file's path in the repository, which determines the format. If it is `nil`, the content determines the format.
  /// - Throws: `InputFault` if one of the versions cannot be read, the merged file cannot be written, or files of this kind cannot be merged.
  package static func merge(_ versions: MergeVersions, at path: TreePath?) throws(InputFault) -> MergedFile {
    let name = path ?? "OURS"
    if versions.base == versions.ours || versions.ours == versions.theirs {
      return MergedFile(bytes: versions.theirs, conflicts: [])
    }
    if versions.base == versions.theirs { return MergedFile(bytes: versions.ours, conflicts: []) }
    switch path.map(\.ending) ?? ending(of: versions.ours) {
    case "xcstrings": return try CatalogMerge.merge(versions, at: name)
    case "strings": return try TableMerge<StringsMerge>.merge(versions, at: name)
    case "stringsdict": return try TableMerge<StringsDictMerge>.merge(versions, at: name)
    default:
      throw InputFault(
        Diagnostic(
          path: name.text, severity: .error,
          message: "this is neither a String Catalog nor a .strings or .stringsdict file",
          hint: "set merge=dragoman only for these files in .gitattributes"))
    }
  }

  /// Returns the file extension of the format, detected from the content.
  private static func ending(of bytes: [UInt8]) -> String {
    if TableList.recognizes(bytes) {
      let list = try? TableList(bytes, limits: StringsFile.limits)
      return list?.members.contains { $0.value.dictionary != nil } == true ? "stringsdict" : "strings"
    }
    guard let text = try? TextEncoding(sniffing: bytes).text(of: bytes) else { return "strings" }
    let rest = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // A .strings file can be enclosed in braces too, but it has no colon after its first key.
    let isObject = rest.first == UInt8(ascii: "{") && (try? JSONDocument.parse(text)) != nil
    return isObject ? "xcstrings" : "strings"
  }
}

extension InputFault {
  /// Returns the same faults with messages that contain the name of the side.
  func naming(_ side: MergeVersions.Side) -> InputFault {
    InputFault(
      diagnostics.map {
        Diagnostic(
          path: $0.path, line: $0.line, column: $0.column, severity: $0.severity,
          message: "cannot read \(side.rawValue): \($0.message)", hint: $0.hint)
      })
  }
}
