private import CLibCurl

/// libcurl's result code of a transfer.
struct CurlCode: Hashable, Sendable {
  let rawValue: UInt32

  static let done = CurlCode(rawValue: CURLE_OK.rawValue)

  /// Returns the kind of error for the code.
  func kind(wasConnected: Bool) -> TransportError.Kind {
    switch CURLcode(rawValue) {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
    case CURLE_COULDNT_CONNECT: .connectionFailed
    case CURLE_OPERATION_TIMEDOUT: wasConnected ? .timedOut : .connectTimedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .tls
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING:
      .connectionLost
    case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidRequest
    default: .other
    }
  }

  /// Whether the connection ended without a response and libcurl does not send the request again. This is the case if the connection was new or if
  /// libcurl may not repeat the body (`Transfer.rewind`).
  var meansNoResponse: Bool { [CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND].contains(CURLcode(rawValue)) }

  /// Whether the code can mean that a line, such as a header, is too long. libcurl accepts at most 100 KB, and before version 8.6 reports a longer
  /// line as exhausted memory.
  var meansLongLine: Bool { [CURLE_OUT_OF_MEMORY.rawValue, Self.tooLarge].contains(rawValue) }

  /// `CURLE_TOO_LARGE`, which the headers of older versions lack.
  private static let tooLarge: UInt32 = 100

  /// Returns the message for a failure, with the code. After a deadline, libcurl's text contains the milliseconds and the received bytes, which
  /// differ each time. Only the whole seconds are kept, so that the same failure has the same message and is reported only once.
  /// - Parameter text: libcurl's text for this failure. If it is empty, libcurl's text for the code is used.
  func description(_ text: String) -> String {
    var text = text.isEmpty ? words : text
    if CURLcode(rawValue) == CURLE_OPERATION_TIMEDOUT {
      text.replace(#/ after (\d+) milliseconds(?: with .*)?/#) { match in " after \((Int(match.1) ?? 0) / 1000) s" }
    }
    return "\(text) (libcurl code \(rawValue))"
  }

  /// libcurl's own message for the code.
  var words: String { unsafe String(cString: curl_easy_strerror(CURLcode(rawValue))) }
}
