import Localization

/// A search for the project's own versions of localizing functions and types, such as a view `Text`.
extension CodeScreen {
  private static let lookups: [StaticString] = ["Text", "NSLocalizedString"]
  private static let strings: [StaticString] = ["String", "AttributedString"]

  /// Notes a declared type or function if it has the name of a localizing function or type.
  mutating func noteLookup(_ word: Range<Int>) {
    for name in Self.lookups where name.utf8CodeUnitCount == word.count && has(name, at: word.lowerBound) {
      traits.ownLookups.insert(name.description)
    }
  }

  /// Notes an extension of `String` or `AttributedString`.
  /// - Parameter end: the index after `extension`.
  mutating func noteExtension(_ end: Int) {
    let start = next(end)
    for name in Self.strings
    where has(name, at: start) && !BytesOfWords.isWord(byte(at: start + name.utf8CodeUnitCount)) {
      extended.insert(name.description)
    }
  }

  /// Notes an initializer `init(localized…)` in a file that extends `String` or `AttributedString`.
  /// - Parameter end: the index after `init`.
  mutating func noteInitializer(_ end: Int) {
    guard !extended.isEmpty else { return }
    var index = next(end)
    if byte(at: index) == UInt8(ascii: "?") || byte(at: index) == UInt8(ascii: "!") { index = next(index + 1) }
    guard byte(at: index) == UInt8(ascii: "("), has("localized", at: next(index + 1)) else { return }
    traits.ownLookups.formUnion(extended)
  }
}
