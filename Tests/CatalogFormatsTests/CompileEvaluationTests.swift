import Foundation
import Localization
import StructuredText
import TestSupport
import Testing
import TextEvaluation

@testable import CatalogFormats

/// Comparisons of the texts that a catalog and its compiled files show. The texts must be the same for every form and number.
@Suite struct CompileEvaluationTests {
  /// For each language, examples of numbers in each plural category of CLDR: whole numbers, and fractions with up to four decimals.
  /// PluralRuleTableTests checks all numbers that CLDR lists.
  static let samples: [String: (whole: [PluralCategory: String], fractions: [PluralCategory: String])] = [
    "en": (
      whole: [.one: "1", .other: "0 2 3 9 11 16 21 100 101 1000000"],
      fractions: [.other: "0.0 0.1 1.0 1.5 10.0 0.00 1.00 1.01 1.000 2.125 1.0000 1000.0"]
    ),
    "uk": (
      whole: [.one: "1 21 31 101 1001", .few: "2 3 4 22 102", .many: "0 5 11 12 14 19 111 1000000"],
      fractions: [.other: "0.0 0.1 1.0 1.5 2.0 5.0 1.00 21.01 1.000 2.125 1.0000 100.0"]
    ),
    "ar": (
      whole: [
        .zero: "0", .one: "1", .two: "2", .few: "3 4 10 103 1010", .many: "11 26 99 111 1011",
        .other: "100 101 102 200 1000000",
      ],
      fractions: [
        .zero: "0.0 0.00 0.000 0.0000", .one: "1.0 1.00 1.000 1.0000", .two: "2.0 2.00 2.000 2.0000",
        .few: "3.0 10.0 103.00", .many: "11.0 99.00 111.000", .other: "0.1 1.5 100.0 3.25 1000.0",
      ]
    ),
    "ja": (
      whole: [.other: "0 1 2 5 11 15 21 100 1000000"], fractions: [.other: "0.0 0.1 1.0 1.5 2.0 1.00 1.01 1.000 1.0000"]
    ),
  ]

  static func samples(of language: String, fractions: Bool) throws -> [(shown: String, category: PluralCategory)] {
    let samples = try #require(Self.samples[language])
    return (fractions ? samples.fractions : samples.whole).flatMap { category, numbers in
      numbers.split(separator: " ").map { (String($0), category) }
    }
  }

  /// Returns a catalog in which each form contains its plural category and the number. `expected` returns the text that an entry shows.
  static func catalog(_ language: LocaleIdentifier, specifier: String) -> Catalog {
    let forms = { (text: String) -> [PluralCategory: VariedText] in
      var forms: [PluralCategory: VariedText] = [:]
      for category in PluralCategory.all where category != .zero || PluralRules.categories(of: language).contains(.zero)
      {
        forms[category] = .text(StringUnit(state: .translated, value: "\(category.rawValue): \(text)"))
      }
      return forms
    }
    var catalog = Catalog(path: "App/Table.xcstrings", sourceLanguage: "en")
    var substituted = Translation("%#@n@ in %2$@")
    substituted.substitutions["n"] = Substitution(
      argumentNumber: 1, formatSpecifier: specifier, forms: .plural(forms("%arg")))
    catalog.entries["whole"] = CatalogEntry(translations: [
      language: Translation(text: .plural(forms("%\(specifier) in %@")))
    ])
    catalog.entries["part"] = CatalogEntry(translations: [language: substituted])
    func add(_ key: UnitKey, _ text: VariedText, _ substitutions: [(String, Int?, String)] = []) {
      var translation = Translation(text: text)
      for (name, number, text) in substitutions {
        translation.substitutions[name] = Substitution(
          argumentNumber: number, formatSpecifier: specifier, forms: .plural(forms(text)))
      }
      catalog.entries[key] = CatalogEntry(translations: [language: translation])
    }
    func plain(_ text: String) -> VariedText { .text(StringUnit(state: .translated, value: text)) }
    add("turned", .plural(forms("%2$@ has %1$\(specifier)")))
    add("turned part", plain("%2$@ has %1$#@n@"), [("n", nil, "%\(specifier)")])
    add("wide", .plural(forms("[%12\(specifier)] %@")))
    add("wide part", plain("%#@n@ %2$@"), [("n", 1, "[%1$-12\(specifier)]")])
    add("nested", plain("%#@n@"), [("n", 1, "%arg, %#@m@ in %@"), ("m", 3, "(%arg)")])
    add("nested without numbers", plain("%#@n@"), [("n", nil, "%#@m@"), ("m", nil, "(%arg)")])
    let devices: [Device: VariedText] = [
      Device(rawValue: "mac"): .plural(forms("%\(specifier) on %@")), Device(rawValue: "iphone"): plain("%2$@: %#@n@"),
      .other: plain("for %2$@"),
    ]
    add("device", .device(devices.filter { $0.key.rawValue != "iphone" }))
    add("device part", .device(devices.filter { $0.key.rawValue != "mac" }), [("n", 1, "%arg")])
    return catalog
  }

  /// Returns the text that `catalog` shows on a device for a key and the arguments `number`, `x` and `number` again.
  static func expected(_ key: UnitKey, _ category: PluralCategory, _ number: String, on device: Device) -> String {
    let form = "\(category.rawValue): "
    let spaces = String(repeating: " ", count: max(12 - number.count, 0))
    switch (key.text, device.rawValue) {
    case ("turned", _): return "\(form)x has \(number)"
    case ("turned part", _): return "x has \(form)\(number)"
    case ("wide", _): return "\(form)[\(spaces)\(number)] x"
    case ("wide part", _): return "\(form)[\(number)\(spaces)] x"
    case ("nested", _): return "\(form)\(number), \(form)(\(number)) in x"
    case ("nested without numbers", _): return "\(form)\(form)(\(number))"
    case ("device", "mac"): return "\(form)\(number) on x"
    case ("device part", "iphone"): return "x: \(form)\(number)"
    case ("device", _), ("device part", _): return "for x"
    default: return "\(form)\(number) in x"
    }
  }

  static func shown(
    _ translation: Translation?, _ evaluator: TextEvaluator, _ arguments: [FormatArgument], source: SourceForms? = nil
  )
    -> String
  {
    guard let translation else { return "! not compiled" }
    do { return try evaluator.text(of: translation, source: source, arguments: arguments) } catch {
      return "! \(error)"
    }
  }

  @Test(
    "compiled plural forms follow CLDR at any position, with a width, in nested substitutions, and by device",
    arguments: ["en", "uk", "ar", "ja"], [false, true])
  func samples(language: String, fractions: Bool) throws {
    let identifier = LocaleIdentifier(language)
    let samples = try Self.samples(of: language, fractions: fractions)
    #expect(samples.count >= 9)
    for places in fractions ? [0, 1, 2, 3, 4] : [0] {
      let catalog = Self.catalog(identifier, specifier: fractions ? ".\(places)f" : "lld")
      for form in CompiledCatalog.Form.allCases {
        let files = CatalogCompiler.compile(catalog).files(as: form)
        let tables = try EvaluatedTables(files, folder: language, table: "Table")
        for (number, category) in samples where !fractions || (number.split(separator: ".").last?.count == places) {
          let argument = try fractions ? FormatArgument.decimal(number) : .integer(#require(Int64(number)))
          let arguments = [argument, .text("x"), argument]
          for (key, entry) in catalog.entries {
            for device in key.text.hasPrefix("device") ? Self.devices : [.other] {
              let evaluator = TextEvaluator(language: identifier, device: device)
              let expected = Self.expected(key, category, number, on: device)
              #expect(Self.shown(entry.translations[identifier], evaluator, arguments) == expected, "\(key)")
              let compiled = tables.translation(of: key, on: device)
              #expect(Self.shown(compiled, evaluator, arguments) == expected, "\(key), compiled")
              let read = tables.readTranslation(of: key, on: device)
              #expect(Self.shown(read, evaluator, arguments) == expected, "\(key), read")
            }
          }
        }
      }
    }
  }

  static let devices: [Device] = ["iphone", "mac", "applewatch", "other"].map(Device.init(rawValue:))
  static let numbers: [Int64] = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]

  /// Returns arguments of the types that the forms and the key accept, for one number.
  static func arguments(of translation: Translation, _ key: UnitKey, number: Int64) -> [FormatArgument] {
    var types: [Int: ArgumentType] = [:]
    let texts = [key.text] + translation.leaves.flatMap { $0.leaf.texts }
    for text in texts {
      for argument in FormatString(text).arguments { types[argument.number] = types[argument.number] ?? argument.type }
    }
    for (name, substitution) in translation.substitutions {
      types[translation.argumentNumber(of: name)] = ArgumentType(specifier: substitution.plainSpecifier) ?? .int64
    }
    return (0..<(types.keys.max() ?? 0)).map { index in
      switch types[index + 1] {
      case .object?, .cString?, .unicharString?: .text("word\(index)")
      case .double?, .longDouble?: .real(Double(number) + Double(index))
      default: .integer(number + Int64(index))
      }
    }
  }

  /// Compares every text that a catalog shows with the text that its compiled tables show, and returns the number of compared texts.
  static func compare(_ catalog: Catalog, _ form: CompiledCatalog.Form) throws -> Int {
    let compiled = CatalogCompiler.compile(catalog)
    let files = compiled.files(as: form)
    var compared = 0
    for language in catalog.languages.sorted() {
      guard let folder = LocaleFolder.name(of: language) else { continue }
      let tables = try EvaluatedTables(files, folder: folder, table: catalog.table)
      for (key, entry) in catalog.entries {
        guard let translation = entry.translations[language] else { continue }
        let source = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
        for device in devices {
          guard let read = tables.translation(of: key, on: device) else { continue }
          let evaluator = TextEvaluator(language: language, device: device)
          for number in translation.leaves.count == 1 ? [3] : numbers {
            let arguments = arguments(of: translation, key, number: number)
            let original = shown(translation, evaluator, arguments, source: source)
            // Texts that no runtime can show are not compared, because the error texts differ.
            guard !original.hasPrefix("! ") else { continue }
            #expect(shown(read, evaluator, arguments) == original, "\(catalog.path) \(language) \(key)")
            let again = tables.readTranslation(of: key, on: device)
            #expect(shown(again, evaluator, arguments) == original, "\(catalog.path) \(language) \(key)")
            compared += 1
          }
        }
      }
    }
    return compared
  }

  /// Every available catalog that can be read and is small enough to check all its forms.
  static let corpusCatalogs: [Catalog] = SampleFile.all(".xcstrings").compactMap { file in
    guard let bytes = try? file.bytes(), bytes.count < 400_000 else { return nil }
    return try? StringCatalogFormat().read(bytes, at: TreePath(trusted: "App/\(file.treePath.name)"))
  }

  @Test("available catalogs show the same texts after they are compiled")
  func corpus() throws {
    var compared = 0
    for catalog in Self.corpusCatalogs {
      for form in CompiledCatalog.Form.allCases { compared += try Self.compare(catalog, form) }
    }
    #expect(compared > (SharedFolder.corpus.isThere ? 10_000 : 500))
  }

  @Test("random catalogs show the same texts after they are compiled")
  func chance() throws {
    var generator = SeededGenerator(seed: 4)
    var compared = 0
    for _ in 0..<150 {
      let catalog = RandomTables.catalog(using: &generator)
      compared += try Self.compare(catalog, .binary)
    }
    #expect(compared > 5_000)
  }

  @Test(
    "Foundation reads the catalog's texts from the compiled .strings files", arguments: CompiledCatalog.Form.allCases)
  func foundation(form: CompiledCatalog.Form) throws {
    var generator = SeededGenerator(seed: 40)
    var catalogs = (0..<20).map { _ in RandomTables.catalog(using: &generator) }
    catalogs += Self.corpusCatalogs
    let folder = FileManager.default.temporaryDirectory.appending(path: "dragoman-compile-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var loaded = 0
    for (number, catalog) in catalogs.enumerated() {
      let files = CatalogCompiler.compile(catalog).files(as: form)
      do {
        // Foundation 6.3.1 crashes on a .stringsdict, so only .strings files are written.
        for (path, bytes) in files where path.ending == "strings" {
          let file = folder.appending(path: "Bundle\(number).bundle/\(path.text)")
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
          try Data(bytes).write(to: file)
        }
        for language in catalog.languages {
          guard let name = LocaleFolder.name(of: language),
            let bundle = Bundle(url: folder.appending(path: "Bundle\(number).bundle/\(name).lproj"))
          else { continue }
          for (key, entry) in catalog.entries {
            guard let translation = entry.translations[language], case .text(let unit) = translation.text,
              translation.substitutions.isEmpty, !key.text.isEmpty, !unit.value.isEmpty,
              language != catalog.sourceLanguage || unit.state != .new
            else { continue }
            let value = bundle.localizedString(forKey: key.text, value: nil, table: catalog.table)
            #expect(value.isExactly(unit.value), "\(catalog.path) \(language) \(key)")
            loaded += 1
          }
        }
      }
    }
    #expect(loaded > (SharedFolder.corpus.isThere ? 2_000 : 100))
  }
}
