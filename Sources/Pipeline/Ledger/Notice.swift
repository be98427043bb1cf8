package import FoundationEssentials

package struct NoticeID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The subject of a notice. Two findings with the same topic are the same problem.
package struct NoticeTopic: Hashable, Sendable {
  package var event: NoticeEvent
  /// A stable identifier within the event, such as `push` or the id of a delivery.
  package var about: String
  /// The vendor's name in the ledger; empty if the notice is not about a vendor. It is a separate property because a vendor can be renamed.
  package var vendor: String

  package init(_ event: NoticeEvent, _ about: String, vendor: String = "") {
    self.event = event
    self.about = about
    self.vendor = vendor
  }
}

/// A notice to people, sent or still waiting: a problem with a beginning and an end, or an event.
package struct Notice: Hashable, Sendable {
  package var id: NoticeID
  package var topic: NoticeTopic
  /// One line, in English, without the name of the pipeline.
  package var text: String
  package var began: Date
  /// The receivers that were or will be notified of the problem's beginning.
  package var told: Set<String>

  package init(id: NoticeID, topic: NoticeTopic, text: String, began: Date, told: Set<String> = []) {
    self.id = id
    self.topic = topic
    self.text = text
    self.began = began
    self.told = told
  }
}

/// A change of a pipeline's notices.
package enum NoticeChange: Hashable, Sendable {
  case begin(NoticeTopic, text: String, at: Date)
  /// - Parameter text: the message about the end of the problem.
  case end(Notice, text: String, at: Date)
  /// An event, which has no end.
  case happen(NoticeTopic, text: String, at: Date)
  /// An event that is recorded, but not sent to anybody.
  case skip(NoticeTopic, at: Date)

  package var event: NoticeEvent {
    switch self {
    case .begin(let topic, _, _), .happen(let topic, _, _), .skip(let topic, _): topic.event
    case .end(let notice, _, _): notice.topic.event
    }
  }
}

/// The state of a pipeline's notices in the ledger.
package struct NoticeBook: Hashable, Sendable {
  /// The time when the pipeline was first checked for notices. Earlier events are not reported.
  package var since: Date
  /// The problems that have not ended, oldest first.
  package var open: [Notice]
  /// The events that were recorded.
  package var happened: Set<NoticeTopic>

  package init(since: Date, open: [Notice] = [], happened: Set<NoticeTopic> = []) {
    self.since = since
    self.open = open
    self.happened = happened
  }
}

/// A line about a notice, to be sent to a receiver.
package struct NoticeLine: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, Codable, CaseIterable { case began, ended, happened }

  package var event: NoticeEvent
  package var state: State
  package var text: String
  package var at: Date

  package init(event: NoticeEvent, state: State, text: String, at: Date) {
    self.event = event
    self.state = state
    self.text = text
    self.at = at
  }
}

/// Lines that go to a receiver in one message. After a failure, the same message is sent again under the same id.
package struct NoticeMessage: Hashable, Sendable {
  package var id: String
  package var pipeline: String
  package var receiver: String
  package var lines: [NoticeLine]

  package init(id: String, pipeline: String, receiver: String, lines: [NoticeLine]) {
    self.id = id
    self.pipeline = pipeline
    self.receiver = receiver
    self.lines = lines
  }
}
