/// The trigrams of texts: all sequences of three scalars, in lower case. A text can be part of another only if all its trigrams are among
/// those of the other, so searches skip pipelines that lack one.
struct TextGrams {
  /// Three scalars of 21 bits each.
  private(set) var values: Set<Int64> = []

  init() {}

  mutating func add(_ text: String) {
    var gram: Int64 = 0
    for (place, scalar) in text.lowercased().unicodeScalars.enumerated() {
      gram = (gram << 21 | Int64(scalar.value)) & .max
      if place >= 2 { values.insert(gram) }
    }
  }

  /// Returns the stored list of the sources that have a trigram: ids between commas. `nil` if there are too many for a list.
  static func list(of ids: [Int64]) -> String? {
    let list = ids.map(String.init).joined(separator: ",")
    return list.utf8.count <= longest ? list : nil
  }

  /// - Returns: the ids of a stored list.
  static func ids(_ list: String) -> [Int64] { list.split(separator: ",").compactMap { Int64($0) } }

  /// The length of the longest list.
  private static let longest = 120

  /// Adds sources to a trigram of a pipeline. A list that would become too long becomes `NULL`, and stays so.
  static let insert = """
    INSERT INTO source_gram (pipeline, gram, sources) VALUES (?, ?, ?)
    ON CONFLICT (pipeline, gram) DO UPDATE SET sources =
      CASE WHEN length(source_gram.sources) + length(excluded.sources) < \(longest)
        THEN source_gram.sources || ',' || excluded.sources END
      WHERE source_gram.sources IS NOT NULL
    """
}

/// A text that people search for, in any case. Scalars are compared, so a composed letter is not found by a decomposed one.
struct SearchedText {
  private let lowercased: String
  /// The text in UTF-8, in which the bytes of a scalar match only that scalar.
  private let bytes: [UInt8]

  init(_ text: String) {
    lowercased = text.lowercased()
    bytes = Array(lowercased.utf8)
  }

  func isIn(_ text: String) -> Bool {
    guard let first = bytes.first else { return true }
    var text = text.lowercased()
    return text.withUTF8 { text in
      var start = 0
      while text.count - start >= bytes.count, let place = text[start...].firstIndex(of: first) {
        guard text[place...].count >= bytes.count else { return false }
        if text[place..<place + bytes.count].elementsEqual(bytes) { return true }
        start = place + 1
      }
      return false
    }
  }

  /// The trigrams to look up. A few suffice to distinguish texts, and each is looked up in each pipeline.
  var grams: [Int64] {
    var grams = TextGrams()
    grams.add(lowercased)
    return Array(grams.values.sorted().prefix(64))
  }

  /// A pattern for `LIKE` on the stored value: the longest part that SQLite's `lower` and JSON do not change.
  var pattern: String {
    let runs = lowercased.unicodeScalars.split {
      !("a"..."z").contains($0) && !("0"..."9").contains($0) && $0 != " "
    }
    guard let longest = runs.max(by: { $0.count < $1.count }) else { return "%" }
    return "%\(Substring(longest))%"
  }
}
