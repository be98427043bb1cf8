internal import Localization

/// The requests and responses of Smartling's APIs that Dragoman uses, as JSON. The source of these types is the vendor's OpenAPI document.
enum SmartlingMessages {
  /// The envelope of every response with JSON.
  struct Envelope<Content: Decodable & Sendable>: Decodable, Sendable {
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
    /// The lifetime of the access token in seconds.
    var expiresIn: Int
    /// The lifetime of the refresh token in seconds.
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
      /// The key of a translation that was not accepted.
      var importKey: String?
      var messages: [String]?
    }

    /// The errors of translations that were not accepted. The status of the response is 200 even if there are errors.
    var translationImportErrors: [Fault]?
  }

  struct List<Element: Decodable & Sendable>: Decodable, Sendable {
    var totalCount: Int
    var items: [Element]

    /// Returns whether this is the last page of the list.
    /// - Parameter offset: the position of the page's first element in the list.
    func isLast(from offset: Int) -> Bool { items.isEmpty || offset + items.count >= totalCount }
  }

  struct File: Decodable, Sendable {
    var fileUri: String
  }
}
