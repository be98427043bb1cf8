import Localization

/// The settings in the manifests of Tuist that concern strings in code. They apply to the folders of a generated project that is not committed.
///
/// Tuist itself sets neither of these settings (in two public projects, the catalogs contain the strings that a text search finds). Manifests are
/// programs, which are not run, so only their text is searched. The settings are unknown if a manifest, a helper of manifests or an `.xcconfig` file
/// names one of them or cannot be read, or if the tree may lack such a file.
struct TuistManifests {
  private static let settings = ["SWIFT_EMIT_LOC_STRINGS", "LOCALIZED_STRING_SWIFTUI_SUPPORT"]
  private static let helpers = "ProjectDescriptionHelpers"
  /// The modules that a manifest can import without a plugin. A plugin can be in another repository, so its code is unknown.
  private static let modules: Set<String> = ["Foundation", "PackageDescription", "ProjectDescription", helpers]

  /// The names of the `.xcconfig` files in the tree.
  private let settingsFiles: Set<String>
  private let hasHelpers: Bool
  /// Whether a helper or an `.xcconfig` file may set one of the settings, or cannot be read.
  private let isOpen: Bool

  init(_ listing: TreeListing, in tree: any SourceTree) {
    let helpers = listing.swift.filter { entry in
      entry.path.components.contains { $0 == "Tuist" || $0 == Self.helpers }
    }
    let names = Set(listing.settingsFiles.map { String($0.path.name) })
    let hasHelpers = helpers.contains { $0.path.components.contains { $0 == Self.helpers } }
    settingsFiles = names
    self.hasHelpers = hasHelpers
    isOpen = (helpers + listing.settingsFiles).contains { entry in
      guard let bytes = try? tree.read(entry.path) else { return true }
      return Self.leavesOpen(bytes, settingsFiles: names, hasHelpers: hasHelpers)
    }
  }

  /// Returns the settings of the project that a manifest describes; `nil` if they are unknown.
  func codeStrings(of manifest: [UInt8]) -> ProjectTarget.CodeStrings? {
    guard !isOpen, !Self.leavesOpen(manifest, settingsFiles: settingsFiles, hasHelpers: hasHelpers) else { return nil }
    return ProjectTarget.CodeStrings(emits: nil, searches: nil)
  }

  /// Returns whether a file may set one of the settings: itself, through a settings file that the tree lacks, or through an unknown module.
  private static func leavesOpen(_ bytes: [UInt8], settingsFiles: Set<String>, hasHelpers: Bool) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    if settings.contains(where: { text.contains($0) }) { return true }
    for literal in text.split(separator: "\"") where literal.hasSuffix(".xcconfig") {
      let name = literal.split(separator: "/").last.map(String.init) ?? ""
      if !settingsFiles.contains(name) { return true }
    }
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      // An attribute can precede the keyword.
      guard let keyword = words.prefix(2).firstIndex(of: "import"), keyword + 1 < words.count else { continue }
      let module = String(words[keyword + 1])
      if !modules.contains(module) || module == helpers && !hasHelpers { return true }
    }
    return false
  }
}
