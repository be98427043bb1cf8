import FoundationEssentials
import Localization
import Pipeline
internal import Synchronization

/// A pipeline with its current settings, its repository and its vendors.
final class SimulatedPipeline: Sendable {
  struct File: Sendable {
    var languages: [LocaleIdentifier]
    /// The languages of the second vendor.
    var secondLanguages: [LocaleIdentifier]
    var commitsCatalogs: Bool
    var deliveryBranch: String
  }

  let setup: PipelineSetup
  let number: Int
  let remote: RemoteRepository
  let mirror = MirrorFolder()
  /// The first vendors of the routes, followed by the vendor that follows the first of them in the routes, if there is one (`follower`).
  let vendors: [VendorServer]
  let file: Mutex<File>

  init(setup: PipelineSetup, number: Int, remote: RemoteRepository, vendors: [VendorServer]) {
    self.setup = setup
    self.number = number
    self.remote = remote
    self.vendors = vendors
    let second = setup.vendors > 1 ? Array(setup.languages.suffix(1)) : []
    file = Mutex(
      File(
        languages: setup.languages, secondLanguages: second, commitsCatalogs: setup.commitsCatalogs,
        deliveryBranch: "l10n/{branch}"))
  }

  var name: String { setup.name }
  var authorName: String { "Dragoman of \(name)" }
  var patterns: [String] { setup.watchesReleases ? ["main", "release/*"] : ["main"] }

  /// Returns the branch that receives the translations of a watched branch.
  func target(for branch: String) -> String {
    setup.pushesDirectly ? branch : file.withLock { $0.deliveryBranch }.replacing("{branch}", with: branch)
  }

  var routes: [LocaleIdentifier: String] {
    let file = file.withLock { $0 }
    return Dictionary(
      uniqueKeysWithValues: file.languages.map { language in
        (language, file.secondLanguages.contains(language) && setup.vendors > 1 ? vendors[1].name : vendors[0].name)
      })
  }

  /// The vendor that follows the first vendor in the routes, as its fallback or in the next step; `nil` if routes have only one vendor.
  var follower: String? { setup.order == .plain ? nil : vendors.last?.name }

  /// The route of each language.
  var orders: [LocaleIdentifier: VendorRoute] {
    routes.mapValues { vendor in
      guard let follower, vendor == vendors[0].name else { return VendorRoute(steps: [[vendor]]) }
      return VendorRoute(steps: setup.order == .fallback ? [[vendor, follower]] : [[vendor], [follower]])
    }
  }

  var watched: [BranchHead] {
    remote.branches.filter { branch in patterns.contains { BranchPattern($0).matches(branch.name) } }
  }

  var definition: PipelineDefinition {
    let file = file.withLock { $0 }
    let routes = routes
    return PipelineDefinition(
      name: name,
      repository: RepositorySettings(
        url: "https://git.example/\(remote.name)", branches: patterns.map(BranchPattern.init), poll: .seconds(1800)),
      catalogs: file.commitsCatalogs ? .commit : .leave, languages: file.languages,
      vendors: vendors.map { vendor in
        var definition = VendorDefinition(
          kind: "simulated", languages: file.languages.filter { routes[$0] == vendor.name },
          fallback: setup.order == .fallback && vendor === vendors[0] ? follower : nil, patience: .seconds(3600),
          then: setup.order == .machineFirst && vendor === vendors[0] ? follower : nil,
          options: ["path": .text(vendor.name)])
        // All simulated texts are in Latin script, even those in Ukrainian.
        definition.otherLanguage = .take
        if vendor.manner.keepsTexts { definition.webhook = .environment("HOOK") }
        return definition
      },
      rounds: RoundSettings(quiet: .seconds(600), latest: .seconds(7200)),
      deliver: DeliverSettings(
        mode: setup.pushesDirectly ? .push : .branch, branch: file.deliveryBranch, authorName: authorName,
        authorEmail: "dragoman@example.com"))
  }
}

extension PipelineSetup {
  /// Returns the behaviour of a vendor, which depends on the seed of the story.
  /// - Parameter place: the index of the vendor, from 0.
  fileprivate func manner(of place: Int, seed: UInt64) -> VendorManner {
    var random = SeededRandom(seed: seed ^ 0x6B65_6570_73 &+ UInt64(place))
    let keepsTexts = random.chance(60)
    guard place == 0, order != .plain else { return VendorManner(keepsTexts: keepsTexts) }
    return VendorManner(
      answersAtOnce: order == .machineFirst, refusesTexts: true,
      refusedLanguages: order == .fallback && seed.isMultiple(of: 2) ? ["fr"] : [],
      keepsTexts: keepsTexts && order != .machineFirst)
  }
}

/// A watched branch of a pipeline.
struct WatchedName: Hashable, Sendable {
  var pipeline: String
  var branch: String
}

/// The simulated world in which a story takes place.
final class World: Sendable {
  let story: Story
  let time = VirtualTime()
  let disk = SimulatedDisk()
  /// For each watched branch, whether a person was asked to merge by hand when its returns were last merged.
  let conflicts = Mutex<[WatchedName: Bool]>([:])
  /// The head of each watched branch when its returns were last merged.
  let merged = Mutex<[WatchedName: CommitID]>([:])
  let cache: any Cache
  let history = GitHistory()
  let model: Model
  let pipelines: [SimulatedPipeline]
  private let lines = Mutex<[String]>([])
  /// Whether log lines are kept.
  private let logs: Bool

  init(story: Story, logs: Bool, cache: any Cache = SimulatedCache()) {
    self.story = story
    self.cache = cache
    self.logs = logs
    let (time, history) = (time, history)
    let model = Model(history: history)
    self.model = model
    let relay = MoveRelay()
    pipelines = story.setups.enumerated().map { number, setup in
      let vendors = (0..<setup.vendors + (setup.order == .plain ? 0 : 1)).map { place in
        VendorServer(
          name: "\(setup.name)-vendor\(place + 1)", manner: setup.manner(of: place, seed: story.seed), time: time
        ) { event in
          model.vendorEvent(event)
          relay.vendor(event)
        }
      }
      let remote = RemoteRepository(name: setup.name, history: history) { relay.moved($0) }
      return SimulatedPipeline(setup: setup, number: number, remote: remote, vendors: vendors)
    }
    relay.receive(
      moves: { [weak self] in self?.moved($0) },
      events: { [weak self] in self?.log(event: $0) })
  }

  var log: [String] { lines.withLock { $0 } }

  func log(_ line: @autoclosure () -> String) {
    guard logs else { return }
    let seconds = time.elapsed.components.seconds
    let text = "\(seconds / 3600)h\(seconds / 60 % 60)m\(seconds % 60)s \(line())"
    lines.withLock { $0.append(text) }
  }

  private func log(event: VendorServer.Event) {
    switch event {
    case .sent(let pipeline, let vendor, let texts):
      model.acted(pipeline, at: time.elapsed, "sent \(texts.count) texts to \(vendor)")
      log(
        "\(vendor) got \(texts.count) from \(pipeline): \(texts.map { "\($0.unit.key) \($0.language) “\($0.source)”" })"
      )
    case .withdrawn(_, let vendor, let texts):
      log("\(vendor) forgets \(texts.map { "\($0.unit.key) \($0.language) “\($0.source)”" })")
    case .returned(_, let texts):
      log("returned \(texts.map { "\($0.sent.unit.key) \($0.sent.language) “\($0.text)”" })")
    }
  }

  private func moved(_ move: RemoteRepository.Move) {
    log(
      "\(move.repository) \(move.branch): \(move.old?.short ?? "-") → \(move.new?.short ?? "-") by \(move.pipeline ?? "person")"
    )
    defer { model.branchMoved(move) }
    guard let name = move.pipeline, let pipeline = pipelines.first(where: { $0.name == name }) else { return }
    model.acted(name, at: time.elapsed, "pushed \(move.branch)")
    model.check(
      move, author: pipeline.authorName, bringsCatalogs: pipeline.file.withLock { $0.commitsCatalogs },
      branches: pipeline.remote.branches,
      watched: model.branches(everIn: move.repository).filter {
        $0 != move.branch && pipeline.target(for: $0) == move.branch
      })
  }
}

/// A relay for events of repositories and vendors. It forwards them to the world, which is created after the repositories and vendors.
private final class MoveRelay: Sendable {
  private struct Receivers {
    var moves: @Sendable (RemoteRepository.Move) -> Void = { _ in }
    var events: @Sendable (VendorServer.Event) -> Void = { _ in }
  }

  private let receivers = Mutex(Receivers())

  func receive(
    moves: @escaping @Sendable (RemoteRepository.Move) -> Void,
    events: @escaping @Sendable (VendorServer.Event) -> Void
  ) {
    receivers.withLock { $0 = Receivers(moves: moves, events: events) }
  }

  func moved(_ move: RemoteRepository.Move) { receivers.withLock { $0.moves }(move) }
  func vendor(_ event: VendorServer.Event) { receivers.withLock { $0.events }(event) }
}
