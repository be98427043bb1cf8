import Foundation
import SwiftParser
import SwiftSyntax

/// The top-level declarations, imports and names of one Swift file.
struct SourceFile {
  /// The path relative to the package.
  var path: String
  /// The folder relative to the target; empty for the target's own folder.
  var folder: String
  /// The names of the types, protocols and type aliases at the top level.
  var declared: Set<String>
  var imported: Set<String>
  /// Every identifier that begins with an uppercase letter.
  var used: Set<String>

  /// Returns the files of a target, sorted by path.
  static func files(in folder: URL, named name: String) throws -> [SourceFile] {
    guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      return SourceFile(
        text, path: "\(name)/\(path)", folder: path.split(separator: "/").dropLast().joined(separator: "/"))
    }
  }

  init(_ text: String, path: String, folder: String) {
    self.path = path
    self.folder = folder
    declared = []
    imported = []
    used = []
    let tree = Parser.parse(source: text)
    for statement in tree.statements { note(Syntax(statement.item)) }
    for token in tree.tokens(viewMode: .sourceAccurate) {
      if case .identifier(let name) = token.tokenKind, name.first?.isUppercase == true { used.insert(name) }
    }
  }

  private mutating func note(_ item: Syntax) {
    if let named = item.asProtocol((any NamedDeclSyntax).self), !item.is(FunctionDeclSyntax.self) {
      declared.insert(named.name.text)
    } else if let imports = item.as(ImportDeclSyntax.self), let module = imports.path.first {
      imported.insert(module.name.text)
    }
  }
}
