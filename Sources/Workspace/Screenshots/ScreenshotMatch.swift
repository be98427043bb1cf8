package import Localization

/// Finds the strings of a shipment that pictures show.
package struct ScreenshotMatch {
  private var keys: [String: Set<UnitID>] = [:]
  private var names: [String: Set<UnitID>] = [:]
  private var texts: [String: Set<UnitID>] = [:]

  package init(_ files: [ExchangeFile]) {
    for file in files {
      let catalog = TreePath(trusted: file.original)
      for unit in file.units {
        let id = UnitID(catalog: catalog, key: unit.key)
        keys[unit.key.text, default: []].insert(id)
        if let name = Self.name(unit.key.text) { names[name, default: []].insert(id) }
        guard case .text(let text)? = unit.source, let text = Self.pattern(of: text) else { continue }
        texts[text, default: []].insert(id)
      }
    }
  }

  /// Returns the pictures that show at least one string, each with a unique name.
  package func screenshots(_ pictures: [ScreenshotFolder.Picture]) -> [Screenshot] {
    var taken: Set<String> = []
    return pictures.compactMap { picture in
      let shown = picture.clues.reduce(into: Set<UnitID>()) { $0.formUnion(units(of: $1)) }
      guard !shown.isEmpty else { return nil }
      let ending = picture.path.ending
      let stem = picture.path.text.replacing("/", with: "-").dropLast(ending.count + 1)
      var (name, number) = ("\(stem).\(ending)", 1)
      while !taken.insert(name.lowercased()).inserted {
        number += 1
        name = "\(stem)-\(number).\(ending)"
      }
      return Screenshot(name: name, format: picture.format, bytes: picture.bytes, units: shown)
    }
  }

  /// Returns whether a picture shows any of the strings.
  package func isShown(in picture: ScreenshotFolder.Picture) -> Bool {
    picture.clues.contains { !units(of: $0).isEmpty }
  }

  private func units(of clue: ScreenshotClue) -> Set<UnitID> {
    switch clue {
    case .name(let name): Self.name(name).flatMap { names[$0] } ?? []
    case .key(let key): keys[key] ?? []
    case .text(let text): Self.text(text).flatMap { texts[$0] } ?? []
    case .any(let text): keys[text] ?? Self.text(text).flatMap { texts[$0] } ?? []
    }
  }

  /// Returns a name for comparison: in lower case, with a dash for each run of characters that are neither letters nor digits. Returns `nil` for a
  /// name without letters.
  private static func name(_ name: String) -> String? {
    let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard parts.contains(where: { $0.contains(where: \.isLetter) }) else { return nil }
    return parts.joined(separator: "-")
  }

  /// Returns a text for comparison: without white space around it, and with a mark for each number. Returns `nil` for a text without letters.
  private static func text(_ text: String) -> String? {
    guard text.contains(where: \.isLetter) else { return nil }
    return marked(text).withoutOuterSpace
  }

  /// Returns a source text for comparison, with a mark for each number and each placeholder.
  private static func pattern(of source: String) -> String? {
    var (pattern, hasLetter) = ("", false)
    for part in FormatString(source).parts {
      switch part {
      case .literal(let literal):
        hasLetter = hasLetter || literal.contains(where: \.isLetter)
        pattern += marked(literal)
      case .escapedPercent: pattern += "%"
      default: pattern += mark
      }
    }
    return hasLetter ? pattern.withoutOuterSpace : nil
  }

  private static let mark = "\u{FFFC}"

  /// Replaces each number with a mark. A number may have separators between its digits, as in 3,000 and 2.5.
  private static func marked(_ text: String) -> String {
    var (marked, isInNumber) = ("", false)
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index].isWholeNumber {
        if !isInNumber { marked += mark }
        isInNumber = true
      } else if !isInNumber || !separators.contains(text[index]) || next == text.endIndex || !text[next].isWholeNumber {
        marked.append(text[index])
        isInNumber = false
      }
      index = next
    }
    return marked
  }

  private static let separators: Set<Character> = [",", ".", "'", "’", "\u{A0}", "\u{202F}"]
}
