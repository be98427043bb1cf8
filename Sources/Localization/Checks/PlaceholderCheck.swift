/// Compares the arguments of a translation with those of its source text by number and type, not by spelling.
///
/// - Reordering by number is allowed. A missing or additional argument, or an argument of another type, is an error.
/// - A form may use any argument that the key or a form of the source text uses.
/// - The forms zero, one and two, and forms for an exact number such as `=0`, may leave out the number (xcode-formats.md H; "No birds").
/// - A source text with a stray `%` ("50% off") is not a format. In such a text, only specifiers that cannot be accidental count.
/// - A single `%` in a translation is an error only if the source text has arguments and is therefore a format.
package struct PlaceholderCheck: Sendable {
  private let source: SourceForms
  private let key: FormatString
  /// The source text if it has only one form; otherwise `nil`.
  private let only: FormatString?
  /// The types of each argument that the key or any form of the source text takes, by the argument's number.
  private let known: [Int: Set<ArgumentType>]

  package init(source: SourceForms) {
    self.source = source
    let key = FormatString(source.key.text)
    self.key = key
    var known: [Int: Set<ArgumentType>] = [:]
    if case .text(let unit) = source.translation.text, source.translation.substitutions.isEmpty {
      // Most source texts have only one form. If this form equals the key, it is already parsed.
      let format = unit.value.isExactly(key.text) ? key : FormatString(unit.value)
      only = format
      for argument in format.arguments { known[argument.number, default: []].insert(argument.type) }
    } else {
      only = nil
      for (path, leaf) in source.translation.leaves {
        for text in leaf.texts {
          for argument in Self.arguments(of: FormatString(text), at: path, in: source.translation) {
            known[argument.number, default: []].insert(argument.type)
          }
        }
      }
    }
    // Code passes the arguments of the key, even if the source text does not show them ("notifications.mention %lld").
    for argument in key.arguments where !key.hasStrayPercent {
      known[argument.number, default: []].insert(argument.type)
    }
    for (name, substitution) in source.translation.substitutions {
      let type = ArgumentType(specifier: substitution.formatSpecifier ?? "lld") ?? .int64
      known[source.translation.argumentNumber(of: name), default: []].insert(type)
    }
    self.known = known
  }

  /// Whether neither the key nor any form of the source text has an argument, a substitution or a named parameter.
  package var isOfPlainText: Bool {
    guard known.isEmpty else { return false }
    let formats = only.map { [$0] } ?? source.translation.leaves.flatMap { $0.leaf.texts }.map(FormatString.init)
    return (formats + [key]).allSatisfy { $0.references.isEmpty && $0.names.isEmpty }
  }

  /// Returns whether a text has no specifier that is dangerous if an app formats the text without arguments: `%n` writes to memory, `%s` and `%S`
  /// read from an arbitrary address, and a huge width produces a huge text.
  package static func isHarmless(_ text: String) -> Bool {
    let format = FormatString(text)
    return format.oversized.isEmpty
      && !format.arguments.contains { [.written, .cString, .unicharString].contains($0.type) }
  }

  /// Returns whether a form that differs from the source text cannot crash an app: it reads only arguments that code passes, each as the
  /// kind of value that is passed. The form may omit arguments. A source text without arguments is not used as a format.
  func isHarmless(_ text: ExchangeText, at path: VariationPath) -> Bool {
    guard Self.isHarmless(text.summary) else { return false }
    guard !known.isEmpty,
      case .text(let text) = Translation.catalogText(text, at: path, arguments: source.translation)
    else { return true }
    return Self.arguments(of: FormatString(text), at: path, in: source.translation).allSatisfy { argument in
      known[argument.number]?.contains { $0 == argument.type || $0.isInteger && argument.type.isInteger } ?? false
    }
  }

  /// Returns a fault for the first specifier that the source text does not have and whose width or precision is too large; `nil` if there is none.
  private static func excess(of text: FormatString, _ original: FormatString) -> ArgumentFault? {
    text.oversized.first { !original.oversized.contains($0) }.map {
      .other("the width or precision of \($0) is above \(String(repeating: "9", count: FormatString.mostDigits))")
    }
  }

  /// Returns the fault of a translation's form; `nil` if there is none.
  /// - Parameters:
  ///   - text: the text as returned by the vendor. In a form of a substitution, `%1$lld` and `%arg` mean the same.
  ///   - present: the current translation, which may have substitutions that the source text lacks.
  package func difference(of text: ExchangeText, at path: VariationPath, present: Translation? = nil) -> ArgumentFault?
  {
    if case .substitution(let name)? = path.steps.first, source.translation.substitutions[name] == nil {
      return ownForm(text, of: name, at: path, in: present)
    }
    // Both texts are compared in the catalog's notation, where a substitution without a number counts as an argument, as in Xcode.
    let knowing = present.flatMap { $0.substitutions.isEmpty ? nil : $0 } ?? source.translation
    let text = Translation.catalogText(text, at: path, arguments: path.isInSubstitution ? source.translation : knowing)
    switch (text, source.leaf(at: path)?.words ?? .text(source.key.text)) {
    case (.text(let text), .text(let original)):
      let format = FormatString(text)
      let original = self.format(ofSource: original)
      if format.isPlain, original.isPlain { return nil }
      if let excess = Self.excess(of: format, original) { return excess }
      return difference(format, original, at: path, present: present)
    case (.phrases(let phrases), .phrases(let originals)): return difference(phrases: phrases, originals)
    case (.phrases, .text), (.text, .phrases): return .other("only one of the two texts is a list of phrases")
    }
  }

  private func format(ofSource text: String) -> FormatString {
    if text.isExactly(key.text) { return key }
    if let only, text.isExactly(only.text) { return only }
    return FormatString(text)
  }

  /// Returns the fault of a form of a substitution that only the translation has; `nil` if there is none. Such a form may use any arguments of the
  /// source text, but need not use them.
  private func ownForm(_ text: ExchangeText, of name: String, at path: VariationPath, in present: Translation?)
    -> ArgumentFault?
  {
    guard case .text(let text) = text, let present, present.substitutions[name] != nil else {
      return .other("the text has no substitution “\(name)”")
    }
    let format = FormatString(text)
    if let excess = Self.excess(of: format, FormatString("")) { return excess }
    return unknown(in: Self.arguments(of: format, at: path, in: present), expected: [])
      ?? (format.hasStrayPercent ? .other("it has a single % instead of %%") : nil)
  }

  private func unknown(in given: [FormatString.Argument], expected: [FormatString.Argument])
    -> ArgumentFault?
  {
    for argument in given {
      guard let types = known[argument.number] else { return .other("\(argument.text) is not in the source text") }
      guard !types.contains(argument.type) else { continue }
      let right =
        expected.first { $0.number == argument.number }?.text
        ?? types.map(\.rawValue).sorted().joined(separator: " or ")
      return .otherType(argument, right: right)
    }
    return nil
  }

  private func difference(
    _ text: FormatString, _ original: FormatString, at path: VariationPath, present: Translation?
  ) -> ArgumentFault? {
    if let fault = names(of: text, original) { return fault }
    // Outside the forms of a substitution, `%arg` is read as `%a`, which prints a number in hexadecimal notation.
    if text.substitutionArguments > 0, !path.isInSubstitution, original.substitutionArguments == 0 {
      return .other("%arg is allowed only in the forms of a substitution")
    }
    let isLenient = original.hasStrayPercent
    let needed = Self.arguments(of: original, at: path, in: source.translation)
    var given = Self.arguments(of: text, at: path, in: source.translation)
    if isLenient {
      let written = Set(needed.map(\.text))
      given = given.filter { $0.isDeliberate || written.contains($0.text) }
    }
    let own = present?.substitutions ?? [:]
    let originals = Set(original.references.map { UnitKey($0.name) })
    for reference in text.references {
      if !path.mayReferenceSubstitutions, let fault = pluralFault(of: reference) { return fault }
      if originals.contains(UnitKey(reference.name)) {
        if let fault = declarationFault(of: reference, at: path, in: present) { return fault }
        continue
      }
      guard let specifier = own[reference.name].map({ $0.formatSpecifier ?? "lld" }), let present else {
        return .other("%#@\(reference.name)@ is not in the source text")
      }
      given.append(
        FormatString.Argument(
          number: present.argumentNumber(of: reference.name), type: ArgumentType(specifier: specifier) ?? .int64,
          isDeliberate: true, text: "%#@\(reference.name)@"))
    }
    if let fault = unknown(in: given, expected: needed) { return fault }
    // Instead of a substitution, a translation may contain the substitution's argument itself.
    let named = Set(text.references.map { UnitKey($0.name) })
    for reference in original.references where !named.contains(UnitKey(reference.name)) {
      let number = source.translation.argumentNumber(of: reference.name)
      guard given.contains(where: { $0.number == number }) else { return .other("%#@\(reference.name)@ is missing") }
    }
    let omissible = Self.mayOmitNumber(path) ? Self.number(needed, at: path, in: source.translation) : nil
    for argument in needed
    where !given.contains(where: { $0.number == argument.number }) && argument.number != omissible {
      if isLenient, !argument.isDeliberate { continue }
      return .missing(argument)
    }
    if text.hasStrayPercent, !isLenient, !needed.isEmpty || !original.references.isEmpty {
      return .other("it has a single % instead of %%")
    }
    return nil
  }

  /// Returns the fault of a substitution that the translation declares under the same name as the source text: another argument, or an argument of
  /// another type. `nil` if there is none. The width of a whole number may differ.
  private func declarationFault(
    of reference: FormatString.Reference, at path: VariationPath, in present: Translation?
  ) -> ArgumentFault? {
    guard let own = present?.substitutions[reference.name],
      let original = source.translation.substitutions[reference.name]
    else { return nil }
    let number = source.translation.argumentNumber(of: reference.name)
    // In a form of another substitution, a number that is not declared does not follow from the position of the reference.
    let isKnown = !path.isInSubstitution || own.argumentNumber != nil && original.argumentNumber != nil
    let given = own.argumentNumber ?? reference.number
    if isKnown, given != number {
      return .other("%#@\(reference.name)@ shows argument \(given) instead of argument \(number)")
    }
    let specifier = own.formatSpecifier ?? "lld"
    let type = ArgumentType(specifier: specifier) ?? .int64
    guard let types = known[number], !types.contains(where: { $0 == type || $0.isInteger && type.isInteger }) else {
      return nil
    }
    let mark = { (specifier: String) in specifier.hasPrefix("%") ? specifier : "%" + specifier }
    return .other(
      "%#@\(reference.name)@ reads argument \(number) as \(mark(specifier)), "
        + "which is \(mark(original.formatSpecifier ?? "lld"))")
  }

  /// Returns the fault of a reference in a plural form, where neither Xcode's compiler nor the app resolves references; `nil` if a plural form of the
  /// source text has the same reference.
  private func pluralFault(of reference: FormatString.Reference) -> ArgumentFault? {
    let isSources = source.translation.leaves.contains { path, leaf in
      !path.mayReferenceSubstitutions
        && leaf.texts.contains { FormatString($0).references.contains { $0.name.isExactly(reference.name) } }
    }
    guard !isSources else { return nil }
    let fault = "%#@\(reference.name)@ cannot be used in a plural form"
    guard let own = source.translation.substitutions[reference.name] else { return .other(fault) }
    let specifier = (own.formatSpecifier ?? "lld").drop(while: { $0 == "%" })
    return .other("\(fault); use %\(source.translation.argumentNumber(of: reference.name))$\(specifier)")
  }

  private func names(of text: FormatString, _ original: FormatString) -> ArgumentFault? {
    let given = Set(text.names)
    let needed = Set(original.names)
    if let unknown = given.subtracting(needed).min() { return .other("${\(unknown)} is not in the source text") }
    if let missing = needed.subtracting(given).min() { return .other("${\(missing)} is missing") }
    return nil
  }

  /// Returns the fault of a set of phrases; `nil` if there is none. Every phrase of the translation must have the parameters that all source phrases
  /// have, and may only have parameters that at least one source phrase has.
  private func difference(phrases: [String], _ originals: [String]) -> ArgumentFault? {
    let sets = originals.map { Set(FormatString($0).names) }
    let always = sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
    let ever = sets.reduce(Set<String>()) { $0.union($1) }
    for phrase in phrases {
      let names = Set(FormatString(phrase).names)
      if let missing = always.subtracting(names).min() { return .other("${\(missing)} is missing in “\(phrase)”") }
      if let unknown = names.subtracting(ever).min() { return .other("${\(unknown)} is not in the source text") }
    }
    return nil
  }

  /// Returns the arguments of a form. In a form of a substitution, `%arg` and the first specifier without a number mean the substitution's
  /// own argument.
  private static func arguments(
    of format: FormatString, at path: VariationPath, in translation: Translation
  ) -> [FormatString.Argument] {
    guard case .substitution(let name)? = path.steps.first else { return format.arguments }
    let number = translation.argumentNumber(of: name)
    var arguments = format.arguments
    if let first = arguments.firstIndex(where: { !$0.text.utf8.contains(UInt8(ascii: "$")) }) {
      arguments[first].number = number
    }
    if format.substitutionArguments > 0 {
      let type = ArgumentType(specifier: translation.substitutions[name]?.formatSpecifier ?? "lld") ?? .int64
      arguments.append(FormatString.Argument(number: number, type: type, isDeliberate: true, text: "%arg"))
    }
    return arguments
  }

  /// Returns the number of the argument that a plural form counts: the number of the substitution's own argument, or else of the first numeric
  /// argument; `nil` if there is none.
  private static func number(
    _ arguments: [FormatString.Argument], at path: VariationPath, in translation: Translation
  ) -> Int? {
    if case .substitution(let name)? = path.steps.first { return translation.argumentNumber(of: name) }
    return arguments.filter(\.type.isNumber).map(\.number).min()
  }

  /// Returns whether the form `other` of the source text shows the number that a plural form counts.
  func sourceSaysNumber(at path: VariationPath) -> Bool {
    guard case .text(let text)? = source.leaf(at: path.parentWithOther)?.words else { return false }
    let format = FormatString(text)
    return format.substitutionArguments > 0 || format.arguments.contains(where: \.type.isNumber)
  }

  private static func mayOmitNumber(_ path: VariationPath) -> Bool {
    path.steps.contains { step in
      guard case .plural(let category) = step else { return false }
      return [.zero, .one, .two].contains(category) || category.rawValue.hasPrefix("=")
    }
  }
}

extension VariationPath {
  /// The path of the form `other` of the same plural, which is shown for most numbers. A path without a plural form at its end is unchanged.
  fileprivate var parentWithOther: VariationPath {
    guard case .plural? = steps.last else { return self }
    return VariationPath(Array(steps.dropLast())).appending(.plural(.other))
  }
}
