private import CLibCurl
internal import Foundation
internal import Localization
internal import Synchronization

/// The thread that runs libcurl for one transport. All transfers share its multi handle and its connections.
///
/// Other threads send commands to it with `Inbox` and `curl_multi_wakeup`, which libcurl allows on any thread.
final class CurlLoop {
  private let inbox: Inbox
  private let settings: TransportSettings
  private let multi: Multi
  private var running: [ObjectIdentifier: Running] = [:]

  private struct Running {
    let transfer: Transfer
    let easy: EasyHandle
    var wasConnected = false
  }

  /// The maximum idle time, in seconds, of a connection for a request that must not be sent twice.
  ///
  /// A server may close an idle connection while a request is being sent. libcurl automatically repeats other requests, but a request that must not
  /// be sent twice would fail. Apache and Node.js close idle connections after 5 s. A limit of 2 s, which libcurl treats as just under 3 s, leaves
  /// the request enough time to arrive. libcurl's own limit is 118 s.
  private static let longestIdle = 2

  private init(inbox: Inbox, settings: TransportSettings, multi: Multi) {
    self.inbox = inbox
    self.settings = settings
    self.multi = multi
  }

  /// Starts the thread, and returns the inbox for its commands. The thread ends when the inbox is closed. If libcurl cannot be started, no thread is
  /// started and the inbox is already closed.
  static func start(_ settings: TransportSettings) -> Inbox {
    guard globalInitialisation, let multi = Multi() else { return Inbox(nil) }
    if let count = settings.keptConnections { multi.keepConnections(count) }
    let inbox = Inbox(multi)
    let thread = Thread { CurlLoop(inbox: inbox, settings: settings, multi: multi).run() }
    thread.name = "dragoman-http"
    thread.start()
    return inbox
  }

  /// The initialization of libcurl, once per process and before any other call. It is never undone, because libcurl's clean-up is not thread-safe.
  static let globalInitialisation = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  private func run() {
    while true {
      let (commands, isClosed) = inbox.take()
      for command in commands { obey(command) }
      if isClosed { break }
      multi.perform()
      while let ended = multi.nextFinished() { finish(ended.easy, ended.code) }
      multi.poll(atMost: checkSilence())
    }
    for (_, running) in running {
      end(running, .failure(running.transfer.fault(.cancelled, "the transport was closed")))
    }
    running = [:]
    multi.close()
  }

  private func obey(_ command: Inbox.Command) {
    switch command {
    case .start(let transfer):
      guard let easy = EasyHandle(payload: transfer) else {
        return transfer.finish(.failure(transfer.fault(.other, "libcurl is out of memory")))
      }
      configure(easy, for: transfer)
      guard multi.add(easy) else {
        return transfer.finish(.failure(transfer.fault(.other, "libcurl refused to start the transfer")))
      }
      transfer.noteActivity()
      running[ObjectIdentifier(transfer)] = Running(transfer: transfer, easy: easy)
    case .resume(let transfer): running[ObjectIdentifier(transfer)]?.easy.resume()
    case .cancel(let transfer):
      guard let found = running.removeValue(forKey: ObjectIdentifier(transfer)) else {
        return transfer.finish(.failure(transfer.fault(.cancelled, "cancelled")))
      }
      end(found, .failure(transfer.fault(.cancelled, "cancelled")))
    }
  }

  private func configure(_ easy: EasyHandle, for transfer: Transfer) {
    let request = transfer.request
    easy.set(.url(transfer.url.text))
    switch request.body {
    case .none where request.method == "HEAD": easy.set(.noResponseBody)
    case .none where request.method == "PUT" || request.method == "POST": easy.set(.upload(length: 0))
    case .none: easy.set(.noRequestBody)
    case .bytes(let bytes): easy.set(.upload(length: bytes.count))
    case .stream(_, let length): easy.set(.upload(length: length ?? -1))
    }
    // `Transfer.rewind` prevents sending a body twice. Without a body, libcurl would repeat the request on a reused connection automatically, so a
    // new connection is required.
    if case .none = request.body, !request.isRepeatable { easy.set(.newConnection) }
    if !request.isSentAgain { easy.set(.longestIdle(seconds: Self.longestIdle)) }
    if request.method != "HEAD" { easy.set(.method(request.method)) }
    easy.set(.connectDeadline(milliseconds: request.deadlines.connect.wholeMilliseconds))
    easy.set(.wholeDeadline(milliseconds: request.deadlines.whole.wholeMilliseconds))
    easy.set(.largestBody(request.responseLimit))
    if request.acceptsCompression { easy.set(.compression) }
    easy.set(.userAgent(settings.userAgent))
    if let path = settings.certificateAuthorities { easy.set(.certificateAuthorities(path: path)) }
    if let own = settings.clientCertificate {
      easy.set(.clientCertificate(own.certificate.reveal(), key: own.key.reveal()))
    }
    if let proxy = settings.proxy {
      easy.set(
        .proxy(
          proxy.address.reveal(), user: proxy.user, password: proxy.password?.reveal(), exceptions: proxy.exceptions))
    } else if !settings.usesEnvironmentProxy {
      easy.set(.noProxy)
    }
    switch request.credentials {
    case .none: break
    case .basic(let user, let password): easy.set(.basic(user: user, password: password.reveal()))
    case .bearer(let token): easy.set(.bearer(token.reveal()))
    }
    // Without an empty `Expect`, libcurl would wait a second for a "100 Continue" that many servers never send.
    var lines = ["Expect:"]
    for (name, value) in request.headers { lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)") }
    for (name, value) in request.secretHeaders { lines.append("\(name): \(value.reveal())") }
    easy.set(headers: lines)
  }

  private func finish(_ easy: UInt, _ code: CurlCode) {
    guard let (id, found) = running.first(where: { $0.value.easy.id == easy }) else { return }
    running[id] = nil
    end(found, code == .done ? .success(()) : .failure(error(of: found, code)))
  }

  // Removes the transfer from the multi handle before reporting the outcome. The easy handle is freed with its last reference.
  private func end(_ found: Running, _ outcome: Result<Void, TransportError>) {
    multi.remove(found.easy)
    found.transfer.finish(outcome)
  }

  /// Ends transfers that were silent for too long.
  /// - Returns: the number of milliseconds until the next check is needed.
  private func checkSilence() -> Int {
    var wait = 60_000
    let now = ContinuousClock.now
    for (id, found) in running {
      if !found.wasConnected, found.easy.isConnected {
        running[id]?.wasConnected = true
        found.transfer.noteActivity()
      }
      guard running[id]?.wasConnected == true, let since = found.transfer.silentSince else {
        // libcurl limits the time for connecting. The next check must not be late, because the stall limit applies once the transfer is connected.
        if !found.wasConnected { wait = min(wait, max(found.transfer.request.deadlines.stall.wholeMilliseconds, 10)) }
        continue
      }
      let stall = found.transfer.request.deadlines.stall
      let left = stall - (now - since)
      if left <= .zero {
        running[id] = nil
        end(found, .failure(found.transfer.fault(.stalled, "no data was sent or received for \(stall)")))
      } else {
        wait = min(wait, left.wholeMilliseconds + 1)
      }
    }
    return wait
  }

  private func error(of found: Running, _ code: CurlCode) -> TransportError {
    let kind = code.kind(wasConnected: found.easy.isConnected)
    if kind == .bodyTooLarge { return found.transfer.tooLarge }
    if code.meansLongLine, found.easy.isConnected, found.transfer.awaitsHead {
      return found.transfer.headersTooLarge("one is longer than libcurl accepts")
    }
    return found.transfer.fault(kind, found.easy.message(for: code))
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down but at least 1.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return max(
      1,
      Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue)
        + Int(attoseconds / 1_000_000_000_000_000))
  }
}
