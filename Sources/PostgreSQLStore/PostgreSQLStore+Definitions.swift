import FoundationEssentials
import LedgerStore
package import Pipeline

/// The pipeline files in the ledger.
extension PostgreSQLStore {
  package func apply(
    _ files: [StoredPipelineFile], replacing former: Set<String>, prunes: Bool
  ) async throws -> AppliedPipelines {
    try await write("apply pipeline files", of: nil) { transaction in
      // The lock allows only one upload at a time.
      try transaction.execute("LOCK TABLE definition IN SHARE ROW EXCLUSIVE MODE", [])
      let now = try transaction.now().timeIntervalSince1970
      var texts: [String: String] = [:]
      try transaction.forEach("SELECT name, text FROM definition", []) { texts[$0[0]] = $0[1] as String }
      var applied = AppliedPipelines()
      for file in files.sorted(by: { $0.name < $1.name }) {
        if texts[file.name] == file.text {
          applied.unchanged.append(file.name)
          continue
        }
        if texts[file.name] == nil { applied.added.append(file.name) } else { applied.changed.append(file.name) }
        try transaction.execute(
          """
          INSERT INTO definition (name, path, text, version, applied)
          VALUES (?, ?, ?, nextval('definition_version'), ?)
          ON CONFLICT (name) DO UPDATE SET path = excluded.path, text = excluded.text, version = excluded.version,
            applied = excluded.applied
          """, [file.name, file.path, file.text, now])
        try transaction.execute(
          "INSERT INTO pipeline (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING", [file.name])
      }
      let names = Set(files.map(\.name))
      for name in texts.keys.sorted() where !names.contains(name) && (prunes || former.contains(name)) {
        try transaction.execute("DELETE FROM definition WHERE name = ?", [name])
        applied.removed.append(name)
      }
      return applied
    }
  }

  package func pipelineFiles(of names: Set<String>?) async throws -> [StoredPipelineFile] {
    try await read("read pipeline files") { transaction in
      let rows =
        try names.map {
          try transaction.rows(
            """
            SELECT name, path, text, version FROM definition WHERE name IN (SELECT value FROM json_each(?)) ORDER BY name
            """, [SQLValue.texts($0.sorted())])
        } ?? transaction.rows("SELECT name, path, text, version FROM definition ORDER BY name")
      return rows.map { StoredPipelineFile(name: $0[0], path: $0[1], text: $0[2], version: $0[3]) }
    }
  }
}
