import Foundation
import HTTPTransport
import Localization
import Logging
import TestSupport

@testable import TranslationVendors

/// A platform on loopback with a project of the tests, and vendors that use it.
struct PlatformPlace<Service: Sendable>: Sendable {
  let service: Service
  let bench: VendorBench
  let server: LoopbackHTTPServer
  private let kind: any VendorKind.Type
  private let options: [String: VendorOptionValue]
  private let secret: String

  /// - Parameters:
  ///   - options: all required options except `url`.
  ///   - secret: the token that the platform knows.
  ///   - answer: carries out a request.
  init(
    _ service: Service, _ kind: any VendorKind.Type, _ options: [String: VendorOptionValue],
    secret: String = "secret-token", answer: @escaping @Sendable (Service, RecordedRequest) -> LoopbackReply
  ) throws {
    self.service = service
    bench = try VendorBench { answer(service, $0) }
    server = try bench.server()
    self.kind = kind
    self.options = options.merging(["url": .text(server.url)]) { own, _ in own }
    self.secret = secret
  }

  /// - Parameters:
  ///   - options: added to those of the place, or replacing them.
  ///   - secret: `nil` for the right one.
  ///   - isInUse: whether some branch has a unit.
  func vendor(
    _ options: [String: VendorOptionValue] = [:], secret: String? = nil, glossary: Glossary? = nil,
    logger: Logger? = nil, isInUse: @escaping @Sendable (UnitID) -> Bool = { _ in true }
  ) throws -> any TranslationVendor {
    var environment = bench.environment(secret: secret ?? self.secret, glossary: glossary, isInUse: isInUse)
    if let logger { environment.logger = logger }
    return try kind.vendor(
      VendorSettings(options: self.options.merging(options) { _, new in new }), in: environment)
  }

  /// The place as the conformance tests of platforms see it.
  /// - Parameters:
  ///   - translate: translates everything into a language, as reviewed.
  ///   - content: everything that the platform holds.
  ///   - leaveOnly: leaves one plural form of every translation, saved or reviewed.
  func scene(
    translate: @escaping @Sendable (Service, LocaleIdentifier) -> Void,
    content: @escaping @Sendable (Service) -> String,
    leaveOnly: @escaping @Sendable (Service, _ form: String, LocaleIdentifier, _ isReviewed: Bool) -> Void
  ) -> PlatformConformance.Scene {
    PlatformConformance.Scene(
      bench: bench, server: server, make: { try vendor() }, translate: { translate(service, $0) },
      content: { content(service) }, leaveOnly: { leaveOnly(service, $0, $1, $2) })
  }

  /// Access to the platform's glossary.
  func glossary(
    terms: @escaping @Sendable (Service) -> [String],
    edit: @escaping @Sendable (Service, _ term: String, _ code: String, _ text: String) -> Void
  ) -> GlossaryConformance.Access {
    GlossaryConformance.Access(
      make: { try vendor(glossary: $0) }, terms: { terms(service) }, edit: { edit(service, $0, $1, $2) })
  }
}
