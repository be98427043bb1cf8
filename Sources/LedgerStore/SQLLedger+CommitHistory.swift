package import Localization
package import Pipeline

/// Functions that record and read the history, that is, the changes of each commit that concern translators, and the freeze points of branches.
extension SQLLedger {
  package func recorded(among commits: [CommitID], of pipeline: String) async throws -> Set<CommitID> {
    guard !commits.isEmpty else { return [] }
    return try await read("read the history") { transaction in
      var found: Set<CommitID> = []
      for commit in commits
      where try transaction.value(
        Bool.self, "SELECT EXISTS (SELECT 1 FROM history_commit WHERE pipeline = ? AND commit_id = ?)",
        [pipeline, commit.rawValue]) == true
      {
        found.insert(commit)
      }
      return found
    }
  }

  package func record(_ records: [CommitRecord], of pipeline: String, asNewestOf branch: String?) async throws {
    try await write("write the history", of: pipeline) { transaction in
      for record in records { try Self.insert(record, of: pipeline, in: transaction) }
      guard let branch, let newest = records.last else { return }
      try transaction.execute(
        """
        INSERT INTO recorded_branch (pipeline, branch, commit_id) VALUES (?, ?, ?)
        ON CONFLICT (pipeline, branch) DO UPDATE SET commit_id = excluded.commit_id
        """, [pipeline, branch, newest.commit.rawValue])
    }
  }

  package func newestRecorded(of branch: String, of pipeline: String) async throws -> CommitID? {
    try await read("read the history") { transaction in
      try transaction.value(
        String.self, "SELECT commit_id FROM recorded_branch WHERE pipeline = ? AND branch = ?", [pipeline, branch]
      ).map(CommitID.init(rawValue:))
    }
  }

  private static func insert(
    _ record: CommitRecord, of pipeline: String, in transaction: any SQLTransaction
  ) throws {
    let isNew = try transaction.execute(
      """
      INSERT INTO history_commit (pipeline, commit_id, parent, author, email, seconds, subject, ours,
        added, changed, commented, removed, translations, fault) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (pipeline, commit_id) DO NOTHING
      """,
      [
        pipeline, record.commit.rawValue, record.parent?.rawValue, record.author, record.email, record.seconds,
        record.subject, record.isOurs, record.counts.added, record.counts.changed, record.counts.commented,
        record.counts.removed, record.counts.translations, record.fault,
      ])
    guard isNew == 1,
      let row = try transaction.value(
        Int64.self, "SELECT id FROM history_commit WHERE pipeline = ? AND commit_id = ?",
        [pipeline, record.commit.rawValue])
    else { return }
    try transaction.executeAll(
      """
      INSERT INTO history_change (commit_row, place, pipeline, catalog, key, kind, text, former, path, line)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      record.changes.prefix(CommitRecord.changeLimit).enumerated().map { place, change in
        [
          row, place, pipeline, change.unit.catalog.text, change.unit.key.text, change.kind.rawValue, change.text,
          change.former, change.path?.text, change.line,
        ]
      })
  }

  package func history(of pipeline: String, from tip: CommitID, limit: Int) async throws -> [CommitRecord] {
    try await read("read the history") { transaction in
      var records: [CommitRecord] = []
      var next: CommitID? = tip
      while let id = next, records.count < limit,
        let row = try transaction.first(
          """
          SELECT id, commit_id, parent, author, email, seconds, subject, ours, added, changed, commented, removed,
            translations, fault FROM history_commit WHERE pipeline = ? AND commit_id = ?
          """, [pipeline, id.rawValue])
      {
        var record = Self.commitRecord(row)
        record.changes = try transaction.rows(
          "SELECT catalog, key, kind, text, former, path, line FROM history_change WHERE commit_row = ? ORDER BY place",
          [row[0] as Int64]
        ).map { try Self.change($0, from: 0) }
        records.append(record)
        next = record.parent
      }
      return records
    }
  }

  package func commits(changing key: UnitKey, of pipeline: String?, limit: Int) async throws -> [UnitCommit] {
    try await read("read the history") { transaction in
      let found = try transaction.rows(
        """
        SELECT c.id, c.commit_id, c.parent, c.author, c.email, c.seconds, c.subject, c.ours, c.added, c.changed,
          c.commented, c.removed, c.translations, c.fault, c.pipeline,
          h.catalog, h.key, h.kind, h.text, h.former, h.path, h.line
        FROM history_change AS h JOIN history_commit AS c ON c.id = h.commit_row
        WHERE h.key = ?1 AND (h.pipeline = ?2 OR ?2 IS NULL) ORDER BY c.seconds DESC, c.id LIMIT ?3
        """, [key.text, pipeline, limit]
      ).reversed().map { row in
        UnitCommit(pipeline: row[14], record: Self.commitRecord(row), change: try Self.change(row, from: 15))
      }
      return try CommitLine.sorted(found, in: transaction)
    }
  }

  package func freezePoint(of branch: String, of pipeline: String) async throws -> CommitID? {
    try await read("read the freeze of a branch") { transaction in
      try transaction.value(
        String.self, "SELECT commit_id FROM freeze_point WHERE pipeline = ? AND branch = ?", [pipeline, branch]
      ).map(CommitID.init(rawValue:))
    }
  }

  package func setFreezePoint(_ commit: CommitID?, of branch: String, of pipeline: String) async throws {
    try await write("record the freeze of a branch", of: pipeline) { transaction in
      guard let commit else {
        try transaction.execute("DELETE FROM freeze_point WHERE pipeline = ? AND branch = ?", [pipeline, branch])
        return
      }
      try transaction.execute(
        """
        INSERT INTO freeze_point (pipeline, branch, commit_id) VALUES (?, ?, ?)
        ON CONFLICT (pipeline, branch) DO UPDATE SET commit_id = excluded.commit_id
        """, [pipeline, branch, commit.rawValue])
    }
  }

  private static func commitRecord(_ row: SQLRow) -> CommitRecord {
    let parent: String? = row[2]
    var counts = CommitRecord.Counts()
    (counts.added, counts.changed, counts.commented) = (row[8], row[9], row[10])
    (counts.removed, counts.translations) = (row[11], row[12])
    return CommitRecord(
      commit: CommitID(rawValue: row[1]), parent: parent.map(CommitID.init(rawValue:)), author: row[3], email: row[4],
      seconds: row[5], subject: row[6], isOurs: row[7], counts: counts, fault: row[13])
  }

  private static func change(_ row: SQLRow, from first: Int) throws -> CommitRecord.Change {
    guard let kind = CommitRecord.Kind(rawValue: row[first + 2]) else {
      throw damaged("a change of a string has an unknown kind")
    }
    let path: String? = row[first + 5]
    return CommitRecord.Change(
      unit: UnitID(catalog: TreePath(trusted: row[first]), key: UnitKey(row[first + 1])), kind: kind,
      text: row[first + 3], former: row[first + 4], path: path.map(TreePath.init(trusted:)), line: row[first + 6])
  }
}
