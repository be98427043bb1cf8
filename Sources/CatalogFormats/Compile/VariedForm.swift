internal import Localization
internal import StructuredText

/// Compiles one translation for `.strings` and `.stringsdict`.
///
/// The results match the output of Xcode's compiler (26.6). A text that varies by device becomes a rule with a form for each device, and its `other`
/// form, if any, becomes the plain text unless it references substitutions. Any other text with substitutions is put into the strings dictionary,
/// even if it references none of them.
struct VariedForm {
  /// The result for a translation: an entry in one table or in both, or in neither if it cannot be compiled.
  struct Entries: Equatable {
    var plain: String?
    var varied: TextDictionary?
  }

  let translation: Translation
  let source: SourceForms
  /// The names that the compiler writes for substitutions, by their names in the catalog.
  private let names: [String: String]
  private(set) var faults: [CompileFault] = []

  init(_ translation: Translation, source: SourceForms) {
    self.translation = translation
    self.source = source
    names = Self.safeNames(of: translation)
  }

  mutating func compiled() -> Entries {
    checkSubstitutions()
    checkNumbers()
    checkCharacters()
    guard isVariedByDevice else {
      guard let entry = entry(of: translation.text, on: nil) else { return Entries() }
      if case .text(let text) = entry, translation.substitutions.isEmpty { return Entries(plain: text) }
      return Entries(varied: entry)
    }
    var entries = Entries()
    var members: [TextDictionary.Member] = []
    for device in devices.sorted() where device != .other {
      guard let text = text(translation.text, on: device), let entry = entry(of: text, on: device) else { continue }
      members.append(.init(device.rawValue, entry))
    }
    if devices.contains(.other), let text = text(translation.text, on: .other) {
      switch text {
      case .plural, .device:
        refuse(.error("Fallback value cannot be further varied", at: [.device(.other)]))
      case .text, .phrases:
        switch entry(of: text, on: .other) {
        case .text(let text)?: entries.plain = text
        // A text with substitutions does not work in `.strings`.
        case .dictionary(let list)?: members.append(.init(Device.other.rawValue, .dictionary(list)))
        case nil: break
        }
      }
    }
    if !members.isEmpty {
      entries.varied = .dictionary([.init("NSStringDeviceSpecificRuleType", .dictionary(members))])
    }
    return entries
  }

  // MARK: Devices

  private var isVariedByDevice: Bool {
    ([translation.text] + translation.substitutions.values.map(\.forms)).contains {
      if case .device = $0 { true } else { false }
    }
  }

  private var devices: Set<Device> {
    var found: Set<Device> = []
    for forms in [translation.text] + translation.substitutions.values.map(\.forms) {
      if case .device(let forms) = forms { found.formUnion(forms.keys) }
    }
    return found
  }

  /// Returns the text for a device, or the text for `other` if the device has none; `nil` if both are missing. If `device` is `nil` or the text does
  /// not vary by device, the text is returned unchanged.
  private func text(_ text: VariedText, on device: Device?) -> VariedText? {
    guard case .device(let forms) = text, let device else { return text }
    return forms[device] ?? forms[.other]
  }

  // MARK: Entries

  /// Returns the entry of a text that does not vary by device, with the variables that it references; `nil` if it cannot be compiled.
  private mutating func entry(of text: VariedText, on device: Device?) -> TextDictionary? {
    switch text {
    case .text(let unit):
      let variables = variables(namedBy: unit.value, on: device)
      guard !variables.isEmpty else { return .text(unit.value) }
      return .dictionary([.init("NSStringLocalizedFormatKey", .text(numbered(unit.value)))] + variables)
    case .plural(let forms):
      // One argument selects the form, as in a substitution. The texts of the forms determine which argument it is.
      let counted = CountedArgument(countedBy: text, source: source)
      let number = counted?.number ?? 1
      let format = number == 1 ? "%#@value@" : "%\(number)$#@value@"
      guard
        let variable = variable(
          forms, specifier: counted?.specifier ?? "lld", at: path(on: device),
          rewriting: { text in
            // Without numbers, Foundation would count the other arguments from the variable's own argument.
            number == 1 ? text : FormatString(text).allNumbered ?? text
          })
      else { return nil }
      return .dictionary([.init("NSStringLocalizedFormatKey", .text(format)), .init("value", variable)])
    case .phrases:
      refuse(.warning("A string set cannot be compiled: how Xcode compiles App Shortcuts phrases is not known"))
      return nil
    case .device:
      refuse(.error("Device case cannot be further varied by device", at: path(on: device)))
      return nil
    }
  }

  private func path(on device: Device?) -> VariationPath { device.map { [.device($0)] } ?? .root }

  /// Returns the variables of all substitutions that a text references, directly or through the forms of other substitutions.
  private mutating func variables(namedBy text: String, on device: Device?) -> [TextDictionary.Member] {
    var members: [TextDictionary.Member] = []
    var seen: Set<UnitKey> = []
    var open = FormatString(text).references.map(\.name)
    while let name = open.popLast() {
      guard let substitution = translation.substitutions[name], seen.insert(UnitKey(name)).inserted else { continue }
      guard let forms = self.text(substitution.forms, on: device) else { continue }
      var categories: [PluralCategory: VariedText] = [:]
      switch forms {
      case .plural(let forms): categories = forms
      case .text: categories = [.other: forms]
      case .device, .phrases:
        refuse(.error("Substitution '\(name)' cannot be varied in this way", at: [.substitution(name)]))
        continue
      }
      let specifier = substitution.plainSpecifier
      let rewriting = FormRewriting(substitution, of: translation, names: names)
      guard
        let variable = variable(
          categories, specifier: specifier, at: [.substitution(name)], rewriting: { rewriting.rewritten($0) })
      else { continue }
      members.append(.init(names[name] ?? name, variable))
      for case .text(let unit) in categories.values {
        open.append(contentsOf: FormatString(unit.value).references.map(\.name))
      }
    }
    return members
  }

  /// Returns the rule for one argument: its plural categories and their texts; `nil` if a plural form varies further.
  private mutating func variable(
    _ forms: [PluralCategory: VariedText], specifier: String, at path: VariationPath, rewriting: (String) -> String
  ) -> TextDictionary? {
    var members: [TextDictionary.Member] = [
      .init("NSStringFormatSpecTypeKey", .text("NSStringPluralRuleType")),
      .init("NSStringFormatValueTypeKey", .text(specifier)),
    ]
    if forms[.other] == nil { refuse(.warning("Plural has no case 'other'", at: path)) }
    for (category, form) in forms.sorted(by: { $0.key < $1.key }) {
      guard case .text(let unit) = form else {
        refuse(.error("Plural case cannot be further varied", at: path.appending(.plural(category))))
        return nil
      }
      members.append(.init(category.rawValue, .text(rewriting(unit.value))))
    }
    return .dictionary(members)
  }

  /// Adds argument numbers to references whose substitutions declare a number. If there is such a reference, the other arguments get numbers too,
  /// because Foundation does not count numbered references when it numbers the other arguments. The names in `names` replace the references' names.
  private func numbered(_ text: String) -> String {
    let format = FormatString(text)
    let tells = format.references.contains {
      !$0.isNumbered && translation.substitutions[$0.name]?.argumentNumber != nil
    }
    return format.parts.map { part in
      switch part {
      case .reference(var reference):
        if let number = translation.substitutions[reference.name]?.argumentNumber, !reference.isNumbered {
          reference.number = number
          reference.isNumbered = true
        }
        return reference.text(named: names[reference.name])
      case .specifier(let argument, let rest) where tells && !part.isNumbered && !rest.utf8.contains(UInt8(ascii: "*")):
        return "%\(argument.number)$\(rest)"
      default: return part.text
      }
    }.joined()
  }

  mutating func refuse(_ fault: CompileFault) {
    if !faults.contains(fault) { faults.append(fault) }
  }

  /// Returns the names to write for the substitutions, by their names in the catalog. A written name consists only of ASCII letters, digits and
  /// underscores, so that Foundation can read it. A substitution whose name has none of these characters is named `value`, as in Apple's compiler. A
  /// number is appended to a name that is already used.
  private static func safeNames(of translation: Translation) -> [String: String] {
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for name in translation.substitutions.keys.sorted(by: { UnitKey($0) < UnitKey($1) }) {
      let letters = name.unicodeScalars.filter {
        $0.isASCII && ($0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil)
      }
      let base = letters.isEmpty ? "value" : String(String.UnicodeScalarView(letters))
      var candidate = base
      var count = 2
      while !taken.insert(candidate).inserted {
        candidate = "\(base)\(count)"
        count += 1
      }
      names[name] = candidate
    }
    return names
  }
}

extension FormatString.Reference {
  func text(named name: String?) -> String {
    var renamed = self
    renamed.name = name ?? self.name
    return FormatString.Part.reference(renamed).text
  }
}

extension FormatString {
  /// The text with a number in every specifier; `nil` if a `*` takes an argument, because such an argument cannot be numbered.
  fileprivate var allNumbered: String? {
    var texts: [String] = []
    for part in parts {
      guard case .specifier(let argument, let rest) = part, !part.isNumbered else {
        texts.append(part.text)
        continue
      }
      guard !rest.utf8.contains(UInt8(ascii: "*")) else { return nil }
      texts.append("%\(argument.number)$\(rest)")
    }
    return texts.joined()
  }
}
