// Properties have the names of the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import Localization

/// The requests and responses of Transifex's API v3 that Dragoman uses, as JSON:API documents. The source of these types is the vendor's OpenAPI
/// document.
enum TransifexMessages {
  /// A document with one object.
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
    /// The links to other pages; missing if the list always has one page, such as the list of a project's languages.
    var links: Links?
    /// The related objects that the query requested with `include`.
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
      /// Readable descriptions of the plural categories, by category.
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
      /// The texts by plural category. A string without plural forms has only `other`.
      var strings: [String: String]
      var pluralized: Bool
      var instructions: String?
      /// The length limit in characters without variables; 0 or `nil` for no limit.
      var character_limit: Int?
      var tags: [String]
      /// The time of the last change of the source text, in ISO 8601 format.
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
      /// The texts by plural category; `nil` if nobody has translated the string.
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

  /// Returns the texts in the format of the API.
  /// - Parameter categories: the plural categories of the language.
  func transifexStrings(_ categories: [PluralCategory]) -> [String: String] {
    switch limited(to: categories) {
    case .plain(let text): ["other": text]
    case .plural(let forms): forms.named
    }
  }
}
