internal import GRDB
package import Localization
package import Pipeline

/// What commits changed for translators.
extension SQLiteStore: CommitHistoryStore {
  package func recorded(among commits: [CommitID], of pipeline: String) async throws -> Set<CommitID> {
    guard !commits.isEmpty else { return [] }
    return try await read("read the history") { database in
      let statement = try database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM history_commit WHERE pipeline = ? AND commit_id = ?)")
      var found: Set<CommitID> = []
      for commit in commits
      where try Bool.fetchOne(statement, arguments: [pipeline, commit.rawValue]) == true {
        found.insert(commit)
      }
      return found
    }
  }

  package func record(_ records: [CommitRecord], of pipeline: String) async throws {
    try await write("write the history") { database in
      for record in records { try Self.insert(record, of: pipeline, in: database) }
    }
  }

  private static func insert(_ record: CommitRecord, of pipeline: String, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO history_commit (pipeline, commit_id, parent, author, email, seconds, subject, ours,
          added, changed, commented, removed, translations, fault) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (pipeline, commit_id) DO NOTHING
        """
    ).execute(arguments: [
      pipeline, record.commit.rawValue, record.parent?.rawValue, record.author, record.email, record.seconds,
      record.subject, record.isOurs, record.counts.added, record.counts.changed, record.counts.commented,
      record.counts.removed, record.counts.translations, record.fault,
    ])
    guard database.changesCount == 1 else { return }
    let row = database.lastInsertedRowID
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO history_change (commit_row, place, pipeline, catalog, key, kind, text, former, path, line)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (place, change) in record.changes.prefix(CommitRecord.changeLimit).enumerated() {
      try statement.execute(arguments: [
        row, place, pipeline, change.unit.catalog.text, change.unit.key.text, change.kind.rawValue, change.text,
        change.former, change.path?.text, change.line,
      ])
    }
  }

  package func history(of pipeline: String, from tip: CommitID, limit: Int) async throws -> [CommitRecord] {
    try await read("read the history") { database in
      var records: [CommitRecord] = []
      var next: CommitID? = tip
      let commits = try database.cachedStatement(sql: Self.commitSelection + " WHERE pipeline = ? AND commit_id = ?")
      let changes = try database.cachedStatement(
        sql: """
          SELECT catalog, key, kind, text, former, path, line FROM history_change WHERE commit_row = ? ORDER BY place
          """)
      while let id = next, records.count < limit,
        let row = try Row.fetchOne(commits, arguments: [pipeline, id.rawValue])
      {
        var record = Self.record(row)
        record.changes = try Row.fetchAll(changes, arguments: [row[0] as Int64]).map { try Self.change($0, from: 0) }
        records.append(record)
        next = record.parent
      }
      return records
    }
  }

  package func commits(
    changing key: UnitKey, of pipeline: String?, limit: Int
  ) async throws -> [UnitCommit] {
    try await read("read the history") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT c.id, c.commit_id, c.parent, c.author, c.email, c.seconds, c.subject, c.ours, c.added, c.changed,
            c.commented, c.removed, c.translations, c.fault, c.pipeline,
            h.catalog, h.key, h.kind, h.text, h.former, h.path, h.line
          FROM history_change AS h JOIN history_commit AS c ON c.id = h.commit_row
          WHERE h.key = ?1 AND (?2 IS NULL OR h.pipeline = ?2) ORDER BY c.seconds DESC, c.id LIMIT ?3
          """, arguments: [key.text, pipeline, limit]
      ).reversed().map { row in
        UnitCommit(pipeline: row[14], record: Self.record(row), change: try Self.change(row, from: 15))
      }
    }
  }

  package func freezePoint(of branch: String, of pipeline: String) async throws -> CommitID? {
    try await read("read the freeze of a branch") { database in
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT commit_id FROM freeze_point WHERE pipeline = ? AND branch = ?"),
        arguments: [pipeline, branch]
      ).map(CommitID.init(rawValue:))
    }
  }

  package func setFreezePoint(_ commit: CommitID?, of branch: String, of pipeline: String) async throws {
    try await write("note the freeze of a branch") { database in
      guard let commit else {
        try database.execute(
          sql: "DELETE FROM freeze_point WHERE pipeline = ? AND branch = ?", arguments: [pipeline, branch])
        return
      }
      try database.execute(
        sql: """
          INSERT INTO freeze_point (pipeline, branch, commit_id) VALUES (?, ?, ?)
          ON CONFLICT (pipeline, branch) DO UPDATE SET commit_id = excluded.commit_id
          """, arguments: [pipeline, branch, commit.rawValue])
    }
  }

  private static let commitSelection = """
    SELECT id, commit_id, parent, author, email, seconds, subject, ours, added, changed, commented, removed,
      translations, fault FROM history_commit
    """

  private static func record(_ row: Row) -> CommitRecord {
    let parent: String? = row[2]
    var counts = CommitRecord.Counts()
    (counts.added, counts.changed, counts.commented) = (row[8], row[9], row[10])
    (counts.removed, counts.translations) = (row[11], row[12])
    return CommitRecord(
      commit: CommitID(rawValue: row[1]), parent: parent.map(CommitID.init(rawValue:)), author: row[3], email: row[4],
      seconds: row[5], subject: row[6], isOurs: row[7], counts: counts, fault: row[13])
  }

  private static func change(_ row: Row, from first: Int) throws -> CommitRecord.Change {
    guard let kind = CommitRecord.Kind(rawValue: row[first + 2]) else {
      throw damaged("a change of a string has an unknown kind")
    }
    let path: String? = row[first + 5]
    return CommitRecord.Change(
      unit: UnitID(catalog: TreePath(trusted: row[first]), key: UnitKey(row[first + 1])), kind: kind,
      text: row[first + 3], former: row[first + 4], path: path.map(TreePath.init(trusted:)), line: row[first + 6])
  }
}
