extension ProjectTarget {
  /// A platform as `#if os(…)` names it.
  package enum Platform: String, Hashable, Sendable, CaseIterable {
    case macOS, iOS, tvOS, watchOS, visionOS, driverKit = "DriverKit"
  }

  /// The settings of the configuration that Xcode builds when it brings catalogs in step: the one named `Debug`, else the first.
  package var builtConfiguration: BuildConfiguration? {
    configurations.first { $0.name == "Debug" } ?? configurations.first
  }

  /// Whether new keys come from its Swift code.
  ///
  /// With `SWIFT_EMIT_LOC_STRINGS = NO` Xcode leaves what the catalogs hold as it is, and adds nothing; without the setting it does both
  /// (decision 8).
  package var takesNewKeys: Bool { builtConfiguration?.settings["SWIFT_EMIT_LOC_STRINGS"]?.flag != false }

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
