import SwiftFacts

/// The names that a project's files declare and mention, stored as one value in the cache. The key for units is the digest of the interface; the key
/// for mentions is the digest of the shape.
struct NameTable {
  /// The version of the table. Increase it when `NamedUnit` creates different words for the same facts.
  static let version = 2

  /// The entries, each after its key and its length.
  private var words: [UInt32]
  private var places: [FactsDigest: Range<Int>] = [:]
  /// Whether entries were added since the table was read.
  private(set) var isChanged = false

  private static let headWords = 5

  /// The number of words for the checksum after all entries.
  private static let checkWords = 2

  private static func check(_ words: [UInt32]) -> [UInt32] {
    let digest = words.reduce(UInt64(words.count)) { NamedUnit.mixed($0, UInt64($1)) }
    return [UInt32(truncatingIfNeeded: digest >> 32), UInt32(truncatingIfNeeded: digest)]
  }

  /// - Parameter bytes: the encoded table. For invalid bytes, the table is empty.
  init(_ bytes: [UInt8]?) {
    words = []
    guard let bytes, bytes.count % 4 == 0, bytes.count >= 4 * Self.checkWords else { return }
    words = [UInt32](unsafeUninitializedCapacity: bytes.count / 4) { buffer, count in
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      count = bytes.count / 4
    }
    let check = Array(words.suffix(Self.checkWords))
    words.removeLast(Self.checkWords)
    guard check == Self.check(words) else {
      words = []
      return
    }
    places.reserveCapacity(words.count / 64)
    var place = 0
    while place + Self.headWords <= words.count {
      let start = place + Self.headWords
      let length = Int(words[start - 1])
      guard length <= words.count - start else { break }
      places[Self.key(words[place..<start])] = start..<(start + length)
      place = start + length
    }
    if place != words.count { self = NameTable(nil) }
  }

  var encoded: [UInt8] { (words + Self.check(words)).withUnsafeBytes { Array($0) } }

  /// Returns the encoded table with only these keys.
  func encoded(only keys: Set<FactsDigest>) -> [UInt8] {
    var kept = NameTable(nil)
    for (key, range) in places where keys.contains(key) { kept.append(words[range], as: key) }
    return kept.encoded
  }

  var keys: Dictionary<FactsDigest, Range<Int>>.Keys { places.keys }

  func holds(_ key: FactsDigest) -> Bool { places[key] != nil }

  mutating func add(_ new: [UInt32], as key: FactsDigest) {
    guard places[key] == nil else { return }
    isChanged = true
    append(new[...], as: key)
  }

  private static func key(_ words: ArraySlice<UInt32>) -> FactsDigest {
    let first = words.startIndex
    return FactsDigest(
      high: UInt64(words[first]) << 32 | UInt64(words[first + 1]),
      low: UInt64(words[first + 2]) << 32 | UInt64(words[first + 3]))
  }

  private mutating func append(_ new: ArraySlice<UInt32>, as key: FactsDigest) {
    words += [key.high >> 32, key.high, key.low >> 32, key.low].map { UInt32(truncatingIfNeeded: $0) }
    words.append(UInt32(truncatingIfNeeded: new.count))
    places[key] = words.count..<(words.count + new.count)
    words += new
  }

  /// Calls `body` with the words of a key, or with no words if the table does not contain the key.
  func with<Result>(_ key: FactsDigest, _ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
    words.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[places[key] ?? 0..<0])) }
  }

  /// Calls `body` with all words, and with the ranges of the entries for these keys, in the given order. Missing keys are omitted. The caller can
  /// iterate over the entries repeatedly.
  func withUnits<Result>(_ keys: [FactsDigest], _ body: (UnsafeBufferPointer<UInt32>, [Range<Int>]) -> Result) -> Result
  {
    words.withUnsafeBufferPointer { body($0, keys.compactMap { places[$0] }) }
  }
}
