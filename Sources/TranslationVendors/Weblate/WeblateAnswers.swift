// Members are named as the API names them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization

/// The parts of Weblate's answers that are used.
enum WeblateAnswers {
  /// One page of a list.
  struct Page<Element: Decodable & Sendable>: Decodable, Sendable {
    var count: Int
    var next: String?
    var results: [Element]
  }

  struct Project: Decodable, Sendable {
    var slug: String
  }

  struct Language: Decodable, Sendable {
    var code: String
  }

  /// A catalog's component: the properties that must be as Dragoman sets them.
  struct Component: Decodable, Sendable {
    var slug: String
    var file_format: String
    var template: String
    var source_language: Language
  }

  /// Any component of the project.
  struct ListedComponent: Decodable, Sendable {
    var slug: String
    var is_glossary: Bool?
    var source_language: Language?
  }

  /// A string of a glossary.
  struct NewTerm: Encodable {
    var source: [String]
    var target: [String]
    var state: Int
  }

  struct UnitChange: Encodable {
    var target: [String]
    var state: Int
  }

  /// A component in one language. `language_code` is how its file spells the language, which a project may change.
  struct Translation: Decodable, Sendable {
    var language: Language
  }

  /// A string in one language.
  struct Unit: Decodable, Sendable {
    var id: Int
    var context: String
    var source: Forms
    var target: Forms
    var previous_source: String?
    var flags: String?
    var extra_flags: String?
    var state: Int

    /// Whether the string itself is marked read-only. Its string in the source language may be marked too.
    var isMarkedReadOnly: Bool {
      [flags, extra_flags].contains { words in
        (words ?? "").split(separator: ",").contains { $0.drop { $0 == " " } == GettextEntry.readOnly }
      }
    }
  }

  /// An event in the history of a translation.
  struct Change: Decodable, Sendable {
    var id: Int
    /// Addresses of the string and of the person whose text it is, at the server.
    var unit: String?
    var author: String?
    var user: String?
    var action: Int
    var timestamp: String
  }

  /// A user of Weblate. Only tokens that may manage users get the address.
  struct User: Decodable, Sendable {
    var username: String?
    var full_name: String?
    var email: String?
    var is_bot: Bool?
  }

  struct UploadResult: Decodable, Sendable {
    var accepted: Int
    var skipped: Int
    var not_found: Int
    var total: Int
  }

  struct OperationResult: Decodable, Sendable {
    var result: Bool
  }

  /// A list with a text for each plural form; before Weblate 4.15 a text.
  struct Forms: Decodable, Hashable, Sendable {
    var texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.init(Self.split(text))
      } else {
        self.init(try container.decode([String].self))
      }
    }

    /// Weblate joins forms with this mark if it returns one text.
    static func split(_ text: String) -> [String] {
      var parts: [String] = []
      var rest = text.unicodeScalars[...]
      var part = String.UnicodeScalarView()
      while let scalar = rest.popFirst() {
        if scalar == "\u{1E}", rest.first == "\u{1E}" {
          rest.removeFirst()
          parts.append(String(part))
          part = String.UnicodeScalarView()
        } else {
          part.append(scalar)
        }
      }
      return parts + [String(part)]
    }
  }

  /// Weblate's numbers of states.
  enum State {
    static let empty = 0
    static let needsEditing = 10
    /// The source text changed after it was translated.
    static let needsRewriting = 11
    static let translated = 20
    static let approved = 30
    static let readOnly = 100
  }
}
