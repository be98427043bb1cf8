import Localization
import StructuredText

/// A reader of the strings of a target's InfoPlist table. They come from the Info.plist file, from the properties in XcodeGen's `project.yml`, and
/// from the build settings (xcode-formats.md G).
///
/// `INFOPLIST_KEY_…` settings count only if `GENERATE_INFOPLIST_FILE` is on, and only for keys that the file does not contain. In that case, there is
/// also a `CFBundleName`, which is the product's name unless the file or a setting gives another name.
struct InfoPlistReader {
  private let target: ProjectTarget
  private let table: String
  private let catalog: TreePath
  private let existing: Catalog?
  private var reading = NonSwiftReading()

  /// Returns the catalogs of a target that receive the strings of its Info.plist, sorted by table.
  /// - Parameter isForExport: whether to include `.strings` tables, which a build does not change.
  static func catalogs(of target: ProjectTarget, isForExport: Bool) -> [(table: String, catalog: TreePath)] {
    target.catalogs.filter { InfoPlistKeys.isTable($0.key) && (isForExport || $0.value.isKeptInStep) }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Reads the strings of a target's Info.plist for one catalog.
  /// - Parameter existing: the catalog in the tree. Its text for a key is used if any configuration sets this text, or if the text in the sources
  ///   refers to an unknown setting.
  static func reading(
    of target: ProjectTarget, from tree: any SourceTree, into place: (table: String, catalog: TreePath),
    existing: Catalog?
  ) -> NonSwiftReading {
    var reader = InfoPlistReader(target: target, table: place.table, catalog: place.catalog, existing: existing)
    reader.read(tree)
    return reader.reading
  }

  private init(target: ProjectTarget, table: String, catalog: TreePath, existing: Catalog?) {
    self.target = target
    self.table = table
    self.catalog = catalog
    self.existing = existing
  }

  private mutating func read(_ tree: any SourceTree) {
    let settings = target.builtConfiguration?.settings ?? [:]
    if target.configurations.isEmpty {
      addGap("the build settings of target \(target.name) are unknown", at: target.folder)
    }
    var keys: Set<String> = []
    let files = target.otherSources.map(\.path).filter { $0.ending == "plist" }
    for path in files { read(path, from: tree, &keys) }
    for (name, comment) in InfoPlistKeys.names.sorted(by: { $0.key < $1.key }) where !keys.contains(name) {
      guard let own = target.infoPlistOfGenerator[name] else { continue }
      add(name, value: own.value, comment: comment, at: site(own.path, own.line, own.column, api: name)) { _ in
        own.value
      }
    }
    if files.isEmpty, let named = settings["INFOPLIST_FILE"], !named.value.isEmpty {
      addGap("the file '\(named.value)' is not in the repository", at: named.path, named.line, named.column)
    }
    if settings["GENERATE_INFOPLIST_FILE"]?.flag == true { addGenerated(settings, besides: keys) }
  }

  // MARK: The file

  private mutating func read(_ path: TreePath, from tree: any SourceTree, _ keys: inout Set<String>) {
    let bytes: [UInt8]
    do { bytes = try tree.read(path) } catch {
      reading.gaps.append(.init(error.diagnostic, catalog: catalog))
      return
    }
    let list: PropertyListValue
    do { list = try PropertyListValue.parse(bytes) } catch {
      reading.gaps += NonSwiftReading(error, reading: "an Info.plist", at: path, catalog: catalog).gaps
      return
    }
    guard let members = list.dictionary else {
      addGap("the outermost value is not a dictionary", at: path, list.position.line, list.position.column)
      return
    }
    keys.formUnion(members.map(\.key))
    for (name, comment) in InfoPlistKeys.names.sorted(by: { $0.key < $1.key }) {
      guard let value = list[name], let text = value.string else { continue }
      let site = site(path, value.position.line, value.position.column, api: name)
      add(name, value: text, comment: comment, at: site) { _ in text }
    }
    for (name, texts) in InfoPlistKeys.texts {
      for element in list[name]?.array ?? [] {
        for key in texts {
          guard let value = element[key], let text = value.string, !text.isEmpty else { continue }
          add(text, at: site(path, value.position.line, value.position.column, api: key))
        }
      }
    }
  }

  // MARK: Build settings

  private mutating func addGenerated(_ settings: [String: BuildSetting], besides keys: Set<String>) {
    for (name, comment) in InfoPlistKeys.names.sorted(by: { $0.key < $1.key }) where !keys.contains(name) {
      let key = "INFOPLIST_KEY_" + name
      // If there is no unconditional value, the value for one SDK is used.
      let conditional = settings.keys.filter { $0.hasPrefix(key + "[") }.min()
      let own = settings[key] ?? conditional.flatMap { settings[$0] }
      guard let setting = own ?? (name == "CFBundleName" ? settings["PRODUCT_NAME"] : nil) else { continue }
      let site = site(setting.path, setting.line, setting.column, api: own == nil ? "PRODUCT_NAME" : key)
      add(name, value: setting.value, comment: comment, at: site) { configuration in
        (configuration.settings[key] ?? (own == nil ? configuration.settings["PRODUCT_NAME"] : nil))?.value
      }
    }
  }

  // MARK: Strings

  /// Adds a key of the table with its text.
  ///
  /// It is unknown which configuration Xcode built when it last synced the catalog. The catalog's text is therefore kept if any configuration sets
  /// it. If a text refers to an unknown setting, the catalog's text is used. If the catalog also lacks the key, no string is added, because such a
  /// reference is empty in Xcode.
  /// - Parameters:
  ///   - text: the text in the built configuration.
  ///   - written: returns the text in a configuration; `nil` if the configuration does not set it.
  private mutating func add(
    _ name: String, value text: String, comment: String, at site: ExtractionSite,
    in written: (BuildConfiguration) -> String?
  ) {
    let built = expanded(text, in: target.builtConfiguration)
    let entry = existing?.entries[UnitKey(name)]
    if built == nil {
      reading.diagnostics.append(note(name, at: site))
      guard entry != nil else { return }
    }
    var string = FoundString(
      table: table, catalog: catalog, key: name, value: built, comment: comment, origin: .infoPlist, site: site)
    if let existing, case .text(let known) = entry?.translations[existing.sourceLanguage]?[.root]?.words {
      let others = target.configurations.compactMap { configuration in
        written(configuration).flatMap { expanded($0, in: configuration) }
      }
      if built == nil || others.contains(where: known.isExactly) { string.value = known }
    }
    reading.strings.append(string)
  }

  /// Adds a text that is itself the key.
  ///
  /// If the text refers to an unknown setting, no string is added. Any key of the catalog may then be this text, so all keys are kept.
  private mutating func add(_ text: String, at site: ExtractionSite) {
    guard let key = expanded(text, in: target.builtConfiguration) else {
      reading.gaps.append(.init(note(site.api, at: site), catalog: catalog))
      return
    }
    reading.strings.append(FoundString(table: table, catalog: catalog, key: key, origin: .infoPlist, site: site))
  }

  /// - Returns: the text, with references to settings replaced by their values; `nil` if the text refers to an unknown setting.
  private func expanded(_ text: String, in configuration: BuildConfiguration?) -> String? {
    text.contains("$") ? configuration?.expanding(text) : text
  }

  private func note(_ name: String, at site: ExtractionSite) -> Diagnostic {
    Diagnostic(
      path: site.path.text, line: site.line, column: site.column, severity: .note,
      message: "\(name) refers to an unknown build setting")
  }

  private func site(_ path: TreePath, _ line: Int, _ column: Int, api: String) -> ExtractionSite {
    ExtractionSite(path: path, line: line, column: column, api: api)
  }

  private mutating func addGap(_ cause: String, at path: TreePath, _ line: Int? = nil, _ column: Int? = nil) {
    let reason = Diagnostic(
      path: path.text, line: line, column: column, severity: .warning,
      message: "\(cause); no strings extracted from the Info.plist")
    reading.gaps.append(.init(reason, catalog: catalog))
  }
}
