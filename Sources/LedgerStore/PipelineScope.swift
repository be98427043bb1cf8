/// The pipelines that a query reads.
enum PipelineScope {
  case all
  case one(String)
  case some([String])

  init(_ pipeline: String?) { self = pipeline.map { .one($0) } ?? .all }

  /// Returns a condition for a column with pipeline names; `nil` for all pipelines. The condition has the parameter `?`, which must be the last
  /// parameter of the statement.
  func condition(on column: String) -> String? {
    switch self {
    case .all: nil
    case .one: "\(column) = ?"
    case .some: "\(column) IN (SELECT value FROM json_each(?))"
    }
  }

  /// The arguments for the condition.
  var arguments: SQLArguments {
    switch self {
    case .all: []
    case .one(let name): [name]
    case .some(let names): [SQLValue.texts(names)]
    }
  }
}
