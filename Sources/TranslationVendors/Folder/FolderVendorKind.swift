internal import Foundation
internal import HTTPTransport
package import Localization

/// The vendor `folder` as pipeline files name it: bundles in a folder on this machine or on a WebDAV server.
package enum FolderVendorKind: VendorKind {
  package static let name = "folder"
  package static let summary = "Puts .xcloc bundles into a folder and takes what comes back from it."
  package static let capabilities = VendorCapabilities(exchange: .files, plurals: true, comments: true)
  package static let options = [
    VendorOption(
      "path", .place(schemes: ["dav", "davs"]), "A directory, or a WebDAV address with `dav://` or `davs://`.",
      isRequired: true),
    .credentials("`user:password` or a token of the WebDAV server."),
    VendorOption(
      "settle", .duration, "A bundle is taken once it has not changed for this long.", default: "2s"),
  ]

  package static func place(of settings: VendorSettings) -> String? {
    settings.options.text("path").map(CanonicalPlace.address)
  }

  /// How earlier versions wrote the default name.
  package static func formerNames(of settings: VendorSettings) -> [String] {
    guard let path = settings.options.text("path") else { return [] }
    return ["folder:\(CanonicalPlace.address(path))", "folder:\(path.contains("://") ? path : absolute(path))"]
  }

  package static func vendor(
    _ settings: VendorSettings, in environment: VendorEnvironment
  ) throws -> any TranslationVendor {
    guard let place = place(of: settings) else {
      throw VendorError(kind: .configuration, at: "vendor folder", detail: "the key path is missing")
    }
    let name = settings.givenName ?? "folder:\(place)"
    return FolderVendor(
      storage: try storage(at: place, environment), name: name,
      settle: settings.options.duration("settle") ?? .seconds(2),
      owner: FolderOwner(
        installation: environment.installation, pipeline: environment.pipeline, formerly: environment.formerly),
      hasWorkOut: { try await environment.hasWorkOut(name) }, now: environment.now)
  }

  private static func storage(at place: String, _ environment: VendorEnvironment) throws -> any DropStorage {
    guard place.contains("://") else { return DirectoryStorage(root: place) }
    return try WebDAVStorage(
      address: place, credentials: { try environment.secret().map(credentials) ?? .none },
      transport: environment.transport)
  }

  /// `user:password`, or a token.
  private static func credentials(_ secret: Secret) -> HTTPCredentials {
    let text = secret.reveal()
    guard let colon = text.firstIndex(of: ":") else { return .bearer(secret) }
    return .basic(user: String(text[..<colon]), password: Secret(String(text[text.index(after: colon)...])))
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
