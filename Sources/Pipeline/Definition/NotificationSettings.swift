/// An event that a pipeline can report to people.
package enum NoticeEvent: String, Hashable, Sendable, CaseIterable {
  /// Translations or synced catalogs were pushed to the remote.
  case roundDelivered = "round-delivered"
  /// Returned units are held.
  case unitsHeld = "units-held"
  /// Units have been at a vendor for longer than `rounds.overdue`.
  case roundOverdue = "round-overdue"
  /// Pushing to or pulling from a vendor fails.
  case vendorFailing = "vendor-failing"
  /// The repository cannot be read or written, a commit cannot be processed, or a request to the forge fails.
  case repositoryFailing = "repository-failing"
}

/// A receiver of notifications, and the events that it receives.
package struct NotificationSettings: Hashable, Sendable {
  /// The form of the message.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    /// JSON with the headers of Standard Webhooks, signed if there is a secret.
    case standard
    /// The form for an incoming webhook of Slack, or of a compatible server such as Mattermost.
    case slack
    /// An adaptive card for a webhook of Teams ("Workflows").
    case teams
  }

  package var events: Set<NoticeEvent>
  /// The place of the webhook's URL, which is a secret at chat services; `none` for mail.
  package var webhook: CredentialReference
  /// The settings for mail; `nil` for a webhook.
  package var mail: MailSettings?
  package var format: Format
  /// The place of the secret for signatures; only with `standard`.
  package var secret: CredentialReference
  /// The hours in which nothing is sent. The events of these hours are sent afterwards in one message.
  package var quiet: DailyHours?
  /// The time for which events are collected before a message is sent.
  package var digest: Duration

  package init(
    events: Set<NoticeEvent> = Set(NoticeEvent.allCases), webhook: CredentialReference, format: Format = .standard,
    secret: CredentialReference = .none, quiet: DailyHours? = nil, digest: Duration = .zero, mail: MailSettings? = nil
  ) {
    self.events = events
    self.webhook = webhook
    self.format = format
    self.secret = secret
    self.quiet = quiet
    self.digest = digest
    self.mail = mail
  }
}

/// The settings for sending mail.
package struct MailSettings: Hashable, Sendable {
  /// The email addresses of the recipients, without names.
  package var recipients: [String]
  /// The host name or IP address of the mail server; an IPv6 address is in brackets.
  package var host: String
  package var port: Int
  /// Whether TLS begins immediately (`smtps://`). Otherwise STARTTLS is required, unless the mail server is on this machine.
  package var isEncryptedAtOnce: Bool
  package var senderName: String
  package var sender: String
  /// The place of the password, or of `user:password`; `none` if the server requires no password.
  package var credentials: CredentialReference

  package init(
    recipients: [String], host: String, port: Int, isEncryptedAtOnce: Bool, senderName: String, sender: String,
    credentials: CredentialReference = .none
  ) {
    self.recipients = recipients
    self.host = host
    self.port = port
    self.isEncryptedAtOnce = isEncryptedAtOnce
    self.senderName = senderName
    self.sender = sender
    self.credentials = credentials
  }
}

/// A range of hours of each day, in a time zone. If the end is not later than the start, the hours extend past midnight.
package struct DailyHours: Hashable, Sendable {
  /// The beginning, in minutes after midnight, 0 to 1439.
  package var start: Int
  /// The end, in minutes after midnight, 0 to 1439, exclusive.
  package var end: Int
  /// The name of the time zone in the IANA database, such as `Europe/Berlin`.
  package var zone: String

  package init(start: Int, end: Int, zone: String = "UTC") {
    self.start = start
    self.end = end
    self.zone = zone
  }

  /// Returns whether a minute is within the range.
  /// - Parameter minute: the minutes since midnight in `zone`.
  package func contains(minute: Int) -> Bool {
    start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }
}
