internal import Foundation
internal import Localization

/// The requests and responses of Tolgee's API that Dragoman uses, as JSON. The source of these types is the vendor's OpenAPI document.
enum TolgeeMessages {
  struct Project: Decodable, Sendable {
    var baseLanguage: Language?
    /// Whether the project has namespaces. The value is missing on servers where namespaces cannot be turned off.
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
    /// The value that requests the next page; missing on the last page.
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
    /// The translations by language tag. Languages without a translation may be missing.
    var translations: [String: Translation]

    /// Returns the text in a language. The text is empty if the key has no text in the language, or if the text's plural forms cannot be read.
    func text(in tag: String) -> PlatformText {
      let text = translations[tag]?.text ?? ""
      return keyIsPlural ? .plural(ICUPlural.read(text) ?? [:]) : .plain(text)
    }

    /// Returns the reason why the plural forms of the text in a language cannot be read; `nil` if they can be read, or if there is no text.
    func fault(in tag: String) -> String? {
      guard keyIsPlural, let text = translations[tag]?.text, !text.isEmpty else { return nil }
      do throws(ICUPlural.Fault) {
        _ = try ICUPlural.forms(text)
        return nil
      } catch {
        switch error {
        case .notPlural: return "its text is not a valid ICU plural. Enter its plural forms at the vendor"
        case .offset(let number):
          return "its ICU plural has offset:\(number), which catalogs do not support. Write the forms without an offset"
        }
      }
    }
  }

  struct Translation: Decodable, Sendable {
    var text: String?
    /// `UNTRANSLATED`, `TRANSLATED`, `REVIEWED` or `DISABLED`.
    var state: String
    /// Whether the source text has changed since the translation was made.
    var outdated: Bool
    /// Whether a translation memory or a machine made the translation, and nobody has edited the translation since.
    var auto: Bool
  }

  struct NewKey: Encodable {
    var name: String
    var namespace: String
    var description: String?
    var isPlural: Bool
    var translations: [String: String]
    /// The length limit in characters; `nil` for no limit.
    var maxCharLimit: Int?
    var branch: String?
  }

  /// A request that adds keys without plural forms. Existing keys do not change.
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
    /// The key's namespace. A change without a namespace would move the key to the default namespace.
    var namespace: String
    var description: String
    var isPlural: Bool
    /// The new texts by language tag; `nil` leaves all texts unchanged.
    var translations: [String: String]?
    /// All tags of the key; `nil` leaves the tags unchanged.
    var tags: [String]?
    /// The length limit in characters; 0 removes the limit, and `nil` leaves the limit unchanged.
    var maxCharLimit: Int?
    var branch: String?
  }

  /// A request that adds translations. An existing translation is replaced only if the resolution is `OVERRIDE`.
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
    /// Whether the server refuses the whole request if a key already has a translation that may not be replaced.
    var errorOnUnresolvedConflict = false
    var branch: String?
  }

  /// The body of a response with status 429. The response has no header for the time to wait.
  struct RateLimit: Decodable {
    /// The time to wait in milliseconds.
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
  /// Returns the text in the format of the API.
  /// - Parameter language: the language whose plural forms the text gets.
  func tolgeeText(_ language: LocaleIdentifier) -> String {
    switch limited(to: language) {
    case .plain(let text): text
    case .plural(let forms): ICUPlural.write(forms)
    }
  }
}
