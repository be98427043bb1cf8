internal import Foundation
internal import Localization

/// The JSON of Tolgee's API: the parts that Dragoman uses (the vendor's OpenAPI document).
enum TolgeeMessages {
  struct Project: Decodable, Sendable {
    var baseLanguage: Language?
    /// Missing on servers where namespaces cannot be turned off.
    var useNamespaces: Bool?
  }

  struct Language: Decodable, Sendable {
    var tag: String
    var base: Bool
  }

  /// One page of languages. The server leaves `_embedded` out of an empty page.
  struct Languages: Decodable, Sendable {
    struct Embedded: Decodable, Sendable {
      var languages: [Language]
    }

    var embedded: Embedded?
    var page: Page?

    private enum CodingKeys: String, CodingKey {
      case embedded = "_embedded"
      case page
    }
  }

  struct Page: Decodable, Sendable {
    var number: Int
    var totalPages: Int
  }

  /// One page of keys with their translations.
  struct Keys: Decodable, Sendable {
    struct Embedded: Decodable, Sendable {
      var keys: [Key]
    }

    var embedded: Embedded?
    /// Asks for the next page; missing on the last one.
    var nextCursor: String?

    private enum CodingKeys: String, CodingKey {
      case embedded = "_embedded"
      case nextCursor
    }
  }

  struct Key: Decodable, Sendable {
    struct Tag: Decodable, Sendable {
      var name: String
    }

    var keyId: Int
    var keyName: String
    var keyDescription: String?
    var keyIsPlural: Bool
    var keyTags: [Tag]
    /// By language tag; languages without a translation may be missing.
    var translations: [String: Translation]

    /// The text in a language; empty where there is none, or where a plural cannot be read.
    func text(in tag: String) -> PlatformText {
      let text = translations[tag]?.text ?? ""
      return keyIsPlural ? .plural(ICUPlural.read(text) ?? [:]) : .plain(text)
    }
  }

  struct Translation: Decodable, Sendable {
    var text: String?
    /// `UNTRANSLATED`, `TRANSLATED`, `REVIEWED` or `DISABLED`.
    var state: String
    /// Whether the source text changed since.
    var outdated: Bool
    /// Whether a translation memory or a machine made it, and nobody has edited it since.
    var auto: Bool
  }

  struct NewKey: Encodable {
    var name: String
    var namespace: String
    var description: String?
    var isPlural: Bool
    var translations: [String: String]
    /// The length limit in characters; `nil` for none.
    var maxCharLimit: Int?
    var branch: String?
  }

  /// Keys without plural forms. Existing keys do not change.
  struct Import: Encodable {
    struct Key: Encodable {
      var name: String
      var namespace: String
      var description: String?
      var translations: [String: String]
    }

    var keys: [Key]
  }

  struct Change: Encodable {
    var name: String
    /// Without it the key would move to the default namespace.
    var namespace: String
    var description: String
    var isPlural: Bool
    /// `nil` leaves the texts as they are.
    var translations: [String: String]?
    /// All tags of the key; `nil` leaves them as they are.
    var tags: [String]?
    /// The length limit in characters; 0 removes it, `nil` leaves it as it is.
    var maxCharLimit: Int?
    var branch: String?
  }

  /// Translations. One is taken only if the key has none in its language.
  struct Seeds: Encodable {
    struct Key: Encodable {
      var name: String
      var namespace: String
      var translations: [String: Translation]
    }

    struct Translation: Encodable {
      var text: String
      /// `EXPECT_NO_CONFLICT` or `OVERRIDE`.
      var resolution: String
    }

    var keys: [Key]
    /// Whether nothing is taken if one of them has a translation meanwhile.
    var errorOnUnresolvedConflict = false
    var branch: String?
  }

  /// The body of an answer with status 429, which has no header that says when to go on.
  struct RateLimit: Decodable {
    /// In milliseconds.
    var retryAfter: Int

    static func pause(_ body: [UInt8]) -> Duration? {
      (try? JSONDecoder().decode(Self.self, from: Data(body))).map {
        .milliseconds(max(0, min($0.retryAfter, 1 << 40)))
      }
    }
  }

  struct Refusal: Decodable, Sendable {
    var code: String
  }

  struct NewTag: Encodable {
    var name: String
  }

  struct KeyIDs: Encodable {
    var ids: [Int]
  }
}

extension PlatformText {
  /// As the API takes it.
  /// - Parameter language: whose forms a plural has.
  func tolgeeText(_ language: LocaleIdentifier) -> String {
    switch limited(to: language) {
    case .plain(let text): text
    case .plural(let forms): ICUPlural.write(forms)
    }
  }
}
