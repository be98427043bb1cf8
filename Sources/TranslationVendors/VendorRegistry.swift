package import Localization

/// The vendors that there are, by the name that pipeline files use.
package struct VendorRegistry: Sendable {
  /// One kind of vendor.
  package struct Entry: Sendable {
    package var kind: String
    /// The options of a pipeline file's entry that only this kind has.
    package var options: [String]
    package var make: @Sendable (VendorConfiguration) throws -> any TranslationVendor
  }

  package let entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }

  /// Every folder of this module that holds a vendor, one line each.
  package static let standard = VendorRegistry([
    Entry(kind: "folder", options: [], make: makeFolder),
    Entry(kind: "pseudo", options: ["name", "styles"], make: makePseudo),
  ])

  package var kinds: [String] { entries.map(\.kind) }

  /// - Throws: `VendorError` that says what in the configuration is wrong; nothing was connected to.
  package func make(_ configuration: VendorConfiguration) throws -> any TranslationVendor {
    guard let entry = entries.first(where: { $0.kind == configuration.kind }) else {
      throw configuration.fault("there is no such vendor; there are \(kinds.joined(separator: ", "))")
    }
    try configuration.allowOnly(entry.options)
    return try entry.make(configuration)
  }
}

private func makeFolder(_ configuration: VendorConfiguration) throws -> any TranslationVendor {
  guard let place = configuration.place, !place.isEmpty else {
    throw configuration.fault("path is missing; give a directory, dav:// or davs://")
  }
  let settle = configuration.settle ?? .seconds(2)
  guard settle >= .zero else { throw configuration.fault("settle is negative") }
  let scheme =
    place.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    ?? ""
  if place.contains("://") {
    switch scheme {
    case "dav", "davs":
      let storage = try WebDAVStorage(
        address: place, credentials: configuration.httpCredentials, transport: configuration.transport)
      return FolderVendor(storage: storage, settle: settle, now: configuration.now)
    case "sftp", "s3":
      throw configuration.fault(
        "\(scheme):// is not built yet; use a directory, dav:// or davs://", kind: .notBuilt)
    case "file":
      throw configuration.fault("give a directory as a plain path, without file://")
    default: throw configuration.fault("\(scheme):// is no place for a folder; give a directory, dav:// or davs://")
    }
  }
  let trimmed = place.count > 1 && place.hasSuffix("/") ? String(place.dropLast()) : place
  return FolderVendor(storage: DirectoryStorage(root: trimmed), settle: settle, now: configuration.now)
}

private func makePseudo(_ configuration: VendorConfiguration) throws -> any TranslationVendor {
  var styles: Set<PseudoStyle> = [.accented, .lengthened]
  if let option = configuration.options["styles"] {
    let values: [VendorOption] = if case .list(let list) = option { list } else { [option] }
    styles = []
    for value in values {
      guard case .text(let text) = value, let style = PseudoStyle(rawValue: text) else {
        throw configuration.fault(
          "styles: give some of \(PseudoStyle.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      styles.insert(style)
    }
  }
  var name = "pseudo"
  if let option = configuration.options["name"] {
    guard case .text(let text) = option, !text.isEmpty,
      text.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
      })
    else { throw configuration.fault("name: letters, digits and - only") }
    name = text
  }
  return PseudoVendor(name: name, styles: styles, stateFolder: configuration.stateFolder)
}
