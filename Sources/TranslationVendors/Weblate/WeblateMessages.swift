// Properties have the names of the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization

/// The requests and responses of Weblate's API that Dragoman uses, as JSON.
enum WeblateMessages {
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

  /// A catalog's component, with the properties that must have the values that Dragoman sets.
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

  /// A new string of a glossary.
  struct NewTerm: Encodable {
    var source: [String]
    var target: [String]
    var state: Int
  }

  struct UnitChange: Encodable {
    var target: [String]
    var state: Int
  }

  /// A component in one language. The API's `language_code` is not used, because it contains the code as spelled in the file, and projects may change
  /// this spelling.
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

    /// Whether this string is marked read-only. The same string in the source language has a separate mark.
    var isMarkedReadOnly: Bool {
      [flags, extra_flags].contains { words in
        (words ?? "").split(separator: ",").contains { $0.drop { $0 == " " } == GettextEntry.readOnly }
      }
    }
  }

  /// An event in the history of a translation.
  struct Change: Decodable, Sendable {
    var id: Int
    /// The string's address on the server. `author` and `user` are the addresses of the account that entered the text.
    var unit: String?
    var author: String?
    var user: String?
    var action: Int
    var timestamp: String
  }

  /// A user of Weblate. Only tokens that may manage users receive the email address.
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

  /// A list with a text for each plural form. Before version 4.15, Weblate returns a single text.
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

    /// Returns the plural forms in a single text. Weblate joins the forms with two characters U+001E.
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

  /// Weblate's numbers for the states of translations.
  enum State {
    static let empty = 0
    static let needsEditing = 10
    /// The state of a translation whose source text has changed since the translation was made.
    static let needsRewriting = 11
    static let translated = 20
    static let approved = 30
    static let readOnly = 100
  }
}
