/// One file of a table on its way into a String Catalog.
package struct ConvertedFile: Sendable {
  /// Where in the file something stands.
  package struct Place: Hashable, Sendable {
    package var path: TreePath
    /// From 1.
    package var line: Int
    /// In UTF-8 bytes, from 1.
    package var column: Int

    package init(path: TreePath, line: Int, column: Int) {
      self.path = path
      self.line = line
      self.column = column
    }
  }

  package struct Text: Sendable {
    package var key: UnitKey
    package var translation: Translation
    package var place: Place

    package init(key: UnitKey, translation: Translation, place: Place) {
      self.key = key
      self.translation = translation
      self.place = place
    }
  }

  /// What a comment says, without its marks and the space around.
  package struct Comment: Sendable {
    package var key: UnitKey
    package var text: String
    package var place: Place

    package init(key: UnitKey, text: String, place: Place) {
      self.key = key
      self.text = text
      self.place = place
    }
  }

  package var language: LocaleIdentifier
  /// Each key once.
  package var texts: [Text]
  package var comments: [Comment]

  package init(language: LocaleIdentifier, texts: [Text], comments: [Comment]) {
    self.language = language
    self.texts = texts
    self.comments = comments
  }
}

/// Makes one String Catalog of the tables with a file a language, as Xcode's migration and the build after it do (xcode-formats.md A5, E3):
///
/// - What a language's file says is `translated`, also in the source language; a key that code holds and whose text is the key has no
///   source text of its own.
/// - A key that code holds is as any other found there; the others are `manual`, so that no sync takes them out.
/// - A format that is nothing but one variable becomes plural forms, any other keeps its variables as substitutions.
/// - The comment that code gives takes the place of the file's (xcode-formats.md E6): so in each of the real migrations where they differ.
///   `No comment provided by engineer.` and `(No Comment)` are none.
///
/// Beyond Xcode it loses no comment: where code gives none, those that differ between files are joined, the source language's first. Xcode
/// takes the source language's alone, also where that has none (14 entries of real migrations, none to the contrary), and one of another
/// language for a key that the source language lacks (182 of 205; never several).
package enum CatalogConversion {
  package struct Result: Sendable {
    package var catalog: Catalog
    /// Texts that a file before theirs overrules: it has the key in this language, and says something else.
    package var overruled: [(text: ConvertedFile.Text, language: LocaleIdentifier)] = []
    /// Comments whose place the code's comment takes, each text of a key once.
    package var replaced: [ConvertedFile.Comment] = []
  }

  /// What genstrings and Xcode's exports write where there is no comment.
  private static let placeholders: Set<UnitKey> = ["No comment provided by engineer.", "(No Comment)"]

  /// - Parameters:
  ///   - files: of one table, the one that counts at run time first: `.stringsdict` before `.strings`, a language's own before `Base`.
  ///   - strings: those of this table that code, or an interface file, holds.
  ///   - addsAll: whether keys of `strings` that no file has are added.
  package static func convert(
    _ files: [ConvertedFile], to path: TreePath, sourceLanguage source: LocaleIdentifier, strings: [ExtractedString],
    addsAll: Bool = false
  ) -> Result {
    var result = Result(catalog: Catalog(path: path, sourceLanguage: source))
    for file in files {
      for text in file.texts {
        let form = text.translation.catalogForm
        if let known = result.catalog.entries[text.key]?.translations[file.language] {
          if known != form { result.overruled.append((text, file.language)) }
        } else {
          result.catalog.entries[text.key, default: CatalogEntry()].translations[file.language] = form
        }
      }
    }
    let found = Dictionary(strings.map { ($0.key, [$0]) }, uniquingKeysWith: +)
    var comments: [UnitKey: [ConvertedFile.Comment]] = [:]
    for file in files.filter({ $0.language == source }) + files.filter({ $0.language != source }) {
      for comment in file.comments where !comment.text.isEmpty && !placeholders.contains(UnitKey(comment.text)) {
        comments[comment.key, default: []].append(comment)
      }
    }
    for key in result.catalog.entries.keys.sorted() {
      let inCode = found[key] ?? []
      let own = different(comments[key] ?? [])
      // What Xcode says of a key of an Info.plist is no one's comment (`CatalogSync`).
      let given = inCode.filter { $0.origin != .infoPlist || own.isEmpty }.compactMap(\.comment)
      if given.isEmpty {
        result.catalog.entries[key]?.comment = own.isEmpty ? nil : own.map(\.text).joined(separator: "\n")
      } else {
        let lines = lines(of: given.joined(separator: "\n"))
        result.replaced += own.filter { !self.lines(of: $0.text).isSubset(of: lines) }
      }
      result.catalog.entries[key]?.extractionState = inCode.isEmpty ? .manual : .migrated
      guard !inCode.isEmpty else { continue }
      // A text that code gives is code's; another one is a person's.
      let present = result.catalog.entries[key]?.translations[source]
      let text = inCode.lazy.compactMap(\.value).first ?? key.text
      guard present == nil || present == Translation(text) else { continue }
      let isKey = text.isExactly(key.text)
      result.catalog.entries[key]?.translations[source] = isKey ? nil : Translation(text, state: .new)
      if !isKey { result.catalog.entries[key]?.extractionState = .extractedWithValue }
    }
    let known = strings.filter { addsAll || result.catalog.entries[$0.key] != nil }
    result.catalog = CatalogSync.sync(result.catalog, with: known, mayRemove: false).catalog
    return result
  }

  /// The comments that say something which those before do not.
  private static func different(_ comments: [ConvertedFile.Comment]) -> [ConvertedFile.Comment] {
    var seen: Set<UnitKey> = []
    return comments.filter { comment in
      let lines = lines(of: comment.text)
      defer { seen.formUnion(lines) }
      return !lines.isSubset(of: seen)
    }
  }

  /// A comment's lines without the space around them, by which several are told apart: genstrings indents all but the first.
  private static func lines(of comment: String) -> Set<UnitKey> {
    Set(
      comment.split(whereSeparator: \.isNewline).map { line in
        UnitKey(line.withoutOuterSpace)
      })
  }
}

extension Translation {
  /// The translation of a `.stringsdict` as a String Catalog says it: `%#@birds@` and nothing else is the plural forms of `birds`, where
  /// these take no other argument; so it is by device where it is so on every device that names a variable.
  package var catalogForm: Translation {
    switch text {
    case .text(let unit):
      guard let forms = forms(of: unit, on: nil) else { return self }
      return Translation(text: forms)
    case .device(let devices):
      var texts: [Device: VariedText] = [:]
      for (device, text) in devices {
        guard case .text(let unit) = text else { return self }
        if FormatString(unit.value).references.isEmpty {
          texts[device] = text
        } else if device != .other, let forms = forms(of: unit, on: device) {
          // The fallback of devices cannot vary further in a catalog.
          texts[device] = forms
        } else {
          return self
        }
      }
      // A variable that no text names would be lost.
      let isWhole = substitutions.allSatisfy { name, substitution in
        func names(_ device: Device) -> Bool {
          guard case .text(let unit)? = devices[device] else { return false }
          return FormatString(unit.value).references.contains { $0.name == name }
        }
        guard case .device(let forms) = substitution.forms else { return devices.keys.contains(where: names) }
        return forms.keys.allSatisfy(names)
      }
      return isWhole ? Translation(text: .device(texts)) : self
    case .plural, .phrases: return self
    }
  }

  /// The plural forms that a text stands for; `nil` where it says more than one variable.
  private func forms(of unit: StringUnit, on device: Device?) -> VariedText? {
    let format = FormatString(unit.value)
    guard substitutions.count == 1 || device != nil, format.parts.count == 1,
      let reference = format.references.first, reference.number == 1,
      let substitution = substitutions[reference.name]
    else { return nil }
    var forms = substitution.forms
    if case .device(let devices) = forms {
      guard let device, let own = devices[device] ?? devices[.other] else { return nil }
      forms = own
    }
    guard case .plural(let cases) = forms else { return nil }
    for form in cases.values {
      guard case .text(let unit) = form else { return nil }
      let inner = FormatString(unit.value)
      guard inner.references.isEmpty, inner.substitutionArguments == 0, inner.arguments.allSatisfy({ $0.number == 1 })
      else { return nil }
    }
    return forms
  }
}
