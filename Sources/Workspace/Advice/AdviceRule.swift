package import Localization

/// A rule of `dragoman check` about localizable strings, their translations, or code that makes an app hard to localize.
package struct AdviceRule: Sendable {
  /// The rule's id: lower-case words joined with hyphens. Suppressions and baselines contain it, so it never changes.
  package let id: String
  package let severity: Diagnostic.Severity
  /// The title: one line without a full stop.
  package let title: String
  /// The reason why a finding matters to a user or translator.
  package let reason: String
  package let bad: String
  package let good: String
  let find: @Sendable (AdviceSubject) -> [Remark]
  /// The pattern of code that the rule reports; `nil` for rules about texts.
  package let kind: CodePattern.Kind?
  /// Returns whether findings of the rule are useful in a project. If not, the rule reports only when it is chosen by name.
  let applies: @Sendable (AdviceSubject) -> Bool
  /// Whether the rule reports only when it is chosen by name, because many projects do not want its findings.
  package let isOptIn: Bool

  init(
    _ id: String, _ severity: Diagnostic.Severity, _ title: String, reason: String, bad: String, good: String,
    find: @escaping @Sendable (AdviceSubject) -> [Remark], kind: CodePattern.Kind? = nil,
    applies: @escaping @Sendable (AdviceSubject) -> Bool = { _ in true }, isOptIn: Bool = false
  ) {
    self.id = id
    self.severity = severity
    self.title = title
    self.reason = reason
    self.bad = bad
    self.good = good
    self.find = find
    self.kind = kind
    self.applies = applies
    self.isOptIn = isOptIn
  }

  /// Creates a rule that checks one text unit at a time.
  init(
    _ id: String, _ severity: Diagnostic.Severity, _ title: String, reason: String, bad: String, good: String,
    isOptIn: Bool = false, findInUnit: @escaping @Sendable (AdvisedUnit) -> [Remark]
  ) {
    self.init(
      id, severity, title, reason: reason, bad: bad, good: good, find: { $0.units.flatMap(findInUnit) },
      isOptIn: isOptIn)
  }

  /// All rules, in the order in which the documentation lists them.
  package static let all: [AdviceRule] = [
    .commentMissing, .commentEcho, .argumentUnexplained, .pluralMissing, .pluralNumberMissing, .placeholderMismatch,
    .markupMismatch, .pluralCategoryMissing, .sameAsSource, .keysAlike, .keyInTwoContexts, .concatenated,
    .sentenceJoined, .pluralByHand,
    .formatNotLocalized, .textNotLocalizable, .bundleMissing, .moduleOfOtherTarget, .directionFixed, .widthFixed,
    .caseByHand, .dateByHand, .numberByHand,
    .languageMissingInPackage, .lengthExceeded, .termNotUsed,
  ]

  /// The rules that run if none is chosen by name, in projects to which they apply.
  package static let byDefault = all.filter { !$0.isOptIn }
}

/// A finding of a rule before its location is known.
struct Remark: Sendable {
  /// The location at which a finding is reported.
  enum Location: Sendable {
    /// The first site in code, or the catalog if the code does not have the string.
    case code
    case catalog
    /// A file other than a catalog, such as a source file or a manifest. Line and column count as in `AdviceFinding`.
    case file(TreePath, line: Int?, column: Int? = nil)
  }

  var location = Location.catalog
  /// The catalog; `nil` for a pattern of code.
  var catalog: TreePath?
  var key: UnitKey
  /// The language of the translation; `nil` for the source language and for code.
  var language: LocaleIdentifier?
  var form: VariationPath = .root
  var message: String
  var hint: String?
  var fix: CodeFix?
  /// Whether the finding is reported even if its rule is not chosen by name.
  var isLikely = true
}
