import Localization
import SDKDeclarations
import StructuredText
import SwiftFacts
import SwiftLinking

/// The strings that the C-family files of one target localize.
///
/// The files must be processed together, because a header may define a macro for the name of a table.
struct ObjectiveCStrings {
  let macros: LocalizingMacros
  /// Whether commented-out code is also read (`LOCALIZED_STRING_CODE_COMMENTS`; Xcode 26.4 release notes).
  let readsComments: Bool
  /// The values of the files' object-like macros; `nil` for a macro with different values.
  private var constants: [String: String?] = [:]

  init(_ files: [(path: TreePath, facts: CFileFacts)], macros: LocalizingMacros, readsComments: Bool) {
    self.macros = macros
    self.readsComments = readsComments
    for constant in files.flatMap(\.facts.constants) {
      if let known = constants[constant.name], !known.isExactly(constant.value) {
        constants[constant.name] = .some(nil)
      } else {
        constants[constant.name] = constant.value
      }
    }
  }

  /// Returns the strings and faults of one file.
  func reading(of facts: CFileFacts, at path: TreePath) -> NonSwiftReading {
    var reading = NonSwiftReading()
    for call in facts.calls where readsComments || !call.isCommentedOut {
      guard let roles = macros[call.name], case .literal(let key)? = call.arguments.first else { continue }
      let site = ExtractionSite(
        path: path, line: Int(call.place.line), column: Int(call.place.column), api: call.name)
      guard let table = table(of: call, roles) else {
        reading.gaps.append(
          NonSwiftReading.Gap(
            Diagnostic(
              path: path.text, line: site.line, column: site.column, severity: .note,
              message: "the table of this string is not a literal, so the table is unknown")))
        continue
      }
      reading.strings.append(
        FoundString(
          table: table, key: key, value: roles.value.flatMap { literal($0, of: call) },
          comment: literal(roles.comment, of: call), origin: .objectiveC, site: site))
    }
    for fault in facts.faults { report(fault, at: path, in: &reading) }
    return reading
  }

  /// Explains each call with `key` as its first argument, or all calls if `key` is `nil`: the table of its key, or the reason why no string is
  /// extracted from the call.
  func explanations(of key: String?, in facts: CFileFacts) -> [LiteralExplanation] {
    facts.calls.compactMap { call in
      guard case .literal(let text)? = call.arguments.first, key.map({ text.isExactly($0) }) ?? true else {
        return nil
      }
      var isTaken = false
      let rule: String
      switch macros[call.name] {
      case nil: rule = "no localizing macro of the SDK, of LOCALIZED_STRING_MACRO_NAMES or of the pipeline"
      case .some where call.isCommentedOut && !readsComments:
        rule = "commented out, and LOCALIZED_STRING_CODE_COMMENTS is not set"
      case .some(let roles):
        isTaken = table(of: call, roles) != nil
        rule = table(of: call, roles).map { "key of table \($0)" } ?? "its table is not a literal"
      }
      return LiteralExplanation(
        line: Int(call.place.line), column: Int(call.place.column), text: text, isTaken: isTaken, type: "unknown",
        context: call.name, rule: rule)
    }
  }

  /// - Returns: the name of the table; `nil` if the files do not determine it.
  private func table(of call: CCall, _ roles: LocalizingMacros.Roles) -> String? {
    guard let index = roles.table, call.arguments.indices.contains(index) else { return Self.standardTable }
    switch call.arguments[index] {
    case .literal(let name): return name.isEmpty ? Self.standardTable : name
    case .absent: return Self.standardTable
    case .name(let name): return constants[name].flatMap(\.self)
    case .expression: return nil
    }
  }

  private static let standardTable = "Localizable"

  private func literal(_ index: Int, of call: CCall) -> String? {
    guard call.arguments.indices.contains(index), case .literal(let text) = call.arguments[index] else { return nil }
    return text
  }

  private func report(_ fault: CFault, at path: TreePath, in reading: inout NonSwiftReading) {
    func diagnostic(_ severity: Diagnostic.Severity, _ message: String, hint: String? = nil) -> Diagnostic {
      Diagnostic(
        path: path.text, line: Int(fault.place.line), column: Int(fault.place.column), severity: severity,
        message: message, hint: hint)
    }
    func gap(_ message: String) { reading.gaps.append(NonSwiftReading.Gap(diagnostic(.warning, message))) }
    switch fault.kind {
    case .openLiteral: gap("this string literal is not closed on its line; the code after it was read")
    case .openComment: gap("this comment is not closed; the code after it was not read")
    case .mergeRegion:
      let message = MergeRegion.message(
        from: Int(fault.place.line), to: fault.lastLine == 0 ? nil : Int(fault.lastLine))
      reading.gaps.append(
        .init(diagnostic(.warning, "\(message); the code around them was read", hint: MergeRegion.hint)))
    case .openCall:
      if macros[fault.name] != nil { gap("this call of \(fault.name) is not closed") }
    case .deepNesting:
      gap("brackets are nested more than \(CCallFrames.depthLimit) deep here; the code within was not read")
    case .unreadableLiteral:
      if macros[fault.name] != nil {
        gap(
          "this literal is not UTF-8 or contains a NUL, so this call of \(fault.name) was skipped; save the file as "
            + "UTF-8 without NULs")
      }
    case .brokenUTF16: gap("not UTF-16 from here on, although the file starts as UTF-16; the file was skipped")
    case .tooLarge: gap("the file has more than \(CSourceBytes.limit) bytes and was skipped")
    case .computedKey:
      reading.diagnostics.append(
        diagnostic(.note, "the first argument of \(fault.name) is not a literal, so no key was extracted"))
    case .wrappedKey where macros[fault.name] != nil: break
    case .wrappedKey:
      reading.diagnostics.append(
        diagnostic(
          .note, "macro \(fault.name) localizes its argument, but Xcode does not expand macros",
          hint: "to extract its strings, add it to LOCALIZED_STRING_MACRO_NAMES or to the pipeline's macros"))
    }
  }
}
