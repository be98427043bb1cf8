/// Brings a catalog in step with what code holds, as a build in Xcode does (xcode-formats.md E, xcode-extraction.md E).
///
/// Where the facts leave a choice it loses nothing:
/// - An entry that is gone from code becomes stale if any language says something of its own, even where its state is
///   `new`.
/// - A source text that a person translated or varied is never replaced by the code's.
/// - A comment stays where code has none, also one that code had once: so do the catalogs of three projects that Xcode
///   went on to write for months (a dozen cases), and a catalog does not tell who wrote a comment.
/// - `migrated` entries that code does not hold stay as they are.
package enum CatalogSync {
  /// - Parameters:
  ///   - strings: every string of this catalog that was found.
  ///   - mayRemove: whether all sources that can feed the catalog were read and understood. Otherwise nothing is taken
  ///     out or made stale, and no comment loses a line.
  package static func sync(_ catalog: Catalog, with strings: [ExtractedString], mayRemove: Bool) -> SyncResult {
    var result = SyncResult(catalog: catalog, changes: [])
    let found = Dictionary(strings.map { ($0.key, $0) }, uniquingKeysWith: joined)
    // Most entries stay as they are, and are not written: then the catalog still shares its memory with the one that was read.
    var steps: [EntrySync] = []
    for (key, present) in catalog.entries {
      var step = EntrySync(key: key, sourceLanguage: catalog.sourceLanguage, mayRemove: mayRemove)
      let entry = if let string = found[key] { step.updated(present, with: string) } else { step.missing(present) }
      if entry != present { result.catalog.entries[key] = entry }
      if !step.changes.isEmpty { steps.append(step) }
    }
    for (key, string) in found where catalog.entries[key] == nil {
      var step = EntrySync(key: key, sourceLanguage: catalog.sourceLanguage, mayRemove: mayRemove)
      result.catalog.entries[key] = step.updated(nil, with: string)
      steps.append(step)
    }
    result.changes = steps.sorted { $0.key < $1.key }.flatMap(\.changes)
    return result
  }

  /// One string of two records with the same key.
  private static func joined(_ a: ExtractedString, _ b: ExtractedString) -> ExtractedString {
    var one = a
    one.value = a.value ?? b.value
    one.phrases = a.phrases ?? b.phrases
    one.hasInterpolation = a.hasInterpolation || b.hasInterpolation
    if let added = b.comment, let comment = a.comment {
      one.comment = comment.joiningLines(of: added)
    } else {
      one.comment = a.comment ?? b.comment
    }
    return one
  }
}

/// Sync of one entry.
private struct EntrySync {
  let key: UnitKey
  let sourceLanguage: LocaleIdentifier
  let mayRemove: Bool
  var changes: [SyncChange] = []

  init(key: UnitKey, sourceLanguage: LocaleIdentifier, mayRemove: Bool) {
    self.key = key
    self.sourceLanguage = sourceLanguage
    self.mayRemove = mayRemove
  }

  private mutating func note(_ kind: SyncChange.Kind, old: String? = nil, new: String? = nil) {
    changes.append(SyncChange(key: key, kind: kind, old: old, new: new))
  }

  // MARK: Not in code (xcode-formats.md E1, E2)

  mutating func missing(_ entry: CatalogEntry?) -> CatalogEntry? {
    guard var entry, mayRemove, entry.extractionState == nil || entry.extractionState == .extractedWithValue else {
      return entry
    }
    guard saysSomething(entry) else {
      note(.removed)
      return nil
    }
    note(.becameStale)
    entry.extractionState = .stale
    return entry
  }

  /// Whether a person or a translator put anything in that code does not give.
  private func saysSomething(_ entry: CatalogEntry) -> Bool {
    let source = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
    return entry.translations.contains { language, translation in
      translation.leaves.contains { path, leaf in
        guard leaf.state == .new else { return true }
        guard language != sourceLanguage else { return !path.isRoot }
        return !leaf.words.isEmpty && !leaf.words.isExactly(source.leaf(at: path)?.words ?? .text(key.text))
      }
    }
  }

  // MARK: In code (xcode-formats.md E3-E6)

  mutating func updated(_ present: CatalogEntry?, with string: ExtractedString) -> CatalogEntry? {
    guard var entry = present else {
      note(.added)
      return created(from: string)
    }
    guard entry.extractionState != .manual else { return entry }
    updateState(&entry, with: string)
    updateSource(&entry, with: string)
    updateComment(&entry, with: string)
    return entry
  }

  private func created(from string: ExtractedString) -> CatalogEntry {
    var entry = CatalogEntry(comment: string.comment)
    if let words = given(by: string) {
      entry.extractionState = .extractedWithValue
      entry.translations[sourceLanguage] = Translation(leaf: VariedLeaf(words, state: .new))
    } else if let numbered = numberedKey(string) {
      entry.translations[sourceLanguage] = Translation(numbered, state: .new)
    }
    return entry
  }

  /// The source text that code gives besides the key; of an interpolated value with several arguments the numbered
  /// form. A value that is the key itself is none: Xcode leaves such an entry as if code gave no value (xcode-formats.md E3).
  private func given(by string: ExtractedString) -> ExchangeText? {
    if let phrases = string.phrases { return .phrases(phrases) }
    guard let value = string.value, !value.isExactly(key.text) else { return nil }
    return .text(string.hasInterpolation ? FormatString(value).numbered ?? value : value)
  }

  private func numberedKey(_ string: ExtractedString) -> String? {
    string.hasInterpolation ? FormatString(key.text).numbered : nil
  }

  private mutating func updateState(_ entry: inout CatalogEntry, with string: ExtractedString) {
    let old = entry.extractionState
    // Where a person translated or varied the source text, the catalog gives it and no longer code (xcode-formats.md A5).
    let givesText =
      given(by: string) != nil && (old == .extractedWithValue || isCodes(entry.translations[sourceLanguage]))
    let state: ExtractionState? = givesText ? .extractedWithValue : nil
    guard old != state else { return }
    entry.extractionState = state
    if old == .stale {
      note(.revived)
    } else {
      note(.extractionStateChanged, old: old?.rawValue, new: state?.rawValue)
    }
    // The value that code gave is gone with it: the key is the text again.
    if old == .extractedWithValue, isCodes(entry.translations[sourceLanguage]) {
      let before = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation
      entry.translations[sourceLanguage] = numberedKey(string).map { Translation($0, state: .new) }
      sourceBecame(of: &entry, before: before)
    }
  }

  /// Whether a source text is one that code gave: not varied and in state `new`. What a person wrote is `translated`.
  private func isCodes(_ translation: Translation?) -> Bool {
    guard let translation else { return true }
    return translation.substitutions.isEmpty && translation[.root]?.state == .new
  }

  private mutating func updateSource(_ entry: inout CatalogEntry, with string: ExtractedString) {
    let present = entry.translations[sourceLanguage]
    guard isCodes(present) else { return }
    guard let words = given(by: string) else {
      // Xcode numbers the arguments of a key that is new to it; of one that translators already have it adds no source text (15 keys of
      // 7 public projects, none against).
      guard entry.translations.isEmpty, let numbered = numberedKey(string) else { return }
      entry.translations[sourceLanguage] = Translation(numbered, state: .new)
      note(.sourceAdded, new: numbered)
      return
    }
    guard !(present?[.root].map { $0.words.isExactly(words) } ?? false) else { return }
    let before = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation
    entry.translations[sourceLanguage] = Translation(leaf: VariedLeaf(words, state: .new))
    sourceBecame(of: &entry, before: before)
  }

  /// Notes a change of the source text, and asks for a review of what was translated from the old one (xcode-formats.md E5).
  private mutating func sourceBecame(of entry: inout CatalogEntry, before: Translation) {
    let after = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
    guard let old = before[.root], let new = after.translation[.root], !old.words.isExactly(new.words) else { return }
    note(.sourceChanged, old: old.texts.joined(separator: "\n"), new: new.texts.joined(separator: "\n"))
    let was = old.texts.map { UnitKey(FormatString($0).unnumbered) }
    guard was != new.texts.map({ UnitKey(FormatString($0).unnumbered) }) else { return }
    for (language, translation) in entry.translations where language != sourceLanguage {
      entry.translations[language] = translation.mapLeaves { _, leaf in
        var leaf = leaf
        if leaf.state == .translated || leaf.state == .machineTranslated { leaf.state = .needsReview }
        return leaf
      }
    }
  }

  private mutating func updateComment(_ entry: inout CatalogEntry, with string: ExtractedString) {
    let old = entry.comment
    guard var comment = string.comment else { return }
    // A line that no source gives may stand in one that was not read.
    if !mayRemove, let old, !entry.isCommentAutoGenerated { comment = old.joiningLines(of: comment) }
    guard !old.isExactly(comment) else { return }
    // Xcode's words for a key of an Info.plist are no one's comment: one that stands there stays.
    if string.origin == .infoPlist, old != nil { return }
    entry.comment = comment
    entry.isCommentAutoGenerated = false
    note(.commentChanged, old: old, new: comment)
  }
}

extension String {
  /// Both comments' lines, each once; where the other adds none, the text as it is. Several comments of one key stand sorted
  /// (xcode-extraction.md E); lines in another order are a text of their own, which keeps it, and what the other adds comes behind.
  fileprivate func joiningLines(of other: String) -> String {
    let lines = split(separator: "\n").map { UnitKey(String($0)) }
    let added = Set(other.split(separator: "\n").map { UnitKey(String($0)) }).subtracting(lines).sorted()
    guard !added.isEmpty else { return self }
    if lines == lines.sorted() { return (lines + added).sorted().map(\.text).joined(separator: "\n") }
    return self + "\n" + added.map(\.text).joined(separator: "\n")
  }
}

extension Translation {
  /// A translation that does not vary.
  package init(leaf: VariedLeaf) {
    self.init(text: VariedText(leaf, at: []))
  }
}
