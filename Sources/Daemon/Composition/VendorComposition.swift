import FoundationEssentials
import Localization
import Pipeline
import TranslationVendors

extension Composition {
  /// Returns the vendors of a pipeline definition. Two vendors with the same name are an error.
  func vendors(of definition: PipelineDefinition, store: any Store) throws -> [ConfiguredVendor] {
    var made: [ConfiguredVendor] = []
    for (place, vendor) in definition.vendors.enumerated() {
      let earlier = definition.vendors[..<place].count { $0.kind == vendor.kind }
      let configured = try self.vendor(vendor, number: earlier + 1, of: definition, store: store)
      guard !made.contains(where: { $0.name == configured.name }) else {
        throw PipelineError(
          .inconsistent, operation: "start pipeline \(definition.name)",
          detail: "two vendors have the name \(configured.name). Give each vendor a `name`",
          disposition: .askPerson)
      }
      made.append(configured)
    }
    return made
  }

  /// Returns the names that a vendor may have had in the ledger: those in `formerly` of the pipeline file, and the default names that earlier
  /// versions of Dragoman used.
  func formerNames(of vendor: ConfiguredVendor) -> [String] {
    let kind = VendorRegistry.kind(named: vendor.definition.kind)
    let defaults = kind?.formerNames(of: settings(of: vendor.definition, number: 1)) ?? []
    let names = vendor.definition.formerly + (defaults.isEmpty ? [vendor.definition.kind] : defaults)
    return names.enumerated().filter { $0.element != vendor.name && names.firstIndex(of: $0.element) == $0.offset }
      .map(\.element)
  }

  private func vendor(
    _ vendor: VendorDefinition, number: Int, of definition: PipelineDefinition, store: any Store
  ) throws -> ConfiguredVendor {
    guard let kind = VendorRegistry.kind(named: vendor.kind) else {
      throw PipelineError(
        .notBuilt, operation: "start pipeline \(definition.name)",
        detail: "unknown vendor '\(vendor.kind)'; known vendors: \(VendorRegistry.names.joined(separator: ", "))",
        disposition: .permanent)
    }
    let settings = settings(of: vendor, number: number)
    return ConfiguredVendor(
      definition: vendor,
      vendor: try VendorRegistry.vendor(kind, settings, in: environment(of: vendor, definition, store)),
      place: settings.options.text("path"))
  }

  private func settings(of vendor: VendorDefinition, number: Int) -> VendorSettings {
    VendorSettings(givenName: vendor.name, options: vendor.options, number: number)
  }

  private func environment(
    of vendor: VendorDefinition, _ definition: PipelineDefinition, _ store: any Store
  ) -> VendorEnvironment {
    let name = definition.name
    let record = dryRun?.record
    return VendorEnvironment(
      pipeline: name, formerly: definition.formerly, installation: installation, stateFolder: vendorFolder(of: name),
      secret: { [credentials] in try credentials.secret(vendor.credentials, for: "vendor \(vendor.kind)") },
      transport: transport, now: time.now, sleep: time.sleep,
      hasWorkOut: { vendor in
        let outstanding = try await store.pendingWork(of: name).vendors[vendor]?.outstanding ?? 0
        // A dry run sends nothing, so units that it recorded as sent are not at the vendor.
        let sent = record?.report(of: name).shipments.filter { $0.vendor == vendor }.map(\.units).reduce(0, +) ?? 0
        return outstanding > sent
      },
      glossary: { try definition.glossary.map { try SharedGlossary(at: $0.file) } },
      unused: { [weak registry] units, vendor in
        try await registry?[name]?.unused(among: units, at: vendor) ?? [:]
      },
      namesTranslators: definition.deliver.namesTranslators, isReadOnly: dryRun != nil, logger: logger,
      recordFolder: dryRun == nil ? settings.recordFolder : nil)
  }

  /// Returns the state folder of a pipeline's vendors.
  func vendorFolder(of pipeline: String) -> String { location.vendorFolder(of: pipeline) }
}

extension StoreLocation {
  /// Returns the state folder of a pipeline's vendors, as an absolute path.
  func vendorFolder(of pipeline: String) -> String {
    let folder = "\(self.folder)/vendors/\(pipeline)"
    return folder.hasPrefix("/") ? folder : FileManager.default.currentDirectoryPath + "/" + folder
  }
}
