import CatalogFormats
import Foundation
import Localization

/// A log of SARIF 2.1.0 (OASIS).
struct SARIFLog: Encodable {
  struct Message: Encodable { let text: String }

  struct Rule: Encodable {
    struct Configuration: Encodable { let level: String }

    let id: String
    let shortDescription, fullDescription, help: Message
    let defaultConfiguration: Configuration
  }

  struct Region: Encodable {
    let startLine: Int
    /// The column in UTF-16 code units (`Run.columnKind`); `nil` if it is unknown or the line could not be read.
    let startColumn: Int?
  }

  struct Artifact: Encodable {
    let uri: String
    let uriBaseId = "%SRCROOT%"

    enum CodingKeys: CodingKey { case uri, uriBaseId }
  }

  struct PhysicalLocation: Encodable {
    let artifactLocation: Artifact
    let region: Region?
  }

  struct Location: Encodable { let physicalLocation: PhysicalLocation }

  struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Message
    let locations: [Location]
    let partialFingerprints: [String: String]
  }

  struct Driver: Encodable {
    let name = "dragoman"
    let version = dragomanVersion
    let rules: [Rule]

    enum CodingKeys: CodingKey { case name, version, rules }
  }

  struct Tool: Encodable { let driver: Driver }

  struct Notification: Encodable {
    let level: String
    let message: Message
    let locations: [Location]
  }

  struct Invocation: Encodable {
    let executionSuccessful: Bool
    let toolExecutionNotifications: [Notification]
  }

  struct Run: Encodable {
    let tool: Tool
    let invocations: [Invocation]
    let results: [Result]
    let columnKind = "utf16CodeUnits"

    enum CodingKeys: CodingKey { case tool, invocations, results, columnKind }
  }

  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  init(runs: [Run]) { self.runs = runs }

  static func text(_ message: String, _ hint: String?) -> String {
    (message + (hint.map { ". Hint: \($0)" } ?? "")).withVisibleControls
  }

  /// Returns the location of a finding.
  /// - Parameters:
  ///   - path: the path in the tree of `columns`.
  ///   - folder: the prefix of the path.
  ///   - column: the column in UTF-8 bytes.
  static func location(
    _ path: String, in folder: String, _ line: Int?, _ column: Int?, _ columns: UTF16Columns
  ) -> Location {
    let region = line.map { line in
      let file = TreePath(checking: path)
      let column = column.flatMap { column in file.flatMap { columns.column(column, ofLine: line, in: $0) } }
      return Region(startLine: line, startColumn: column)
    }
    return Location(
      physicalLocation: PhysicalLocation(artifactLocation: Artifact(uri: escaped(folder + path)), region: region))
  }

  /// Returns a path as a relative URI: unreserved characters and slashes are kept, and all other characters are percent-encoded (RFC 3986).
  static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default: "%" + [byte].hexadecimal.uppercased()
      }
    }.joined()
  }
}
