import Foundation
import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

/// The sender of the notifications that pipeline files request. It compares the state of each pipeline with the pipeline's earlier notifications,
/// records the differences, and sends them.
///
/// A message is stored before it is sent. If the receiver's response is lost, the message is sent again with the same id and content.
actor Notifier {
  /// The interval between checks of the pipelines.
  static let interval = Duration.seconds(30)
  /// The time for which ended notices are kept, as a record of what was sent.
  static let memory = Duration.seconds(60 * 24 * 3600)
  /// The maximum number of lines in one message. Further lines follow in the next message.
  static let lineLimit = 500
  /// The number of messages that are sent concurrently.
  private static let width = 8
  /// The number of refusals after which a message is dropped. Later messages wait until then.
  private static let refusals = 5

  private struct Receiver: Hashable {
    var pipeline: String
    var name: String
  }

  private struct Failure {
    var count: Int
    /// The text of the reported failure.
    var text: String
    var retry: Date
    /// The number of times that the receiver refused the content of the message.
    var refusals = 0
  }

  private let store: any Store
  private let notices: any NoticeStore
  private let transport: HTTPTransport
  private let credentials: Credentials
  private let now: @Sendable () -> Date
  private let newID: @Sendable () -> String
  private let report: @Sendable (_ pipeline: String, _ text: String) -> Void
  private let disk = BlockingPool("secrets of notifications", width: 1)
  private let mail = BlockingPool("mail", width: 2)
  private let policy = RetryPolicy()
  private var failing: [Receiver: Failure] = [:]
  private var lastPrune: [String: Date] = [:]
  /// The pipelines that were removed, but whose receivers are not yet notified that the pipelines' problems ended.
  private var removed: [String: PipelineDefinition] = [:]

  /// - Parameters:
  ///   - newID: returns an id that no other message has.
  ///   - report: receives a message when a failure begins, when its reason changes, when it ends, and when a refused message is dropped.
  init(
    store: any Store, notices: any NoticeStore, transport: HTTPTransport, credentials: Credentials,
    now: @escaping @Sendable () -> Date, newID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
    report: @escaping @Sendable (_ pipeline: String, _ text: String) -> Void
  ) {
    self.store = store
    self.notices = notices
    self.transport = transport
    self.credentials = credentials
    self.now = now
    self.newID = newID
    self.report = report
  }

  /// Checks the pipelines once, and sends the messages that are due. Failures are reported, and the messages are sent again later.
  func turn(_ definitions: [PipelineDefinition]) async {
    for definition in definitions { removed[definition.name] = nil }
    var due: [(receiver: Receiver, settings: NotificationSettings)] = []
    for definition in definitions + removed.values.sorted(by: { $0.name < $1.name }) where !definition.notify.isEmpty {
      do {
        due += try await review(definition).map { (Receiver(pipeline: definition.name, name: $0.name), $0.settings) }
      } catch {
        // The worker reports a store that cannot be used.
        continue
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for (number, item) in due.enumerated() {
        if number >= Self.width { await group.next() }
        group.addTask { await self.send(to: item.receiver, item.settings) }
      }
    }
    for name in removed.keys where (try? await notices.waitingNotices(of: name).isEmpty) == true {
      guard (try? await notices.endNotices(of: name)) != nil else { continue }
      removed[name] = nil
    }
  }

  /// Ends the problems of a pipeline that was removed. Its receivers are notified at the next checks.
  func remove(_ definition: PipelineDefinition) {
    if !definition.notify.isEmpty { removed[definition.name] = definition }
  }

  // MARK: New notices

  /// Records what has changed in a pipeline's state since its earlier notifications.
  /// - Returns: the names and settings of the receivers for which a message is due.
  private func review(
    _ definition: PipelineDefinition
  ) async throws -> [(name: String, settings: NotificationSettings)] {
    let pipeline = definition.name
    let book = try await notices.noticeBook(of: pipeline)
    let changes =
      removed[pipeline] == nil
      ? try await NoticeReview(of: pipeline, overdue: definition.rounds.overdue, since: book.since, in: store)
        .changes(book)
      : NoticeReview.changesAfterRemoval(book, at: now())
    try await notices.note(
      changes, of: pipeline, for: definition.receivers.map { ($0.name, $0.settings.events) })
    let now = now()
    if now.timeIntervalSince(lastPrune[pipeline] ?? .distantPast) >= 86_400 {
      lastPrune[pipeline] = now
      try await notices.pruneNotices(
        of: pipeline, keeping: Set(definition.receivers.map(\.name)),
        olderThan: now.addingTimeInterval(-Self.memory.seconds))
    }
    let waiting = try await notices.waitingNotices(of: pipeline)
    return definition.receivers.filter { name, settings in
      guard let oldest = waiting[name] else { return false }
      let retry = failing[Receiver(pipeline: pipeline, name: name)]?.retry ?? .distantPast
      return retry <= now && settings.sends(at: now, oldest: oldest)
    }
  }

  // MARK: Sending

  private func send(to receiver: Receiver, _ settings: NotificationSettings) async {
    do {
      while let message = try await notices.nextMessage(
        of: receiver.pipeline, for: receiver.name, id: newID(), limit: Self.lineLimit)
      {
        do { try await post(message, settings) } catch let error as TransportError where error.refusesContent {
          note(error, receiver)
          failing[receiver]?.refusals += 1
          guard let failure = failing[receiver], failure.refusals >= Self.refusals else { return }
          report(
            receiver.pipeline,
            "notify \(receiver.name): a message with \(message.lines.count) lines was refused \(failure.refusals) "
              + "times and is dropped: \(message.lines.first?.text ?? "")")
          failing[receiver]?.refusals = 0
        }
        try await notices.settle(message)
      }
      if let failure = failing.removeValue(forKey: receiver) {
        report(
          receiver.pipeline,
          "notify \(receiver.name): working again after \(failure.count) "
            + (failure.count == 1 ? "failure" : "failures"))
      }
    } catch is CancellationError {
    } catch let error as TransportError where error.kind == .cancelled {
      // The daemon is stopping. It sends the message after the next start.
    } catch {
      note(error, receiver)
    }
  }

  private func note(_ error: any Error, _ receiver: Receiver) {
    // A transport error's operation contains the URL's path, which is the secret of most chat services.
    let text = (error as? TransportError)?.detail ?? "\(error)"
    let before = failing[receiver]
    let count = (before?.count ?? 0) + 1
    var wait = policy.delay(after: count)
    if case .retryAfter(let told) = (error as? any DisposableError)?.disposition { wait = max(wait, told) }
    failing[receiver] = Failure(
      count: count, text: text, retry: now().addingTimeInterval(wait.seconds), refusals: before?.refusals ?? 0)
    if before?.text != text {
      report(receiver.pipeline, "notify \(receiver.name): error: \(text.withVisibleControls) (will be retried)")
    }
  }

  private func post(_ message: NoticeMessage, _ settings: NotificationSettings) async throws {
    if let mail = settings.mail { return try await send(message, mail) }
    let purpose = "notifications of \(message.pipeline)"
    let (address, secret) = try await disk.run { [credentials] in
      (
        try credentials.secret(settings.webhook, for: purpose), try credentials.secret(settings.secret, for: purpose)
      )
    }
    let url = try NoticeAddress.url(address, settings.webhook)
    let request = try NoticeBody(message: message, settings: settings)
      .request(to: url, secret: secret, now: Int64(now().timeIntervalSince1970))
    let seconds = Int64(now().timeIntervalSince1970)
    let response = try await transport.withResponse(to: request) { @Sendable head, body in
      // The body is only used to recognize and describe refusals, so no more is read once it exceeds 1000 bytes.
      var bytes: [UInt8] = []
      for try await chunk in body {
        bytes += chunk
        if bytes.count > 1000 { break }
      }
      return HTTPResponse(head: head, body: bytes, retryAfter: head.retryAfter(now: seconds))
    }
    guard (200..<300).contains(response.status) else {
      throw response.error("notify \(message.receiver)", hint: Self.hint(response.status))
    }
    // Old Teams connectors return the status 200 and report a refusal in the body.
    let text = String(
      SecretMask([secret], whole: Self.secrets(in: address)).text(String(decoding: response.body, as: UTF8.self))
        .prefix(200)
    ).withVisibleControls
    if settings.format == .teams, text.contains("returned HTTP error") {
      throw PipelineError(
        .refused, operation: "notify \(message.receiver)", detail: "the server responded: \(text)",
        disposition: .retry)
    }
  }

  /// Returns the secrets in the address of a webhook: the whole URL, and the parts of its path and query that have at least 8 bytes.
  private static func secrets(in address: Secret?) -> [Secret] {
    guard let text = address?.reveal() else { return [] }
    // The first two parts are the scheme and the host.
    let parts = text.split { "/?&=".contains($0) }.dropFirst(2).map(String.init)
    return ([text] + parts.filter { $0.utf8.count >= 8 }).map { Secret($0) }
  }

  private func send(_ message: NoticeMessage, _ settings: MailSettings) async throws {
    let secret = try await disk.run { [credentials] in
      try credentials.secret(settings.credentials, for: "the mail server of \(message.pipeline)")
    }
    let server = NoticeMail.server(settings, secret)
    let letter = NoticeMail(message: message, settings: settings).letter(now: now())
    let flag = CancellationFlag()
    // The flag ends the work of the thread within a second after the daemon receives a signal to stop.
    try await withTaskCancellationHandler {
      try await mail.run {
        try CancellationFlag.$current.withValue(flag) { try MailTransport.send(letter, through: server) }
      }
    } onCancel: {
      flag.cancel()
    }
  }

  private static func hint(_ status: Int) -> String? {
    switch status {
    case 401, 403, 404, 410: "the webhook may have been removed; make a new one and store its URL"
    default: nil
    }
  }
}

extension TransportError {
  /// Whether the server refuses the content of the message, and would refuse it again.
  fileprivate var refusesContent: Bool {
    // 552 (too large) and 554 (refused) are SMTP codes. HTTP servers do not use them.
    [.status(400), .status(413), .status(422), .status(552), .status(554)].contains(kind)
  }
}

extension PipelineDefinition {
  /// The receivers of notifications, with their names in the ledger and in messages. A name never contains the receiver's URL. Receivers with the
  /// same webhook and format, or with the same recipients of mail, are numbered in the order of the file.
  var receivers: [(name: String, settings: NotificationSettings)] {
    var counts: [String: Int] = [:]
    return notify.map { settings in
      let name =
        settings.mail.map { "mail " + $0.recipients.joined(separator: ", ") }
        ?? "\(settings.format.rawValue) \(settings.webhook.text)"
      counts[name, default: 0] += 1
      let count = counts[name] ?? 1
      return (count == 1 ? name : "\(name) #\(count)", settings)
    }
  }
}

extension NotificationSettings {

  /// Returns whether a message may be sent now, according to the settings for digests and quiet hours.
  /// - Parameter oldest: the time at which the oldest line of the message was recorded.
  func sends(at now: Date, oldest: Date) -> Bool {
    guard now.timeIntervalSince(oldest) >= digest.seconds else { return false }
    guard let quiet, let zone = TimeZone(identifier: quiet.zone) else { return true }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let time = calendar.dateComponents([.hour, .minute], from: now)
    return !quiet.contains(minute: (time.hour ?? 0) * 60 + (time.minute ?? 0))
  }
}
