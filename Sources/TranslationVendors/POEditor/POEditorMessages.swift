// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import Localization

/// The JSON that Dragoman exchanges with POEditor's API v2 (poeditor.com/docs/api): responses, and the elements of a request's field `data`.
enum POEditorMessages {
  /// The envelope of every response. A failed request also has the HTTP status 200; `response` shows whether the request failed.
  struct Envelope<Result: Decodable & Sendable>: Decodable, Sendable {
    var response: Response
    /// The result; `nil` if the request failed.
    var result: Result?

    private enum CodingKeys: CodingKey { case response, result }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      response = try container.decode(Response.self, forKey: .response)
      result = response.status == "success" ? try container.decode(Result.self, forKey: .result) : nil
    }
  }

  struct Response: Decodable, Sendable {
    var status: String
    /// The code as a text: `200`, or an error code such as `4011`.
    var code: String
    var message: String?

    private enum CodingKeys: CodingKey { case status, code, message }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      status = try container.decode(String.self, forKey: .status)
      code =
        try (try? container.decode(Int.self, forKey: .code)).map(String.init)
        ?? container.decode(String.self, forKey: .code)
      message = try container.decodeIfPresent(String.self, forKey: .message)
    }
  }

  struct ProjectResult: Decodable, Sendable {
    struct Project: Decodable, Sendable {
      /// The code of the default reference language; empty if the project's owner has not chosen one.
      var reference_language: String?
    }

    var project: Project
  }

  struct LanguagesResult: Decodable, Sendable {
    struct Language: Decodable, Sendable {
      var code: String
    }

    var languages: [Language]
  }

  struct TermsResult: Decodable, Sendable {
    var terms: [Term]
  }

  struct Term: Decodable, Sendable {
    struct Translation: Decodable, Sendable {
      var content: FormsInJSON
      /// 1 for a translation that must be checked.
      var fuzzy: Int?
      var proofread: Int?
    }

    var term: String
    var context: String
    /// The plural name of a term with plural forms; empty for other terms.
    var plural: String?
    var comment: String?
    var tags: [String]?
    /// The translation into the requested language.
    var translation: Translation?

    var text: PlatformText {
      let isPlural = plural.map { !$0.isEmpty } ?? false
      return translation?.content.content(isPlural: isPlural) ?? (isPlural ? .plural([:]) : .plain(""))
    }
  }

  /// The response to a request that changes terms.
  struct TermsDone: Decodable, Sendable {
    struct Counts: Decodable, Sendable {
      var parsed: Int
    }

    var terms: Counts
  }

  struct TranslationsDone: Decodable, Sendable {
    var translations: TermsDone.Counts
  }

  /// A term to add, update or delete.
  struct TermData: Encodable {
    var term: String
    var context: String
    var plural: String?
    var comment: String?
    var tags: [String]?
  }

  struct TranslationData: Encodable {
    struct Content: Encodable {
      var content: FormsInJSON
    }

    var term: String
    var context: String
    var translation: Content
  }
}
