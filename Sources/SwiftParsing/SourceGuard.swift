package import Localization

/// The limits on source files for the parser. A file that exceeds a limit is reported and never parsed.
///
/// SwiftParser 603 needs exponential time on nested `[`, and overflows its stack on long chains and deep nesting. A scan of the bytes
/// checks these limits before the parser runs.
package struct SourceLimits: Hashable, Sendable {
  /// The maximum size of a file in bytes.
  package var fileBytes: Int
  /// The maximum number of open brackets of all kinds.
  package var bracketDepth: Int
  /// The maximum number of open `[`. Each of them doubles the parser's work.
  package var squareDepth: Int
  /// The maximum number of tokens in one statement at one bracket level: member chains, operator chains, `try try`. It is also eight times the
  /// maximum number of `else` in a chain of `else if`.
  package var chainLength: Int
  /// The maximum length of a run of `#`. From each `#`, the lexer searches for the end of the run.
  package var poundRun = 64
  /// The maximum number of tokens after an open `<`, each counted once for every open `<`. From each `<`, the parser looks ahead for the matching
  /// `>`.
  package var angleWork = 2_000_000
  /// The maximum number of tokens after members of a type that begin without a declaration keyword, each counted once for every such member before
  /// it. From each such member, the parser looks ahead for the next declaration.
  package var memberWork = 2_000_000

  package init(fileBytes: Int, bracketDepth: Int, squareDepth: Int, chainLength: Int) {
    self.fileBytes = fileBytes
    self.bracketDepth = bracketDepth
    self.squareDepth = squareDepth
    self.chainLength = chainLength
  }

  /// Limits that are far above the values in code that people write, and far below the values at which the parser becomes slow or crashes.
  package static let standard = SourceLimits(
    fileBytes: 8 << 20, bracketDepth: 200, squareDepth: 14, chainLength: 4000)
}

/// The reason why a source file must not be parsed.
package struct SourceFault: Error, Hashable, Sendable {
  /// The offset from the start of the file, in bytes.
  package let offset: Int
  /// The line, counted from 1.
  package let line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package let column: Int
  /// The description of the problem, which begins in lower case.
  package let message: String

  /// Returns the fault as a diagnostic for users.
  package func diagnostic(path: TreePath) -> Diagnostic {
    Diagnostic(path: path.text, line: line, column: column, severity: .error, message: message)
  }
}

/// A scan of a file's bytes before it is parsed.
package enum SourceGuard {
  /// Checks the encoding of a file, and everything that `SourceLimits` limits because the parser cannot handle it safely.
  /// - Returns: the first fault, or `nil` if the file may be parsed.
  package static func check(_ bytes: [UInt8], limits: SourceLimits = .standard) -> SourceFault? {
    bytes.withUnsafeBufferPointer { check($0, limits: limits) }
  }

  /// Checks borrowed bytes in the same way as an array.
  package static func check(_ bytes: UnsafeBufferPointer<UInt8>, limits: SourceLimits = .standard) -> SourceFault? {
    scan(bytes, limits: limits).fault
  }

  /// Removes code that cannot contain a string: line comments, bodies of functions, computed properties and statements without a quotation mark, and
  /// parts of statements (`StrippedStatements`). The parser's time is proportional to the remaining tokens.
  /// - Returns: the remaining text, with places of the whole file; or the reason why the file must not be parsed.
  package static func stripped(_ bytes: [UInt8], limits: SourceLimits = .standard) -> Result<
    StrippedSource, SourceFault
  > {
    let (fault, ranges) = bytes.withUnsafeBufferPointer { scan($0, limits: limits) }
    if let fault { return .failure(fault) }
    return .success(StrippedSource(bytes, without: ranges))
  }

  private static func scan(_ bytes: UnsafeBufferPointer<UInt8>, limits: SourceLimits)
    -> (fault: SourceFault?, quietRanges: [Range<Int>])
  {
    if let fault = checkBytes(bytes, limits: limits) { return (fault, []) }
    var scanner = BracketScanner(bytes: bytes, limits: limits)
    guard let (offset, message) = scanner.scan() else { return (nil, scanner.quietRanges) }
    return (fault(at: offset, in: bytes, message), [])
  }

  private static func checkBytes(_ bytes: UnsafeBufferPointer<UInt8>, limits: SourceLimits) -> SourceFault? {
    guard bytes.count <= limits.fileBytes else {
      return SourceFault(
        offset: 0, line: 1, column: 1,
        message: "the file has \(bytes.count) bytes, more than the limit of \(limits.fileBytes); it was not parsed")
    }
    if let offset = firstInvalidByte(bytes) {
      return fault(
        at: offset, in: bytes, "not UTF-8 from byte \(offset) on; the file was not parsed. Save it as UTF-8")
    }
    return nil
  }

  private static func fault(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>, _ message: String) -> SourceFault {
    var line = 1
    var lineStart = 0
    for (index, byte) in bytes.prefix(offset).enumerated() where byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    return SourceFault(offset: offset, line: line, column: offset - lineStart + 1, message: message)
  }

  private static func firstInvalidByte(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
