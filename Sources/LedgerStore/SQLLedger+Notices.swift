package import FoundationEssentials
package import Pipeline

/// Functions for notices, and for the lines of messages that wait to be sent.
extension SQLLedger {
  package func noticeBook(of pipeline: String) async throws -> NoticeBook {
    let since: @Sendable (any SQLTransaction) throws -> Double? = { transaction in
      try transaction.value(Double.self, "SELECT notices_since FROM pipeline WHERE name = ?", [pipeline])
    }
    if try await read("read notices", since) == nil {
      try await write("start notices", of: pipeline) { transaction in
        let now = try transaction.now().timeIntervalSince1970
        try transaction.execute(
          """
          INSERT INTO pipeline (name, revision, notices_since) VALUES (?1, 0, ?2)
          ON CONFLICT (name) DO UPDATE SET notices_since = coalesce(pipeline.notices_since, ?2)
          """, [pipeline, now])
      }
    }
    return try await read("read notices") { transaction in
      var book = NoticeBook(since: JobRows.date(try since(transaction)))
      try transaction.forEach(
        "SELECT id, event, about, vendor, text, began, ended, told FROM notice WHERE pipeline = ? ORDER BY id",
        [pipeline]
      ) { row in
        // Events that only a later version of Dragoman knows are skipped.
        guard let event = NoticeEvent(rawValue: row[1]) else { return }
        let topic = NoticeTopic(event, row[2], vendor: row[3])
        if (row[6] as Double?) == nil {
          book.open.append(
            Notice(
              id: NoticeID(rawValue: row[0]), topic: topic, text: row[4], began: JobRows.date(row[5]),
              told: try Self.receivers(row[7])))
        } else if event == .roundDelivered {
          book.happened.insert(topic)
        }
      }
      return book
    }
  }

  package func endNotices(of pipeline: String) async throws {
    let isNoted = try await read("read notices") { transaction in
      try transaction.value(
        Bool.self, "SELECT EXISTS (SELECT 1 FROM pipeline WHERE name = ? AND notices_since IS NOT NULL)", [pipeline])
        == true
    }
    guard isNoted else { return }
    try await write("end notices", of: pipeline) { transaction in
      try transaction.execute("UPDATE pipeline SET notices_since = NULL WHERE name = ?", [pipeline])
      for table in ["notice", "notice_line"] {
        try transaction.execute("DELETE FROM \(table) WHERE pipeline = ?", [pipeline])
      }
    }
  }

  package func note(
    _ changes: [NoticeChange], of pipeline: String, for receivers: [(name: String, events: Set<NoticeEvent>)]
  ) async throws {
    let ending = Set(changes.compactMap { if case .end(let notice, _, _) = $0 { notice.id } else { nil } })
    let late = try await noticeBook(of: pipeline).open.filter { notice in
      !ending.contains(notice.id)
        && receivers.contains { $0.events.contains(notice.topic.event) && !notice.told.contains($0.name) }
    }
    guard !changes.isEmpty || !late.isEmpty else { return }
    try await write("record notices", of: pipeline) { transaction in
      for notice in late {
        let new = receivers.filter { $0.events.contains(notice.topic.event) && !notice.told.contains($0.name) }
        try transaction.execute(
          "UPDATE notice SET told = ? WHERE id = ?",
          [try Self.text(of: notice.told.union(new.map(\.name))), notice.id.rawValue])
        let line = NoticeLine(event: notice.topic.event, state: .began, text: notice.text, at: notice.began)
        for receiver in new { try Self.keep(line, of: pipeline, for: receiver.name, in: transaction) }
      }
      for change in changes {
        switch change {
        case .begin(let topic, let text, let instant), .happen(let topic, let text, let instant):
          let state: NoticeLine.State = if case .happen = change { .happened } else { .began }
          let wanted = receivers.filter { $0.events.contains(topic.event) }.map(\.name)
          let end = state == .happened ? instant : nil
          try Self.record(topic, text, from: instant, to: end, told: Set(wanted), of: pipeline, in: transaction)
          let line = NoticeLine(event: topic.event, state: state, text: text, at: instant)
          for receiver in wanted { try Self.keep(line, of: pipeline, for: receiver, in: transaction) }
        case .skip(let topic, let instant):
          try Self.record(topic, "", from: instant, to: instant, told: [], of: pipeline, in: transaction)
        case .end(let notice, let text, let instant):
          try transaction.execute(
            "UPDATE notice SET ended = ? WHERE id = ?", [instant.timeIntervalSince1970, notice.id.rawValue])
          let line = NoticeLine(event: notice.topic.event, state: .ended, text: text, at: instant)
          for receiver in receivers.map(\.name) where notice.told.contains(receiver) {
            try Self.keep(line, of: pipeline, for: receiver, in: transaction)
          }
        }
      }
    }
  }

  private static func record(
    _ topic: NoticeTopic, _ text: String, from began: Date, to ended: Date?, told: Set<String>, of pipeline: String,
    in transaction: any SQLTransaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO notice (pipeline, event, about, vendor, text, began, ended, told)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        pipeline, topic.event.rawValue, topic.about, topic.vendor, text, began.timeIntervalSince1970,
        ended?.timeIntervalSince1970, try Self.text(of: told),
      ])
  }

  private static func keep(
    _ line: NoticeLine, of pipeline: String, for receiver: String, in transaction: any SQLTransaction
  ) throws {
    try transaction.execute(
      "INSERT INTO notice_line (pipeline, receiver, event, state, text, at) VALUES (?, ?, ?, ?, ?, ?)",
      [
        pipeline, receiver, line.event.rawValue, line.state.rawValue, line.text, line.at.timeIntervalSince1970,
      ])
  }

  private static func text(of receivers: Set<String>) throws -> String {
    String(decoding: try JSONEncoder().encode(receivers.sorted()), as: UTF8.self)
  }

  private static func receivers(_ text: String) throws -> Set<String> {
    try JSONDecoder().decode(Set<String>.self, from: Data(text.utf8))
  }

  package func waitingNotices(of pipeline: String) async throws -> [String: Date] {
    try await read("read notices") { transaction in
      let rows = try transaction.rows(
        "SELECT receiver, min(at) FROM notice_line WHERE pipeline = ? GROUP BY receiver", [pipeline])
      return Dictionary(
        rows.map { ($0[0] as String, JobRows.date($0[1])) }, uniquingKeysWith: { first, _ in first })
    }
  }

  package func nextMessage(
    of pipeline: String, for receiver: String, id: String, limit: Int
  ) async throws -> NoticeMessage? {
    try await write("create a message", of: pipeline) { transaction in
      let begun = try transaction.value(
        String.self,
        "SELECT message FROM notice_line WHERE pipeline = ? AND receiver = ? AND message IS NOT NULL LIMIT 1",
        [pipeline, receiver])
      if begun == nil {
        try transaction.execute(
          """
          UPDATE notice_line SET message = ?1 WHERE id IN
            (SELECT id FROM notice_line WHERE pipeline = ?2 AND receiver = ?3 ORDER BY id LIMIT ?4)
          """, [id, pipeline, receiver, limit])
      }
      let rows = try transaction.rows(
        """
        SELECT event, state, text, at FROM notice_line WHERE pipeline = ? AND receiver = ? AND message = ? ORDER BY id
        """, [pipeline, receiver, begun ?? id])
      guard !rows.isEmpty else { return nil }
      let lines = try rows.map { row in
        guard let event = NoticeEvent(rawValue: row[0]), let state = NoticeLine.State(rawValue: row[1]) else {
          throw damaged("a notice has an unknown event or state")
        }
        return NoticeLine(event: event, state: state, text: row[2], at: JobRows.date(row[3]))
      }
      return NoticeMessage(id: begun ?? id, pipeline: pipeline, receiver: receiver, lines: lines)
    }
  }

  package func settle(_ message: NoticeMessage) async throws {
    try await write("record that a message was sent", of: message.pipeline) { transaction in
      try transaction.execute(
        "DELETE FROM notice_line WHERE pipeline = ? AND receiver = ? AND message = ?",
        [message.pipeline, message.receiver, message.id])
    }
  }

  package func pruneNotices(of pipeline: String, keeping receivers: Set<String>, olderThan instant: Date) async throws {
    try await write("delete old notices", of: pipeline) { transaction in
      let names = try transaction.values(
        String.self, "SELECT DISTINCT receiver FROM notice_line WHERE pipeline = ?", [pipeline])
      for name in names where !receivers.contains(name) {
        try transaction.execute("DELETE FROM notice_line WHERE pipeline = ? AND receiver = ?", [pipeline, name])
      }
      try transaction.execute(
        "DELETE FROM notice WHERE pipeline = ? AND ended < ?", [pipeline, instant.timeIntervalSince1970])
    }
  }
}
