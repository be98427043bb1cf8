/// The trigrams of texts: each three scalars in a row, in lower case. A text can be part of another only if all its trigrams are
/// among those of the other, so searches skip pipelines that lack one.
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
}

/// A text that people search for, in any case. Scalars are compared, so a composed letter is not found by a decomposed one.
struct SearchedText {
  private let lowercased: String

  init(_ text: String) { lowercased = text.lowercased() }

  func isIn(_ text: String) -> Bool {
    let wanted = lowercased.unicodeScalars
    return wanted.isEmpty || text.lowercased().unicodeScalars.contains(wanted)
  }

  /// A few suffice to tell texts apart, and each is looked up in each pipeline.
  var grams: [Int64] {
    var grams = TextGrams()
    grams.add(lowercased)
    return Array(grams.values.sorted().prefix(64))
  }

  /// A pattern for `LIKE` on the stored value: the longest part that SQLite's `lower` and JSON leave as it is.
  var pattern: String {
    let runs = lowercased.unicodeScalars.split {
      !("a"..."z").contains($0) && !("0"..."9").contains($0) && $0 != " "
    }
    guard let longest = runs.max(by: { $0.count < $1.count }) else { return "%" }
    return "%\(Substring(longest))%"
  }
}
