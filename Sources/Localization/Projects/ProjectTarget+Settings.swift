extension ProjectTarget {
  /// A platform as `#if os(…)` names it.
  package enum Platform: String, Hashable, Sendable, CaseIterable {
    case macOS, iOS, tvOS, watchOS, visionOS, driverKit = "DriverKit"
  }

  /// The settings of the configuration that Xcode builds when it brings catalogs in step: the one named `Debug`, else the first.
  package var builtConfiguration: BuildConfiguration? {
    configurations.first { $0.name == "Debug" } ?? configurations.first
  }

  /// What Xcode takes from Swift code into catalogs (decision 8).
  package enum CodeStrings: Hashable, Sendable {
    /// Every literal whose type is localizable: the compiler tells.
    case typed
    /// What a search of the text finds: `Text("…")` and functions that are known by name.
    case searched
    /// Nothing; what the catalogs hold stays as it is.
    case none

    /// - Parameters:
    ///   - emits: `SWIFT_EMIT_LOC_STRINGS`, whose default is NO.
    ///   - searches: `LOCALIZED_STRING_SWIFTUI_SUPPORT`, whose default is YES.
    package init(emits: Bool?, searches: Bool?) {
      self = emits == true ? .typed : searches == false ? .none : .searched
    }
  }

  /// What Xcode takes from its Swift code into catalogs, by `SWIFT_EMIT_LOC_STRINGS` and `LOCALIZED_STRING_SWIFTUI_SUPPORT`.
  package var codeStrings: CodeStrings {
    // In a package, and where nothing tells, the compiler emits strings.
    guard let settings = builtConfiguration?.settings else { return codeStringsOfGenerator ?? .typed }
    if areCodeStringsUncertain { return .typed }
    return CodeStrings(
      emits: settings["SWIFT_EMIT_LOC_STRINGS"]?.flag, searches: settings["LOCALIZED_STRING_SWIFTUI_SUPPORT"]?.flag)
  }

  /// Whether a file of settings that is not in the repository may say what Xcode takes from its code.
  package var areCodeStringsUncertain: Bool {
    guard let configuration = builtConfiguration else { return false }
    return configuration.lacksFile && configuration.settings["SWIFT_EMIT_LOC_STRINGS"]?.flag == nil
  }

  /// Whether Xcode generates Swift symbols for the `manual` keys of its catalogs: in a package always, elsewhere where
  /// `STRING_CATALOG_GENERATE_SYMBOLS` is YES, which is not its default (Xcode 26).
  package var generatesStringSymbols: Bool {
    guard let configuration = builtConfiguration else { return true }
    guard let setting = configuration.settings["STRING_CATALOG_GENERATE_SYMBOLS"] else {
      return configuration.lacksFile
    }
    return setting.flag != false
  }

  /// Whether new keys come from its Swift code.
  package var takesNewKeys: Bool { codeStrings != .none }

  /// The platforms that it is built for, by `SUPPORTED_PLATFORMS` and `SDKROOT`; `nil` where nothing tells, as in a package.
  package var platforms: Set<Platform>? {
    guard let settings = builtConfiguration?.settings else { return nil }
    func named(_ name: String) -> Set<Platform>? {
      guard let value = settings[name]?.value, !value.contains("$") else { return nil }
      let words = value.split { $0 == " " || $0 == "\"" }
      let found = words.compactMap { word in Self.sdks.first { word.hasPrefix($0.name) }?.platform }
      // `auto`, or an SDK that is not known: then all that it could stand for.
      return found.isEmpty || found.count < words.count ? nil : Set(found)
    }
    return named("SUPPORTED_PLATFORMS") ?? named("SDKROOT")
  }

  /// SDK and platform names begin so: `iphoneos`, `iphonesimulator17.0`.
  private static let sdks: [(name: String, platform: Platform)] = [
    ("macosx", .macOS), ("iphone", .iOS), ("appletv", .tvOS), ("watch", .watchOS), ("xr", .visionOS),
    ("driverkit", .driverKit),
  ]
}
