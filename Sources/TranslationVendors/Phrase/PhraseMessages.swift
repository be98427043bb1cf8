// Members are named as the API names them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization

/// The JSON of Phrase Strings' API v2: the parts that Dragoman uses (the vendor's OpenAPI document).
enum PhraseMessages {
  struct Locale: Decodable, Sendable {
    var id: String
    /// Its name for people.
    var name: String
    /// Such as `de-DE`.
    var code: String
    /// Whether its translations are the source texts.
    var `default`: Bool
    /// The categories that a plural key has in it.
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

  /// A text in one locale. A plural key has one for each form.
  struct Translation: Decodable, Sendable {
    struct Key: Decodable, Sendable {
      var id: String
    }

    struct Locale: Decodable, Sendable {
      var id: String
    }

    var id: String
    var content: String?
    /// Whether it needs another review.
    var unverified: Bool
    /// Whether it is left out of exports.
    var excluded: Bool?
    /// Empty for a key without plural forms.
    var plural_suffix: String?
    var key: Key
    var locale: Locale
    /// Such as `translated` and `reviewed`.
    var state: String?
  }

  /// One translation. Only the answer about a single one has its author.
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
    /// The catalog, which some file formats keep.
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
    /// All tags of the key, separated by commas; `nil` leaves them as they are.
    var tags: String?
    /// `nil` leaves it as it is.
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
    /// `nil` leaves it as it is.
    var unverified: Bool?
  }

  struct Screenshot: Decodable, Sendable {
    var id: String
    var name: String
  }

  /// A place of a screenshot that shows a key.
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

  /// By plural suffix; empty for a key without plural forms.
  subscript(suffix: String) -> PhraseMessages.Translation? {
    translations.first { ($0.plural_suffix ?? "") == suffix }
  }

  /// The text that has arrived so far.
  func text(isPlural: Bool) -> PlatformText {
    guard isPlural else { return .plain(self[""]?.content ?? "") }
    let forms = translations.filter { !($0.plural_suffix ?? "").isEmpty && !($0.content ?? "").isEmpty }
    return .plural(
      Dictionary(forms.map { (PluralCategory(rawValue: $0.plural_suffix ?? ""), $0.content ?? "") }) { first, _ in first
      })
  }

  /// The worst state of the texts; `nil` where one of them is excluded.
  var state: PlatformState? {
    guard !translations.contains(where: { $0.excluded == true }) else { return nil }
    return translations.map { translation in
      translation.unverified ? .needsReview : translation.state == "reviewed" ? .reviewed : .translated
    }.min()
  }
}
