package import Localization
package import SwiftFacts
import SwiftParsing

/// The compiled declarations of the SDK stubs: the facts of each stub file, with the name of its module.
///
/// A stub file is `<Module>.swift.txt` or `<Module>+<Part>.swift.txt` and contains ordinary Swift declarations. `sdk-facts` compiles the
/// stubs to `SDKFacts.generated.swift`. A test checks that this file is up to date.
package enum SDKFacts {
  /// Compiles stubs into the encoded table.
  /// - Parameter stubs: the names and bytes of the stub files.
  /// - Throws: `InputFault` if a stub is not valid Swift.
  package static func table(of stubs: [(name: String, bytes: [UInt8])]) throws(InputFault) -> [UInt8] {
    var table: [UInt8] = []
    for stub in stubs.sorted(by: { $0.name < $1.name }) {
      let source = SourceParsing.parseUnchecked(stub.bytes)
      let facts = FactCompiler.compile(source)
      if let place = facts.firstError {
        throw InputFault(
          Diagnostic(
            path: stub.name, line: Int(place.line), column: Int(place.column), severity: .error,
            message: "syntax error here or in the declaration that begins here"))
      }
      let module = String(stub.name.prefix { $0 != "." && $0 != "+" })
      append(Array(module.utf8), to: &table)
      append(FactsEncoding.encode(facts), to: &table)
    }
    return table
  }

  /// Returns the text of the generated file.
  package static func generatedSource(of table: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(table)
    let imports = Set(modules(of: table).flatMap(\.facts.imports)).sorted()
    var text = """
      // Made by sdk-facts from Sources/SDKDeclarations/Stubs; do not edit.

      extension SDKFacts {
        /// Identifies the table in caches of links that were made against it.
        package static let digest: StaticString = "\(digest.finishHexadecimal())"

        /// The module that a file must import to see a module that is not always visible.
        package static let imports: [String] = [
      \(imports.map { "    \"\($0)\",\n" }.joined())  ]

        /// The compiled stubs, in base64.
        package static let encoded: StaticString =
          \"\"\"

      """
    let encoded = base64(table)
    var start = encoded.startIndex
    while start < encoded.endIndex {
      let end = encoded.index(start, offsetBy: 100, limitedBy: encoded.endIndex) ?? encoded.endIndex
      text += "    " + encoded[start..<end] + (end == encoded.endIndex ? "\n" : "\\\n")
      start = end
    }
    return text + "    \"\"\"\n}\n"
  }

  /// The modules of the committed table, decoded on first use.
  package static let modules = modules(of: decodedTable())

  private static func modules(of table: [UInt8]) -> [(name: String, facts: FileFacts)] {
    var position = 0
    var found: [(name: String, facts: FileFacts)] = []
    while let name = next(table, &position), let body = next(table, &position),
      let facts = EncodedFacts(body)?.interfaceFacts()
    {
      found.append((String(decoding: name, as: UTF8.self), facts))
    }
    return found
  }

  private static func append(_ bytes: [UInt8], to table: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { table.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
    table += bytes
  }

  private static func next(_ table: [UInt8], _ position: inout Int) -> [UInt8]? {
    guard position + 4 <= table.count else { return nil }
    let count = table[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
    guard position + 4 + count <= table.count else { return nil }
    defer { position += 4 + count }
    return Array(table[(position + 4)..<(position + 4 + count)])
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let group =
        Int(bytes[index]) << 16 | (rest > 1 ? Int(bytes[index + 1]) << 8 : 0) | (rest > 2 ? Int(bytes[index + 2]) : 0)
      for (position, shift) in [18, 12, 6, 0].enumerated() {
        out.append(position <= rest ? alphabet[group >> shift & 63] : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func decodedTable() -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    var table: [UInt8] = []
    table.reserveCapacity(encoded.utf8CodeUnitCount * 3 / 4)
    var group = 0
    var count = 0
    encoded.withUTF8Buffer { buffer in
      for byte in buffer where values[Int(byte)] != 255 {
        group = group << 6 | Int(values[Int(byte)])
        count += 1
        if count == 4 {
          table.append(UInt8(truncatingIfNeeded: group >> 16))
          table.append(UInt8(truncatingIfNeeded: group >> 8))
          table.append(UInt8(truncatingIfNeeded: group))
          group = 0
          count = 0
        }
      }
    }
    if count == 2 { table.append(UInt8(truncatingIfNeeded: group >> 4)) }
    if count == 3 {
      table.append(UInt8(truncatingIfNeeded: group >> 10))
      table.append(UInt8(truncatingIfNeeded: group >> 2))
    }
    return table
  }
}
