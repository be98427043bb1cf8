extension ProjectTarget {
  /// A platform, named as in `#if os(…)`.
  package enum Platform: String, Hashable, Sendable, CaseIterable {
    case macOS, iOS, tvOS, watchOS, visionOS, driverKit = "DriverKit"
  }

  /// The configuration with which Xcode syncs catalogs: `Debug`, or else the first configuration; `nil` if there are no configurations.
  package var builtConfiguration: BuildConfiguration? { Self.builtConfiguration(among: configurations) }

  package static func builtConfiguration(among configurations: [BuildConfiguration]) -> BuildConfiguration? {
    configurations.first { $0.name == "Debug" } ?? configurations.first
  }

  /// Which strings Xcode extracts from Swift code into catalogs (decision 8).
  package enum CodeStrings: Hashable, Sendable {
    /// Every literal with a localizable type, found by the compiler.
    case typed
    /// The results of a text search: `Text("…")` and functions known by name.
    case searched
    /// No strings. The catalogs do not change.
    case none

    /// Determines the strings from the values of two build settings; `nil` stands for a setting that is missing.
    /// - Parameters:
    ///   - emits: `SWIFT_EMIT_LOC_STRINGS`. The default is NO.
    ///   - searches: `LOCALIZED_STRING_SWIFTUI_SUPPORT`. The default is YES.
    package init(emits: Bool?, searches: Bool?) {
      self = emits == true ? .typed : searches == false ? .none : .searched
    }
  }

  /// Which strings Xcode extracts from the target's Swift code into catalogs, as determined by `SWIFT_EMIT_LOC_STRINGS` and
  /// `LOCALIZED_STRING_SWIFTUI_SUPPORT`, or by the file of a project generator if no project was read. The result is `typed` if a missing settings
  /// file may set `SWIFT_EMIT_LOC_STRINGS`.
  package var codeStrings: CodeStrings {
    // Without settings, as in a package, the compiler emits strings.
    guard let settings = builtConfiguration?.settings else { return codeStringsOfGenerator ?? .typed }
    if areCodeStringsUncertain { return .typed }
    return CodeStrings(
      emits: settings["SWIFT_EMIT_LOC_STRINGS"]?.flag, searches: settings["LOCALIZED_STRING_SWIFTUI_SUPPORT"]?.flag)
  }

  /// Whether a settings file that is missing from the repository may determine what Xcode extracts.
  package var areCodeStringsUncertain: Bool {
    guard let configuration = builtConfiguration else { return false }
    return configuration.lacksFile && configuration.settings["SWIFT_EMIT_LOC_STRINGS"]?.flag == nil
  }

  /// Whether Xcode generates Swift symbols for the `manual` keys of the target's catalogs. This is always true without settings, as in a package.
  /// Otherwise, it is true if `STRING_CATALOG_GENERATE_SYMBOLS` has a value other than NO, or if only a missing file may set it. The default is NO
  /// (Xcode 26).
  package var generatesStringSymbols: Bool {
    guard let configuration = builtConfiguration else { return true }
    guard let setting = configuration.settings["STRING_CATALOG_GENERATE_SYMBOLS"] else {
      return configuration.lacksFile
    }
    return setting.flag != false
  }

  /// Whether new keys in the target's Swift code are added to catalogs.
  package var takesNewKeys: Bool { codeStrings != .none }

  /// The platforms of the target, by `SUPPORTED_PLATFORMS` and `SDKROOT`; `nil` if unknown, as in a package.
  package var platforms: Set<Platform>? {
    guard let settings = builtConfiguration?.settings else { return nil }
    func named(_ name: String) -> Set<Platform>? {
      guard let value = settings[name]?.value, !value.contains("$") else { return nil }
      let words = value.split { $0 == " " || $0 == "\"" }
      let found = words.compactMap { word in Self.sdks.first { word.hasPrefix($0.name) }?.platform }
      // `auto` and unknown SDKs make the platforms unknown.
      return found.isEmpty || found.count < words.count ? nil : Set(found)
    }
    return named("SUPPORTED_PLATFORMS") ?? named("SDKROOT")
  }

  /// Prefixes of SDK and platform names, with their platforms: `iphone` for `iphoneos` and `iphonesimulator17.0`.
  private static let sdks: [(name: String, platform: Platform)] = [
    ("macosx", .macOS), ("iphone", .iOS), ("appletv", .tvOS), ("watch", .watchOS), ("xr", .visionOS),
    ("driverkit", .driverKit),
  ]
}
