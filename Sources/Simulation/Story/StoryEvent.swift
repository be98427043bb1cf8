/// An event at a point in time, which is one line of a story.
///
/// The details of an event are chosen when the event happens, from the state of the world and the event's own random numbers. A story is therefore
/// still valid if some of its events are removed.
package struct StoryEvent: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    // People.
    case addKeys(Int)
    case changeSource
    case changeComment
    case removeKey
    case renameCatalog
    case addCatalog
    /// A person syncs the catalog with the code in Xcode, and commits it.
    case buildProject
    /// Like `buildProject`, but entries that the code no longer uses are also deleted.
    case cleanCatalogs
    case translate(PlaceForEdit)
    /// A person removes a vendor's translation from a watched branch, or marks it as needing review.
    case dropTranslation
    case commitOnDelivery
    case createBranch
    case deleteBranch
    case recreateBranch
    case mergeBranch
    case mergeDelivery(MergeStyle, keepsBranch: Bool)
    case closeDelivery
    case forcePush(Int)
    // The pipeline file.
    case addLanguage
    case removeLanguage
    case switchCatalogPolicy
    case moveDeliveries
    case moveLanguageToOtherVendor
    // Vendors.
    case vendorReturns(ReturnStyle)
    /// A person corrects returned translations at a vendor that allows this (`VendorManner.keepsTexts`).
    case vendorCorrects
    case vendorHealth(ServerHealth, minutes: Int)
    case vendorFault(VendorFault, minutes: Int)
    // Machine and network.
    case kill
    case killAfterCalls(Int)
    case killAfterWrites(Int)
    case cutPower(losesEverything: Bool)
    case jumpClock(minutes: Int)
    case fillDisk(minutes: Int)
    case lockLedger(minutes: Int)
    case loseMirror
    case loseCache
    case serverHealth(ServerHealth, minutes: Int)
    case refusePushes(minutes: Int)
    /// All servers of the pipeline are silent.
    case silence(minutes: Int)
  }

  /// The branch on which a person corrects a translation.
  package enum PlaceForEdit: String, Hashable, Sendable, CaseIterable {
    case watchedBranch, deliveryBranch
  }

  package enum MergeStyle: String, Hashable, Sendable, CaseIterable {
    case merge, squash, rebase, fastForward
  }

  /// The time in seconds since the beginning of the story.
  package var at: Int
  /// The number of the pipeline. The event affects the repository, the vendors or the file of this pipeline, unless it affects the whole
  /// machine.
  package var pipeline: Int
  package var kind: Kind
  package var salt: UInt64

  package init(at: Int, pipeline: Int, kind: Kind, salt: UInt64) {
    self.at = at
    self.pipeline = pipeline
    self.kind = kind
    self.salt = salt
  }

  package var description: String {
    let (minutes, seconds) = (at / 60, at % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60)):\(two(seconds)) p\(pipeline) \(kind)"
  }
}

extension StoryEvent.Kind {
  /// Whether the event affects the whole machine.
  var isMachines: Bool {
    switch self {
    case .kill, .killAfterCalls, .killAfterWrites, .cutPower, .jumpClock, .fillDisk, .lockLedger, .loseCache: true
    default: false
    }
  }

  /// Whether the event makes a server of one pipeline fail.
  var isServers: Bool {
    switch self {
    case .vendorHealth, .vendorFault, .serverHealth, .refusePushes, .silence: true
    default: false
    }
  }
}
