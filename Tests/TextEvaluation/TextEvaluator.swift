package import Localization

/// An evaluator that computes the text that Apple's runtime shows for a translation and its arguments. The evaluator selects the forms for the device
/// and the numbers, and inserts the arguments.
///
/// The translation is a text of a String Catalog, or an entry of a strings dictionary whose format key is the text and whose variables are the
/// substitutions. The rules are:
/// - A text without references to substitutions is shown unchanged, including `%%`, if code passes no arguments, because it is then not formatted.
/// - Arguments without a number are counted from 1. In the forms of a substitution, these arguments are counted from the substitution's own argument
///   (Core Foundation, CFString.c: counting starts at the variable's position).
/// - A plural form is selected by CLDR's category of the number. `zero` is for 0 in every language, and a category without a form uses `other`
///   (xcode-formats.md H).
/// - Digits are those of the C locale, without grouping and with `.` as the decimal separator.
package struct TextEvaluator: Sendable {
  package var language: LocaleIdentifier
  /// The device that shows the text; `nil` for a device that has no form of its own.
  package var device: Device?

  /// The maximum nesting of substitutions.
  private static let depth = 16
  /// The limits on the output and on the number of inserted texts. Without these limits, texts that reference each other many times could grow
  /// without end, even if they show nothing.
  private static let most = (bytes: 1 << 20, texts: 10_000)

  package init(language: LocaleIdentifier, device: Device? = nil) {
    self.language = language
    self.device = device
  }

  /// Returns the text that the translation shows.
  /// - Parameter source: the source text's forms. These forms identify the argument that determines the plural form of a whole text if the
  ///   translation's forms do not.
  package func text(
    of translation: Translation, source: SourceForms? = nil, arguments: [FormatArgument] = []
  ) throws(EvaluationFault) -> String {
    let form = try onDevice(translation.text, at: .root)
    let words: String
    switch form {
    case .text(let unit): words = unit.value
    case .phrases: throw .phrases
    case .device: throw .missingForm(.root)
    case .plural(let forms):
      let counted = CountedArgument(countedBy: form, source: source)?.number ?? 1
      words = try chosen(forms, for: argument(counted, of: arguments), at: .root)
    }
    guard !arguments.isEmpty || !FormatString(words).references.isEmpty else { return words }
    var writing = Writing(evaluator: self, translation: translation, arguments: arguments)
    try writing.write(words, countingFrom: 1, within: nil, depth: 0)
    return writing.output
  }

  /// Returns the category of the form that a number selects among the forms of a text; `nil` if there is no such form.
  package func category(of argument: FormatArgument, among categories: some Collection<PluralCategory>)
    -> PluralCategory?
  {
    if argument.isZero, categories.contains(.zero) { return .zero }
    let category = argument.pluralOperands.map { PluralRules.shownCategory(of: $0, in: language) } ?? .other
    if categories.contains(category) { return category }
    return categories.contains(.other) ? .other : nil
  }

  fileprivate func onDevice(_ text: VariedText, at path: VariationPath) throws(EvaluationFault) -> VariedText {
    guard case .device(let forms) = text else { return text }
    let wanted = device ?? .other
    guard let form = forms[wanted] ?? forms[.other] else { throw .missingForm(path.appending(.device(wanted))) }
    return form
  }

  fileprivate func chosen(
    _ forms: [PluralCategory: VariedText], for argument: FormatArgument, at path: VariationPath
  ) throws(EvaluationFault) -> String {
    guard let category = category(of: argument, among: forms.keys), case .text(let unit)? = forms[category] else {
      throw .missingForm(path.appending(.plural(.other)))
    }
    return unit.value
  }

  fileprivate func argument(_ number: Int, of arguments: [FormatArgument]) throws(EvaluationFault) -> FormatArgument {
    guard arguments.indices.contains(number - 1) else { throw .missingArgument(number) }
    return arguments[number - 1]
  }

  /// A text that is being composed.
  private struct Writing {
    let evaluator: TextEvaluator
    let translation: Translation
    let arguments: [FormatArgument]
    private(set) var output = ""
    private var texts = 0

    init(evaluator: TextEvaluator, translation: Translation, arguments: [FormatArgument]) {
      self.evaluator = evaluator
      self.translation = translation
      self.arguments = arguments
    }

    /// Appends a text with its arguments and substitutions.
    /// - Parameter name: the substitution whose form the text is.
    mutating func write(_ text: String, countingFrom first: Int, within name: String?, depth: Int)
      throws(EvaluationFault)
    {
      texts += 1
      guard depth <= TextEvaluator.depth, output.utf8.count <= TextEvaluator.most.bytes,
        texts <= TextEvaluator.most.texts
      else { throw .endlessSubstitution(name ?? "") }
      var next = first
      for part in FormatString(text).parts {
        switch part {
        case .literal(let words): try write(literal: words)
        case .escapedPercent: output.append("%")
        case .name: output.append(part.text)
        case .specifier(let argument, let rest):
          try write(rest, as: part.text, numbered: part.isNumbered ? argument.number : nil, counting: &next)
        case .substitutionArgument:
          guard let name, let substitution = translation.substitutions[name] else { throw .strayArgument }
          let specifier = substitution.plainSpecifier
          try write(specifier, as: part.text, numbered: substitution.argumentNumber, counting: &next)
        case .reference(let reference):
          guard let substitution = translation.substitutions[reference.name] else {
            throw .undefinedSubstitution(reference.name)
          }
          let number = reference.isNumbered ? reference.number : substitution.argumentNumber ?? next
          if !reference.isNumbered { next += 1 }
          try write(substitution, named: reference.name, at: number, depth: depth)
        }
      }
    }

    private mutating func write(literal words: String) throws(EvaluationFault) {
      guard words.utf8.contains(UInt8(ascii: "%")) else { return output.append(words) }
      // Foundation ignores a single `%` only at the very end of a text, and omits it from the output.
      guard words.utf8.last == UInt8(ascii: "%"), words.utf8.filter({ $0 == UInt8(ascii: "%") }).count == 1 else {
        throw .strayPercent
      }
      output.append(contentsOf: words.dropLast())
    }

    private mutating func write(_ rest: String, as text: String, numbered: Int?, counting next: inout Int)
      throws(EvaluationFault)
    {
      guard let specifier = FormatSpecifier(rest) else { throw .strayPercent }
      let width = try size(specifier.width, counting: &next)
      let precision = try size(specifier.precision, counting: &next)
      let number = numbered ?? next
      if numbered == nil { next += 1 }
      // For %n, Foundation shows nothing. The argument is skipped, and need not have been passed.
      guard specifier.conversion != UInt8(ascii: "n") else { return }
      var rendering = SpecifierRendering(specifier: specifier, text: text, number: number)
      rendering.width = width
      rendering.precision = precision
      output.append(try rendering.shown(evaluator.argument(number, of: arguments)))
    }

    private func size(_ size: FormatSpecifier.Size?, counting next: inout Int) throws(EvaluationFault) -> Int? {
      switch size {
      case nil: return nil
      case .digits(let value): return min(value, SpecifierRendering.largestSize)
      case .argument(let told):
        let number = told ?? next
        if told == nil { next += 1 }
        guard case .integer(let value) = try evaluator.argument(number, of: arguments) else {
          throw .wrongArgument(number: number, specifier: "*")
        }
        return Int(max(min(value, Int64(SpecifierRendering.largestSize)), 0))
      }
    }

    private mutating func write(_ substitution: Substitution, named name: String, at number: Int, depth: Int)
      throws(EvaluationFault)
    {
      let path: VariationPath = [.substitution(name)]
      let words: String
      switch try evaluator.onDevice(substitution.forms, at: path) {
      case .text(let unit): words = unit.value
      case .plural(let forms):
        words = try evaluator.chosen(forms, for: evaluator.argument(number, of: arguments), at: path)
      case .phrases: throw .phrases
      case .device: throw .missingForm(path)
      }
      try write(words, countingFrom: number, within: name, depth: depth + 1)
    }
  }
}
