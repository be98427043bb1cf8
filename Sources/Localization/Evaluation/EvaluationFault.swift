/// Why it cannot be told what a text shows for some arguments.
package enum EvaluationFault: Error, Hashable, Sendable {
  /// The text takes an argument of this number, and fewer were given.
  case missingArgument(Int)
  /// The specifier cannot take the argument of this number: what Apple's runtime then does is not defined.
  case wrongArgument(number: Int, specifier: String)
  /// The text names a substitution that it does not have.
  case undefinedSubstitution(String)
  /// A substitution names itself, directly or by others.
  case endlessSubstitution(String)
  /// The text has no form for the device, or for the number, and none for all others: the path of what is missing.
  case missingForm(VariationPath)
  /// `%arg` outside the forms of a substitution.
  case strayArgument
  /// A lone `%` in a text that takes arguments: what stands behind it is read as a format.
  case strayPercent
  /// A set of phrases has no arguments and is not one text.
  case phrases

  /// The fault for people: lower case, without a full stop.
  package var sentence: String {
    switch self {
    case .missingArgument(let number): "the text takes argument \(number), which is not given"
    case .wrongArgument(let number, let specifier): "\(specifier) cannot take argument \(number)"
    case .undefinedSubstitution(let name): "%#@\(name)@ is no substitution of the text"
    case .endlessSubstitution(let name): "the substitution “\(name)” names itself"
    case .missingForm(let path): "the text has no form \(path.text)"
    case .strayArgument: "%arg stands only in the forms of a substitution"
    case .strayPercent: "there is a lone % where %% is meant"
    case .phrases: "phrases of a shortcut are not one text"
    }
  }
}
