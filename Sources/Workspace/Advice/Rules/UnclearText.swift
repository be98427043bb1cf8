import Localization

/// Decides which texts a translator cannot translate without a comment.
enum UnclearText {
  /// Returns whether a text is an English word with several meanings, alone on a screen.
  static func isAmbiguousWord(_ unit: AdvisedUnit, _ text: SourceWords) -> Bool {
    guard unit.sourceLanguage.language == "en", text.words.count == 1, let word = text.words.first, !unit.isNamed else {
      return false
    }
    // In capitals it is an abbreviation.
    guard word != "PIN" else { return false }
    return AmbiguousWords.all.contains(word.lowercased()) && unit.text.utf8.count <= word.utf8.count + 3
      && unit.text.first?.isLetter == true && !unit.text.contains(where: \.isNumber)
  }

  private static let joints: Set<String> = ["and", "or"]

  /// Returns whether a translator cannot see what the arguments of a text stand for, although the translation depends on it. This applies
  /// to two arguments, and to one before or between a few words, whose gender and case change with it. An argument at the end, as in “Open
  /// %@”, can be anything, and in a long sentence the words around it say what it is.
  static func hasUnclearArguments(_ text: SourceWords) -> Bool {
    let format = text.format
    // The text is only shown, and never formatted.
    guard !format.arguments.contains(where: { $0.text.hasSuffix("s") }), size(text) > 0 else { return false }
    // A list of values, such as names: “%@, %@ and %@”.
    if text.argumentCount > 1, text.words.allSatisfy({ joints.contains($0.lowercased()) }) { return false }
    // “3 files” and “Version 2.1” say what their values are.
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

  /// Returns the number of words with two letters and more. Languages without spaces have about two characters in a word.
  private static func size(_ text: SourceWords) -> Int {
    text.words.reduce(0) { sum, word in
      let ideographs = word.unicodeScalars.count(where: isIdeograph)
      return sum + (ideographs > 0 ? (ideographs + 1) / 2 : word.count > 1 ? 1 : 0)
    }
  }

  private static func hasIdeographs(_ word: Substring) -> Bool { word.unicodeScalars.contains(where: isIdeograph) }

  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool { (0x3040...0x9FFF).contains(scalar.value) }
}
