internal import Localization

/// A translation memory in the exchange format TMX 1.4b (LISA OSCAR, 2005).
package struct TMXDocument: Hashable, Sendable {
  /// The source language in the file's spelling; `*all*` if any language of a unit can be its source.
  package var sourceLanguage: String
  package var tool: String
  package var toolVersion: String
  /// The kind of the segments: `block`, `paragraph`, `sentence` or `phrase`.
  package var segmentType: String
  package var adminLanguage: String
  package var dataType: String
  /// The original format of the translation memory (`o-tmf`).
  package var originalFormat: String
  package var notes: [String]
  package var properties: [TMXProperty]
  package var units: [TMXUnit]

  package init(
    sourceLanguage: String, tool: String = "dragoman", toolVersion: String = "1", segmentType: String = "block",
    adminLanguage: String = "en", dataType: String = "plaintext", originalFormat: String = "dragoman",
    notes: [String] = [], properties: [TMXProperty] = [], units: [TMXUnit] = []
  ) {
    self.sourceLanguage = sourceLanguage
    self.tool = tool
    self.toolVersion = toolVersion
    self.segmentType = segmentType
    self.adminLanguage = adminLanguage
    self.dataType = dataType
    self.originalFormat = originalFormat
    self.notes = notes
    self.properties = properties
    self.units = units
  }

  /// The value of `srclang` with which any language of a unit can be its source.
  package static let anyLanguage = "*all*"

  /// Returns the source of a unit: the variant in the source language of the unit or the file, or else the only variant in the same language with
  /// another region or script. Returns `nil` if there is no such variant or more than one, or if every language can be the source.
  package func source(of unit: TMXUnit) -> TMXVariant? {
    let language = (unit.sourceLanguage ?? sourceLanguage).lowercased()
    if let exact = unit.variants.first(where: { $0.language.lowercased() == language }) { return exact }
    let wanted = LocaleIdentifier(language).language
    let near = unit.variants.filter { LocaleIdentifier($0.language).language == wanted }
    return near.count == 1 ? near.first : nil
  }
}

/// A property with a meaning defined by a tool: `<prop type="x-context">dialog.save</prop>`.
package struct TMXProperty: Hashable, Sendable {
  package var type: String
  package var value: String

  package init(_ type: String, _ value: String) {
    self.type = type
    self.value = value
  }
}

/// One text in several languages.
package struct TMXUnit: Hashable, Sendable {
  package var id: String?
  /// The unit's source language; `nil` if it is the source language of the file.
  package var sourceLanguage: String?
  /// The date of creation in the file's spelling, `20240102T030405Z`; `nil` if the file has none.
  package var created: String?
  package var changed: String?
  package var notes: [String]
  package var properties: [TMXProperty]
  package var variants: [TMXVariant]

  package init(
    id: String? = nil, sourceLanguage: String? = nil, created: String? = nil, changed: String? = nil,
    notes: [String] = [], properties: [TMXProperty] = [], variants: [TMXVariant]
  ) {
    self.id = id
    self.sourceLanguage = sourceLanguage
    self.created = created
    self.changed = changed
    self.notes = notes
    self.properties = properties
    self.variants = variants
  }
}

/// A unit's text in one language.
package struct TMXVariant: Hashable, Sendable {
  /// The language in the file's spelling: `de`, `EN-US`.
  package var language: String
  package var created: String?
  package var changed: String?
  package var notes: [String]
  package var properties: [TMXProperty]
  package var segment: [TMXPiece]

  package init(
    language: String, created: String? = nil, changed: String? = nil, notes: [String] = [],
    properties: [TMXProperty] = [], segment: [TMXPiece]
  ) {
    self.language = language
    self.created = created
    self.changed = changed
    self.notes = notes
    self.properties = properties
    self.segment = segment
  }

  package init(language: String, text: String) { self.init(language: language, segment: [.text(text)]) }

  /// The text of the original document, including the content of inline elements, such as placeholders and tags.
  package var text: String { segment.map(\.text).joined() }
}

/// A part of a segment.
package indirect enum TMXPiece: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// A code: the beginning of a pair (`bpt`), the end of a pair (`ept`), an unpaired beginning or end (`it`), or a single code (`ph`).
    case bpt, ept, it, ph
    /// A highlighted part of the text, such as a term.
    case hi
    /// A text within a code, such as a footnote.
    case sub
    /// An unknown code. TMX 1.4 supports this element only for older files.
    case ut
  }

  case text(String)
  case inline(Kind, attributes: [TMXProperty], content: [TMXPiece])

  package var text: String {
    switch self {
    case .text(let text): text
    case .inline(_, _, let content): content.map(\.text).joined()
    }
  }
}
