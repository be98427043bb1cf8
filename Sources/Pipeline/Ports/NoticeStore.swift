package import FoundationEssentials

/// The store of the notices about pipelines, and of the messages that are not yet sent. The two SQL stores implement it (`SQLLedger`).
///
/// Only the process that runs a pipeline writes the pipeline's notices. A message is stored with its lines before it is sent, so it keeps its id and
/// content if it must be sent again.
package protocol NoticeStore: Sendable {
  /// Returns the recorded notices. The first call for a pipeline records the current time as `NoticeBook.since`.
  func noticeBook(of pipeline: String) async throws -> NoticeBook

  /// Deletes the records of a pipeline whose notifications are turned off. If notifications are turned on again later, earlier events are
  /// not reported.
  func endNotices(of pipeline: String) async throws

  /// Records changes and, for each receiver that wants the event, a line to send, in one transaction. A receiver that is added while a
  /// problem is open also gets a line about its beginning. The end of a problem is sent to the receivers that were notified of its
  /// beginning.
  func note(
    _ changes: [NoticeChange], of pipeline: String, for receivers: [(name: String, events: Set<NoticeEvent>)]
  ) async throws

  /// Returns, by receiver, the time of the oldest line that was not sent yet.
  func waitingNotices(of pipeline: String) async throws -> [String: Date]

  /// Returns the next message for a receiver: a message that was created but not sent, or otherwise a new message with at most `limit`
  /// waiting lines, oldest first; `nil` if no line is waiting.
  /// - Parameter id: the id of a new message.
  func nextMessage(
    of pipeline: String, for receiver: String, id: String, limit: Int
  ) async throws -> NoticeMessage?

  /// Deletes a message that was sent, or that was refused too often.
  func settle(_ message: NoticeMessage) async throws

  /// Deletes the lines for receivers that the pipeline no longer has, and notices that ended before an instant.
  func pruneNotices(of pipeline: String, keeping receivers: Set<String>, olderThan instant: Date) async throws
}
