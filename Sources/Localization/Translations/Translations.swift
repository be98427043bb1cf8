/// The translations of one entry in a file, decoded on demand. There is at least one translation. The format of String Catalogs implements this
/// protocol. Other formats decode all translations when they read a file.
package protocol StoredTranslations: AnyObject, Sendable {
  /// Returns the translation in a language; `nil` if the entry has no translation in this language.
  func translation(in language: LocaleIdentifier) -> Translation?

  /// The number of languages in the file's entry, including languages without a translation.
  var approximateCount: Int { get }

  /// Adds the languages of the translations to a count, in the order of the file.
  func addLanguages(to count: inout LanguageCount)

  /// Calls `body` once for each translation, in the order of the file.
  func forEach(_ body: (LocaleIdentifier, StoredTranslation) -> Void)

  /// Returns the text with an index from `StoredTranslation.plain`.
  func text(at place: Int) -> String

  /// Returns whether a text of the file may consist only of white space, or may reference a substitution (`%#@birds@`). Decodes nothing.
  func isUnusual(at place: Int) -> Bool

  /// Returns whether another entry consists of the same bytes. Decodes nothing. Entries with different bytes may still have equal
  /// translations.
  func isWritten(like other: any StoredTranslations) -> Bool
}

/// A translation that was decoded only as far as its kind requires.
package enum StoredTranslation: Sendable {
  /// One text, with its index for `StoredTranslations.text(at:)`.
  case plain(TranslationState, text: Int)
  case read(Translation)
}

/// The translations of a text unit by language.
///
/// Translations from a file are decoded each time they are requested, because most operations need only a few of them. Changes are stored
/// separately. `==` compares values and is fast if both sides come from the same file.
package struct Translations: Sendable {
  /// The translations in the file; `nil` if they do not come from a file.
  private let stored: (any StoredTranslations)?
  /// The differences from `stored`, with `nil` for removed languages. If `stored` is `nil`, these are all translations.
  private var changes: [LocaleIdentifier: Translation?]

  package init(_ stored: any StoredTranslations) {
    self.stored = stored
    changes = [:]
  }

  package init(_ translations: [LocaleIdentifier: Translation] = [:]) {
    stored = nil
    changes = translations.mapValues { $0 }
  }

  package subscript(language: LocaleIdentifier) -> Translation? {
    get {
      if let change = changes[language] { return change }
      return stored?.translation(in: language)
    }
    set {
      if stored == nil, newValue == nil {
        changes.removeValue(forKey: language)
      } else {
        changes.updateValue(newValue, forKey: language)
      }
    }
  }

  /// The translations in the file and the changes since they were read; `nil` if they do not come from a file.
  package var sinceRead: (stored: any StoredTranslations, changes: [LocaleIdentifier: Translation?])? {
    stored.map { ($0, changes) }
  }

  package var isEmpty: Bool { changes.isEmpty ? stored == nil : keys.isEmpty }

  /// The approximate number of translations, for limits on memory. Decodes nothing.
  package var approximateCount: Int { (stored?.approximateCount ?? 0) + changes.count }

  package var count: Int {
    var count = 0
    forEachStored { _, _ in count += 1 }
    return count
  }

  /// The languages: first the unchanged languages of the file in the order of the file, then the changed and added languages.
  package var keys: [LocaleIdentifier] {
    var found: [LocaleIdentifier] = []
    forEachStored { language, _ in found.append(language) }
    return found
  }

  func addLanguages(to count: inout LanguageCount) {
    if changes.isEmpty || changes.values.allSatisfy({ $0 != nil }) {
      stored?.addLanguages(to: &count)
      for language in changes.keys { count.insert(language) }
    } else {
      for language in keys { count.insert(language) }
    }
  }

  package var values: [Translation] { map(\.value) }

  /// All translations, decoded.
  package var byLanguage: [LocaleIdentifier: Translation] {
    Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Calls `body` for each translation with the state of its text; the state is `nil` for a translation that varies or is a set of phrases.
  /// - Parameter isEvery: if `false`, the state is also `nil` for a text that may show nothing or may reference a substitution. A text that is stored
  ///   in the file with the state `new` always has its state.
  func forEachState(isEvery: Bool = true, _ body: (LocaleIdentifier, TranslationState?) -> Void) {
    forEachStored { language, stored in
      switch stored {
      case .plain(let state, let place):
        body(language, isEvery || state == .new || self.stored?.isUnusual(at: place) == false ? state : nil)
      case .read(let translation):
        body(language, isEvery || !translation.isUnusual ? translation.plainState : nil)
      }
    }
  }

  /// Calls `body` for each translation that varies or is a set of phrases.
  package func forEachVaried(_ body: (LocaleIdentifier, Translation) -> Void) {
    forEachStored { language, stored in
      if case .read(let translation) = stored, translation.plainState == nil { body(language, translation) }
    }
  }

  private func forEachStored(_ body: (LocaleIdentifier, StoredTranslation) -> Void) {
    stored?.forEach { language, stored in
      if changes.isEmpty || changes[language] == nil { body(language, stored) }
    }
    for (language, change) in changes { if let change { body(language, .read(change)) } }
  }

  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Translations {
    var kept: [LocaleIdentifier: Translation] = [:]
    for element in self where try isIncluded(element) { kept[element.key] = element.value }
    return Translations(kept)
  }
}

extension Translations: Sequence {
  package typealias Element = (key: LocaleIdentifier, value: Translation)

  package func makeIterator() -> Array<Element>.Iterator {
    var found: [Element] = []
    forEachStored { language, stored in
      switch stored {
      case .plain(let state, let place):
        if let text = self.stored?.text(at: place) { found.append((language, Translation(text, state: state))) }
      case .read(let translation): found.append((language, translation))
      }
    }
    return found.makeIterator()
  }
}

extension Translations: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (LocaleIdentifier, Translation)...) {
    self.init(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension Translations: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    guard a.stored === b.stored else {
      if a.changes.isEmpty, b.changes.isEmpty, let stored = a.stored, let other = b.stored,
        stored.isWritten(like: other)
      {
        return true
      }
      return a.byLanguage == b.byLanguage
    }
    if a.stored == nil || (a.changes.isEmpty && b.changes.isEmpty) { return a.changes == b.changes }
    return a.changes.keys.allSatisfy { a[$0] == b[$0] } && b.changes.keys.allSatisfy { a[$0] == b[$0] }
  }

  package func hash(into hasher: inout Hasher) { Set(keys).hash(into: &hasher) }
}

extension Translation {
  /// The state of a translation that is one text; `nil` if the translation varies or is a set of phrases.
  package var plainState: TranslationState? {
    guard case .text(let unit) = text, substitutions.isEmpty else { return nil }
    return unit.state
  }

  /// Whether the translation is one text that may show nothing or may reference a substitution.
  fileprivate var isUnusual: Bool {
    guard case .text(let unit) = text else { return false }
    guard let first = unit.value.unicodeScalars.first else { return true }
    return first.showsNothing || unit.value.utf8.contains(UInt8(ascii: "#"))
  }
}
