import SwiftFacts

/// The names that a project's files declare and mention, stored as one value in the cache. The key for units is the digest of the interface; the key
/// for mentions is the digest of the shape.
struct NameTable {
  /// A digest that `EncodedFacts` computes.
  struct Key: Hashable {
    let high: UInt64
    let low: UInt64

    /// - Parameter digest: `EncodedFacts.digestBytes` bytes. For any other number of bytes, the result is `nil`.
    init?(_ digest: [UInt8]) {
      guard digest.count == EncodedFacts.digestBytes else { return nil }
      high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
      low = digest[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    fileprivate init(_ words: ArraySlice<UInt32>) {
      let first = words.startIndex
      high = UInt64(words[first]) << 32 | UInt64(words[first + 1])
      low = UInt64(words[first + 2]) << 32 | UInt64(words[first + 3])
    }

    fileprivate var words: [UInt32] {
      [high >> 32, high, low >> 32, low].map { UInt32(truncatingIfNeeded: $0) }
    }
  }

  /// The version of the table. Increase it when `NamedUnit` creates different words for the same facts.
  static let version = 2

  /// The entries, each after its key and its length.
  private var words: [UInt32]
  private var places: [Key: Range<Int>] = [:]
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
      places[Key(words[place..<start])] = start..<(start + length)
      place = start + length
    }
    if place != words.count { self = NameTable(nil) }
  }

  var encoded: [UInt8] { (words + Self.check(words)).withUnsafeBytes { Array($0) } }

  /// Returns the encoded table with only these keys.
  func encoded(only keys: Set<Key>) -> [UInt8] {
    var kept = NameTable(nil)
    for (key, range) in places where keys.contains(key) { kept.append(words[range], as: key) }
    return kept.encoded
  }

  var keys: Dictionary<Key, Range<Int>>.Keys { places.keys }

  func holds(_ key: Key) -> Bool { places[key] != nil }

  mutating func add(_ new: [UInt32], as key: Key) {
    guard places[key] == nil else { return }
    isChanged = true
    append(new[...], as: key)
  }

  private mutating func append(_ new: ArraySlice<UInt32>, as key: Key) {
    words += key.words
    words.append(UInt32(truncatingIfNeeded: new.count))
    places[key] = words.count..<(words.count + new.count)
    words += new
  }

  /// Calls `body` with the words of a key, or with no words if the table does not contain the key.
  func with<Result>(_ key: Key, _ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
    words.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[places[key] ?? 0..<0])) }
  }

  /// Calls `body` with all words, and with the ranges of the entries for these keys, in the given order. Missing keys are omitted. The caller can
  /// iterate over the entries repeatedly.
  func withUnits<Result>(_ keys: [Key], _ body: (UnsafeBufferPointer<UInt32>, [Range<Int>]) -> Result) -> Result {
    words.withUnsafeBufferPointer { body($0, keys.compactMap { places[$0] }) }
  }
}
