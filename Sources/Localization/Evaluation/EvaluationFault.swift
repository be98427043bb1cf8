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
    case .missingArgument(let number): "the text needs argument \(number), which is missing"
    case .wrongArgument(let number, let specifier): "\(specifier) cannot take argument \(number)"
    case .undefinedSubstitution(let name): "the text has no substitution %#@\(name)@"
    case .endlessSubstitution(let name): "the substitution “\(name)” refers to itself"
    case .missingForm(let path): "the text has no form \(path.text)"
    case .strayArgument: "%arg is allowed only in the forms of a substitution"
    case .strayPercent: "it has a single % instead of %%"
    case .phrases: "the phrases of a shortcut are not a single text"
    }
  }
}
