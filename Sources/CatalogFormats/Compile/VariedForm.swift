internal import Localization
internal import StructuredText

/// One translation on its way into a `.strings` or `.stringsdict` entry.
struct VariedForm {
  struct Fault {
    var isError: Bool
    var message: String
  }

  private let translation: Translation
  private let source: SourceForms
  /// In the wording of Apple's compiler where it is known (formats.md F).
  private(set) var faults: [Fault] = []

  init(_ translation: Translation, source: SourceForms) {
    self.translation = translation
    self.source = source
  }

  /// - Returns: a text where nothing varies; `nil` where it cannot be compiled, which `faults` tell.
  mutating func compiled() -> TextDictionary? {
    checkSubstitutions()
    let devices = self.devices
    guard !devices.isEmpty else { return form(for: nil) }
    let forms = devices.sorted().compactMap { device in
      form(for: device).map { TextDictionary.Member(device.rawValue, $0) }
    }
    return .dictionary([.init("NSStringDeviceSpecificRuleType", .dictionary(forms))])
  }

  private var devices: Set<Device> {
    var found: Set<Device> = []
    for forms in [translation.text] + translation.substitutions.values.map(\.forms) {
      if case .device(let forms) = forms { found.formUnion(forms.keys) }
    }
    return found
  }

  /// The entry on one device; `nil` where the translation has no text for it.
  private mutating func form(for device: Device?) -> TextDictionary? {
    guard let text = text(translation.text, on: device) else { return nil }
    var variables: [TextDictionary.Member] = []
    let format: String
    switch text {
    case .text(let unit) where translation.substitutions.isEmpty: return .text(unit.value)
    case .text(let unit): format = Self.numbered(unit.value, in: translation)
    case .plural(let forms):
      // The text's own number is an argument as a substitution's is; which one its source text tells.
      let argument = FormatString(sourceText).arguments.first { $0.type.isNumber }
      format = "%" + (argument.map { $0.number == 1 ? "" : "\($0.number)$" } ?? "") + "#@value@"
      let specifier = argument.map { Self.specifier(of: $0, in: sourceText) } ?? "lld"
      let translation = translation
      guard let variable = variable(forms, specifier: specifier, rewriting: { Self.numbered($0, in: translation) })
      else { return nil }
      variables.append(.init("value", variable))
    case .phrases:
      return refuse(
        "A string set cannot be compiled: how Xcode compiles App Shortcuts phrases is not known", isError: false)
    case .device: return refuse("Fallback value cannot be further varied")
    }
    for (name, substitution) in translation.substitutions.sorted(by: { $0.key < $1.key }) {
      guard let forms = self.text(substitution.forms, on: device) else { continue }
      let specifier = substitution.formatSpecifier ?? "lld"
      let argument = "%" + (substitution.argumentNumber.map { "\($0)$" } ?? "") + specifier
      let spelled = { (text: String) in
        FormatString(text).parts.map { $0 == .substitutionArgument ? argument : $0.text }.joined()
      }
      var categories: [PluralCategory: VariedText] = [:]
      switch forms {
      case .plural(let forms): categories = forms
      case .text: categories = [.other: forms]
      case .device, .phrases: return refuse("Substitution '\(name)' cannot be varied so")
      }
      guard let variable = variable(categories, specifier: specifier, rewriting: spelled) else { return nil }
      variables.append(.init(name, variable))
    }
    return .dictionary([.init("NSStringLocalizedFormatKey", .text(format))] + variables)
  }

  /// A device's own forms, else those of `other`; what does not vary by device as it is.
  private func text(_ text: VariedText, on device: Device?) -> VariedText? {
    guard case .device(let forms) = text, let device else { return text }
    return forms[device] ?? forms[.other]
  }

  /// The rule of one argument: its categories and their texts.
  private mutating func variable(
    _ forms: [PluralCategory: VariedText], specifier: String, rewriting: (String) -> String
  ) -> TextDictionary? {
    var members: [TextDictionary.Member] = [
      .init("NSStringFormatSpecTypeKey", .text("NSStringPluralRuleType")),
      .init("NSStringFormatValueTypeKey", .text(specifier)),
    ]
    guard forms[.other] != nil else { return refuse("Plural has no case 'other'") }
    for (category, form) in forms.sorted(by: { $0.key < $1.key }) {
      guard case .text(let unit) = form else { return refuse("Plural case cannot be further varied") }
      members.append(.init(category.rawValue, .text(rewriting(unit.value))))
    }
    return .dictionary(members)
  }

  /// A text whose references to substitutions carry the number of their argument, where the substitution tells one.
  private static func numbered(_ text: String, in translation: Translation) -> String {
    FormatString(text).parts.map { part in
      guard case .reference(let reference) = part, !reference.isNumbered,
        let number = translation.substitutions[reference.name]?.argumentNumber
      else { return part.text }
      return "%\(number)$#@\(reference.name)@"
    }.joined()
  }

  private var sourceText: String {
    guard case .text(let text)? = source.leaf(at: .root)?.words else { return source.key.text }
    // The forms of the source may leave the number out ("One bird"), which the key then names.
    return FormatString(text).arguments.contains { $0.type.isNumber } ? text : source.key.text
  }

  /// `lld` of `%1$lld`.
  private static func specifier(of argument: FormatString.Argument, in text: String) -> String {
    for case .specifier(argument, let rest) in FormatString(text).parts { return rest }
    return "lld"
  }

  private mutating func checkSubstitutions() {
    var referenced: Set<UnitKey> = []
    for (_, leaf) in translation.leaves {
      guard case .text(let text) = leaf.words else { continue }
      for reference in FormatString(text).references { referenced.insert(UnitKey(reference.name)) }
    }
    let defined = Set(translation.substitutions.keys.map { UnitKey($0) })
    for name in referenced.subtracting(defined).sorted() {
      faults.append(Fault(isError: true, message: "Referencing undefined substitution '\(name)'"))
    }
    for name in defined.subtracting(referenced).sorted() {
      faults.append(Fault(isError: false, message: "Substitution '\(name)' was never referenced"))
    }
  }

  private mutating func refuse(_ message: String, isError: Bool = true) -> TextDictionary? {
    if !faults.contains(where: { $0.message == message }) { faults.append(Fault(isError: isError, message: message)) }
    return nil
  }
}
