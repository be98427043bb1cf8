import CatalogFormats
import Localization

/// The readers and writers of localization files. The readers of source code are in `FuzzSubject`, because these readers need SwiftSyntax.
package enum FormatSubject: String, CaseIterable, Sendable {
  case catalog, xliff, strings
  case stringsDict = "stringsdict"
  /// Three versions of a file of one format, separated by `\n=====\n`. The first byte selects the format.
  case merge
  /// A text with placeholders.
  case formatString = "format-string"
  /// A source text and its translation, separated by `\n=====\n`.
  case markup
  case propertyList = "property-list"

  /// Runs the reader on the input.
  /// - Throws: `FuzzFinding` if an invariant is violated. Refusing the input is not a finding.
  package func examine(_ bytes: [UInt8]) throws {
    switch self {
    case .catalog:
      try examine(CatalogFiles(bytes, at: "App/L.xcstrings"), StringCatalogFormat())
      try examineReprint(bytes, "a.xcstrings")
    case .strings:
      try TableExamination.strings(bytes)
      try examine(CatalogFiles(bytes, at: "App/en.lproj/L.strings"), StringsFormat())
      try examineReprint(bytes, "a.strings")
    case .stringsDict:
      try TableExamination.stringsDict(bytes)
      try examine(CatalogFiles(bytes, at: "App/en.lproj/L.stringsdict"), StringsDictFormat())
      try examineReprint(bytes, "a.stringsdict")
    case .xliff:
      try examineXLIFF(bytes)
      try examineReprint(bytes, "a.xliff")
    case .merge: try examineMerge(bytes)
    case .formatString: examineFormatString(String(decoding: bytes, as: UTF8.self))
    case .markup:
      let texts = Self.parts(bytes[...], most: 2).map { String(decoding: $0, as: UTF8.self) }
      try TextExamination.examine(source: texts[0], translation: texts.last ?? "")
    case .propertyList: try PropertyListExamination.examine(bytes)
    }
  }

  private func examine(_ files: CatalogFiles, _ format: some CatalogFormat) throws {
    guard let catalog = try? format.read(files) else { return }
    guard try format.write(catalog, over: files).isEmpty else {
      throw FuzzFinding("a \(format.name) changes when it is read and written")
    }
    let forgotten = Catalog(
      path: catalog.path, sourceLanguage: catalog.sourceLanguage, entries: catalog.entries, origin: nil)
    guard try format.write(forgotten, over: files).isEmpty else {
      throw FuzzFinding("a \(format.name) changes when it is written without its origin")
    }
    _ = try? format.sourceCopy(of: files)
    guard let key = catalog.entries.keys.min() else { return }
    var changed = catalog
    changed.entries[key]?.translations[catalog.sourceLanguage] = Translation("changed “%@”\n")
    guard let written = try? format.write(changed, over: files) else { return }
    let after = files.applying(written, languages: changed.languages)
    guard let read = try? format.read(after) else { throw FuzzFinding("a \(format.name) that we wrote cannot be read") }
    guard read.entries[key]?.translations[catalog.sourceLanguage] == Translation("changed “%@”\n") else {
      throw FuzzFinding("a written text of a \(format.name) is not read back")
    }
    guard read.entries.count == changed.entries.count else {
      throw FuzzFinding("changing one text of a \(format.name) changes its keys")
    }
  }

  /// Checks that a second reprint does not change the file.
  private func examineReprint(_ bytes: [UInt8], _ path: TreePath) throws {
    guard let printed = try? Reprint.reprint(bytes, at: path) else { return }
    guard let again = try? Reprint.reprint(printed, at: path) else {
      throw FuzzFinding("\(path) cannot be read after a reprint")
    }
    guard again == printed else { throw FuzzFinding("a second reprint changes \(path)") }
  }

  private func examineXLIFF(_ bytes: [UInt8]) throws {
    guard let document = try? XLIFF.read(bytes, at: "a.xliff") else { return }
    let written = XLIFF.write(document)
    guard let again = try? XLIFF.read(written, at: "a.xliff") else {
      throw FuzzFinding("an XLIFF that we wrote cannot be read")
    }
    guard XLIFF.write(again) == written else { throw FuzzFinding("an XLIFF changes when it is read back") }
  }

  private func examineMerge(_ bytes: [UInt8]) throws {
    let paths: [TreePath] = ["a.xcstrings", "a.strings", "a.stringsdict"]
    guard let first = bytes.first else { return }
    let path = paths[Int(first) % paths.count]
    let versions = Self.parts(bytes.dropFirst(), most: 3)
    guard versions.count == 3 else { return }
    let merged = try? MergeDriver.merge(
      MergeVersions(base: versions[0], ours: versions[1], theirs: versions[2]), at: path)
    guard let merged, merged.conflicts.isEmpty, merged.warnings.isEmpty else { return }
    guard let format = CatalogFormatRegistry.standard.format(for: path) else { return }
    let wereRead = versions.allSatisfy { (try? format.read(CatalogFiles($0, at: path))) != nil }
    guard wereRead else { return }
    guard (try? format.read(CatalogFiles(merged.bytes, at: path))) != nil else {
      throw FuzzFinding("the merge of readable files cannot be read")
    }
  }

  /// Returns the parts of an input between the separators. There are at least one part and at most `most` parts.
  private static func parts(_ bytes: ArraySlice<UInt8>, most: Int) -> [[UInt8]] {
    let mark = Array("\n=====\n".utf8)
    var parts: [[UInt8]] = [[]]
    var rest = bytes
    while let byte = rest.first {
      if parts.count < most, rest.starts(with: mark) {
        parts.append([])
        rest = rest.dropFirst(mark.count)
      } else {
        parts[parts.count - 1].append(byte)
        rest = rest.dropFirst()
      }
    }
    return parts
  }

  private func examineFormatString(_ text: String) {
    _ = FormatString(text)
    _ = VariationPath(text: text)
    _ = ExchangeIdentifier.parse(text)
    _ = ExchangeIdentifier.readings(of: text)
  }
}

/// A violated invariant.
package struct FuzzFinding: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
