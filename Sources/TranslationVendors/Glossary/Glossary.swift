internal import CatalogFormats
package import Localization
internal import StructuredText

/// The terms of a project and their translations, from a TBX or CSV file.
package struct Glossary: Hashable, Sendable {
  /// The entries, in the order of the file.
  package var entries: [GlossaryEntry]

  package init(entries: [GlossaryEntry] = []) { self.entries = entries }

  /// Reads a file in UTF-8 or UTF-16: TBX 2 (`<martif>`) and 3 (`<tbx>`, style DCA), or CSV with one column for each language. Entries that
  /// cannot be used are left out, each with a diagnostic.
  ///
  /// - Parameters:
  ///   - path: the file's path, for diagnostics.
  ///   - limit: the maximum size of the file in bytes.
  /// - Throws: `InputFault` with the reasons if the file is too large, or can be read neither as TBX nor as CSV.
  package static func read(
    _ bytes: [UInt8], at path: String, limit: Int = 64 << 20
  ) throws(InputFault) -> (glossary: Glossary, diagnostics: [Diagnostic]) {
    guard bytes.count <= limit else {
      throw InputFault(
        Diagnostic(
          path: path, severity: .error, message: "the file has \(bytes.count) bytes; the limit is \(limit)",
          hint: "split the glossary"))
    }
    do {
      let encoding = TextEncoding(sniffing: bytes)
      let text = try encoding.text(of: bytes)
      let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if first == UInt8(ascii: "<") { return try TBXReader.read(text, wasConverted: encoding.unit != .utf8, at: path) }
      return try CSVGlossaryReader.read(text, at: path)
    } catch let error as InputFault { throw error } catch let error as SyntaxError {
      throw InputFault(error, path: path)
    } catch { throw InputFault(Diagnostic(path: path, severity: .error, message: "\(error)")) }
  }
}

/// A concept with its terms in all languages.
package struct GlossaryEntry: Hashable, Sendable {
  package var id: String?
  package var definition: String?
  package var note: String?
  /// The subject field: `user interface`.
  package var subject: String?
  /// The terms, in the order of the file.
  package var terms: [GlossaryTerm]

  package init(
    id: String? = nil, definition: String? = nil, note: String? = nil, subject: String? = nil, terms: [GlossaryTerm]
  ) {
    self.id = id
    self.definition = definition
    self.note = note
    self.subject = subject
    self.terms = terms
  }

  /// Returns the terms of a language that are not deprecated. Preferred terms come first.
  package func terms(in language: LocaleIdentifier) -> [GlossaryTerm] {
    let language = language.inUsualCase
    let all = terms.filter { $0.language == language && $0.status != .deprecated }
    return all.filter { $0.status == .preferred } + all.filter { $0.status != .preferred }
  }
}

/// A term for a concept in one language.
package struct GlossaryTerm: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case preferred, admitted
    /// The term must not be used any more.
    case deprecated
  }

  /// The language in the usual letter case. Files may also contain `DE` or `pt-br`.
  package let language: LocaleIdentifier
  package var text: String
  package var status: Status
  /// The part of speech as it is written in the file, such as `verb`.
  package var partOfSpeech: String?

  package init(
    language: LocaleIdentifier, text: String, status: Status = .admitted, partOfSpeech: String? = nil
  ) {
    self.language = language.inUsualCase
    self.text = text
    self.status = status
    self.partOfSpeech = partOfSpeech
  }
}
