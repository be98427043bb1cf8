internal import Foundation

/// The order in which Xcode writes the units of an XLIFF file: `NSString.compare` on complete ids, with only the numeric option and without a locale.
/// The order is therefore case-sensitive, and canonically equivalent characters are equal in it (xcode-formats.md B1). We sort ids that are equal in
/// this order by their bytes.
package enum UnitOrder {
  package static func precedes(_ a: String, _ b: String) -> Bool {
    switch fastComparison(a, b) {
    case .orderedAscending: true
    case .orderedDescending: false
    default: foundationComparison(a, b) == .orderedAscending
    }
  }

  /// Compares two texts with Foundation. Texts are equal only if their code points are the same.
  static func foundationComparison(_ a: String, _ b: String) -> ComparisonResult {
    let result = NSString(string: a).compare(b, options: [.numeric])
    return result == .orderedSame ? CatalogOrder.byteComparison(a, b) : result
  }

  /// Compares the first characters that differ. Returns `nil` if Foundation must decide: if one text begins with the other, or if one of these
  /// characters is not printable ASCII, is a digit, or could be followed by a combining mark.
  static func fastComparison(_ a: String, _ b: String) -> ComparisonResult? {
    var (first, second) = (a, b)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        let left = unsafe Span(_unsafeElements: first)
        let right = unsafe Span(_unsafeElements: second)
        let count = min(left.count, right.count)
        for index in 0..<count where left[index] != right[index] {
          guard isSettled(left, index), isSettled(right, index) else { return nil }
          return left[index] < right[index] ? .orderedAscending : .orderedDescending
        }
        return nil
      }
    }
  }

  private static func isSettled(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    (0x20...0x7E).contains(bytes[index]) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
      && (index + 1 >= bytes.count || bytes[index + 1] < 0x80)
  }
}
