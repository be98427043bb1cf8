/// Functions that determine whether a text is a phrase in a language, and not an identifier or a value.
enum Prose {
  /// Returns the words of a text, without format specifiers. A word has at least two characters, which are letters, apostrophes or hyphens.
  static func words(of text: String) -> [Substring] {
    var plain = ""
    var isSpecifier = false
    for character in text {
      if character == "%" {
        isSpecifier.toggle()
        plain.append(" ")
      } else if isSpecifier {
        // Skips flags, width, precision and length. The conversion ends the specifier.
        if character.isLetter && !"hlqLzt".contains(character) || character == "@" || character == " " {
          isSpecifier = false
        }
      } else {
        plain.append(character)
      }
    }
    return plain.split { $0.isWhitespace || $0 == "…" }
      .map { word in
        let trimmed = word.drop { !$0.isLetter }
        return trimmed.prefix(trimmed.count - trimmed.reversed().prefix { !$0.isLetter }.count)
      }
      .filter { word in word.count >= 2 && word.allSatisfy { $0.isLetter || "'’-".contains($0) } }
  }

  /// Returns whether a text reads like a sentence or a label of several words, and not like code, a path, a query or a log line.
  static func isSentence(_ text: String) -> Bool {
    guard text.contains(" "), !text.contains(where: { "<>{}=\\|_[]#;".contains($0) }), !text.contains("://"),
      !text.contains("--"), let first = text.first, !"-/.+*,".contains(first), !isIdentifier(text)
    else { return false }
    let words = words(of: text)
    return words.count >= 2 && words.contains { $0.contains(where: \.isLowercase) }
  }

  /// Returns whether a text is code such as `Color(red: 1)`, or a user agent such as `Birds/3.0`.
  private static func isIdentifier(_ text: String) -> Bool {
    text.split(separator: " ").contains { word in
      let isCall = word.hasSuffix(":") && word.dropFirst().contains("(") && word.first?.isLetter == true
      let parts = word.split(separator: "/", omittingEmptySubsequences: false)
      return isCall || parts.count == 2 && parts[0].last?.isLetter == true && parts[1].first?.isNumber == true
    }
  }

  /// Returns whether a text can be the title of a control: its first word begins with a capital letter and contains a lower-case letter, and it is
  /// neither an address nor a name in code.
  static func isTitle(_ text: String) -> Bool {
    guard let word = words(of: text).first, word.first?.isUppercase == true, !text.contains("_"), !text.contains("://")
    else { return false }
    return word.dropFirst().contains(where: \.isLowercase) && !isNamed(text)
  }

  /// Returns whether a text is a name such as `settings.title`, `DidChange` or `SomeClass.member`.
  private static func isNamed(_ text: String) -> Bool {
    guard !text.contains(" ") else { return false }
    return text.dropFirst().contains(where: \.isUppercase) || text.dropLast().contains(".")
  }

  /// Returns whether two texts are forms of the same text for different numbers: they share a word or the beginning of a word, or both are only
  /// endings of words.
  static func isSameInOtherNumber(_ one: String, _ other: String) -> Bool {
    let first = words(of: one).map { $0.lowercased() }
    let second = words(of: other).map { $0.lowercased() }
    // The texts are endings, such as `""` and `"s"`, or `"y"` and `"ies"`.
    if one.utf8.count <= 3, other.utf8.count <= 3, (one + other).contains(where: \.isLetter),
      (one + other).allSatisfy(\.isLetter)
    {
      return true
    }
    return first.contains { word in
      second.contains { $0 == word && word.count > 3 || $0 != word && stem(word, $0) }
    }
  }

  private static func stem(_ one: String, _ other: String) -> Bool {
    let common = zip(one, other).prefix { $0 == $1 }.count
    return common >= 3 && common * 2 >= max(one.count, other.count)
  }
}
