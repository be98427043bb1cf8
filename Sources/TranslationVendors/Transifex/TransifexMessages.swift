// Members are named as the API names them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import Localization

/// The JSON:API documents of Transifex's API v3: the parts that Dragoman uses (the vendor's OpenAPI document).
enum TransifexMessages {
  /// One object.
  struct Document<Object: Decodable & Sendable>: Decodable, Sendable {
    var data: Object
  }

  /// One page of a list.
  struct Page<Object: Decodable & Sendable>: Decodable, Sendable {
    struct Links: Decodable, Sendable {
      /// The address of the next page, with its cursor; `nil` on the last page.
      var next: String?
    }

    var data: [Object]
    /// Missing if the list has only one page, as that of a project's languages.
    var links: Links?
    /// Objects that the query asked for with `include`.
    var included: [ResourceString]?
  }

  struct Reference: Codable, Sendable {
    var type: String
    var id: String
  }

  /// A relationship to one object.
  struct Relation: Codable, Sendable {
    var data: Reference
  }

  struct Language: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      var code: String
      /// By category; the values are for people.
      var plural_rules: [String: String]
    }

    var attributes: Attributes

    var categories: [PluralCategory] { attributes.plural_rules.keys.map { PluralCategory(rawValue: $0) } }
  }

  struct Project: Decodable, Sendable {
    struct Relationships: Decodable, Sendable {
      var source_language: Relation
    }

    var relationships: Relationships
  }

  struct ResourceString: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      var key: String
      var context: String
      /// By plural category; `other` alone for a string without plural forms.
      var strings: [String: String]
      var pluralized: Bool
      var instructions: String?
      /// The length limit in characters without variables; 0 or `nil` for none.
      var character_limit: Int?
      var tags: [String]
      /// When the source text changed last, as ISO 8601.
      var strings_datetime_modified: String
    }

    var id: String
    var attributes: Attributes

    var platformID: PlatformID {
      PlatformID(catalog: TreePath(trusted: attributes.context), name: attributes.key)
    }

    var text: PlatformText { PlatformText(transifex: attributes.strings, isPlural: attributes.pluralized) }
  }

  struct ResourceTranslation: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      /// `nil` if nobody has translated the string.
      var strings: [String: String]?
      var reviewed: Bool
      var proofread: Bool
      /// The origin of the text, such as `EDITOR` or `MT:DEEPL`.
      var origin: String?
      var datetime_translated: String?
      var datetime_reviewed: String?
      var datetime_proofread: String?
    }

    struct Relationships: Decodable, Sendable {
      var resource_string: Relation
    }

    var id: String
    var attributes: Attributes
    var relationships: Relationships
  }

  /// The body of a request: objects of one type.
  struct Bulk<Object: Encodable>: Encodable {
    var data: [Object]
  }

  struct NewString: Encodable {
    struct Attributes: Encodable {
      var key: String
      var context: String
      var strings: [String: String]
      var pluralized: Bool
      var instructions: String?
      var character_limit: Int?
    }

    struct Relationships: Encodable {
      var resource: Relation
    }

    var type = "resource_strings"
    var attributes: Attributes
    var relationships: Relationships
  }

  struct StringChange: Encodable {
    struct Attributes: Encodable {
      var strings: [String: String]?
      var instructions: String?
      var character_limit: Int?
      var tags: [String]?

      var isEmpty: Bool { strings == nil && instructions == nil && character_limit == nil && tags == nil }
    }

    var type = "resource_strings"
    var id: String
    var attributes: Attributes
  }

  struct TranslationChange: Encodable {
    struct Attributes: Encodable {
      var strings: [String: String]
    }

    var type = "resource_translations"
    var id: String
    var attributes: Attributes
  }
}

extension PlatformText {
  init(transifex strings: [String: String], isPlural: Bool) {
    self = isPlural ? .plural([PluralCategory: String](named: strings)) : .plain(strings["other"] ?? "")
  }

  /// As the API takes it.
  /// - Parameter categories: those of the language.
  func transifexStrings(_ categories: [PluralCategory]) -> [String: String] {
    switch limited(to: categories) {
    case .plain(let text): ["other": text]
    case .plural(let forms): forms.named
    }
  }
}
