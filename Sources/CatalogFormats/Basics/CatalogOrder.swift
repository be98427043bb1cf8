internal import Foundation
internal import Localization

/// The order in which Xcode writes the keys of every object of a String Catalog, and the files of an XLIFF. It is the order of Foundation's
/// sorted JSON keys: `NSString.compare` with numeric, case-insensitive and forced ordering in the root locale (xcode-formats.md A2).
///
/// A call to Foundation takes microseconds, so `fastComparison` first tries to compare ASCII texts without Foundation.
package enum CatalogOrder {
  package static func precedes(_ a: String, _ b: String) -> Bool {
    switch fastComparison(a, b) {
    case .orderedAscending: true
    case .orderedDescending: false
    default: foundationComparison(a, b) == .orderedAscending
    }
  }

  /// Compares two texts with Foundation. Texts are equal only if their code points are the same.
  static func foundationComparison(_ a: String, _ b: String) -> ComparisonResult {
    let first = NSString(string: a)
    let result = first.compare(
      b, options: [.numeric, .caseInsensitive, .forcedOrdering], range: NSRange(location: 0, length: first.length),
      locale: rootLocale)
    return result == .orderedSame ? byteComparison(a, b) : result
  }

  private static let rootLocale = Locale(identifier: "")

  static func byteComparison(_ a: String, _ b: String) -> ComparisonResult {
    if a.isExactly(b) { return .orderedSame }
    return a.utf8.lexicographicallyPrecedes(b.utf8) ? .orderedAscending : .orderedDescending
  }

  /// Compares the first characters or numbers that differ by more than case, or the lengths if one text is a prefix of the other. Returns `nil` if
  /// Foundation must decide: if the texts differ only in case or not at all, if a character up to that point is not printable ASCII, if equal numbers
  /// are written differently, if a number has more than nine digits, or if a combining mark could follow.
  static func fastComparison(_ a: String, _ b: String) -> ComparisonResult? {
    var (first, second) = (a, b)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        fastComparison(unsafe Span(_unsafeElements: first), unsafe Span(_unsafeElements: second))
      }
    }
  }

  /// Compares two texts, given as UTF-8 bytes, like the function for strings.
  static func fastComparison(_ left: Span<UInt8>, _ right: Span<UInt8>) -> ComparisonResult? {
    let count = min(left.count, right.count)
    var index = 0
    while index < count {
      let (x, y) = (left[index], right[index])
      guard (0x20...0x7E).contains(x), (0x20...0x7E).contains(y) else { return nil }
      if isDigit(x), isDigit(y) {
        guard let one = number(left, at: index), let other = number(right, at: index) else { return nil }
        guard one.value == other.value else {
          guard isPlain(left, one.end), isPlain(right, other.end) else { return nil }
          return one.value < other.value ? .orderedAscending : .orderedDescending
        }
        guard one.end == other.end else { return nil }
        index = one.end
        continue
      }
      let (low, high) = (weights[Int(x)], weights[Int(y)])
      if x != y, low != high || low == 0 {
        guard low != 0, high != 0, isPlain(left, index + 1), isPlain(right, index + 1) else { return nil }
        return low < high ? .orderedAscending : .orderedDescending
      }
      index += 1
    }
    guard left.count != right.count else { return nil }
    let longer = left.count < right.count ? right : left
    guard (0x20...0x7E).contains(longer[count]), weights[Int(longer[count])] != 0, isPlain(longer, count + 1) else {
      return nil
    }
    return left.count < right.count ? .orderedAscending : .orderedDescending
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Returns the number that starts at an index; `nil` if it has more than nine digits.
  private static func number(_ bytes: Span<UInt8>, at index: Int) -> (value: Int, end: Int)? {
    var (value, end) = (0, index)
    while end < bytes.count, isDigit(bytes[end]) {
      guard end - index < 9 else { return nil }
      value = value * 10 + Int(bytes[end] - UInt8(ascii: "0"))
      end += 1
    }
    return (value, end)
  }

  private static func isPlain(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    index >= bytes.count || bytes[index] < 0x80
  }

  /// The rank of each ASCII character in the root collation. The upper-case and lower-case forms of a letter have the same rank, and so do all
  /// digits. 0 means that Foundation must decide.
  private static let weights: [UInt8] = {
    var weights = [UInt8](repeating: 0, count: 128)
    for (place, character) in " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8.enumerated() {
      weights[Int(character)] = UInt8(place) + 1
    }
    // The rank of a digit is used only for comparisons with other characters, because two numbers are compared by value.
    for digit in "0123456789".utf8 { weights[Int(digit)] = UInt8(ascii: "a") - 1 }
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      weights[Int(letter)] = letter
      weights[Int(letter) - 32] = letter
    }
    return weights
  }()
}
