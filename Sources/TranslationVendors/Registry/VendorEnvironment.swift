package import FoundationEssentials
package import HTTPTransport
package import Localization
package import Logging

/// The services and values that a pipeline provides to its vendors.
package struct VendorEnvironment: Sendable {
  package var pipeline: String
  /// The former names of the pipeline.
  package var formerly: [String]
  /// The identifier of this installation of Dragoman; empty if it is unknown. Vendors write it to places that other installations may also use.
  package var installation: String
  /// The absolute path of the folder for files of this pipeline's vendors. The folder is created when the first file is written.
  package var stateFolder: String
  /// Returns the secret to which `credentials` refers; `nil` if it refers to no secret (`none`, `agent`). The secret is read at each call, because
  /// the secret may change.
  package var secret: @Sendable () throws -> Secret?
  package var transport: HTTPTransport
  package var now: @Sendable () -> Date
  package var sleep: @Sendable (Duration) async throws -> Void
  /// Returns whether the ledger has outstanding units for the vendor with this name.
  package var hasWorkOut: @Sendable (_ name: String) async throws -> Bool
  /// Returns the pipeline's glossary; `nil` if the pipeline has none. The glossary is read at each call.
  package var glossary: @Sendable () throws -> SharedGlossary?
  /// Returns those of the given units that are not in the newest commit of any watched branch, each with the variation paths of all texts that were
  /// ever sent to the vendor for it. A vendor may remove only the strings of these units, because all other units are still on a branch.
  package var unused: @Sendable (Set<UnitID>, _ vendor: String) async throws -> [UnitID: Set<VariationPath>]
  /// Whether returned translations contain the names of the translators that the vendor reports.
  package var namesTranslators: Bool
  /// Whether nothing may be changed at the vendor, as in a dry run. Drop folders are then read-only, and the transport refuses requests that might
  /// change something.
  package var isReadOnly: Bool
  /// The maximum time for which a server may send nothing, in addition to the limits of the adapters' requests; `nil` for no additional limit. Only
  /// tests set this limit.
  package var longestStall: Duration?
  package var logger: Logger
  /// The folder to which exchanges with vendors are written as fixtures; `nil` if exchanges are not recorded.
  package var recordFolder: String?
  /// The recorder that ``VendorRegistry`` creates from `recordFolder`.
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
