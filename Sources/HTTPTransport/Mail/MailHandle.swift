private import CLibCurl
internal import Localization

/// An SMTP session with a libcurl easy handle. Only one thread uses it.
@safe
final class MailHandle {
  enum Work {
    case check
    case send(MailMessage)
  }

  private let handle: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var recipients: UnsafeMutablePointer<curl_slist>?
  private let content: [UInt8]
  private let mask: SecretMask
  private var sent = 0
  /// The server's last reply if it is a refusal, such as `550 no such user`; otherwise empty. The reply to QUIT does not count.
  private var refusal = ""
  private let flag = CancellationFlag.current

  init?(_ server: MailServer, _ work: Work, _ deadline: Duration) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe recipients = nil
    // AUTH PLAIN sends user and password in one text.
    let login = server.password.map { Secret("\0\(server.user ?? "")\0\($0.reveal())") }
    mask = SecretMask([server.password], whole: [login])
    if case .send(let message) = work { content = message.content } else { content = [] }
    unsafe pointer(CURLOPT_ERRORBUFFER, errorText)
    let box = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe pointer(CURLOPT_READDATA, box)
    unsafe pointer(CURLOPT_HEADERDATA, box)
    unsafe pointer(CURLOPT_XFERINFODATA, box)
    _ = unsafe dragoman_curl_set_data_function(handle, CURLOPT_READFUNCTION, giveContent)
    _ = unsafe dragoman_curl_set_data_function(handle, CURLOPT_HEADERFUNCTION, takeLine)
    _ = unsafe dragoman_curl_set_data_function(handle, CURLOPT_WRITEFUNCTION, ignoreContent)
    _ = unsafe dragoman_curl_set_progress_function(handle, goOn)
    configure(server, deadline)
    switch work {
    case .check: long(CURLOPT_CONNECT_ONLY, 1)
    case .send(let message):
      string(CURLOPT_MAIL_FROM, "<\(message.sender)>")
      for recipient in message.recipients {
        guard let longer = unsafe curl_slist_append(recipients, "<\(recipient)>") else { return nil }
        unsafe recipients = longer
      }
      _ = unsafe dragoman_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
      long(CURLOPT_UPLOAD, 1)
      _ = unsafe dragoman_curl_set_off(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(content.count))
    }
  }

  private func configure(_ server: MailServer, _ deadline: Duration) {
    long(CURLOPT_NOSIGNAL, 1)
    long(CURLOPT_NOPROGRESS, 0)
    // The environment's proxies are not used, because HTTP proxies do not support SMTP.
    string(CURLOPT_PROXY, "")
    string(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    string(CURLOPT_URL, "\(server)/dragoman")
    switch server.security {
    case .none: long(CURLOPT_USE_SSL, Int(CURLUSESSL_NONE.rawValue))
    case .startTLS, .tls: long(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
    }
    long(CURLOPT_SSL_VERIFYPEER, 1)
    long(CURLOPT_SSL_VERIFYHOST, 2)
    long(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let path = server.certificateAuthorities { string(CURLOPT_CAINFO, path) }
    long(CURLOPT_CONNECTTIMEOUT_MS, min(deadline, .seconds(15)).wholeMilliseconds)
    long(CURLOPT_TIMEOUT_MS, deadline.wholeMilliseconds)
    if let user = server.user, let password = server.password {
      string(CURLOPT_USERNAME, user)
      string(CURLOPT_PASSWORD, password.reveal())
    }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(recipients)
    unsafe errorText.deallocate()
  }

  func perform(_ operation: String) throws(TransportError) {
    let code = unsafe CurlCode(rawValue: curl_easy_perform(handle).rawValue)
    guard code != .done else { return }
    // The server did not reply to the last command, so an earlier refusal is not the reason.
    if CURLcode(code.rawValue) == CURLE_OPERATION_TIMEDOUT { refusal = "" }
    let words = refusal.isEmpty ? unsafe String(cString: errorText) : "the server replied: \(refusal)"
    throw TransportError(kind: kind(of: code), operation: operation, detail: code.description(words))
  }

  private func kind(of code: CurlCode) -> TransportError.Kind {
    switch CURLcode(code.rawValue) {
    case CURLE_ABORTED_BY_CALLBACK: return .cancelled
    // The server does not offer the required STARTTLS.
    case CURLE_USE_SSL_FAILED: return .tls
    case CURLE_LOGIN_DENIED: return .status(401)
    default: break
    }
    if let status = Int(refusal.prefix(3)) { return .status(status) }
    return code.kind(wasConnected: true)
  }

  // MARK: Called by the callbacks

  fileprivate func give(into room: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(room.count, content.count - sent)
    guard count > 0 else { return 0 }
    unsafe room.copyBytes(from: content[sent..<(sent + count)])
    sent += count
    return count
  }

  fileprivate func take(line bytes: UnsafeRawBufferPointer) {
    // The line is shortened after the secrets are masked, because only a whole secret is recognized. SMTP allows a line of 512 bytes, far below the
    // limit of 16 KiB.
    let line = unsafe String(decoding: bytes.prefix(1 << 14), as: UTF8.self)
    guard let code = Int(line.prefix(3)) else { return }
    // libcurl goes on after some refusals: if EHLO is refused, it sends HELO. After others, it ends the session with QUIT, whose reply is 221.
    if (200..<400).contains(code), code != 221 { refusal = "" }
    guard (400..<600).contains(code) else { return }
    let words = mask.text(String(line.split(whereSeparator: \.isNewline).first ?? ""))
    refusal = String(words.prefix(500)).withVisibleControls
  }

  fileprivate var mustStop: Bool { flag?.isCancelled == true }

  private func long(_ option: CURLoption, _ value: Int) { _ = unsafe dragoman_curl_set_long(handle, option, value) }
  private func string(_ option: CURLoption, _ value: String) {
    _ = unsafe dragoman_curl_set_string(handle, option, value)
  }
  private func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
    unsafe _ = dragoman_curl_set_pointer(handle, option, value)
  }
}

private func session(_ payload: UnsafeMutableRawPointer?) -> MailHandle? {
  unsafe payload.map { unsafe Unmanaged<MailHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func giveContent(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ payload: UnsafeMutableRawPointer?
) -> Int {
  guard let session = unsafe session(payload), let buffer = unsafe buffer else { return Int(CURL_READFUNC_ABORT) }
  return unsafe session.give(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

private func takeLine(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ payload: UnsafeMutableRawPointer?
) -> Int {
  guard let session = unsafe session(payload), let buffer = unsafe buffer else { return 0 }
  unsafe session.take(line: UnsafeRawBufferPointer(start: buffer, count: size * count))
  return size * count
}

private func ignoreContent(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ payload: UnsafeMutableRawPointer?
) -> Int {
  size * count
}

/// Returns 1 if libcurl must stop. libcurl calls this function about once a second while it waits.
private func goOn(
  _ payload: UnsafeMutableRawPointer?, _ expectedDown: curl_off_t, _ down: curl_off_t, _ expectedUp: curl_off_t,
  _ up: curl_off_t
) -> Int32 {
  unsafe session(payload)?.mustStop == true ? 1 : 0
}
