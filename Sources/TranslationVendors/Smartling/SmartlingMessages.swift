internal import Localization

/// The JSON of Smartling's APIs: the parts that Dragoman uses (the vendor's OpenAPI document).
enum SmartlingMessages {
  /// The envelope of every answer.
  struct Answer<Content: Decodable & Sendable>: Decodable, Sendable {
    struct Response: Decodable, Sendable {
      /// `SUCCESS` or `ACCEPTED`.
      var code: String
      var data: Content
    }

    var response: Response
  }

  struct Credentials: Encodable {
    var userIdentifier: String
    var userSecret: String
  }

  struct Refresh: Encodable {
    var refreshToken: String
  }

  struct Tokens: Decodable, Sendable {
    var accessToken: String
    var refreshToken: String
    /// In seconds.
    var expiresIn: Int
    var refreshExpiresIn: Int
  }

  struct Project: Decodable, Sendable {
    struct Locale: Decodable, Sendable {
      var localeId: String
    }

    var accountUid: String
    var sourceLocaleId: String
    var targetLocales: [Locale]
  }

  struct Import: Decodable, Sendable {
    struct Fault: Decodable, Sendable {
      /// The key of a translation that was not taken.
      var importKey: String?
      var messages: [String]?
    }

    /// Not empty although the status is 200, if translations were not taken.
    var translationImportErrors: [Fault]?
  }

  struct List<Element: Decodable & Sendable>: Decodable, Sendable {
    var totalCount: Int
    var items: [Element]

    /// - Parameter offset: of the first element.
    func isLast(from offset: Int) -> Bool { items.isEmpty || offset + items.count >= totalCount }
  }

  struct File: Decodable, Sendable {
    var fileUri: String
  }
}
