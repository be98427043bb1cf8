import Localization
import Pipeline
internal import Synchronization

extension StoryPlayer {
  func perform(_ event: StoryEvent) {
    let pipeline = world.pipelines[event.pipeline]
    var random = SeededRandom(seed: event.salt)
    let done = performByPeople(event, pipeline) ?? performAround(event, pipeline, &random)
    world.log("\(event.kind): \(done ?? "nothing to do")")
  }

  private func performByPeople(_ event: StoryEvent, _ pipeline: SimulatedPipeline) -> String? {
    var people = People(world: world, pipeline: pipeline, salt: event.salt)
    return switch event.kind {
    case .addKeys(let count): people.addKeys(count)
    case .changeSource: people.changeSource()
    case .changeComment: people.changeComment()
    case .removeKey: people.removeKey()
    case .renameCatalog: people.renameCatalog()
    case .addCatalog: people.addCatalog()
    case .buildProject: people.buildProject()
    case .cleanCatalogs: people.cleanCatalogs()
    case .translate(let place): people.translate(place)
    case .dropTranslation: people.dropTranslation()
    case .commitOnDelivery: people.commitOnDelivery()
    case .createBranch: people.createBranch()
    case .deleteBranch: people.deleteBranch()
    case .recreateBranch: people.recreateBranch()
    case .mergeBranch: people.mergeBranch()
    case .mergeDelivery(let style, let keepsBranch): people.mergeDelivery(style, keepsBranch: keepsBranch)
    case .closeDelivery: people.closeDelivery()
    case .forcePush(let count): people.forcePush(count)
    default: nil
    }
  }

  private func performAround(
    _ event: StoryEvent, _ pipeline: SimulatedPipeline, _ random: inout SeededRandom
  ) -> String? {
    switch event.kind {
    case .vendorReturns(let style):
      let vendor = random.pick(pipeline.vendors)
      let foreign = pipeline.routes.filter { $0.value != vendor?.name }.keys.sorted()
      return vendor?.makeReturn(style, to: pipeline.name, foreign: foreign, random: &random)
    case .vendorCorrects:
      guard let vendor = random.pick(pipeline.vendors) else { return nil }
      return correct(vendor, of: pipeline, &random)
    case .vendorHealth(let health, let minutes):
      guard let vendor = random.pick(pipeline.vendors) else { return nil }
      vendor.health = health
      after(minutes) { vendor.health = .healthy }
    case .vendorFault(let fault, let minutes):
      guard let vendor = random.pick(pipeline.vendors) else { return nil }
      vendor.fault = fault
      after(minutes) { vendor.fault = nil }
    case .kill:
      daemon.kill()
      restart(&random)
    case .killAfterCalls(let calls): daemon.life?.end(afterCalls: calls)
    case .killAfterWrites(let writes): world.disk.die(afterWrites: writes)
    case .cutPower(let losesEverything):
      daemon.cutPower(&random, losesEverything: losesEverything)
      restart(&random)
    case .jumpClock(let minutes): world.time.jump(by: .seconds(minutes * 60))
    case .fillDisk(let minutes):
      world.disk.setFull(true)
      after(minutes) { [world] in world.disk.setFull(false) }
    case .lockLedger(let minutes):
      world.disk.setLocked(true)
      after(minutes) { [world] in world.disk.setLocked(false) }
    case .loseMirror: pipeline.mirror.delete()
    case .loseCache: (world.cache as? SimulatedCache)?.delete()
    case .serverHealth(let health, let minutes):
      pipeline.remote.health = health
      after(minutes) { pipeline.remote.health = .healthy }
    case .refusePushes(let minutes):
      guard let branch = random.pick(pipeline.watched.map(\.name)) else { return nil }
      let target = pipeline.target(for: branch)
      pipeline.remote.refuse(target, saying: "protected branch hook declined")
      after(minutes) { pipeline.remote.refuse(target, saying: nil) }
    case .silence(let minutes):
      pipeline.remote.health = .silent
      for vendor in pipeline.vendors { vendor.health = .silent }
      after(minutes) {
        pipeline.remote.health = .healthy
        for vendor in pipeline.vendors { vendor.health = .healthy }
      }
    case .addLanguage, .removeLanguage, .switchCatalogPolicy, .moveDeliveries, .moveLanguageToOtherVendor:
      guard editFile(event.kind, pipeline, &random) else { return nil }
      world.model.languagesGo(to: pipeline.orders)
      // The daemon reads the pipeline file only when it starts.
      daemon.kill()
      restart(&random)
    default: return nil
    }
    return "done"
  }

  /// Simulates a person who corrects translations, and the vendor's call of the webhook.
  func correct(_ vendor: VendorServer, of pipeline: SimulatedPipeline, _ random: inout SeededRandom) -> String? {
    guard let done = vendor.correct(of: pipeline.name, random: &random) else { return nil }
    daemon.noteChange(of: pipeline.name, at: vendor.name)
    return done
  }

  private func editFile(
    _ kind: StoryEvent.Kind, _ pipeline: SimulatedPipeline, _ random: inout SeededRandom
  ) -> Bool {
    let all: [LocaleIdentifier] = ["de", "fr", "ja", "uk"]
    let choice = random.next()
    return pipeline.file.withLock { file in
      var random = SeededRandom(seed: choice)
      switch kind {
      case .addLanguage:
        guard let language = random.pick(all.filter { !file.languages.contains($0) }) else { return false }
        file.languages.append(language)
      case .removeLanguage:
        guard file.languages.count > 1, let language = random.pick(file.languages) else { return false }
        file.languages.removeAll { $0 == language }
        file.secondLanguages.removeAll { $0 == language }
      case .switchCatalogPolicy: file.commitsCatalogs.toggle()
      case .moveDeliveries:
        file.deliveryBranch = file.deliveryBranch.hasPrefix("l10n") ? "translations/{branch}" : "l10n/{branch}"
      case .moveLanguageToOtherVendor:
        guard pipeline.setup.vendors > 1, let language = random.pick(file.languages) else { return false }
        if file.secondLanguages.contains(language) {
          file.secondLanguages.removeAll { $0 == language }
        } else {
          file.secondLanguages.append(language)
        }
      default: return false
      }
      return true
    }
  }

  private func restart(_ random: inout SeededRandom) {
    let wait = Duration.seconds(random.chance(70) ? random.number(in: 1...60) : random.number(in: 60...7200))
    let daemon = daemon
    let time = world.time
    Task.detached {
      await time.sleep(wait)
      if daemon.life == nil { daemon.start() }
    }
  }

  private func after(_ minutes: Int, _ body: @escaping @Sendable () -> Void) {
    let time = world.time
    Task.detached {
      await time.sleep(.seconds(minutes * 60))
      body()
    }
  }
}
