private import CLibCurl

/// The options of libcurl that depend on the request or the transport's settings. Each case has the type of its value, so that no option can get a
/// value of the wrong type.
enum CurlOption {
  case url(String)
  case method(String)
  /// GET or the given `method` without a request body.
  case noRequestBody
  /// HEAD, whose response has no body.
  case noResponseBody
  /// A request body of this many bytes from the read callback; -1 for chunks until the body ends.
  case upload(length: Int)
  case connectDeadline(milliseconds: Int)
  case wholeDeadline(milliseconds: Int)
  case largestBody(Int)
  /// Requests a compressed response, and decompresses it. `largestBody` then counts the bytes in transit, and `Transfer` counts the decompressed
  /// bytes.
  case compression
  case userAgent(String)
  case basic(user: String, password: String)
  case bearer(String)
  case certificateAuthorities(path: String)
  case noProxy
  /// A proxy. The user and the password are sent with basic authentication.
  case proxy(String, user: String?, password: String?, exceptions: String)
  /// The certificate and the key, both as PEM.
  case clientCertificate(String, key: String)
  /// Requires a new connection. libcurl automatically repeats requests only on reused connections.
  case newConnection
  /// Reuses a connection only if it was idle for at most this time. libcurl rounds the idle time down.
  case longestIdle(seconds: Int)
}

/// A libcurl easy handle, which only the loop's thread uses. The transfer is the payload of the handle's callbacks and must outlive the handle.
@safe
final class EasyHandle {
  private let handle: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?

  init?(payload: Transfer) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe headers = nil
    let box = unsafe Unmanaged.passUnretained(payload).toOpaque()
    unsafe pointer(CURLOPT_ERRORBUFFER, errorText)
    unsafe pointer(CURLOPT_WRITEDATA, box)
    unsafe pointer(CURLOPT_READDATA, box)
    unsafe pointer(CURLOPT_HEADERDATA, box)
    unsafe pointer(CURLOPT_SEEKDATA, box)
    _ = unsafe dragoman_curl_set_data_function(handle, CURLOPT_WRITEFUNCTION, receiveBody)
    _ = unsafe dragoman_curl_set_data_function(handle, CURLOPT_READFUNCTION, sendBody)
    _ = unsafe dragoman_curl_set_data_function(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
    _ = unsafe dragoman_curl_set_seek_function(handle, rewindBody)
    long(CURLOPT_NOSIGNAL, 1)
    // Ending a transfer during the look-up of its host name must not wait for the look-up, because all transfers share this thread.
    long(CURLOPT_QUICK_EXIT, 1)
    long(CURLOPT_FOLLOWLOCATION, 0)
    long(CURLOPT_SSL_VERIFYPEER, 1)
    long(CURLOPT_SSL_VERIFYHOST, 2)
    long(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    long(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    string(CURLOPT_PROTOCOLS_STR, "http,https")
  }

  // The loop has already removed the handle from the multi handle. The handle is freed first, and then the memory to which the handle points.
  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(headers)
    unsafe errorText.deallocate()
  }

  /// An identifier of the handle.
  var id: UInt { unsafe UInt(bitPattern: handle) }
  var raw: UnsafeMutableRawPointer { unsafe handle }

  func set(_ option: CurlOption) {
    switch option {
    case .url(let url): string(CURLOPT_URL, url)
    case .method(let method): string(CURLOPT_CUSTOMREQUEST, method)
    case .noRequestBody: long(CURLOPT_HTTPGET, 1)
    case .noResponseBody: long(CURLOPT_NOBODY, 1)
    case .upload(let length):
      long(CURLOPT_UPLOAD, 1)
      off(CURLOPT_INFILESIZE_LARGE, length)
    case .connectDeadline(let milliseconds): long(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
    case .wholeDeadline(let milliseconds): long(CURLOPT_TIMEOUT_MS, milliseconds)
    case .largestBody(let bytes): off(CURLOPT_MAXFILESIZE_LARGE, bytes)
    case .compression: string(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    case .userAgent(let name): string(CURLOPT_USERAGENT, name)
    case .basic(let user, let password):
      long(CURLOPT_HTTPAUTH, 1)
      string(CURLOPT_USERNAME, user)
      string(CURLOPT_PASSWORD, password)
    case .bearer(let token):
      long(CURLOPT_HTTPAUTH, 1 << 6)
      string(CURLOPT_XOAUTH2_BEARER, token)
    case .certificateAuthorities(let path): string(CURLOPT_CAINFO, path)
    case .noProxy: string(CURLOPT_PROXY, "")
    case .proxy(let address, let user, let password, let exceptions):
      string(CURLOPT_PROXY, address)
      // This option is set even if it is empty, because the environment's no_proxy must not be used.
      string(CURLOPT_NOPROXY, exceptions)
      long(CURLOPT_PROXYAUTH, 1)
      if let user, let password {
        string(CURLOPT_PROXYUSERNAME, user)
        string(CURLOPT_PROXYPASSWORD, password)
      }
    case .clientCertificate(let certificate, let key):
      blob(CURLOPT_SSLCERT_BLOB, certificate)
      blob(CURLOPT_SSLKEY_BLOB, key)
    case .newConnection: long(CURLOPT_FRESH_CONNECT, 1)
    case .longestIdle(let seconds): long(CURLOPT_MAXAGE_CONN, seconds)
    }
  }

  /// Sets the header lines of the request. `Name: value` sends a header, `Name;` sends a header with an empty value, and `Name:` omits a header that
  /// libcurl would send itself.
  func set(headers lines: [String]) {
    for line in lines {
      if let longer = unsafe curl_slist_append(headers, line) { unsafe headers = longer }
    }
    _ = unsafe dragoman_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
  }

  /// Resumes a paused transfer in both directions. The callbacks pause it again if necessary.
  func resume() { _ = unsafe curl_easy_pause(handle, CURLPAUSE_CONT) }

  /// Whether the connection, including TLS, is established.
  var isConnected: Bool {
    var value: curl_off_t = 0
    return unsafe dragoman_curl_get_off(handle, CURLINFO_PRETRANSFER_TIME_T, &value) == CURLE_OK && value > 0
  }

  /// Returns the description of a failure: our own text if the server closed the connection without a response, and otherwise libcurl's text for this
  /// failure or for the code.
  func message(for code: CurlCode) -> String {
    if code.meansNoResponse {
      return
        "the server closed the connection without a response. It may have received the request, so the request is not "
        + "sent again until the next attempt"
    }
    return code.description(unsafe String(cString: errorText))
  }

  private func long(_ option: CURLoption, _ value: Int) { _ = unsafe dragoman_curl_set_long(handle, option, value) }
  private func off(_ option: CURLoption, _ value: Int) {
    _ = unsafe dragoman_curl_set_off(handle, option, curl_off_t(value))
  }
  private func string(_ option: CURLoption, _ value: String) {
    _ = unsafe dragoman_curl_set_string(handle, option, value)
  }
  private func blob(_ option: CURLoption, _ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe dragoman_curl_set_blob(handle, option, $0.baseAddress, $0.count) }
  }
  private func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
    unsafe _ = dragoman_curl_set_pointer(handle, option, value)
  }
}

// The callbacks get their transfer from the payload. libcurl calls them on the loop's thread. They must never trap.

private func transfer(_ payload: UnsafeMutableRawPointer?) -> Transfer? {
  unsafe payload.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ payload: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer = unsafe transfer(payload), let buffer = unsafe buffer else { return 0 }
  let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: size * count)
  switch unsafe transfer.receive(body: bytes) {
  case .taken: return size * count
  case .pause: return Int(CURL_WRITEFUNC_PAUSE)
  case .stop: return size * count == 0 ? 1 : 0
  }
}

private func receiveHeader(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ payload: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer = unsafe transfer(payload), let buffer = unsafe buffer else { return 0 }
  let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: size * count)
  return unsafe transfer.receive(header: bytes) ? size * count : 0
}

private func sendBody(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ payload: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer = unsafe transfer(payload), let buffer = unsafe buffer else { return Int(CURL_READFUNC_ABORT) }
  let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
  switch unsafe transfer.send(into: room) {
  case .sent(let count): return count
  case .pause: return Int(CURL_READFUNC_PAUSE)
  case .stop: return Int(CURL_READFUNC_ABORT)
  }
}

private func rewindBody(_ payload: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
  guard let transfer = unsafe transfer(payload), origin == 0, offset == 0, transfer.rewind() else {
    return CURL_SEEKFUNC_CANTSEEK
  }
  return CURL_SEEKFUNC_OK
}
