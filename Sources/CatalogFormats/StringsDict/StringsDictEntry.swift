internal import Localization
internal import StructuredText

/// Reads and writes one entry of a `.stringsdict` as a translation (xcode-formats.md F).
enum StringsDictEntry {
  enum Reading {
    case translation(Translation)
    /// Content that `Translation` cannot represent. The associated value describes it, in lower case.
    case kept(String)
  }

  /// The reason why a translation cannot be written.
  struct Refusal: Error {
    var reason: String
  }

  static let formatKey = "NSStringLocalizedFormatKey"
  static let deviceRule = "NSStringDeviceSpecificRuleType"
  static let widthRule = "NSStringVariableWidthRuleType"
  static let ruleKey = "NSStringFormatSpecTypeKey"
  static let pluralRule = "NSStringPluralRuleType"
  static let valueTypeKey = "NSStringFormatValueTypeKey"

  // MARK: Reading

  static func read(_ value: PropertyListValue) -> Reading {
    if let text = value.string { return .translation(Translation(text)) }
    guard value.dictionary != nil else { return .kept("a value that is neither text nor a dictionary") }
    guard forms(of: value, level: 0) <= CatalogLimits.forms else {
      return .kept("more than \(CatalogLimits.forms) forms and variables")
    }
    if value[widthRule] != nil { return .kept("a width rule") }
    guard let rule = value[deviceRule] else { return format(value).reading }
    guard value[formatKey] == nil else { return .kept("both a device rule and a format") }
    guard let devices = rule.dictionary, !devices.isEmpty else { return .kept("a device rule without devices") }
    var texts: [Device: VariedText] = [:]
    var variables: [DeviceVariables] = []
    for member in devices {
      let device = Device(rawValue: member.key)
      let form: Form
      if let text = member.value.string {
        form = .text(text, [:])
      } else if member.value[widthRule] != nil {
        return .kept("a width rule")
      } else {
        form = format(member.value)
      }
      guard case .text(let text, let substitutions) = form else { return form.reading }
      texts[device] = .text(StringUnit(state: .translated, value: text))
      variables.append((device, text, substitutions))
    }
    if let difference = difference(between: variables) { return .kept(difference) }
    return .translation(Translation(text: .device(texts), substitutions: merged(variables)))
  }

  /// Returns the number of members in a dictionary and in the nested dictionaries of two more levels. Texts under Apple's keys `NSString…` are not
  /// counted.
  private static func forms(of value: PropertyListValue, level: Int) -> Int {
    guard level < 3, let members = value.dictionary else { return 0 }
    return members.reduce(0) { count, member in
      count + (member.key.hasPrefix("NSString") && member.value.dictionary == nil ? 0 : 1)
        + forms(of: member.value, level: level + 1)
    }
  }

  private enum Form {
    case text(String, [String: Substitution])
    case kept(String)

    var reading: Reading {
      switch self {
      case .text(let text, let substitutions):
        .translation(
          Translation(text: .text(StringUnit(state: .translated, value: text)), substitutions: substitutions))
      case .kept(let reason): .kept(reason)
      }
    }
  }

  /// Returns a format with its variables, or the reason why `Translation` cannot represent the entry.
  private static func format(_ value: PropertyListValue) -> Form {
    guard let members = value.dictionary, let format = value[formatKey]?.string else {
      return .kept("an entry without a format or a known rule")
    }
    var substitutions: [String: Substitution] = [:]
    let numbers = FormatString(format).references.filter(\.isNumbered).map { ($0.name, $0.number) }
    let numberByName: [String: Int] = Dictionary(numbers, uniquingKeysWith: { first, _ in first })
    for member in members where member.value.dictionary != nil {
      let rule = member.value[ruleKey]?.string
      guard rule == nil || rule == pluralRule else { return .kept("a rule of an unknown type") }
      var forms: [PluralCategory: VariedText] = [:]
      for form in member.value.dictionary ?? [] where isForm(form) {
        guard let text = form.value.string else { return .kept("a plural form that is not text") }
        forms[PluralCategory(rawValue: form.key)] = .text(StringUnit(state: .translated, value: text))
      }
      guard !forms.isEmpty else { return .kept("a variable without forms") }
      substitutions[member.key] = Substitution(
        argumentNumber: numberByName[member.key],
        formatSpecifier: member.value[valueTypeKey]?.string.map(specifier), forms: .plural(forms))
    }
    return .text(format, substitutions)
  }

  /// Returns whether a member of a variable is one of its forms, rather than one of Apple's keys or a comment.
  private static func isForm(_ member: PropertyListMember) -> Bool {
    !member.key.hasPrefix("NSString") && !isComment(member)
  }

  /// Returns the value type without a leading `%`. Some files contain `%ld` instead of `ld`, which works too (xcode-formats.md F).
  static func specifier(_ valueType: String) -> String {
    valueType.hasPrefix("%") ? String(valueType.dropFirst()) : valueType
  }

  /// The text of a device, and its variables.
  private typealias DeviceVariables = (device: Device, text: String, substitutions: [String: Substitution])

  /// Returns the reason why a `Substitution` cannot represent a variable of several devices: it has one value type and one argument. `nil` if each
  /// variable has the same on all devices that have it.
  private static func difference(between variables: [DeviceVariables]) -> String? {
    var types: [String: String?] = [:]
    var numbers: [String: Int] = [:]
    for (_, text, substitutions) in variables {
      for (name, substitution) in substitutions {
        let type = types.updateValue(substitution.formatSpecifier, forKey: name)
        guard let type, type != substitution.formatSpecifier else { continue }
        return "a variable with another value type on another device"
      }
      let references = FormatString(text).references.filter { substitutions[$0.name] != nil }
      let first = Dictionary(references.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
      for (name, number) in first {
        let known = numbers.updateValue(number, forKey: name)
        if let known, known != number { return "a variable with another argument on another device" }
      }
    }
    return nil
  }

  /// Merges the variables of all devices. A variable varies by device only if the devices that have it define different forms. Its number and
  /// specifier are those of the first of these devices (`difference(between:)`).
  private static func merged(_ variables: [DeviceVariables]) -> [String: Substitution] {
    var merged: [String: Substitution] = [:]
    for name in Set(variables.flatMap(\.substitutions.keys)) {
      let found = variables.compactMap { item in item.substitutions[name].map { (item.device, $0) } }
      guard let first = found.first?.1 else { continue }
      merged[name] = first
      guard !found.allSatisfy({ $0.1.forms == first.forms }) else { continue }
      merged[name]?.forms = .device(Dictionary(found.map { ($0.0, $0.1.forms) }, uniquingKeysWith: { _, last in last }))
    }
    return merged
  }

  // MARK: Writing

  /// Returns the entry for a translation.
  static func written(_ translation: Translation) -> Result<TextDictionary, Refusal> {
    do throws(Refusal) {
      let devices = devices(of: translation)
      guard !devices.isEmpty else { return .success(try form(translation, on: nil)) }
      var members: [TextDictionary.Member] = []
      for device in devices.sorted() where text(translation.text, on: device) != nil {
        members.append(.init(device.rawValue, try form(translation, on: device)))
      }
      return .success(.dictionary([.init(deviceRule, .dictionary(members))]))
    } catch {
      return .failure(error)
    }
  }

  private static func devices(of translation: Translation) -> Set<Device> {
    var found: Set<Device> = []
    for forms in [translation.text] + translation.substitutions.values.map(\.forms) {
      if case .device(let forms) = forms { found.formUnion(forms.keys) }
    }
    return found
  }

  private static func text(_ text: VariedText, on device: Device?) -> VariedText? {
    guard case .device(let forms) = text, let device else { return text }
    return forms[device] ?? forms[.other]
  }

  private static func form(_ translation: Translation, on device: Device?) throws(Refusal) -> TextDictionary {
    let format: String
    switch text(translation.text, on: device) {
    case .text(let unit): format = unit.value
    case .phrases: throw Refusal(reason: "a .stringsdict cannot hold a set of phrases")
    case .plural: throw Refusal(reason: "plural forms must be in a variable that the text references as %#@name@")
    case .device, nil: throw Refusal(reason: "the forms of a device cannot vary further by device")
    }
    var variables: [TextDictionary.Member] = []
    for (name, substitution) in translation.substitutions.sorted(by: { $0.key < $1.key }) {
      guard let forms = text(substitution.forms, on: device) else { continue }
      // If the text for this device references no variables, none are written for the device.
      if device != nil, FormatString(format).references.isEmpty { continue }
      variables.append(.init(name, try variable(substitution, forms)))
    }
    if variables.isEmpty { return .text(format) }
    return .dictionary([.init(formatKey, .text(format))] + variables)
  }

  private static func variable(_ substitution: Substitution, _ forms: VariedText) throws(Refusal) -> TextDictionary {
    var categories: [PluralCategory: VariedText] = [:]
    switch forms {
    case .plural(let forms): categories = forms
    case .text: categories = [.other: forms]
    case .device, .phrases: throw Refusal(reason: "a variable can have only plural forms")
    }
    var members = [TextDictionary.Member(ruleKey, .text(pluralRule))]
    if let specifier = substitution.formatSpecifier { members.append(.init(valueTypeKey, .text(specifier))) }
    let order = PluralCategory.all
    let sorted = categories.sorted {
      (order.firstIndex(of: $0.key) ?? order.count, $0.key) < (order.firstIndex(of: $1.key) ?? order.count, $1.key)
    }
    for (category, form) in sorted {
      guard case .text(let unit) = form else { throw Refusal(reason: "a plural form cannot vary further") }
      members.append(.init(category.rawValue, .text(unit.value)))
    }
    return .dictionary(members)
  }

  // MARK: Changing

  /// Returns the change that gives an entry a new translation; `nil` if nothing changes. Members with an unknown meaning and the spelling
  /// of value types are not changed.
  static func change(from old: PropertyListValue, to new: TextDictionary) -> TableChange? {
    guard case .dictionary(let members) = new, let before = old.dictionary else {
      if case .text(let text) = new, let own = old.string, own.isExactly(text) { return nil }
      return .set(new)
    }
    var changes: [(key: String, change: TableChange)] = []
    for member in members {
      guard let value = old[member.key] else {
        changes.append((member.key, .set(member.value)))
        continue
      }
      if member.key == valueTypeKey, case .text(let text) = member.value, let own = value.string,
        specifier(own).isExactly(text)
      {
        continue
      }
      if let change = change(from: value, to: member.value) { changes.append((member.key, change)) }
    }
    let keys = Set(members.map { UnitKey($0.key) })
    let isVariable = keys.contains(UnitKey(ruleKey))
    let isEntry = keys.contains(UnitKey(formatKey)) || keys.contains(UnitKey(deviceRule))
    // Only known members are removed: the text and the variables of an entry, the forms of a variable, and all members of a device rule.
    for member in before where !keys.contains(UnitKey(member.key)) {
      let isKnown =
        isVariable
        ? isForm(member)
        : isEntry ? member.value.dictionary != nil || [formatKey, deviceRule].contains(member.key) : true
      if isKnown { changes.append((member.key, .remove)) }
    }
    return changes.isEmpty ? nil : .within(changes)
  }
}
