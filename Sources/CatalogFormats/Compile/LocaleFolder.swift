internal import Localization

/// The name of the `.lproj` folder that Xcode's compiler creates for a language: the result of `Locale.canonicalIdentifier` in Apple's
/// Foundation (checked against the compiler's recorded output by `Tests/Acceptance/xcode_compiler.py`).
///
/// Deprecated languages and a few deprecated regions are replaced. Subtags get their standard case. The default script of a language is
/// dropped. A region after `_` keeps the `_` (`pt_BR`), and all subtags after such a region are uppercased. Any other `_` becomes `-`.
enum LocaleFolder {
  /// Returns the folder name; `nil` if the identifier cannot be a language and must not become a folder name: it does not begin with an ASCII letter,
  /// has more than 64 bytes, an empty subtag, or a character other than ASCII letters, digits, `-` and `_`.
  static func name(of language: LocaleIdentifier) -> String? {
    let text = language.rawValue
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64,
      text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
    else { return nil }
    var subtags = inCase(subtags(of: replacingLanguage(in: text)))
    guard subtags.allSatisfy({ !$0.name.isEmpty }) else { return nil }
    replaceRegions(in: &subtags)
    dropDefaults(in: &subtags)
    return subtags.map(\.text).joined()
  }

  /// A part of an identifier and the `-` or `_` before it.
  fileprivate struct Subtag {
    var separator: String
    var name: String
    var text: String { separator + name }
  }

  private static func subtags(of text: String) -> [Subtag] {
    var subtags = [Subtag(separator: "", name: "")]
    for character in text {
      if character == "-" || character == "_" {
        subtags.append(Subtag(separator: String(character), name: ""))
      } else {
        subtags[subtags.count - 1].name.append(character)
      }
    }
    return subtags
  }

  /// Replaces the longest former language code at the start: `no-bok-NO` becomes `nb-NO`, not `nb-bok-NO`. As observed in the compiler's
  /// output, `no-bokmal` and `no-nynorsk` stay unchanged.
  private static func replacingLanguage(in text: String) -> String {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count > 1, parts[0].lowercased() == "no", ["bokmal", "nynorsk"].contains(parts[1].lowercased()) {
      return text
    }
    for count in stride(from: min(3, parts.count), through: 1, by: -1) {
      // `_` also ends a language code, but is never part of the code.
      let name = parts[..<count].joined(separator: "-").lowercased()
      let end = name.firstIndex(of: "_") ?? name.endIndex
      guard name[end...].isEmpty || count == 1, let replacement = CanonicalLanguages.names[String(name[..<end])]
      else { continue }
      return replacement + text.dropFirst(name[..<end].count)
    }
    return text
  }

  private static func inCase(_ subtags: [Subtag]) -> [Subtag] {
    var subtags = subtags
    var isPastRegion = false
    var hasRegion = false
    subtags[0].name = subtags[0].name.lowercased()
    for index in subtags.indices.dropFirst() {
      guard !isPastRegion else {
        subtags[index].name = subtags[index].name.uppercased()
        continue
      }
      let subtag = subtags[index]
      subtags[index].name = subtag.name.lowercased()
      let hasDigits = subtag.name.utf8.contains(where: isDigit)
      let isRegion = subtag.name.utf8.count == (hasDigits ? 3 : 2)
      if isRegion, subtag.separator == "_" || !hasRegion { subtags[index].name = subtag.name.uppercased() }
      if isRegion { hasRegion = true }
      if subtag.name.utf8.count == 4, !hasDigits { subtags[index].name = subtag.name.capitalizedSubtag }
      isPastRegion = subtag.separator == "_" && isRegion
      if !isPastRegion { subtags[index].separator = "-" }
    }
    return subtags
  }

  /// Replaces deprecated region codes. Serbo-Croatian becomes Croatian if its region is Croatia, and Serbian if it is Serbia.
  private static func replaceRegions(in subtags: inout [Subtag]) {
    let language = subtags[0].name
    for index in subtags.indices.dropFirst() {
      switch subtags[index].name {
      case "UK": subtags[index].name = "GB"
      case "TP": subtags[index].name = "TL"
      case "CS" where language == "cs": subtags[index].name = "CZ"
      case "CS" where language == "sk": subtags[index].name = "SK"
      case "CS", "YU": subtags[index].name = "RS"
      default: break
      }
    }
    guard language == "sh" else { return }
    let regions = Set(subtags.dropFirst().map(\.name))
    if regions.contains("HR") { subtags[0].name = "hr" } else if regions.contains("RS") { subtags[0].name = "sr" }
  }

  private static func dropDefaults(in subtags: inout [Subtag]) {
    if let region = subtags.last, region.separator == "_" {
      // The region is given twice, as in `pt-BR_BR`.
      if let twice = subtags.firstIndex(where: { $0.separator == "-" && $0.name == region.name }) {
        subtags.remove(at: twice)
      }
      let script = ["CN": "Hans", "SG": "Hans", "HK": "Hant", "MO": "Hant", "TW": "Hant"][region.name]
      if let script { subtags.removeFirst(named: script) }
    }
    // Foundation matches only a language that is followed by `-`, so it drops nothing from `pt_BR`.
    guard subtags.count > 1, subtags[1].separator == "-" else { return }
    if let script = CanonicalLanguages.scripts[subtags[0].name] { subtags.removeFirst(named: script) }
    if subtags[0].name == "de" { subtags.removeFirst(named: "1901") }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension [LocaleFolder.Subtag] {
  fileprivate mutating func removeFirst(named name: String) {
    if let index = dropFirst().firstIndex(where: { $0.separator == "-" && $0.name == name }) { remove(at: index) }
  }
}

extension String {
  fileprivate var capitalizedSubtag: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
