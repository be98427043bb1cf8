package import Localization

/// Why the shown text cannot be determined for some arguments.
package enum EvaluationFault: Error, Hashable, Sendable {
  /// The text uses the argument with this number, but fewer were passed.
  case missingArgument(Int)
  /// The specifier cannot format the argument with this number. Apple's runtime does not define the result.
  case wrongArgument(number: Int, specifier: String)
  /// The text refers to a substitution that does not exist.
  case undefinedSubstitution(String)
  /// A substitution refers to itself, directly or through others.
  case endlessSubstitution(String)
  /// The text has no form for the device or the number, and no fallback. The value is the path of the missing form.
  case missingForm(VariationPath)
  /// `%arg` outside the forms of a substitution.
  case strayArgument
  /// A single `%` in a text with arguments: the characters after it are read as a specifier.
  case strayPercent
  /// A set of phrases has no arguments and is not a single text.
  case phrases

  /// The fault as a clause for people: lower case, without a full stop.
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
