private import CLibPQ

/// The address of a database, parsed from a libpq URL.
package struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
  /// The parameters of the URL, without a password.
  let parameters: [String: String]
  /// The text of the password parameter in the URL. Callers use it as a reference to a secret, never as the secret itself.
  package let passwordText: String?

  /// - Parameter url: `postgresql://USER@HOST:PORT/DATABASE?…`, as libpq accepts it.
  /// - Throws: `PostgreSQLError` of the kind `configuration`. Its message does not contain the URL.
  package init(url: String) throws(PostgreSQLError) {
    guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else {
      throw PostgreSQLError(.configuration, detail: "the address of a database must begin with postgresql://")
    }
    guard let parsed = unsafe PQconninfoParse(url, nil) else {
      throw PostgreSQLError(
        .configuration,
        detail: "the address of the database cannot be read. It has the form postgresql://USER@HOST:PORT/DATABASE")
    }
    defer { unsafe PQconninfoFree(parsed) }
    var parameters: [String: String] = [:]
    var option = unsafe parsed
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe parameters[String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe option += 1
    }
    passwordText = parameters.removeValue(forKey: "password")
    self.parameters = parameters
  }

  package var user: String? { parameters["user"] }
  package var database: String? { parameters["dbname"] ?? parameters["user"] }

  /// The address of the database for messages, without user and password. If the URL names no database, the database has the user's name.
  package var description: String {
    let host = parameters["host"] ?? parameters["hostaddr"] ?? "local socket"
    let port = parameters["port"].map { ":" + $0 } ?? ""
    return "postgresql://\(host)\(port)/\(database ?? "")"
  }
}
