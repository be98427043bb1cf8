package import Localization

/// The reason why the shown text cannot be determined for some arguments.
package enum EvaluationFault: Error, Hashable, Sendable {
  /// The text uses the argument with this number, but fewer arguments were passed.
  case missingArgument(Int)
  /// The specifier cannot format the argument with this number. Apple's runtime does not define the result.
  case wrongArgument(number: Int, specifier: String)
  /// The text references a substitution that does not exist.
  case undefinedSubstitution(String)
  /// A substitution references itself, directly or through other substitutions, or the inserted texts are nested too deeply, too many or too large.
  case endlessSubstitution(String)
  /// The text has neither a form for the device or the number nor a fallback. The value is the path of the missing form.
  case missingForm(VariationPath)
  /// The text has `%arg` outside the forms of a substitution.
  case strayArgument
  /// The text is formatted and has a single `%` before its end. Apple's runtime reads the characters after it as a specifier.
  case strayPercent
  /// The translation is a set of phrases, which has no arguments and is not a single text.
  case phrases

  /// The fault as a clause for messages: lower case, without a full stop.
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
