package import FoundationEssentials

/// The notifications about pipelines that were sent or are still to be sent. `SQLiteStore` implements it.
///
/// Only the process that runs the pipelines writes to it. A message is stored with its lines before it is sent, so it keeps its id and
/// content if it has to be sent again.
package protocol NoticeStore: Sendable {
  /// Returns the recorded notices. The first call for a pipeline records the current time as `NoticeBook.since`.
  func noticeBook(of pipeline: String) async throws -> NoticeBook

  /// Deletes the records of a pipeline without notifications. If notifications are turned on again later, events before that are not
  /// reported.
  func endNotices(of pipeline: String) async throws

  /// Records changes and, for each receiver that wants the event, a line to send, in one transaction. A receiver that is added while a
  /// problem is open also gets a line about its beginning. The end of a problem is sent to the receivers that were notified of its
  /// beginning.
  func note(
    _ changes: [NoticeChange], of pipeline: String, for receivers: [(name: String, events: Set<NoticeEvent>)]
  ) async throws

  /// Returns when the oldest unsent line for each receiver was recorded.
  func waitingNotices(of pipeline: String) async throws -> [String: Date]

  /// Returns the next message for a receiver: the one that was created but not sent, or otherwise a new one with at most `limit` waiting
  /// lines, oldest first.
  /// - Parameter id: the id of a new message.
  func nextMessage(
    of pipeline: String, for receiver: String, id: String, limit: Int
  ) async throws -> NoticeMessage?

  /// Deletes a message that was sent.
  func settle(_ message: NoticeMessage) async throws

  /// Deletes the lines for receivers that the pipeline no longer has, and notices that ended before an instant.
  func pruneNotices(of pipeline: String, keeping receivers: Set<String>, olderThan instant: Date) async throws
}
