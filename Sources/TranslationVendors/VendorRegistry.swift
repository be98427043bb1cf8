package import Localization

/// Every kind of vendor that pipeline files may name. A new vendor is one folder and one line here.
package enum VendorRegistry {
  package static let kinds: [any VendorKind.Type] = [
    AzureKind.self, CrowdinKind.self, DeepLKind.self, FolderVendorKind.self, GoogleKind.self, InHouseKind.self,
    LLMKind.self, LibreTranslateKind.self, LocalazyKind.self, LokaliseKind.self, POEditorKind.self, PhraseKind.self,
    PseudoVendorKind.self, SmartlingKind.self, TolgeeKind.self, TransifexKind.self, WeblateKind.self,
  ]

  package static func kind(named name: String) -> (any VendorKind.Type)? { kinds.first { $0.name == name } }

  /// Makes a vendor of a kind, and records its exchanges if the environment has a folder for them.
  /// - Throws: `VendorError` of kind `configuration` if the settings do not fit together.
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
