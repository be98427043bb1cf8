import Localization

/// The facts of one file in their binary form.
///
/// It has two parts. The *interface* is what code elsewhere can come to know: imports, declarations without their bodies, and initial
/// values where these give a type. The *details* are the rest: bodies, default arguments, the text of literals and their places. The
/// linker's tables are made of interfaces alone. So what a file's code gives depends on its own facts and the interfaces that it sees
/// and on nothing else, and an interface's digest tells whether anything can have changed for others.
struct EncodedFacts: Sendable {
  /// Names the interface: equal where it is, and (SHA-256, cut short) different where it is not.
  let interfaceDigest: [UInt8]
  let imports: [String]
  /// Where the parser met something that is not Swift.
  let firstError: SourcePlace?
  /// Whether a literal may stand anywhere in the file.
  let holdsLiterals: Bool
  let bytes: [UInt8]
  private let interface: Range<Int>

  static let digestBytes = 16

  init(_ facts: FileFacts) {
    let parts = FactsWriter.encode(facts)
    var imports = FactsStream()
    imports.list(facts.imports) { $0.string($1) }
    let head = imports.finished()
    var digest = ContentDigest()
    digest.update(head)
    digest.update(parts.interface)
    interfaceDigest = Array(digest.finish().prefix(Self.digestBytes))
    self.imports = facts.imports
    firstError = facts.firstError
    holdsLiterals = facts.holdsLiterals
    var bytes = interfaceDigest
    bytes.reserveCapacity(head.count + parts.interface.count + parts.details.count + 32)
    let numbers = [
      holdsLiterals ? 1 : 0, Int(firstError?.line ?? -1) + 1, Int(firstError?.column ?? 0), head.count,
      parts.interface.count,
    ]
    for number in numbers { FactsStream.append(number, to: &bytes) }
    bytes += head
    interface = bytes.count..<(bytes.count + parts.interface.count)
    bytes += parts.interface
    bytes += parts.details
    self.bytes = bytes
  }

  /// - Returns: `nil` where the bytes cannot be ours. Whether all the facts can be read shows when they are.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count > Self.digestBytes else { return nil }
    interfaceDigest = Array(bytes[..<Self.digestBytes])
    let head = bytes.withUnsafeBufferPointer { buffer -> (Bool, SourcePlace?, [String], Range<Int>)? in
      do {
        var position = Self.digestBytes
        let flag = try FactsStream.number(buffer, &position)
        let line = try FactsStream.number(buffer, &position)
        let column = try FactsStream.number(buffer, &position)
        let importBytes = try FactsStream.number(buffer, &position)
        let interfaceBytes = try FactsStream.number(buffer, &position)
        let left = buffer.count - position
        guard importBytes >= 0, interfaceBytes >= 0, importBytes <= left, interfaceBytes <= left - importBytes else {
          return nil
        }
        let start = position + importBytes
        var cursor = try FactsCursor(UnsafeBufferPointer(rebasing: buffer[position..<start]))
        var imports: [String] = []
        for _ in 0..<(try cursor.count()) { imports.append(try cursor.string()) }
        let place = SourcePlace(
          line: Int32(truncatingIfNeeded: line - 1), column: Int32(truncatingIfNeeded: column))
        return (flag != 0, line == 0 ? nil : place, imports, start..<(start + interfaceBytes))
      } catch {
        return nil
      }
    }
    guard let head else { return nil }
    (holdsLiterals, firstError, imports, interface) = head
  }

  /// What code elsewhere can come to know; `nil` where the bytes are not ours.
  func interfaceFacts() -> FileFacts? { read(withDetails: false) }

  /// All of it; `nil` where the bytes are not ours.
  func facts() -> FileFacts? { read(withDetails: true) }

  private func read(withDetails: Bool) -> FileFacts? {
    bytes.withUnsafeBufferPointer { buffer in
      let details = UnsafeBufferPointer(rebasing: buffer[interface.upperBound...])
      guard
        let statements = FactsReader.statements(
          interface: UnsafeBufferPointer(rebasing: buffer[interface]), details: withDetails ? details : nil)
      else { return nil }
      return FileFacts(
        imports: imports, statements: statements, holdsLiterals: holdsLiterals, firstError: firstError)
    }
  }
}
