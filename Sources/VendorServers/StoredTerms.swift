import Testing

/// The terms of a vendor's glossary, as the servers in this folder store them. An issue is recorded if a term is added twice.
package struct StoredTerms: Sendable {
  package struct Term: Sendable {
    package var text: String
    package var description: String
    /// The translations by the vendor's language code.
    package var translations: [String: (id: Int, text: String)] = [:]
  }

  package private(set) var all: [Int: Term] = [:]
  private var last = 7000

  package init() {}

  /// The terms in the order in which they were added.
  package var sorted: [(id: Int, term: Term)] { all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  package mutating func add(_ text: String, _ description: String = "") -> Int {
    if all.values.contains(where: { $0.text == text }) { Issue.record("the term \(text) was added twice") }
    last += 1
    all[last] = Term(text: text, description: description)
    return last
  }

  /// Sets the translation of a term.
  /// - Returns: the ID of the translation; `nil` if the term does not exist.
  package mutating func set(_ term: Int, _ code: String, _ text: String) -> Int? {
    guard all[term] != nil else { return nil }
    last += 1
    let id = all[term]?.translations[code]?.id ?? last
    all[term]?.translations[code] = (id, text)
    return id
  }

  /// Removes the translations of a term.
  package mutating func clear(_ term: Int) { all[term]?.translations = [:] }

  /// Returns the term and the language of a translation.
  package func place(of translation: Int) -> (term: Int, code: String)? {
    for (id, term) in all {
      if let code = term.translations.first(where: { $0.value.id == translation })?.key { return (id, code) }
    }
    return nil
  }

  /// Sets the translation of a term, as a person would at the vendor. A missing term is added.
  package mutating func edit(_ text: String, _ code: String, _ translation: String) {
    let known = all.first { $0.value.text == text }?.key
    _ = set(known ?? add(text), code, translation)
  }

  /// The terms with their translations as sorted lines: `bird de=Vogel`.
  package var lines: [String] {
    all.values.flatMap { term in term.translations.map { "\(term.text) \($0.key)=\($0.value.text)" } }.sorted()
  }
}
