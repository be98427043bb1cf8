import FoundationEssentials
import HTTPTransport
import Localization
import Pipeline
import TranslationVendors

extension Composition {
  /// Returns the vendors of a definition. Their names must be different.
  func vendors(of definition: PipelineDefinition, store: any Store) throws -> [ConfiguredVendor] {
    var context: [ConfiguredVendor] = []
    for (place, vendor) in definition.vendors.enumerated() {
      let earlier = definition.vendors[..<place].count { $0.kind == vendor.kind }
      let part = try self.vendor(vendor, number: earlier + 1, of: definition, store: store)
      guard !context.contains(where: { $0.name == part.name }) else {
        throw PipelineError(
          .inconsistent, operation: "put pipeline \(definition.name) together",
          detail: "two vendors are \(part.name); give each its own path and name", disposition: .askPerson)
      }
      context.append(part)
    }
    return context
  }

  /// Returns the other ledger names that belong to a vendor: those in the pipeline file, its default name, and the default name as
  /// earlier versions wrote it.
  func formerNames(of vendor: ConfiguredVendor) -> [String] {
    var names = vendor.definition.formerly
    switch vendor.definition.kind {
    case "folder":
      if let path = vendor.definition.path {
        names.append("folder:\(CanonicalPlace.address(path))")
        names.append("folder:\(path.contains("://") ? path : absolute(path))")
      }
    default: names.append(vendor.definition.kind)
    }
    return names.enumerated().filter { $0.element != vendor.name && names.firstIndex(of: $0.element) == $0.offset }
      .map(\.element)
  }

  private func vendor(
    _ vendor: VendorDefinition, number: Int, of definition: PipelineDefinition, store: any Store
  ) throws -> ConfiguredVendor {
    let operation = "put pipeline \(definition.name) together"
    switch vendor.kind {
    case "pseudo":
      let slot = number == 1 ? "pseudo" : "pseudo-\(number)"
      return ConfiguredVendor(
        definition: vendor,
        vendor: PseudoVendor(name: vendor.name ?? slot, slot: slot, stateFolder: vendorFolder(of: definition.name)))
    case "folder":
      guard let path = vendor.path else {
        throw PipelineError(
          .inconsistent, operation: operation, detail: "vendor 'folder' has no path", disposition: .permanent)
      }
      let place = CanonicalPlace.address(path)
      let owner = FolderOwner(
        installation: installation, pipeline: definition.name, formerly: definition.formerly)
      let name = vendor.name ?? "folder:\(place)"
      let pipeline = definition.name
      return ConfiguredVendor(
        definition: vendor,
        vendor: FolderVendor(
          storage: try storage(place, vendor: vendor), name: name, settle: vendor.settle, owner: owner,
          hasWorkOut: { try await store.pendingWork(of: pipeline).vendors[name]?.outstanding ?? 0 > 0 }, now: time.now))
    default:
      throw PipelineError(
        .notBuilt, operation: operation, detail: "vendor '\(vendor.kind)' is not built yet", disposition: .permanent)
    }
  }

  /// Returns the folder for the pending answers of the vendor `pseudo`. Each pipeline has its own.
  func vendorFolder(of pipeline: String) -> String { absolute("\(location.folder)/vendors/\(pipeline)") }

  private func storage(_ place: String, vendor: VendorDefinition) throws -> any DropStorage {
    guard place.contains("://") else { return DirectoryStorage(root: place) }
    return try WebDAVStorage(
      address: place,
      credentials: { [credentials] in
        try credentials.secret(vendor.credentials, for: place).map(Self.httpCredentials) ?? .none
      }, transport: transport)
  }

  /// Parses `user:password`, or a token.
  private static func httpCredentials(_ secret: Secret) -> HTTPCredentials {
    let text = secret.reveal()
    guard let colon = text.firstIndex(of: ":") else { return .bearer(secret) }
    return .basic(user: String(text[..<colon]), password: Secret(String(text[text.index(after: colon)...])))
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
