import Localization

/// Decides which texts a translator cannot translate without a comment.
enum UnclearText {
  /// Returns whether a text is a single English word with several meanings.
  static func isAmbiguousWord(_ unit: AdvisedUnit, _ text: SourceWords) -> Bool {
    guard unit.sourceLanguage.language == "en", text.words.count == 1, let word = text.words.first, !unit.isNamed else {
      return false
    }
    // In capitals, “PIN” is an abbreviation with one meaning.
    guard word != "PIN" else { return false }
    return AmbiguousWords.all.contains(word.lowercased()) && unit.text.utf8.count <= word.utf8.count + 3
      && unit.text.first?.isLetter == true && !unit.text.contains(where: \.isNumber)
  }

  private static let joints: Set<String> = ["and", "or"]

  /// Returns whether a translator cannot see what the arguments of a text stand for, although the translation depends on their meaning. This applies
  /// to two or more unexplained arguments in a text of at most eight words, and to one unexplained argument before or between a few words whose
  /// gender and case depend on the argument. It does not apply to a single argument at the end, as in “Open %@”, or to a longer text, whose other
  /// words explain the arguments.
  static func hasUnclearArguments(_ text: SourceWords) -> Bool {
    let format = text.format
    // A text with `%s` is most likely only shown and never used as a format.
    guard !format.arguments.contains(where: { $0.text.hasSuffix("s") }), size(text) > 0 else { return false }
    // The text is only a list of values, such as names: “%@, %@ and %@”.
    if text.argumentCount > 1, text.words.allSatisfy({ joints.contains($0.lowercased()) }) { return false }
    // Texts such as “3 files” and “Version 2.1” explain their values.
    if text.argumentCount == 1, format.arguments.first?.type.isNumber ?? !format.references.isEmpty { return false }
    let unexplained = text.argumentCount - ArgumentNames.namedCount(format)
    if unexplained > 1 { return size(text) <= 8 }
    // Word order in languages without spaces shows what an argument is.
    guard unexplained == 1, !text.words.contains(where: hasIdeographs), case .literal(let end)? = format.parts.last,
      end.contains(where: \.isLetter)
    else {
      return false
    }
    if case .specifier? = format.parts.first { return size(text) <= 4 }
    return size(text) <= 3
  }

  /// Returns the number of words with at least two letters. In languages without spaces, a word has about two characters.
  private static func size(_ text: SourceWords) -> Int {
    text.words.reduce(0) { sum, word in
      let ideographs = word.unicodeScalars.count(where: isIdeograph)
      return sum + (ideographs > 0 ? (ideographs + 1) / 2 : word.count > 1 ? 1 : 0)
    }
  }

  private static func hasIdeographs(_ word: Substring) -> Bool { word.unicodeScalars.contains(where: isIdeograph) }

  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool { (0x3040...0x9FFF).contains(scalar.value) }
}
