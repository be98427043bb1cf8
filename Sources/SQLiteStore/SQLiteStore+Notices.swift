package import FoundationEssentials
internal import GRDB
package import Pipeline

/// Notices to people, and their lines that wait to be sent.
extension SQLiteStore: NoticeStore {
  package func noticeBook(of pipeline: String) async throws -> NoticeBook {
    let now = clock().timeIntervalSince1970
    let since: @Sendable (Database) throws -> Double? = { database in
      try Double.fetchOne(
        database.cachedStatement(sql: "SELECT notices_since FROM pipeline WHERE name = ?"), arguments: [pipeline])
    }
    if try await read("read notices", since) == nil {
      try await write("begin notices") { database in
        try database.execute(
          sql: """
            INSERT INTO pipeline (name, revision, notices_since) VALUES (?1, 0, ?2)
            ON CONFLICT (name) DO UPDATE SET notices_since = coalesce(notices_since, ?2)
            """, arguments: [pipeline, now])
      }
    }
    return try await read("read notices") { database in
      var book = NoticeBook(since: JobRows.date(try since(database)))
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT id, event, about, vendor, text, began, ended, told FROM notice WHERE pipeline = ? ORDER BY id"),
        arguments: [pipeline])
      while let row = try rows.next() {
        // A later version may have noted events that this one does not know.
        guard let event = NoticeEvent(rawValue: row[1]) else { continue }
        let topic = NoticeTopic(event, row[2], vendor: row[3])
        if row[6] == nil {
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
    let isNoted = try await read("read notices") { database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM pipeline WHERE name = ? AND notices_since IS NOT NULL)"),
        arguments: [pipeline]) == true
    }
    guard isNoted else { return }
    try await write("end notices") { database in
      try database.execute(sql: "UPDATE pipeline SET notices_since = NULL WHERE name = ?", arguments: [pipeline])
      for table in ["notice", "notice_line"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE pipeline = ?", arguments: [pipeline])
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
    try await write("note what to tell") { database in
      for notice in late {
        let new = receivers.filter { $0.events.contains(notice.topic.event) && !notice.told.contains($0.name) }
        try database.execute(
          sql: "UPDATE notice SET told = ? WHERE id = ?",
          arguments: [try Self.text(of: notice.told.union(new.map(\.name))), notice.id.rawValue])
        let line = NoticeLine(event: notice.topic.event, state: .began, text: notice.text, at: notice.began)
        for receiver in new { try Self.keep(line, of: pipeline, for: receiver.name, in: database) }
      }
      for change in changes {
        switch change {
        case .begin(let topic, let text, let instant), .happen(let topic, let text, let instant):
          let state: NoticeLine.State = if case .happen = change { .happened } else { .began }
          let wanted = receivers.filter { $0.events.contains(topic.event) }.map(\.name)
          try database.execute(
            sql: """
              INSERT INTO notice (pipeline, event, about, vendor, text, began, ended, told)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?)
              """,
            arguments: [
              pipeline, topic.event.rawValue, topic.about, topic.vendor, text, instant.timeIntervalSince1970,
              state == .happened ? instant.timeIntervalSince1970 : nil, try Self.text(of: Set(wanted)),
            ])
          let line = NoticeLine(event: topic.event, state: state, text: text, at: instant)
          for receiver in wanted { try Self.keep(line, of: pipeline, for: receiver, in: database) }
        case .end(let notice, let text, let instant):
          try database.execute(
            sql: "UPDATE notice SET ended = ? WHERE id = ?",
            arguments: [instant.timeIntervalSince1970, notice.id.rawValue])
          let line = NoticeLine(event: notice.topic.event, state: .ended, text: text, at: instant)
          for receiver in receivers.map(\.name) where notice.told.contains(receiver) {
            try Self.keep(line, of: pipeline, for: receiver, in: database)
          }
        }
      }
    }
  }

  private static func keep(
    _ line: NoticeLine, of pipeline: String, for receiver: String, in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT INTO notice_line (pipeline, receiver, event, state, text, at) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [
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
    try await read("read notices") { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT receiver, min(at) FROM notice_line WHERE pipeline = ? GROUP BY receiver"),
        arguments: [pipeline])
      return Dictionary(
        rows.map { ($0[0] as String, JobRows.date($0[1])) }, uniquingKeysWith: { first, _ in first })
    }
  }

  package func nextMessage(
    of pipeline: String, for receiver: String, id: String, limit: Int
  ) async throws -> NoticeMessage? {
    try await write("begin a message") { database in
      let begun = try String.fetchOne(
        database,
        sql: "SELECT message FROM notice_line WHERE pipeline = ? AND receiver = ? AND message IS NOT NULL LIMIT 1",
        arguments: [pipeline, receiver])
      if begun == nil {
        try database.execute(
          sql: """
            UPDATE notice_line SET message = ?1 WHERE id IN
              (SELECT id FROM notice_line WHERE pipeline = ?2 AND receiver = ?3 ORDER BY id LIMIT ?4)
            """, arguments: [id, pipeline, receiver, limit])
      }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT event, state, text, at FROM notice_line WHERE pipeline = ? AND receiver = ? AND message = ? ORDER BY id
          """, arguments: [pipeline, receiver, begun ?? id])
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
    try await write("note that a message was sent") { database in
      try database.execute(
        sql: "DELETE FROM notice_line WHERE pipeline = ? AND receiver = ? AND message = ?",
        arguments: [message.pipeline, message.receiver, message.id])
    }
  }

  package func pruneNotices(of pipeline: String, keeping receivers: Set<String>, olderThan instant: Date) async throws {
    try await write("forget old notices") { database in
      let names = try String.fetchAll(
        database, sql: "SELECT DISTINCT receiver FROM notice_line WHERE pipeline = ?", arguments: [pipeline])
      for name in names where !receivers.contains(name) {
        try database.execute(
          sql: "DELETE FROM notice_line WHERE pipeline = ? AND receiver = ?", arguments: [pipeline, name])
      }
      try database.execute(
        sql: "DELETE FROM notice WHERE pipeline = ? AND ended < ?",
        arguments: [pipeline, instant.timeIntervalSince1970])
    }
  }
}
