import Foundation
import Localization
import StructuredText

@testable import CatalogFormats

/// The tables of a compiled catalog, read back from their bytes as an app reads them.
struct EvaluatedTables {
  private let plain: [UnitKey: PropertyListValue]
  private let varied: [UnitKey: PropertyListValue]
  /// The catalog that the format reads from the .stringsdict.
  private let dictionary: Catalog?

  init(_ files: [TreePath: [UInt8]], folder: String, table: String) throws {
    let read = { (ending: String) throws -> [UnitKey: PropertyListValue] in
      guard let bytes = files[TreePath(trusted: "\(folder).lproj/\(table).\(ending)")] else { return [:] }
      let members = try PropertyListValue.parse(bytes).dictionary ?? []
      return Dictionary(uniqueKeysWithValues: members.map { (UnitKey($0.key), $0.value) })
    }
    plain = try read("strings")
    varied = try read("stringsdict")
    let path = TreePath(trusted: "\(folder).lproj/\(table).stringsdict")
    dictionary = try files[path].map {
      try StringsDictFormat().read(CatalogFiles($0, at: path, sourceLanguage: LocaleIdentifier(folder)))
    }
  }

  /// Returns a key's translation as the reader of .stringsdict files reads it, or else the key's text in the .strings.
  func readTranslation(of key: UnitKey, on device: Device) -> Translation? {
    guard varied[key] != nil, let dictionary else { return plain[key]?.string.map { Translation($0) } }
    guard let translation = dictionary.entries[key]?.translations[dictionary.sourceLanguage] else { return nil }
    if case .device(let forms) = translation.text, forms[device] == nil, forms[.other] == nil {
      return plain[key]?.string.map { Translation($0) }
    }
    return translation
  }

  /// Returns the translation that a device uses for a key: the .stringsdict takes precedence over the .strings (xcode-formats.md F).
  func translation(of key: UnitKey, on device: Device) -> Translation? {
    guard let entry = varied[key] else { return plain[key]?.string.map { Translation($0) } }
    guard let devices = entry["NSStringDeviceSpecificRuleType"] else { return Self.entry(entry) }
    if let own = devices[device.rawValue] ?? devices[Device.other.rawValue] { return Self.entry(own) }
    return plain[key]?.string.map { Translation($0) }
  }

  private static func entry(_ value: PropertyListValue) -> Translation? {
    if let text = value.string { return Translation(text) }
    guard let format = value["NSStringLocalizedFormatKey"]?.string, let members = value.dictionary else { return nil }
    var translation = Translation(format)
    for member in members where member.key != "NSStringLocalizedFormatKey" {
      var forms: [PluralCategory: VariedText] = [:]
      for form in member.value.dictionary ?? [] where !form.key.hasPrefix("NSString") {
        forms[PluralCategory(rawValue: form.key)] = form.value.string.map {
          .text(StringUnit(state: .translated, value: $0))
        }
      }
      translation.substitutions[member.key] = Substitution(
        argumentNumber: nil, formatSpecifier: member.value["NSStringFormatValueTypeKey"]?.string, forms: .plural(forms))
    }
    return translation
  }
}
