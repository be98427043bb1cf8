import CatalogFormats
import Localization

/// The invariants of every `.strings` and `.stringsdict` file that can be read.
enum TableExamination {
  static func strings(_ bytes: [UInt8]) throws {
    let path = TreePath("a.strings")
    guard let file = try? StringsFile.read(bytes, at: path) else { return }
    guard try file.edited([:]) == bytes else { throw FuzzFinding("a table without edits changes") }
    let contents = { (file: StringsFile, key: UnitKey?) in
      file.entries.filter { $0.key != key }.map { [$0.key.text, $0.value] }
    }
    let isXcodes = (try? Reprint.reprint(bytes, at: path)) == bytes
    for key in file.entries.prefix(2).map(\.key) + [UnitKey("new key")] {
      for edit in [StringsEdit.both(value: "n\"\\\n'é", comment: "c"), .comment(nil), .remove] {
        // A binary list with values other than texts cannot be written, and neither can an XML list with a broken root element.
        guard let written = try? file.edited([key: edit]) else { continue }
        guard let now = try? StringsFile.read(written, at: path) else {
          throw FuzzFinding("a table that we wrote cannot be read")
        }
        guard contents(now, key) == contents(file, key) else { throw FuzzFinding("an edit changed another entry") }
        if case .both(let value, _) = edit, now.values[key]?.value != value {
          throw FuzzFinding("a value that was set is missing")
        }
        if edit == .remove, now.values[key] != nil { throw FuzzFinding("a removed key is still there") }
        // If a comment is removed, an earlier comment may become the key's comment. Entries that share a line with other entries are separated.
        let isNew = file.values[key] == nil && edit != .remove
        guard edit != .comment(nil), isXcodes || isNew else { continue }
        // The audit makes the edits one at a time, and a table with NULs may refuse one of the edits alone.
        guard
          let findings = try bytes.contains(0)
            ? try? audit(bytes, written, path, key) : audit(bytes, written, path, key)
        else { continue }
        guard findings.isEmpty else { throw FuzzFinding("an edit of \"\(key)\" moved other bytes: \(findings)") }
      }
    }
    guard let printed = try? Reprint.reprint(bytes, at: path) else { return }
    guard let again = try? StringsFile.read(printed, at: path) else {
      throw FuzzFinding("a reprinted table cannot be read")
    }
    guard contents(again, nil) == contents(file, nil) else {
      throw FuzzFinding("a reprinted table has other entries")
    }
    guard try Reprint.reprint(printed, at: path) == printed else {
      throw FuzzFinding("a second reprint changes a table")
    }
  }

  private static func audit(
    _ bytes: [UInt8], _ written: [UInt8], _ path: TreePath, _ key: UnitKey
  ) throws -> [Diagnostic] {
    try TableAudit.unexplainedChanges(from: bytes, to: written, at: path) { $0 == key }
  }

  static func stringsDict(_ bytes: [UInt8]) throws {
    let path = TreePath("a.stringsdict")
    guard let file = try? StringsDictFile.read(bytes, at: path) else { return }
    let translations = file.translations
    guard try file.edited(translations.mapValues { $0 }) == bytes else {
      throw FuzzFinding("a table without edits changes")
    }
    let plural = Translation(
      text: text("%#@n@"),
      substitutions: [
        "n": Substitution(argumentNumber: nil, formatSpecifier: "lld", forms: .plural([.other: text("<é>")]))
      ])
    for key in file.entries.prefix(2).map(\.key) + [UnitKey("new key")] {
      for value in [plural, Translation("t"), nil] where !file.kept.contains(where: { $0.key == key }) {
        guard let written = try? file.edited([key: value]) else { continue }
        // A file without braces that loses its last entry has only comments, and such a file is refused.
        if value == nil, file.entries.allSatisfy({ $0.key == key }), !written.contains(where: "{<".utf8.contains) {
          continue
        }
        guard let now = try? StringsDictFile.read(written, at: path) else {
          throw FuzzFinding("a table that we wrote cannot be read")
        }
        guard now.translations[key] == value else { throw FuzzFinding("a translation that was set is missing") }
        var others = now.translations
        others[key] = translations[key]
        guard others == translations else { throw FuzzFinding("an edit changed another entry") }
        guard now.kept.map(\.key) == file.kept.map(\.key) else { throw FuzzFinding("an edit lost unsupported entries") }
        let findings = try TableAudit.unexplainedChanges(from: bytes, to: written, at: path) { $0 == key }
        guard findings.isEmpty else { throw FuzzFinding("an edit of \"\(key)\" moved other bytes: \(findings)") }
      }
    }
    if let printed = try? Reprint.reprint(bytes, at: path) {
      guard try Reprint.reprint(printed, at: path) == printed else {
        throw FuzzFinding("a second reprint changes a table")
      }
    }
  }

  private static func text(_ value: String) -> VariedText { .text(StringUnit(state: .translated, value: value)) }
}
