import Foundation
import HTTPTransport
import Localization
import Logging
import TestSupport

@testable import TranslationVendors

/// A platform on loopback with a project for tests, and vendors that use the platform.
struct PlatformPlace<Service: Sendable>: Sendable {
  let service: Service
  let bench: VendorBench
  let server: LoopbackHTTPServer
  private let kind: any VendorKind.Type
  private let options: [String: VendorOptionValue]
  private let secret: String

  /// Starts the platform.
  /// - Parameters:
  ///   - options: all required options except `url`.
  ///   - secret: the token that the platform accepts.
  ///   - respond: carries out a request and returns the response.
  init(
    _ service: Service, _ kind: any VendorKind.Type, _ options: [String: VendorOptionValue],
    secret: String = "secret-token", respond: @escaping @Sendable (Service, RecordedRequest) -> LoopbackReply
  ) throws {
    self.service = service
    bench = try VendorBench { respond(service, $0) }
    server = try bench.server()
    self.kind = kind
    self.options = options.merging(["url": .text(server.url)]) { own, _ in own }
    self.secret = secret
  }

  /// Returns a vendor for the platform.
  /// - Parameters:
  ///   - options: options that are added to the platform's options or replace them.
  ///   - secret: the token; `nil` for the accepted token.
  ///   - isInUse: whether any branch has a unit.
  func vendor(
    _ options: [String: VendorOptionValue] = [:], secret: String? = nil, glossary: Glossary? = nil,
    logger: Logger? = nil, isInUse: @escaping @Sendable (UnitID) -> Bool = { _ in true }
  ) throws -> any TranslationVendor {
    var environment = bench.environment(secret: secret ?? self.secret, glossary: glossary, isInUse: isInUse)
    if let logger { environment.logger = logger }
    return try kind.vendor(
      VendorSettings(options: self.options.merging(options) { _, new in new }), in: environment)
  }

  /// Returns the platform as a scene of the conformance tests.
  /// - Parameters:
  ///   - translate: adds reviewed translations of all strings in a language.
  ///   - content: returns the whole content of the platform.
  ///   - leaveOnly: leaves only one plural form of every translation, saved or reviewed.
  func scene(
    translate: @escaping @Sendable (Service, LocaleIdentifier) -> Void,
    content: @escaping @Sendable (Service) -> String,
    leaveOnly: @escaping @Sendable (Service, _ form: String, LocaleIdentifier, _ isReviewed: Bool) -> Void
  ) -> PlatformConformance.Scene {
    PlatformConformance.Scene(
      bench: bench, server: server, make: { try vendor() }, translate: { translate(service, $0) },
      content: { content(service) }, leaveOnly: { leaveOnly(service, $0, $1, $2) })
  }

  /// Returns access to the platform's glossary.
  func glossary(
    terms: @escaping @Sendable (Service) -> [String],
    edit: @escaping @Sendable (Service, _ term: String, _ code: String, _ text: String) -> Void
  ) -> GlossaryConformance.Access {
    GlossaryConformance.Access(
      make: { try vendor(glossary: $0) }, terms: { terms(service) }, edit: { edit(service, $0, $1, $2) })
  }
}
