import FoundationEssentials
import HTTPTransport
package import Localization
import Logging
package import Pipeline
import TranslationVendors

/// A check of a pipeline's vendors that sends no texts and imports nothing. The check needs no ledger.
package struct VendorInspection: Sendable {
  /// A vendor of a definition, and the result of the check.
  package struct Finding: Sendable {
    package var name: String
    package var kind: String
    /// The result of the check, or an error whose description is meant for users: `VendorError`, `TransportError` or `PipelineError`.
    package var result: Result<VendorProbe, any Error>
  }

  private let definition: PipelineDefinition
  private let credentials: Credentials
  private let stateFolder: String
  private let installation: String
  private let recordFolder: String?
  private let hasWorkOut: @Sendable (_ vendor: String) async throws -> Bool

  /// - Parameters:
  ///   - environment: the environment of the process, for `env:NAME`.
  ///   - stateFolder: the absolute path of the vendors' state folder; vendors only check whether they could write to it.
  ///   - installation: the identity with which this installation claims its drop folders; empty if it is not known.
  ///   - hasWorkOut: returns whether units of the pipeline are outstanding at a vendor; `false` if this is not known.
  package init(
    _ definition: PipelineDefinition, environment: [String: String], stateFolder: String, installation: String = "",
    hasWorkOut: @escaping @Sendable (_ vendor: String) async throws -> Bool = { _ in false }
  ) {
    self.definition = definition
    credentials = Credentials(environment: environment)
    self.stateFolder = stateFolder
    self.installation = installation
    recordFolder = Settings.recordFolder(in: environment)
    self.hasWorkOut = hasWorkOut
  }

  /// Checks each matching vendor, for the languages that are routed to it.
  /// - Parameter wanted: a vendor's name or kind; `nil` for all vendors.
  /// - Returns: one finding for each matching vendor, in the order of the pipeline file.
  package func findings(of wanted: String? = nil) async throws -> [Finding] {
    var made: [(definition: VendorDefinition, vendor: Result<any TranslationVendor, any Error>)] = []
    let transport = HTTPTransport()
    for (place, vendor) in definition.vendors.enumerated() {
      guard let kind = VendorRegistry.kind(named: vendor.kind) else { continue }
      let settings = VendorSettings(
        givenName: vendor.name, options: vendor.options,
        number: definition.vendors[..<place].count { $0.kind == vendor.kind } + 1)
      let environment = VendorEnvironment(
        pipeline: definition.name, formerly: definition.formerly, installation: installation, stateFolder: stateFolder,
        secret: { [credentials] in try credentials.secret(vendor.credentials, for: "vendor \(vendor.kind)") },
        transport: transport, now: { Date() }, sleep: { try await Task.sleep(for: $0) }, hasWorkOut: hasWorkOut,
        logger: Logger(label: "vendors") { _ in SwiftLogNoOpLogHandler() }, recordFolder: recordFolder)
      made.append((vendor, Result { try VendorRegistry.vendor(kind, settings, in: environment) }))
    }
    func name(_ vendor: VendorDefinition, _ made: Result<any TranslationVendor, any Error>) -> String {
      (try? made.get().name) ?? vendor.name ?? vendor.kind
    }
    let routes = VendorRoutes(made.map { (name: name($0.definition, $0.vendor), definition: $0.definition) })
    var findings: [Finding] = []
    for (vendor, result) in made {
      let own = name(vendor, result)
      guard wanted == nil || wanted == own || wanted == vendor.kind else { continue }
      do {
        let languages = routes.languages(of: own, among: definition.languages ?? [])
        let probe = try await result.get().probe(languages)
        findings.append(Finding(name: own, kind: vendor.kind, result: .success(probe)))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        findings.append(Finding(name: own, kind: vendor.kind, result: .failure(error)))
      }
    }
    return findings
  }
}
