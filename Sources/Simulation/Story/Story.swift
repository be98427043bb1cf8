package import Localization

/// The role of an additional vendor, which follows the first vendor of a pipeline in the routes.
package enum VendorOrder: String, Hashable, Sendable {
  /// There is no additional vendor.
  case plain
  /// The first vendor returns translations immediately. The additional vendor gets the units that the first vendor translated or refused.
  case machineFirst
  /// The additional vendor gets the units that the first vendor refuses, and all units if the first vendor fails for too long.
  case fallback
}

/// One pipeline of a story, with its settings at the beginning.
package struct PipelineSetup: Hashable, Sendable {
  package var name: String
  package var languages: [LocaleIdentifier]
  /// The number of vendors. If there are two vendors, the second has the last language. The vendor that `order` adds is not counted.
  package var vendors: Int
  package var order = VendorOrder.plain
  package var commitsCatalogs: Bool
  package var pushesDirectly: Bool
  package var watchesReleases: Bool
  /// The number of strings at the beginning.
  package var strings: Int
}

/// The pipelines and the events of a simulation. The events are in the order of their times.
package struct Story: Sendable {
  package var seed: UInt64
  package var setups: [PipelineSetup]
  package var events: [StoryEvent]

  /// The time in seconds at which all faults end. This is the time of the last event, or `leastEnd` if that is later.
  package var end: Int { max(events.map(\.at).max() ?? 0, leastEnd) }
  package var leastEnd = 0
  /// The number of jobs of each kind that the daemon's worker runs at once.
  var width = 4

  package init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    setups = (0..<(random.chance(25) ? 2 : 1)).map { number in
      let all: [LocaleIdentifier] = ["de", "fr", "ja"]
      let count = random.pick(weighted: [(1, 4), (2, 4), (3, 2)]) ?? 1
      return PipelineSetup(
        name: number == 0 ? "app" : "kit", languages: Array(all.prefix(count)),
        vendors: count > 1 && random.chance(40) ? 2 : 1, commitsCatalogs: random.chance(40),
        pushesDirectly: random.chance(15), watchesReleases: random.chance(50), strings: random.number(in: 1...4))
    }
    // A separate generator keeps the other random choices of a seed unchanged.
    var orders = SeededRandom(seed: seed ^ 0x6F72_6465_7273)
    for place in setups.indices where orders.chance(35) {
      setups[place].order = orders.chance(50) ? .machineFirst : .fallback
    }
    events = []
    let count = random.number(in: 8...40)
    var time = 0
    for _ in 0..<count {
      // Most events are minutes apart. Some happen at the same moment, and others after an hour or two.
      time += random.pick(weighted: [(random.below(5), 3), (random.below(1200), 5), (random.below(7200), 2)]) ?? 0
      let kind = Self.kind(&random)
      events.append(StoryEvent(at: time, pipeline: random.below(setups.count), kind: kind, salt: random.next()))
    }
    var faults = SeededRandom(seed: seed ^ 0x6661_756C_7473)
    for place in events.indices {
      guard case .vendorHealth(_, let minutes) = events[place].kind, faults.chance(50),
        let fault = faults.pick(VendorFault.failing)
      else { continue }
      events[place].kind = .vendorFault(fault, minutes: minutes)
    }
    var shifts = SeededRandom(seed: seed ^ 0x7368_6966_7473)
    for place in events.indices {
      guard case .vendorHealth(_, let minutes) = events[place].kind, shifts.chance(25) else { continue }
      events[place].kind = .vendorFault(.shiftsPages, minutes: minutes)
    }
    dropTranslations()
    correctTranslations()
  }

  /// Turns some returns into corrections at the vendor.
  private mutating func correctTranslations() {
    var corrections = SeededRandom(seed: seed ^ 0x636F_7272_6563_74)
    for place in events.indices {
      switch events[place].kind {
      case .vendorReturns(.twice), .vendorReturns(.secondThought), .vendorReturns(.part):
        if corrections.chance(40) { events[place].kind = .vendorCorrects }
      default: break
      }
    }
  }

  /// Turns some of the translations that people make on watched branches into removals.
  private mutating func dropTranslations() {
    var drops = SeededRandom(seed: seed ^ 0x6472_6F70_73)
    for place in events.indices where events[place].kind == .translate(.watchedBranch) && drops.chance(40) {
      events[place].kind = .dropTranslation
    }
  }

  private static func kind(_ random: inout SeededRandom) -> StoryEvent.Kind {
    let minutes = random.number(in: 1...300)
    let people: [(StoryEvent.Kind, Int)] = [
      (.addKeys(random.number(in: 1...3)), 12), (.changeSource, 8), (.changeComment, 2), (.removeKey, 4),
      (.renameCatalog, 2), (.addCatalog, 3), (.buildProject, 3),
      (.translate(.watchedBranch), 6), (.translate(.deliveryBranch), 5), (.commitOnDelivery, 4),
      (.createBranch, 3), (.deleteBranch, 2), (.recreateBranch, 1), (.mergeBranch, 2),
      (.mergeDelivery(random.pick(StoryEvent.MergeStyle.allCases) ?? .merge, keepsBranch: random.chance(50)), 16),
      (.closeDelivery, 2), (.forcePush(random.number(in: 1...3)), 3),
    ]
    let file: [(StoryEvent.Kind, Int)] = [
      (.addLanguage, 2), (.removeLanguage, 1), (.switchCatalogPolicy, 1), (.moveDeliveries, 1),
      (.moveLanguageToOtherVendor, 1),
    ]
    let vendors: [(StoryEvent.Kind, Int)] = [
      (.vendorReturns(.all), 20), (.vendorReturns(.part), 8), (.vendorReturns(.wrong), 2), (.vendorReturns(.twice), 3),
      (.vendorReturns(.secondThought), 3), (.vendorReturns(.foreign), 3), (.vendorReturns(.unchanged), 1),
      (.vendorReturns(.withdrawn), 2), (.vendorReturns(.unfinished), 2),
      (.vendorHealth(random.pick(ServerHealth.allCases) ?? .silent, minutes: minutes), 4),
    ]
    let machine: [(StoryEvent.Kind, Int)] = [
      (.kill, 2), (.killAfterCalls(random.below(60)), 4), (.killAfterWrites(random.below(60)), 4),
      (.cutPower(losesEverything: random.chance(50)), 4), (.jumpClock(minutes: random.number(in: -1440...1440)), 2),
      (.fillDisk(minutes: minutes), 1), (.lockLedger(minutes: minutes), 1), (.loseMirror, 3), (.loseCache, 1),
      (.serverHealth(random.pick(ServerHealth.allCases) ?? .silent, minutes: minutes), 3),
      (.refusePushes(minutes: minutes), 2),
    ]
    return random.pick(weighted: people + file + vendors + machine) ?? .kill
  }
}
