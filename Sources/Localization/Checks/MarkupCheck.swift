/// Finds markup that a translation lost, changed, added or broke: Markdown and Apple's `^[…](inflect: true)`.
///
/// A mark without its counterpart and attributes that cannot be parsed are errors, because users see the characters of broken markup. Other changes
/// are warnings: emphasis may not suit a language, and translators write out inflection in languages for which Apple does not support it. A source
/// text without markup is not Markdown. In this case, only added markup is reported, and no markup counts as broken.
package enum MarkupCheck {
  package static func findings(
    of translation: String, against source: String, at path: VariationPath = .root
  ) -> [CheckFinding] {
    guard MarkupText.mayHaveMarks(source) || MarkupText.mayHaveMarks(translation) else { return [] }
    let original = MarkupText(source)
    let given = MarkupText(translation)
    return unpaired(given, original, at: path) + attributes(given, original, at: path)
      + styles(given, original, at: path) + links(given, original, at: path)
  }

  /// Returns the markup of the source text that the translation lost or broke. Ignores markup that only the translation has, and lost inflection,
  /// because Apple supports inflection in few languages.
  package static func losses(of translation: String, against source: String) -> [MarkupLoss] {
    guard MarkupText.mayHaveMarks(source) else { return [] }
    let original = MarkupText(source)
    guard !original.isPlain else { return [] }
    let given = MarkupText(translation)
    let lost = MarkupText.Style.allCases.filter { given.styles[$0, default: 0] < original.styles[$0, default: 0] }
    // A mark without its counterpart may be a plain character, as in “Leser*innen”, if no markup of the source text is lost.
    let isLess =
      !lost.isEmpty || given.links.count < original.links.count || given.attributes.count < original.attributes.count
    let unpaired = isLess ? unpaired(given, original, at: .root) : []
    let invalid = attributes(given, original, at: .root).filter { $0.severity == .error }
    // If the source text repeats a link, the translation may contain the link only once.
    let isFound = Set(given.links.map(\.target)).isSuperset(of: original.links.map(\.target))
    let links =
      given.links.count > original.links.count || isFound && !given.links.isEmpty
      ? [] : links(given, original, at: .root).filter { $0.severity != .note }
    return (unpaired + invalid).map { MarkupLoss(kind: .broken, message: $0.message) }
      + lost.map { MarkupLoss(kind: kind(of: $0), message: lossOfStyle($0)) }
      + links.map { MarkupLoss(kind: .link, message: $0.message) }
  }

  /// Returns an error for each kind of mark that lacks its counterpart more often than in the source text.
  private static func unpaired(_ given: MarkupText, _ original: MarkupText, at path: VariationPath) -> [CheckFinding] {
    guard !original.isPlain else { return [] }
    let known = counts(original.leftOver)
    return counts(given.leftOver).sorted { $0.key < $1.key }.filter { $0.value > known[$0.key, default: 0] }.map {
      CheckFinding(.error, at: path, "the markup \($0.key) has no counterpart")
    }
  }

  private static func counts(_ marks: [String]) -> [String: Int] {
    marks.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func styles(_ given: MarkupText, _ original: MarkupText, at path: VariationPath) -> [CheckFinding] {
    MarkupText.Style.allCases.compactMap { style in
      let (now, was) = (given.styles[style, default: 0], original.styles[style, default: 0])
      if now < was { return CheckFinding(.warning, at: path, lossOfStyle(style)) }
      guard now > was else { return nil }
      return CheckFinding(.warning, at: path, "\(name(style)) is not in the source text")
    }
  }

  private static func kind(of style: MarkupText.Style) -> MarkupLoss.Kind {
    switch style {
    case .bold, .italic: .emphasis
    case .code: .code
    case .struck: .strikethrough
    }
  }

  private static func lossOfStyle(_ style: MarkupText.Style) -> String { "\(name(style)) is missing" }

  private static func name(_ style: MarkupText.Style) -> String {
    switch style {
    case .bold: "a bold text (**…**)"
    case .italic: "an italic text (*…*)"
    case .code: "a code span (`…`)"
    case .struck: "a strikethrough text (~~…~~)"
    }
  }

  private static func attributes(_ given: MarkupText, _ original: MarkupText, at path: VariationPath) -> [CheckFinding]
  {
    var findings: [CheckFinding] = []
    // Markup that is already broken in the source text is not the translator's fault.
    let known = Set(original.attributes)
    for attribute in original.isPlain ? [] : given.attributes where !known.contains(attribute) && !isReadable(attribute)
    {
      findings.append(CheckFinding(.error, at: path, "the attributes (\(attribute)) are invalid"))
    }
    let names = { (texts: [String]) in Set(texts.flatMap(attributeNames)) }
    for name in names(given.attributes).subtracting(names(original.attributes)).sorted() {
      findings.append(CheckFinding(.warning, at: path, "the attribute \(name) is not in the source text"))
    }
    if given.attributes.count < original.attributes.count {
      let lost = original.attributes.first { !given.attributes.contains($0) } ?? original.attributes.first ?? ""
      findings.append(CheckFinding(.warning, at: path, "^[…](\(lost)) is missing"))
    }
    return findings
  }

  /// Returns whether attributes can be parsed. They are JSON5 members: `inflect: true, agreeWithArgument: 1`, `morphology: { … }`.
  private static func isReadable(_ text: String) -> Bool {
    let members = topLevelMembers(text)
    return !members.isEmpty
      && members.allSatisfy { member in
        let parts = member.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let name = parts[0].trimmedSpaces
        let value = parts[1].trimmedSpaces
        guard !name.isEmpty, name.utf8.allSatisfy({ isNameByte($0) }), let first = value.utf8.first else {
          return false
        }
        if name == "inflect" { return value == "true" || value == "false" }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
          return value.utf8.count > 1 && value.utf8.last == first
        }
        return first == UInt8(ascii: "{")
          ? value.utf8.last == UInt8(ascii: "}") : value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 }
      }
  }

  private static func attributeNames(_ text: String) -> [String] {
    topLevelMembers(text).compactMap { member in
      member.split(separator: ":", maxSplits: 1).first.map { String($0.trimmedSpaces) }
    }
  }

  private static func topLevelMembers(_ text: String) -> [Substring] {
    var members: [Substring] = []
    var depth = 0
    var quote: Character?
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case let mark where quote != nil: if mark == quote { quote = nil }
      case "'", "\"": quote = text[index]
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case "," where depth == 0:
        members.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    members.append(text[start...])
    return members
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }

  // MARK: Links

  static func links(_ given: MarkupText, _ original: MarkupText, at path: VariationPath) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    if given.links.count < original.links.count {
      findings.append(CheckFinding(.warning, at: path, "a link is missing"))
    } else if given.links.count > original.links.count {
      findings.append(CheckFinding(.warning, at: path, "a link is not in the source text"))
    }
    // Markdown ignores spaces around a target.
    var open = original.links.map { String($0.target[...].trimmedSpaces) }
    var changed: [String] = []
    for target in given.links.map({ String($0.target[...].trimmedSpaces) }) {
      if let index = open.firstIndex(where: { $0.isExactly(target) }) {
        open.remove(at: index)
      } else {
        changed.append(target)
      }
    }
    for target in changed {
      if let index = open.firstIndex(where: { LinkTarget.isLocalized(target, of: $0) }) {
        findings.append(CheckFinding(.note, at: path, "the link to \(open[index]) now goes to the localized \(target)"))
        open.remove(at: index)
      } else if let original = open.first {
        findings.append(CheckFinding(.warning, at: path, "the link to \(original) now goes to \(target)"))
        open.removeFirst()
      }
    }
    return findings
  }
}

/// Markup of a source text that a translation lost or broke.
package struct MarkupLoss: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A mark has no counterpart, or attributes are invalid.
    case broken
    /// Bold or italic text.
    case emphasis
    case code, strikethrough, link
  }

  package let kind: Kind
  /// A message about the loss, in lower case and without a full stop.
  package let message: String
}

/// Compares targets of links.
enum LinkTarget {
  /// Returns whether a link points to the localized version of a page. This is the case if the targets differ only in a language, which is one part
  /// of the path, host or query (`https://x.org/en/help`, `https://en.x.org`, `?hl=en`) and may be missing in one of the targets. If both hosts begin
  /// with a language and are otherwise equal, the paths may differ too.
  static func isLocalized(_ target: String, of original: String) -> Bool {
    for isFine in [false, true] {
      guard let one = parts(target, isFine: isFine), let other = parts(original, isFine: isFine),
        one.scheme == other.scheme
      else { return false }
      if one.place == other.place, one.languages != other.languages { return true }
    }
    // Encyclopedias name their pages in the language of the host: `en.x.org/wiki/Bird`, `nl.x.org/wiki/Vogel`.
    guard let own = hostLanguage(target), let source = hostLanguage(original) else { return false }
    return own.language != source.language && own.site == source.site
  }

  /// Returns the language before the first dot of a host, and the rest of the host; `nil` if the host does not have this form.
  private static func hostLanguage(_ target: String) -> (language: Substring, site: Substring)? {
    guard let start = target.firstRange(of: "://") else { return nil }
    let host = target[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let dot = host.firstIndex(of: "."), isLanguage(host[..<dot]) else { return nil }
    let site = host[host.index(after: dot)...]
    return site.contains(".") ? (host[..<dot], site) : nil
  }

  /// Splits a target into its scheme, its languages and its other parts; `nil` if it has no scheme.
  /// - Parameter isFine: whether a language may also be next to a hyphen, an underscore or a dot: `privacy-de.html`.
  private static func parts(
    _ target: String, isFine: Bool
  ) -> (scheme: String, place: [String], languages: [String])? {
    guard let colon = target.firstIndex(of: ":") else { return nil }
    var place: [String] = []
    var languages: [String] = []
    var isHost = true
    for part in target[target.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: true) {
      let marks: Set<Character> = isHost ? ["."] : isFine ? ["?", "&", "=", "#", "-", "_", "."] : ["?", "&", "=", "#"]
      for word in part.split(whereSeparator: marks.contains) {
        if isLanguage(word) { languages.append(String(word)) } else { place.append(String(word)) }
      }
      isHost = false
    }
    return (target[..<colon].lowercased(), place, languages)
  }

  /// Codes of countries that sites use in place of a language: `https://x.org/cn`.
  private static let countries: Set<Substring> = ["cn", "tw", "hk", "jp", "kr", "ua", "cz", "dk", "se", "gr", "br"]

  private static func isLanguage(_ word: Substring) -> Bool {
    if countries.contains(word) { return true }
    let identifier = LocaleIdentifier(String(word).replacing("_", with: "-"))
    return word.utf8.count != 8 && identifier.isWellFormed && identifier.language.utf8.count <= 3
      && PluralRules.knows(identifier)
  }
}

extension Substring {
  fileprivate var trimmedSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
