import Localization
import PostgreSQLClient
import TestSupport
import Testing

/// The PostgreSQL client with a real server, with a server that never responds, and with invalid addresses.
struct PostgreSQLConnectionTests {
  private func connection(limit: Duration = .seconds(60)) async throws -> PostgreSQLConnection? {
    guard let server = try await PostgreSQLServer.shared.value else { return nil }
    return try PostgreSQLConnection(
      PostgreSQLAddress(url: try await server.database()), password: nil, limit: limit)
  }

  @Test("values are read back unchanged, including characters that PostgreSQL cannot store")
  func values() async throws {
    guard let connection = try await connection() else { return }
    _ = try connection.script("CREATE TABLE t (i bigint, d double precision, s text)")
    // The character is U+FDD0, which a string literal cannot contain.
    let mark = String(Unicode.Scalar(UInt32(0xFDD0)).map(Character.init) ?? " ")
    let texts = ["", "ü \u{1F426}", "a\0b", mark, "\(mark)0\0\(mark)", "'\"\\{},"]
    for (number, text) in texts.enumerated() {
      _ = try connection.run(
        "INSERT INTO t VALUES ($1, $2, $3)", [.integer(Int64(number) - 2), .double(1.1 * Double(number)), .text(text)])
    }
    let rows = try connection.run("SELECT i, d, s FROM t ORDER BY i")
    #expect((0..<rows.count).map { rows.text($0, 2) } == texts)
    #expect((0..<rows.count).map { rows.integer($0, 0) } == [-2, -1, 0, 1, 2, 3])
    #expect((0..<rows.count).map { rows.double($0, 1) } == [0, 1.1, 2.2, 1.1 * 3, 4.4, 5.5])
    let found = try connection.run("SELECT s FROM t WHERE s = ANY ($1) ORDER BY i", [.texts([texts[2], texts[5]])])
    #expect((0..<found.count).map { found.text($0, 0) } == [texts[2], texts[5]])
    let numbers = try connection.run("SELECT count(*) FROM unnest($1) AS n(v) WHERE v > 1", [.integers([1, 2, .max])])
    #expect(numbers.integer(0, 0) == 2)
    let null = try connection.run("SELECT $1::text, 1 = 1 AS yes, 1 = 2 AS no", [.null])
    #expect(null.text(0, 0) == nil)
    #expect(null.integer(0, try #require(null.column("yes"))) == 1)
    #expect(null.integer(0, try #require(null.column("no"))) == 0)
    #expect(null.column("other") == nil)
  }

  @Test("an error has its code and the next step, but not the values of the statement")
  func errors() async throws {
    guard let connection = try await connection() else { return }
    _ = try connection.script("CREATE TABLE t (s text UNIQUE)")
    _ = try connection.run("INSERT INTO t VALUES ($1)", [.text("private")])
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run("INSERT INTO t VALUES ($1)", [.text("private")])
    }
    #expect(error?.kind == .constraint && error?.sqlState == "23505" && error?.disposition == .permanent)
    #expect(error?.description.contains("private") == false)
    #expect(throws: PostgreSQLError.self) { try connection.script("SELEC") }
    // The connection can still be used.
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 1)
  }

  @Test("a transaction is rolled back if its body throws or one of its statements fails")
  func transactions() async throws {
    guard let connection = try await connection() else { return }
    _ = try connection.script("CREATE TABLE t (i bigint)")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.transaction(.writing) {
        _ = try connection.run("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(throws: PostgreSQLError.self) {
      try connection.transaction(.writing) {
        _ = try connection.run("INSERT INTO t VALUES (1)")
        _ = try? connection.run("SELECT 1 / 0")
      }
    }
    #expect(throws: PostgreSQLError.self) {
      try connection.transaction(.reading) { _ = try connection.run("INSERT INTO t VALUES (1)") }
    }
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 0)
    let count = try connection.transaction(.writing) { try connection.run("INSERT INTO t VALUES (1), (2)").changes }
    #expect(count == 2)
    #expect(try connection.run("SELECT count(*) FROM t").integer(0, 0) == 2)
  }

  @Test("a statement that takes longer than the limit is stopped, and the connection is closed")
  func deadline() async throws {
    guard let connection = try await connection(limit: .milliseconds(300)) else { return }
    let error = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT pg_sleep(60)") }
    #expect(error?.kind == .deadline && error?.disposition == .retry)
    #expect(!connection.isOpen)
  }

  @Test("a statement is stopped at its limit if the server accepts connections but never responds")
  func silence() async throws {
    let server = try SilentPostgreSQL()
    let address = try PostgreSQLAddress(url: "postgresql://birds@127.0.0.1:\(server.port)/birds?sslmode=disable")
    let connection = try PostgreSQLConnection(address, password: nil, limit: .milliseconds(300))
    // The request to cancel the statement gets no response either.
    let error = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
    #expect(error?.kind == .deadline)
    #expect(!connection.isOpen)
  }

  @Test("a connection closed by the server is a temporary error")
  func lost() async throws {
    guard let connection = try await connection() else { return }
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
    }
    #expect(error?.kind == .connection && error?.disposition == .retry)
    #expect(!connection.isOpen)
    #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
  }

  @Test("notifications arrive after their transaction is committed")
  func notifications() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let address = try PostgreSQLAddress(url: try await server.database())
    let listener = try PostgreSQLConnection(address, password: nil)
    let other = try PostgreSQLConnection(address, password: nil)
    _ = try listener.script("LISTEN birds")
    #expect(try listener.notifications(within: .zero) == [])
    try other.transaction(.writing) { _ = try other.run("SELECT pg_notify('birds', 'robin')") }
    #expect(try listener.notifications(within: .seconds(60)) == ["robin"])
  }

  @Test("an invalid address is reported without its password")
  func addresses() throws {
    let address = try PostgreSQLAddress(url: "postgresql://ann:env%3APW@db.example.com:5433/birds?sslmode=require")
    #expect(address.passwordText == "env:PW")
    #expect(address.description == "postgresql://db.example.com:5433/birds")
    #expect(address.user == "ann" && address.database == "birds")
    for url in ["postgresql://ann:secret@host:port:1/x?nonsense=1", "mysql://ann:secret@host/x", "postgresql://%zz"] {
      let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLAddress(url: url) }
      #expect(error?.kind == .configuration)
      #expect(error?.description.contains("secret") == false)
    }
  }

  @Test("an unreachable server is a temporary error; a missing database is not")
  func unreachable() async throws {
    let folder = try TemporaryFolder()
    let host = folder.path.replacing("/", with: "%2F")
    let error = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLConnection(PostgreSQLAddress(url: "postgresql://\(host)/x"), password: nil)
    }
    #expect(error?.kind == .connection)
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    let missing = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLConnection(PostgreSQLAddress(url: url + "missing"), password: nil)
    }
    #expect(missing?.kind == .configuration && missing?.disposition == .askPerson)
  }
}
