internal import Foundation
package import Localization
internal import TestSupport
import Testing
internal import TranslationVendors

/// The contents of a Weblate project. This state is only used while the server's lock is held.
final class WeblateState {
  static let codes = ["ca@valencia", "de", "en", "ja", "pt_BR", "uk", "zh_Hans"]
  /// The number of plural forms of a language in Weblate's rules, which cover only whole numbers.
  static let ownForms = ["de": 2, "ja": 1, "uk": 3]

  var components: [String: Component] = [:]
  var unitRequests = 0
  /// The changes of all translations, newest first. The addresses of strings end with the strings' ids.
  var changes: [[String: Any]] = []
  var users: [String: [String: Any]] = [:]
  /// The terms of the component `glossary`. The languages of this component are ``termLanguages``.
  var terms = StoredTerms()
  var termLanguages: Set<String> = ["en", "uk"]
  private var lastID = 0

  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Deletes a string of a source language, and returns whether the string existed.
  func delete(_ id: Int) -> Bool {
    for component in components.values {
      if let key = component.ids.first(where: { $0.value == id })?.key {
        component.delete(key)
        return true
      }
    }
    return false
  }

  final class Language {
    var forms: Int
    var texts: [String: Text] = [:]
    init(forms: Int) { self.forms = forms }
  }

  struct Text: Hashable {
    var target: [String]
    var state: Int
    var previous = ""
  }

  final class Component {
    let name: String
    let source: String
    var format = "po-mono"
    var template: [UInt8] = []
    var languages: [String: Language] = [:]
    /// The ids of strings in the source language, by key. Ids of translations are higher.
    var ids: [String: Int] = [:]
    /// The keys of strings that the template no longer marks as read-only. Weblate treats these strings as read-only until Weblate reads the files
    /// again.
    private var stuck: Set<String> = []
    private(set) var entries: [GettextEntry] = []

    init(name: String, source: String) {
      self.name = name
      self.source = source
    }

    func replaceTemplate(_ bytes: [UInt8], _ state: WeblateState) -> Bool {
      guard let file = try? GettextReader.read(bytes, of: "test") else { return false }
      if Set(file.entries.map(\.id)).count != file.entries.count { Issue.record("a string was added twice") }
      let refused = file.entries.contains { entry in
        ([entry.id] + entry.texts).joined().unicodeScalars.contains {
          $0.value < 0x20 && ![9, 10, 13].contains($0.value)
        }
      }
      guard !refused else { return false }
      let old = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
      if file.bytes != template { stuck = [] }
      for entry in file.entries {
        if ids[entry.id] == nil { ids[entry.id] = state.nextID() }
        guard let before = old[entry.id] else { continue }
        if before.isReadOnly, !entry.isReadOnly { stuck.insert(entry.id) }
        guard before.texts != entry.texts else { continue }
        for language in languages.values {
          guard var text = language.texts[entry.id], text.state >= 10 else { continue }
          if text.state != 11 { text.previous = before.texts.joined(separator: "\u{1E}\u{1E}") }
          text.state = 11
          language.texts[entry.id] = text
        }
      }
      entries = file.entries
      template = bytes
      return true
    }

    func scan() { stuck = [] }

    /// Changes a source text, as a person would. The change is committed to the template later.
    func edit(_ key: String, _ text: String) {
      guard let index = entries.firstIndex(where: { $0.id == key }) else { return }
      let before = entries[index].texts
      entries[index].texts = [text]
      for language in languages.values where language.texts[key].map({ $0.state >= 10 }) == true {
        language.texts[key]?.previous = before.joined(separator: "\u{1E}\u{1E}")
        language.texts[key]?.state = 11
      }
    }

    func commit() {
      guard var file = try? GettextReader.read(template, of: "test"), file.entries != entries else { return }
      file.entries = entries
      template = file.bytes
    }

    func delete(_ key: String) {
      guard var file = try? GettextReader.read(template, of: "test") else { return }
      file.entries.removeAll { $0.id == key }
      entries = file.entries
      template = file.bytes
      ids[key] = nil
      for language in languages.values { language.texts[key] = nil }
    }

    func units(in code: String, project: String) -> [[String: Any]] {
      entries.enumerated().map { index, entry in
        let text = languages[code]?.texts[entry.id]
        let count = entry.isPlural ? languages[code]?.forms ?? entry.texts.count : 1
        let target = code == source ? entry.texts : text?.target ?? Array(repeating: "", count: count)
        let isReadOnly = entry.isReadOnly || stuck.contains(entry.id)
        return [
          "id": (ids[entry.id] ?? 0) + (code == source ? 0 : 100_000), "context": entry.id, "source": entry.texts,
          "target": target, "previous_source": text?.previous ?? "", "flags": entry.flags.joined(separator: ", "),
          "extra_flags": "", "note": entry.note ?? "", "position": index + 1,
          "state": isReadOnly ? 100 : code == source ? 20 : text?.state ?? 0,
        ]
      }
    }

    func file(_ code: String) -> [UInt8] {
      guard let language = languages[code] else { return [] }
      var file = GettextFile(
        header: [
          GettextFile.Field(name: "Plural-Forms", value: "nplurals=\(language.forms); plural=0;"),
          GettextFile.Field(name: "X-Generator", value: "Weblate"),
        ], entries: [], obsolete: [])
      for entry in entries {
        guard let text = language.texts[entry.id] else { continue }
        file.entries.append(
          GettextEntry(
            flags: text.state < 20 ? ["fuzzy"] : [], id: entry.id, isPlural: entry.isPlural, texts: text.target))
      }
      return file.bytes
    }

    func replaceFile(_ code: String, _ bytes: [UInt8]) -> Bool {
      guard let file = try? GettextReader.read(bytes, of: "test"), let language = languages[code] else { return false }
      if file.formCount > 0 { language.forms = file.formCount }
      var texts: [String: Text] = [:]
      for entry in file.entries where entry.texts.contains(where: { !$0.isEmpty }) {
        let state = entry.flags.contains("fuzzy") ? 10 : max(20, language.texts[entry.id]?.state ?? 0)
        texts[entry.id] = Text(target: entry.texts, state: state)
      }
      language.texts = texts
      return true
    }

    /// Adds texts to strings that have no finished translation. Returns `false` if the file cannot be read or has another number of plural forms.
    func merge(_ code: String, _ bytes: [UInt8]) -> Bool {
      guard let file = try? GettextReader.read(bytes, of: "test"), let language = languages[code],
        file.formCount == language.forms
      else { return false }
      for entry in file.entries where ids[entry.id] != nil && language.texts[entry.id]?.state ?? 0 < 20 {
        language.texts[entry.id] = Text(target: entry.texts, state: 20)
      }
      return true
    }

    /// Translates all strings that are not read-only.
    func translate(_ code: String, state: Int = 30) {
      guard let language = languages[code] else { return }
      for entry in entries where !entry.isReadOnly {
        let count = entry.isPlural ? language.forms : 1
        let target = (0..<count).map { "\(code) \($0): \(entry.texts.last ?? "")" }
        language.texts[entry.id] = Text(target: target, state: state)
      }
    }

    var content: String {
      var lines = [name, String(decoding: template, as: UTF8.self)]
      for (code, language) in languages.sorted(by: { $0.key < $1.key }) {
        lines.append("\(code) \(language.forms)")
        for (key, text) in language.texts.sorted(by: { $0.key < $1.key }) {
          lines.append("\(key.debugDescription) \(text.state) \(text.target)")
        }
      }
      return lines.joined(separator: "\n")
    }
  }
}

extension WeblateServer {
  package func translate(_ language: LocaleIdentifier, state code: Int = 30) {
    lock.withLock {
      for component in state.components.values { component.translate(language.rawValue, state: code) }
    }
  }

  /// Keeps only the form with the number `place` of each translated plural text, as if a person had saved only this form. The form is approved if
  /// `isReviewed` is set.
  package func leaveOnly(place: Int, in language: LocaleIdentifier, isReviewed: Bool) {
    lock.withLock {
      for component in state.components.values {
        for (key, text) in component.languages[language.rawValue]?.texts ?? [:] where text.target.count > 1 {
          let left = text.target.enumerated().map { $0.offset == place ? $0.element : "" }
          component.languages[language.rawValue]?.texts[key] = WeblateState.Text(
            target: left, state: isReviewed ? 30 : 20)
        }
      }
    }
  }

  package var content: String {
    lock.withLock { state.components.sorted { $0.key < $1.key }.map(\.value.content).joined(separator: "\n\n") }
  }

  /// The length limits of strings by key, from the flags of the templates; 0 for no limit.
  var limits: [String: Int] {
    lock.withLock {
      let entries = state.components.values.compactMap { try? GettextReader.read($0.template, of: "template") }
        .flatMap(\.entries)
      return Dictionary(entries.map { ($0.id, $0.maxLength ?? 0) }) { first, _ in first }
    }
  }
}
