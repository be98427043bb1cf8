/// The trigrams of texts. A trigram is a sequence of three Unicode scalars, in lower case. A text can contain another text only if it has all
/// trigrams of the other text, so a search skips pipelines that lack a trigram of the searched text.
struct TextGrams {
  /// The trigrams. Each trigram is encoded as three scalars of 21 bits.
  private(set) var values: Set<Int64> = []

  init() {}

  mutating func add(_ text: String) {
    var gram: Int64 = 0
    for (place, scalar) in text.lowercased().unicodeScalars.enumerated() {
      gram = (gram << 21 | Int64(scalar.value)) & .max
      if place >= 2 { values.insert(gram) }
    }
  }

  /// Returns the stored form of a list of sources: the ids of the sources, separated by commas; `nil` if the list would be too long.
  static func list(of ids: [Int64]) -> String? {
    let list = ids.map(String.init).joined(separator: ",")
    return list.utf8.count <= longest ? list : nil
  }

  /// Returns the ids in a stored list.
  static func ids(_ list: String) -> [Int64] { list.split(separator: ",").compactMap { Int64($0) } }

  /// The maximum length of a stored list, in bytes.
  private static let longest = 120

  /// The statement that adds sources to a trigram of a pipeline. A list that would become too long is set to `NULL` permanently.
  static let insert = """
    INSERT INTO source_gram (pipeline, gram, sources) VALUES (?, ?, ?)
    ON CONFLICT (pipeline, gram) DO UPDATE SET sources =
      CASE WHEN length(source_gram.sources) + length(excluded.sources) < \(longest)
        THEN source_gram.sources || ',' || excluded.sources END
      WHERE source_gram.sources IS NOT NULL
    """
}

/// A text that people search for. Case is ignored. Unicode scalars are compared, so a decomposed letter does not match a composed letter.
struct SearchedText {
  private let lowercased: String
  /// The text in UTF-8. Bytes can be compared, because in UTF-8 the bytes of a scalar match only that scalar.
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

  /// The trigrams to look up. At most 64 trigrams are used, because 64 suffice to distinguish texts, and each trigram is looked up in each pipeline.
  var grams: [Int64] {
    var grams = TextGrams()
    grams.add(lowercased)
    return Array(grams.values.sorted().prefix(64))
  }

  /// The pattern for `LIKE` on the stored value. It contains the longest part of the text that neither the database's `lower` (in SQLite only for
  /// ASCII) nor JSON encoding changes.
  var pattern: String {
    let runs = lowercased.unicodeScalars.split {
      !("a"..."z").contains($0) && !("0"..."9").contains($0) && $0 != " "
    }
    guard let longest = runs.max(by: { $0.count < $1.count }) else { return "%" }
    return "%\(Substring(longest))%"
  }
}
