// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization

/// The requests and responses of Phrase Strings' API v2 that Dragoman uses, as JSON. Source: the vendor's OpenAPI document.
enum PhraseMessages {
  struct Locale: Decodable, Sendable {
    var id: String
    /// The locale's name for people.
    var name: String
    /// The locale's code, such as `de-DE`.
    var code: String
    /// Whether the locale's translations are the source texts.
    var `default`: Bool
    /// The plural categories that the locale has for keys with plural forms.
    var plural_forms: [String]?

    var categories: [PluralCategory]? {
      plural_forms.flatMap { forms in forms.isEmpty ? nil : forms.map { PluralCategory(rawValue: $0) } }
    }
  }

  struct Key: Decodable, Sendable {
    var id: String
    var name: String
    var description: String?
    var plural: Bool
    var tags: [String]?
  }

  /// A text in one locale. A plural key has one text for each form.
  struct Translation: Decodable, Sendable {
    struct Key: Decodable, Sendable {
      var id: String
    }

    struct Locale: Decodable, Sendable {
      var id: String
    }

    var id: String
    var content: String?
    /// Whether the text needs a review.
    var unverified: Bool
    /// Whether the text is left out of exports.
    var excluded: Bool?
    /// The form's plural category; empty for a key without plural forms.
    var plural_suffix: String?
    var key: Key
    var locale: Locale
    /// The state, such as `translated` or `reviewed`.
    var state: String?
  }

  /// The response to a request for a single translation. Only this response contains the author.
  struct TranslationDetails: Decodable, Sendable {
    struct User: Decodable, Sendable {
      var username: String?
      var name: String?
    }

    var user: User?
  }

  struct NewKey: Encodable {
    var branch: String?
    var name: String
    var description: String
    var plural: Bool
    /// The catalog's path, which some file formats contain.
    var original_file: String
    /// The source text of a key without plural forms.
    var default_translation_content: String?
    /// The length limit in characters.
    var max_characters_allowed: Int?
  }

  struct KeyChange: Encodable {
    var branch: String?
    var description: String
    var plural: Bool
    /// All tags of the key, separated by commas; `nil` leaves the tags unchanged.
    var tags: String?
    /// The length limit in characters; `nil` leaves the limit unchanged.
    var max_characters_allowed: Int?
  }

  struct KeyTags: Encodable {
    var branch: String?
    var tags: String
  }

  struct NewTranslation: Encodable {
    var branch: String?
    var locale_id: String
    var key_id: String
    var content: String
    var plural_suffix: String?
  }

  struct TranslationChange: Encodable {
    var branch: String?
    var content: String
    var plural_suffix: String?
    /// Whether the translation needs a review; `nil` leaves this unchanged.
    var unverified: Bool?
  }

  struct Screenshot: Decodable, Sendable {
    var id: String
    var name: String
  }

  /// A place in a screenshot that shows a key.
  struct Marker: Decodable, Sendable {
    var id: String
    var translation_key: Translation.Key?
  }

  struct NewMarker: Encodable {
    var branch: String?
    var key_id: String
  }

  struct Branch: Encodable {
    var branch: String?
  }
}

/// The texts of one key in one locale.
struct PhraseTexts: Sendable {
  var translations: [PhraseMessages.Translation]

  /// The translation with a plural suffix. The suffix is empty for a key without plural forms.
  subscript(suffix: String) -> PhraseMessages.Translation? {
    translations.first { ($0.plural_suffix ?? "") == suffix }
  }

  /// Returns the text. After an interrupted push, a plural text may lack forms.
  func text(isPlural: Bool) -> PlatformText {
    guard isPlural else { return .plain(self[""]?.content ?? "") }
    let forms = translations.filter { !($0.plural_suffix ?? "").isEmpty && !($0.content ?? "").isEmpty }
    return .plural(
      Dictionary(forms.map { (PluralCategory(rawValue: $0.plural_suffix ?? ""), $0.content ?? "") }) { first, _ in first
      })
  }

  /// The lowest state of the texts; `nil` if one of the texts is excluded, or if there are no texts.
  var state: PlatformState? {
    guard !translations.contains(where: { $0.excluded == true }) else { return nil }
    return translations.map { translation in
      translation.unverified ? .needsReview : translation.state == "reviewed" ? .reviewed : .translated
    }.min()
  }
}
