/// A difference between the arguments of a translation and those of its source text.
package enum ArgumentFault: Hashable, Sendable {
  case missing(FormatString.Argument)
  /// The translation formats an argument as another type.
  /// - Parameter right: the specifier of the source text, or the names of the types that its forms use.
  case otherType(FormatString.Argument, right: String)
  /// Any other fault.
  /// - Parameter message: in lower case and without a full stop, as in `CheckFinding.message`.
  case other(_ message: String)

  /// A message for a person, in lower case and without a full stop.
  package var message: String {
    switch self {
    case .missing(let argument): "\(argument.text) is missing"
    case .otherType(let argument, let right):
      "\(argument.text) formats argument \(argument.number), which is \(right)"
    case .other(let message): message
    }
  }
}
