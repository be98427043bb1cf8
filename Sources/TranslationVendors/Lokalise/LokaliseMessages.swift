// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import Localization

/// The requests and responses of Lokalise's API that Dragoman uses, as JSON. Source: the recorded responses of the official Ruby client.
enum LokaliseMessages {
  struct Languages: Decodable {
    struct Language: Decodable {
      var lang_id: Int?
      var lang_iso: String
    }

    var languages: [Language]
  }

  struct Keys: Decodable {
    var keys: [Key]
  }

  struct Key: Decodable {
    /// A key's name. The API returns an object of names by platform, or a single text for an old project.
    struct Name: Decodable {
      var text: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
          self.text = text
        } else {
          let names = try container.decode([String: String].self)
          text = names["ios"] ?? names.values.first ?? ""
        }
      }
    }

    var key_id: Int
    var key_name: Name
    var description: String?
    var is_plural: Bool?
    var is_archived: Bool?
    /// The length limit in characters; 0 if there is no limit.
    var char_limit: Int?
    var translations: [Translation]?
  }

  struct Translation: Decodable {
    var translation_id: Int
    var language_iso: String
    /// The text; for a plural key, a string that contains a JSON object of forms.
    var translation: String
    var is_reviewed: Bool?
    var is_unverified: Bool?
    var is_fuzzy: Bool?
    /// The email address of the person who last changed the translation.
    var modified_by_email: String?
  }

  /// The response to a request that adds or changes keys. Such a response may report refused keys although the HTTP status is 200.
  struct KeysDone: Decodable {
    struct Refusal: Decodable {
      var message: String?
      var key_name: Key.Name?
      var key_id: Int?
    }

    var errors: [Refusal]?
  }

  struct NewKeys: Encodable {
    var keys: [NewKey]
    var use_automations = false
  }

  struct NewKey: Encodable {
    struct NewTranslation: Encodable {
      var language_iso: String
      var translation: String
    }

    var key_name: String
    var description: String
    var platforms: [String]
    var filenames: [String: String]
    var is_plural: Bool
    var char_limit: Int?
    var translations: [NewTranslation]
  }

  struct KeyChanges: Encodable {
    struct KeyChange: Encodable {
      var key_id: Int
      var description: String?
      var is_archived: Bool?
      var char_limit: Int?
      /// Whether the key has plural forms; `nil` leaves this unchanged.
      var is_plural: Bool?
    }

    var keys: [KeyChange]
  }

  struct NewText: Encodable {
    var translation: String
    /// Whether the translation is marked as unverified; `nil` leaves the mark unchanged.
    var is_unverified: Bool?
    var is_reviewed: Bool?
  }

  struct Screenshots: Decodable {
    struct Screenshot: Decodable {
      var screenshot_id: Int
      var title: String
      var key_ids: [Int]
    }

    struct Refusal: Decodable {
      var message: String?
    }

    var screenshots: [Screenshot]
    /// The refused screenshots of a request.
    var errors: [Refusal]?
  }

  struct NewScreenshots: Encodable {
    struct NewScreenshot: Encodable {
      /// The picture as a data URL.
      var data: String
      var title: String
      /// Whether Lokalise recognizes texts in the picture.
      var ocr = false
      var key_ids: [Int]
    }

    var screenshots: [NewScreenshot]
  }

  struct KeyIDsOfScreenshot: Encodable {
    var key_ids: [Int]
  }

  struct KeyIDs: Encodable {
    var keys: [Int]
  }
}

extension PlatformText {
  /// The text in the form that the API accepts: plural forms are a string that contains a JSON object.
  var lokaliseText: String {
    switch self {
    case .plain(let text): return text
    case .plural(let forms):
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let named = Dictionary(forms.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
      return (try? encoder.encode(named)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
  }

  /// Parses a text from the API; `nil` for a plural key whose text is not a JSON object of texts.
  init?(lokalise text: String, isPlural: Bool) {
    guard isPlural else {
      self = .plain(text)
      return
    }
    // The text of a plural key is empty if a push was interrupted before the key's texts arrived.
    guard !text.isEmpty else {
      self = .plural([:])
      return
    }
    guard let forms = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8)) else { return nil }
    self = .plural(Dictionary(forms.map { (PluralCategory(rawValue: $0.key), $0.value) }) { first, _ in first })
  }

  var isEmpty: Bool {
    switch self {
    case .plain(let text): text.isEmpty
    case .plural(let forms): forms.values.allSatisfy(\.isEmpty)
    }
  }
}

extension PlatformString {
  /// Returns the source text with only the plural forms of the source language. A shipment also has forms of its target language, but Lokalise
  /// does not store forms that the project's language lacks.
  /// - Parameter stored: the key's text at Lokalise. Forms that this shipment lacks are kept. Forms that the source language lacks, which older
  ///   versions of Dragoman sent, get the new text.
  func lokaliseSource(over stored: PlatformText?) -> PlatformText {
    guard case .plural(let new) = source else { return source }
    let own = Set(PluralRules.categories(of: sourceLanguage))
    var forms = new.filter { own.contains($0.key) }
    if case .plural(let old)? = stored {
      for (category, text) in old where forms[category] == nil {
        forms[category] = own.contains(category) ? text : new[category] ?? new[.other] ?? text
      }
    }
    return forms.isEmpty ? source : .plural(forms)
  }
}
