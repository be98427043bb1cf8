/// A parameter of a statement.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  /// A list of integers, for `json_each(?)`.
  case integers([Int64])
  case texts([String])
}

/// A type whose values can be parameters of a statement.
package protocol SQLConvertible: Sendable {
  var sqlValue: SQLValue { get }
}

package typealias SQLArguments = [(any SQLConvertible)?]

extension SQLValue: SQLConvertible {
  package var sqlValue: SQLValue { self }
}

extension String: SQLConvertible {
  package var sqlValue: SQLValue { .text(self) }
}

extension Int64: SQLConvertible {
  package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLConvertible {
  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Double: SQLConvertible {
  package var sqlValue: SQLValue { .double(self) }
}

/// Booleans are stored as 0 and 1.
extension Bool: SQLConvertible {
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}
