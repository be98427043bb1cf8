import Localization
package import Pipeline

/// The search for units by their key or source text.
extension SQLLedger {
  package func units(containing text: String, in pipeline: String?, limit: Int) async throws -> [FoundUnit] {
    let wanted = SearchedText(text)
    return try await read("search units") { transaction in
      var found: [FoundUnit] = []
      var names = try pipeline.map { [$0] } ?? transaction.values(String.self, SearchQueries.pipelines)
      // The pipelines are searched in groups, because most searches find enough units in the first pipelines.
      while found.count < limit, !names.isEmpty {
        let part = Array(names.prefix(SearchQueries.pipelinesAtOnce))
        names.removeFirst(part.count)
        var lists: [String: [Int64]?] = [:]
        try transaction.forEach(SearchQueries.candidates, [SQLValue.integers(wanted.grams), SQLValue.texts(part)]) {
          let list: String? = $0[1]
          lists[$0[0]] = .some(list.map(TextGrams.ids))
        }
        var sources: [Int64] = []
        for name in part {
          guard let list = lists[name] else { continue }
          if let list {
            sources += list
            continue
          }
          try Self.search(wanted, sources, limit, &found, transaction)
          sources = []
          try Self.search(wanted, SearchQueries.search, [name, wanted.pattern], limit, &found, transaction)
        }
        try Self.search(wanted, sources, limit, &found, transaction)
      }
      return found
    }
  }

  private static func search(
    _ wanted: SearchedText, _ sources: [Int64], _ limit: Int, _ found: inout [FoundUnit],
    _ transaction: any SQLTransaction
  ) throws {
    guard !sources.isEmpty else { return }
    try search(wanted, SearchQueries.sources, [SQLValue.integers(sources)], limit, &found, transaction)
  }

  /// Adds the units that contain the text to `found`, up to the limit.
  /// - Parameter sql: a query for sources that may contain the text.
  private static func search(
    _ wanted: SearchedText, _ sql: String, _ arguments: SQLArguments, _ limit: Int, _ found: inout [FoundUnit],
    _ transaction: any SQLTransaction
  ) throws {
    guard found.count < limit else { return }
    try transaction.scan(sql, arguments) { row in
      let key: String = row[2]
      let source = try LedgerRows.translation(row[3]).map(\.allText) ?? key
      guard wanted.isIn(key) || wanted.isIn(source) else { return true }
      found.append(
        FoundUnit(
          pipeline: row[0], unit: UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(key)), text: source))
      return found.count < limit
    }
  }
}

/// The SQL statements of a search.
enum SearchQueries {
  /// The number of pipelines that are searched together.
  static let pipelinesAtOnce = 100

  static let pipelines = """
    SELECT name FROM (SELECT name FROM pipeline UNION SELECT pipeline FROM round) AS p ORDER BY name
    """

  /// Selects the given pipelines whose sources have all given trigrams, and the given pipelines whose trigrams are not stored yet. For each pipeline,
  /// the statement returns the shortest list of sources that have one of the trigrams; null if there is no list.
  static let candidates = """
    SELECT p.value, (SELECT g.sources FROM json_each(?1) AS wanted
        JOIN source_gram AS g ON g.pipeline = p.value AND g.gram = wanted.value
        WHERE g.sources IS NOT NULL ORDER BY length(g.sources) LIMIT 1)
    FROM json_each(?2) AS p
    WHERE NOT EXISTS (SELECT 1 FROM json_each(?1) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM source_gram AS g WHERE g.pipeline = p.value AND g.gram = wanted.value))
      OR NOT EXISTS (SELECT 1 FROM source_gram AS g WHERE g.pipeline = p.value)
    """

  /// Selects the newest source text of each unit. A search ignores earlier source texts.
  private static let searched = """
    SELECT pipeline, catalog, key, forms FROM source AS s WHERE NOT EXISTS (SELECT 1 FROM source AS n
      WHERE n.pipeline = s.pipeline AND n.catalog = s.catalog AND n.key = s.key AND n.id > s.id)
    """

  /// Selects the sources of a pipeline that may contain a text (`SearchedText`).
  static let search =
    "\(searched) AND pipeline = ? AND (lower(key) LIKE ?2 OR lower(forms) LIKE ?2) ORDER BY catalog, key"

  /// Selects the sources with the given ids, which may belong to several pipelines.
  static let sources = "\(searched) AND id IN (SELECT value FROM json_each(?)) ORDER BY pipeline, catalog, key"
}
