/// A row that a database returned. Columns are numbered from 0. The value of a column is `nil` if it is null or if the column does not exist.
package protocol SQLRowSource {
  func text(_ column: Int) -> String?
  func integer(_ column: Int) -> Int64?
  func double(_ column: Int) -> Double?
  func text(_ name: String) -> String?
  func integer(_ name: String) -> Int64?
  func double(_ name: String) -> Double?
}

/// A type to which the value of a column can be converted.
package protocol SQLDecodable {
  static func decode(_ row: any SQLRowSource, _ column: Int) -> Self?
  static func decode(_ row: any SQLRowSource, _ name: String) -> Self?
}

/// A row with typed columns. A column that is read as a non-optional value must not be null, which the schema guarantees.
package struct SQLRow {
  private let source: any SQLRowSource

  package init(_ source: any SQLRowSource) { self.source = source }

  package subscript<Value: SQLDecodable>(_ column: Int) -> Value? { Value.decode(source, column) }
  package subscript<Value: SQLDecodable>(_ name: String) -> Value? { Value.decode(source, name) }

  package subscript<Value: SQLDecodable>(_ column: Int) -> Value {
    guard let value = Value.decode(source, column) else { preconditionFailure("column \(column) of a row is null") }
    return value
  }

  package subscript<Value: SQLDecodable>(_ name: String) -> Value {
    guard let value = Value.decode(source, name) else { preconditionFailure("column \(name) of a row is null") }
    return value
  }
}

extension String: SQLDecodable {
  package static func decode(_ row: any SQLRowSource, _ column: Int) -> String? { row.text(column) }
  package static func decode(_ row: any SQLRowSource, _ name: String) -> String? { row.text(name) }
}

extension Int64: SQLDecodable {
  package static func decode(_ row: any SQLRowSource, _ column: Int) -> Int64? { row.integer(column) }
  package static func decode(_ row: any SQLRowSource, _ name: String) -> Int64? { row.integer(name) }
}

extension Int: SQLDecodable {
  package static func decode(_ row: any SQLRowSource, _ column: Int) -> Int? { row.integer(column).map { Int($0) } }
  package static func decode(_ row: any SQLRowSource, _ name: String) -> Int? { row.integer(name).map { Int($0) } }
}

extension Double: SQLDecodable {
  package static func decode(_ row: any SQLRowSource, _ column: Int) -> Double? { row.double(column) }
  package static func decode(_ row: any SQLRowSource, _ name: String) -> Double? { row.double(name) }
}

extension Bool: SQLDecodable {
  package static func decode(_ row: any SQLRowSource, _ column: Int) -> Bool? { row.integer(column).map { $0 != 0 } }
  package static func decode(_ row: any SQLRowSource, _ name: String) -> Bool? { row.integer(name).map { $0 != 0 } }
}
