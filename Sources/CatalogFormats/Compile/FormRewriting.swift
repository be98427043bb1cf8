internal import Localization

/// Rewrites the forms of a substitution for a strings dictionary: replaces `%arg`, and replaces the names of other substitutions with the names that
/// the compiler writes (`VariedForm`).
///
/// If the substitution has an argument number, each reference in its forms gets the argument number of the referenced substitution, if that has one.
/// Without this number, Foundation would count from the form's own argument. The other unnumbered arguments of such a form get numbers too. A form
/// with a width or precision `*` gets no numbers.
struct FormRewriting {
  private let substitution: Substitution
  private let translation: Translation
  private let names: [String: String]

  init(_ substitution: Substitution, of translation: Translation, names: [String: String]) {
    self.substitution = substitution
    self.translation = translation
    self.names = names
  }

  func rewritten(_ text: String) -> String {
    let format = FormatString(text)
    // `*` takes an argument that cannot be numbered.
    let tells =
      substitution.argumentNumber != nil
      && format.references.contains { !$0.isNumbered && number(of: $0) != nil }
      && !format.parts.contains { $0.text.utf8.contains(UInt8(ascii: "*")) && $0.isSpecifier }
    var next = substitution.argumentNumber ?? 1
    return format.parts.map { part in
      switch part {
      case .substitutionArgument:
        return "%" + (substitution.argumentNumber.map { "\($0)$" } ?? "") + substitution.plainSpecifier
      case .reference(var reference):
        if tells, !reference.isNumbered {
          reference.number = number(of: reference) ?? next
          reference.isNumbered = true
          next += 1
        }
        return reference.text(named: names[reference.name])
      case .specifier(_, let rest) where tells && !part.isNumbered:
        defer { next += 1 }
        return "%\(next)$\(rest)"
      default: return part.text
      }
    }.joined()
  }

  private func number(of reference: FormatString.Reference) -> Int? {
    translation.substitutions[reference.name]?.argumentNumber
  }
}

extension FormatString.Part {
  fileprivate var isSpecifier: Bool { if case .specifier = self { true } else { false } }
}
