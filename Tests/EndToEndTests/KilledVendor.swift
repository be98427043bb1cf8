import Localization
import TestSupport
import VendorServers

/// A kind of vendor that can be simulated by a server on loopback.
enum KilledVendor: String, CaseIterable, Sendable {
  case http, lokalise, crowdin, weblate, phrase, smartling, transifex, tolgee, poeditor, localazy
  case deepl, google, azure, libretranslate, llm
  /// A Crowdin project with strings, which needs other requests than a project with files.
  case crowdinStrings = "crowdin-strings"

  /// The parts of the vendor that a test needs.
  struct System: Sendable {
    var respond: @Sendable (RecordedRequest) -> LoopbackReply
    /// A function that translates all strings into a language, as translators would.
    var people: @Sendable (LocaleIdentifier) -> Void = { _ in }
    /// A function that returns the whole content of the vendor as text. Servers of platforms record an issue if a string is added twice.
    var content: @Sendable () -> String = { "" }
    /// A function that returns how often each text was sent, if the vendor counts this.
    var sendings: @Sendable () -> [String: Int] = { [:] }
    /// Options in the pipeline file in addition to the address and the credentials.
    var options = ""
    /// The path that follows the server in the vendor's address.
    var path = ""
  }

  /// Whether the vendor is a translation engine. If the engine's response is lost when the program is killed, the text is requested, and may be paid
  /// for, again.
  var isMachine: Bool {
    switch self {
    case .deepl, .google, .azure, .libretranslate, .llm: true
    default: false
    }
  }

  /// The name of this vendor in a pipeline file.
  var kind: String { self == .crowdinStrings ? "crowdin" : rawValue }

  var secret: String { self == .smartling ? "me:se:cret" : "secret-token" }

  /// The languages of the pipeline. Engines have only one language, because their requests may not show the language for which a text was sent.
  var languages: [String] { isMachine ? ["uk"] : ["de", "uk"] }

  /// Returns whether a request does not change the vendor's data.
  func isRead(_ request: RecordedRequest) -> Bool {
    switch self {
    case .poeditor: ["view", "list"].contains(request.path.last ?? "")
    case .smartling: request.method == "GET" || request.path.first == "auth-api"
    default: request.method == "GET" || request.target.hasSuffix("/query")
    }
  }

  func system() throws -> System {
    switch self {
    case .http:
      let server = InHouseServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        sendings: { server.sendings })
    case .lokalise:
      let server = LokaliseServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: p1")
    case .crowdin:
      let server = CrowdinServer(isStrings: false)
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: \"2\"")
    case .crowdinStrings:
      let server = CrowdinServer(isStrings: true, branches: ["main"])
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: \"2\"")
    case .weblate:
      let server = try WeblateServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: birds, requests: 1000000")
    case .phrase:
      let server = try PhraseServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: p1")
    case .smartling:
      let server = try SmartlingServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: p1")
    case .transifex:
      let server = try TransifexServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "organization: org, project: birds, resource: app")
    case .tolgee:
      let server = try TolgeeServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: \"7\"")
    case .poeditor:
      let server = POEditorServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: \"7717\"")
    case .localazy:
      let server = LocalazyServer()
      return System(
        respond: { server.respond(to: $0) }, people: { server.translate($0) }, content: { server.content },
        options: "project: birds")
    case .deepl: return Self.engine(try MachineDialects.deepl())
    case .google: return Self.engine(MachineDialects.google())
    case .azure: return Self.engine(MachineDialects.azure())
    case .libretranslate: return Self.engine(try MachineDialects.libreTranslate())
    case .llm:
      let server = ModelServer()
      return System(
        respond: { server.respond(to: $0) }, sendings: { Self.counts(server.questions.flatMap(\.texts)) },
        options: "api: openai, model: small", path: "/v1")
    }
  }

  private static func engine(_ dialect: MachineServer.Dialect) -> System {
    let server = MachineServer(dialect)
    return System(respond: { server.respond(to: $0) }, sendings: { counts(server.texts) })
  }

  private static func counts(_ texts: [String]) -> [String: Int] {
    Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
  }
}
