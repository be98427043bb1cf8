package import FoundationEssentials

/// The notifications about pipelines that were sent, and those that are still to be sent. `SQLiteStore` implements it.
///
/// Only the process that runs the pipelines writes it. A message is stored with its lines before it is sent, so that it keeps its id and
/// its content when it is sent again.
package protocol NoticeStore: Sendable {
  /// Returns the recorded notices. The first call for a pipeline notes the current time as `NoticeBook.since`.
  func noticeBook(of pipeline: String) async throws -> NoticeBook

  /// Deletes the records of a pipeline that notifies nobody. If it notifies again later, events before that are not reported.
  func endNotices(of pipeline: String) async throws

  /// Notes changes, and keeps a line of each for the receivers that want its event, in one transaction. A receiver that was added while a
  /// problem is open gets a line of its beginning. The end of a problem is sent to those who were notified of its beginning.
  func note(
    _ changes: [NoticeChange], of pipeline: String, for receivers: [(name: String, events: Set<NoticeEvent>)]
  ) async throws

  /// Returns when the oldest unsent line for each receiver was noted.
  func waitingNotices(of pipeline: String) async throws -> [String: Date]

  /// Returns the next message for a receiver: the one that was started but not sent, or else a new one with the waiting lines, oldest
  /// first, at most `limit`.
  /// - Parameter id: the id of a new message.
  func nextMessage(
    of pipeline: String, for receiver: String, id: String, limit: Int
  ) async throws -> NoticeMessage?

  /// Forgets a message that was sent.
  func settle(_ message: NoticeMessage) async throws

  /// Deletes the lines for receivers that the pipeline no longer has, and notices that ended before an instant.
  func pruneNotices(of pipeline: String, keeping receivers: Set<String>, olderThan instant: Date) async throws
}
