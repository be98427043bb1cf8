package import FoundationEssentials
package import HTTPTransport
package import Localization
package import Logging

/// The services and values that a pipeline provides to its vendors.
package struct VendorEnvironment: Sendable {
  package var pipeline: String
  /// Names that the pipeline had before.
  package var formerly: [String]
  /// Names this installation of Dragoman, for vendors that share a place.
  package var installation: String
  /// A folder that belongs to this pipeline's vendors; made when something is first written. An absolute path.
  package var stateFolder: String
  /// The secret that `credentials` names; `nil` for `credentials: none`. Read at each use, so that a changed secret counts.
  package var secret: @Sendable () throws -> Secret?
  package var transport: HTTPTransport
  package var now: @Sendable () -> Date
  package var sleep: @Sendable (Duration) async throws -> Void
  /// Whether the vendor has units out under the given name.
  package var hasWorkOut: @Sendable (_ name: String) async throws -> Bool
  /// The pipeline's glossary; `nil` if it has none. Read at each use.
  package var glossary: @Sendable () throws -> SharedGlossary?
  /// Those of the units that no watched branch has in its newest commit, each with the texts that it consisted of whenever it was sent. A
  /// vendor never removes strings that another branch has.
  package var unused: @Sendable (Set<UnitID>, _ vendor: String) async throws -> [UnitID: Set<VariationPath>]
  /// Whether translations are returned with the translators that the vendor reports.
  package var namesTranslators: Bool
  /// Whether nothing may be changed in a folder of the vendor. Its transport then refuses requests that might change something, too.
  package var isReadOnly: Bool
  /// How long a server may be silent; `nil`: the limits of the adapters' requests. Tests set it.
  package var longestStall: Duration?
  package var logger: Logger
  /// Where exchanges with vendors are written as fixtures; `nil`: nowhere.
  package var recordFolder: String?
  /// Made by ``VendorRegistry`` from `recordFolder`.
  var recorder: ExchangeRecorder?

  package init(
    pipeline: String, formerly: [String] = [], installation: String = "", stateFolder: String,
    secret: @escaping @Sendable () throws -> Secret? = { nil }, transport: HTTPTransport,
    now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
    hasWorkOut: @escaping @Sendable (_ name: String) async throws -> Bool = { _ in false },
    glossary: @escaping @Sendable () throws -> SharedGlossary? = { nil },
    unused: @escaping @Sendable (Set<UnitID>, _ vendor: String) async throws -> [UnitID: Set<VariationPath>] = { _, _ in
      [:]
    },
    namesTranslators: Bool = false,
    isReadOnly: Bool = false, longestStall: Duration? = nil, logger: Logger, recordFolder: String? = nil
  ) {
    self.pipeline = pipeline
    self.formerly = formerly
    self.installation = installation
    self.stateFolder = stateFolder
    self.secret = secret
    self.transport = transport
    self.now = now
    self.sleep = sleep
    self.hasWorkOut = hasWorkOut
    self.glossary = glossary
    self.unused = unused
    self.namesTranslators = namesTranslators
    self.isReadOnly = isReadOnly
    self.longestStall = longestStall
    self.logger = logger
    self.recordFolder = recordFolder
  }
}
