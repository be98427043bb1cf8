@_spi(RawSyntax) import SwiftSyntax

/// The parts of a file that are compiled only for some platforms, or only in Debug builds.
///
/// The catalog of a target for one platform gets no strings from code that is compiled only for other platforms. The catalog of a target for several
/// platforms gets the strings of all these platforms (xcode-extraction.md C).
struct PlatformConditions {
  /// The platforms for which a condition can be true in some build, and those for which it is true in every build.
  private struct Value {
    var possible: PlatformSet
    var certain: PlatformSet

    static let open = Value(possible: .all, certain: [])
    /// The value of `DEBUG`, which no Release build defines. It is not certain in Debug builds, because a project may not define it.
    static let debugging = Value(possible: .platforms, certain: [])

    /// Returns the value of a condition that is true exactly for these platforms, in Debug and Release builds.
    static func only(_ platforms: PlatformSet) -> Value {
      Value(possible: platforms.union(.release), certain: platforms)
    }

    var negated: Value { Value(possible: certain.complement, certain: possible.complement) }

    func and(_ other: Value) -> Value {
      Value(possible: possible.intersection(other.possible), certain: certain.intersection(other.certain))
    }

    func or(_ other: Value) -> Value {
      Value(possible: possible.union(other.possible), certain: certain.union(other.certain))
    }
  }

  private(set) var regions: [(offsets: Range<Int>, platforms: PlatformSet)] = []

  /// Returns the platforms for which the code at a byte offset can be compiled, and whether Release builds can compile it.
  func platforms(at offset: Int) -> PlatformSet {
    var found = PlatformSet.all
    for region in regions where region.offsets.contains(offset) { found.formIntersection(region.platforms) }
    return found
  }

  /// Collects the clauses of `#if` below a node that are never compiled for some platform, or never in Release builds.
  /// - Parameter offset: returns the offset of a token.
  mutating func collect(_ node: RawNode, offset: (RawNode) -> Int?) {
    for element in node.elements where !element.raw.isToken {
      if element.kind == .ifConfigDecl { add(element, offset: offset) }
      collect(element, offset: offset)
    }
  }

  private mutating func add(_ node: RawNode, offset: (RawNode) -> Int?) {
    var reached = Value(possible: .all, certain: .all)
    for clause in node[IfConfigDecl.clauses]?.elements ?? RawElements(buffer: nil) {
      let own = clause[IfConfigClause.condition].map(value) ?? Value(possible: .all, certain: .all)
      let here = reached.and(own)
      if here.possible != .all, let token = clause.firstToken, let start = offset(token) {
        regions.append((start..<(start + clause.raw.byteLength), here.possible))
      }
      reached = reached.and(own.negated)
    }
  }

  private func value(of node: RawNode) -> Value {
    switch node.kind {
    case .prefixOperatorExpr: return node[PrefixOperatorExpr.expression].map { value(of: $0).negated } ?? .open
    case .tupleExpr:
      guard let list = node[TupleExpr.elements], list.elements.count == 1,
        let only = list.elements.first(where: { _ in true })?[LabeledExpr.expression]
      else { return .open }
      return value(of: only)
    case .sequenceExpr: return sequence(node)
    case .functionCallExpr: return call(node)
    case .declReferenceExpr: return node[DeclReferenceExpr.baseName]?.isText("DEBUG") == true ? .debugging : .open
    default: return .open
    }
  }

  /// Evaluates operators. `&&` binds tighter than `||`.
  private func sequence(_ node: RawNode) -> Value {
    var alternatives = Value(possible: [], certain: [])
    var current = Value(possible: .all, certain: .all)
    for element in node[SequenceExpr.elements]?.elements ?? RawElements(buffer: nil) {
      if element.kind == .binaryOperatorExpr {
        guard element.elements.contains(where: { $0.isText("||") }) else { continue }
        alternatives = alternatives.or(current)
        current = Value(possible: .all, certain: .all)
        continue
      }
      current = current.and(value(of: element))
    }
    return alternatives.or(current)
  }

  private func call(_ node: RawNode) -> Value {
    guard let name = node[FunctionCallExpr.calledExpression]?[DeclReferenceExpr.baseName],
      let argument = node[FunctionCallExpr.arguments]?.elements.first(where: { _ in true })?[LabeledExpr.expression]?
        .firstToken
    else { return .open }
    if name.isText("os") {
      return .only(PlatformSet.named(String(decoding: argument.bytes, as: UTF8.self)) ?? [])
    }
    if name.isText("targetEnvironment"), argument.isText("simulator") {
      return .only(.simulators)
    }
    // Mac Catalyst counts as iOS, because it has UIKit instead of AppKit.
    if name.isText("canImport"), argument.isText("AppKit") || argument.isText("Cocoa") {
      return .only(.macOS)
    }
    if name.isText("canImport"), argument.isText("UIKit") {
      return .only(PlatformSet.platforms.subtracting(.macOS))
    }
    return .open
  }
}
