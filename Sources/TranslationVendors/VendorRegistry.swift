package import Localization

/// The list of all kinds of vendors that pipeline files may name. A new kind needs its own folder and one line in this list.
package enum VendorRegistry {
  package static let kinds: [any VendorKind.Type] = [
    AzureKind.self, CrowdinKind.self, DeepLKind.self, FolderVendorKind.self, GoogleKind.self, InHouseKind.self,
    LLMKind.self, LibreTranslateKind.self, LocalazyKind.self, LokaliseKind.self, POEditorKind.self, PhraseKind.self,
    PseudoVendorKind.self, SmartlingKind.self, TolgeeKind.self, TransifexKind.self, WeblateKind.self,
  ]

  package static func kind(named name: String) -> (any VendorKind.Type)? { kinds.first { $0.name == name } }

  /// Creates a vendor of a kind. If the environment has a folder for recorded exchanges, the vendor's exchanges are recorded.
  /// - Throws: the errors of ``VendorKind/vendor(_:in:)``.
  package static func vendor(
    _ kind: any VendorKind.Type, _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    var environment = environment
    environment.recorder = environment.recordFolder.map {
      ExchangeRecorder(folder: "\($0)/\(kind.name)", secret: environment.secret)
    }
    return try kind.vendor(settings, in: environment)
  }

  /// The names of all kinds, sorted.
  package static var names: [String] { kinds.map { $0.name }.sorted() }

  /// The names of all options, sorted.
  package static var optionNames: [String] { Set(kinds.flatMap { $0.options.map(\.name) }).sorted() }
}
