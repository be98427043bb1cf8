import FoundationEssentials
import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

extension Composition {
  /// The vendors of a definition, which their names tell apart.
  func vendors(of definition: PipelineDefinition) throws -> [ConfiguredVendor] {
    var context: [ConfiguredVendor] = []
    for (place, vendor) in definition.vendors.enumerated() {
      let earlier = definition.vendors[..<place].count { $0.kind == vendor.kind }
      let part = try self.vendor(vendor, number: earlier + 1, of: definition)
      guard !context.contains(where: { $0.name == part.name }) else {
        throw PipelineError(
          .inconsistent, operation: "put pipeline \(definition.name) together",
          detail: "two vendors are \(part.name); give each its own path", disposition: .askPerson)
      }
      context.append(part)
    }
    return context
  }

  private func vendor(_ vendor: VendorDefinition, number: Int, of definition: PipelineDefinition) throws
    -> ConfiguredVendor
  {
    let operation = "put pipeline \(definition.name) together"
    switch vendor.kind {
    case "pseudo":
      // Its answers wait in the store's folder, apart for each pipeline.
      let folder = absolute("\(location.folder)/vendors/\(definition.name)")
      let name = number == 1 ? "pseudo" : "pseudo-\(number)"
      return ConfiguredVendor(definition: vendor, vendor: PseudoVendor(name: name, stateFolder: folder))
    case "folder":
      guard let path = vendor.path else {
        throw PipelineError(
          .inconsistent, operation: operation, detail: "vendor 'folder' has no path", disposition: .permanent)
      }
      let storage = try storage(path, vendor: vendor)
      return ConfiguredVendor(
        definition: vendor, vendor: FolderVendor(storage: storage, settle: vendor.settle, now: time.now))
    default:
      throw PipelineError(
        .notBuilt, operation: operation, detail: "vendor '\(vendor.kind)' is not built yet", disposition: .permanent)
    }
  }

  private func storage(_ path: String, vendor: VendorDefinition) throws -> any DropStorage {
    guard path.contains("://") else { return DirectoryStorage(root: absolute(path)) }
    let secret = try credentials.secret(vendor.credentials, for: path)
    return try WebDAVStorage(
      address: path, credentials: secret.map(httpCredentials) ?? .none, transport: transport)
  }

  /// `user:password`, or a token.
  private func httpCredentials(_ secret: Secret) -> HTTPCredentials {
    let text = secret.reveal()
    guard let colon = text.firstIndex(of: ":") else { return .bearer(secret) }
    return .basic(user: String(text[..<colon]), password: Secret(String(text[text.index(after: colon)...])))
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
