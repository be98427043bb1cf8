internal import HTTPTransport
internal import Localization

/// A test for errors that may concern only one language. After such an error, the translations into other languages are still requested.
enum LanguageFault {
  /// Returns whether an error may concern only the language of the request. Examples are a refused option, a failure of the server and an unreadable
  /// body. Errors about credentials, rates and connections concern all languages.
  static func isPossible(_ error: any Error) -> Bool {
    switch error {
    case let error as TransportError:
      switch error.kind {
      case .status(500...599): true
      case .status: error.disposition == .permanent
      default: false
      }
    case let error as VendorError: error.kind == .protocolFault
    default: false
    }
  }
}
