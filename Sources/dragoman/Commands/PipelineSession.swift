import ArgumentParser
import Daemon
import DaemonServer
import Foundation
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
import Tracing
import TranslationVendors

/// A session that runs the pipelines of one command and determines the exit code.
struct PipelineSession {
  private let runtime: PipelineRuntime
  private let console: Console
  /// The log of the daemon; `nil` for a single run.
  private let log: ServiceLog?
  private let logFormat: LogFormat
  private let settings: Settings

  init(
    _ source: PipelineSource, at location: StoreLocation, progress: ProgressStyle, isOnce: Bool, isDry: Bool = false,
    logFormat: LogFormat = .text, console: Console
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    self.console = console
    self.logFormat = logFormat
    settings = try Settings(environment: environment)
    var observer = progress.observer(console)
    var log: ServiceLog?
    if !isOnce {
      // A daemon reports failures at once; a single run reports them at its end.
      let own = ServiceLog(now: { Date() }, showsStages: progress == .text, format: logFormat) {
        logFormat == .json ? console.line($0) : console.failureText($0)
      }
      let told = own.observer
      observer.failed = told.failed
      observer.found = told.found
      observer.ledger = told.ledger
      observer.progress = { [lines = observer.progress] event in
        if progress == .json { lines(event) }
        told.progress(event)
      }
      log = own
    }
    self.log = log
    runtime = try PipelineRuntime(
      source: source, store: location, settings: settings, environment: environment,
      isOnce: isOnce, isDry: isDry, observer: observer, log: log, logger: Self.logger(console, logFormat))
    if let new = runtime.newLedger {
      if let log {
        log.note(new.isSuspicious ? .warning : .info, new.text)
      } else if new.isSuspicious {
        console.failure("warning: " + new.text)
      }
    }
  }

  /// Processes available work, prints the report, then stops. Throws the exit code of the worst failure, or of the signal that stopped the run.
  /// - Parameter judgesInput: whether unreadable project files and bundles also count as failures.
  @discardableResult
  func runOnce(format: OutputFormat, judgesInput: Bool = true) async throws -> RunReport {
    let report: RunReport
    do {
      report = try await runtime.runOnce(takesSignals: true)
    } catch let interruption as RunInterruption {
      say(Self.stopped)
      throw ExitCode(interruption.exitCode)
    }
    switch format {
    case .json: console.raw(try stableJSON(report))
    case .text: RunPresentation(report: report, console: console).show()
    }
    var codes = report.failures.map { ExitStatus(of: $0.error) }
    if judgesInput, report.hasUnreadableInput { codes.append(.unreadableInput) }
    if let worst = ExitStatus.worst(of: codes) { throw worst.code }
    return report
  }

  /// Runs until SIGTERM or SIGINT. SIGHUP reads the pipeline files again. No work starts before the server listens on its port.
  /// - Parameters:
  ///   - address: the address of the HTTP server; `nil` for no server.
  ///   - access: the host names for which the server accepts requests, and how a proxy names its users; `nil` for no proxy.
  func serve(listeningAt address: ListenAddress? = nil, access: ServerAccess? = nil) async throws {
    let access = try access ?? ServerAccess()
    let traces = startTraces()
    let serving = message("Serving. Ctrl-C stops.", comment: "Shown when the daemon is ready.")
    if address == nil { say(serving) }
    let listening = StartGate(isOpen: address == nil)
    do {
      try await runtime.serve(takesSignals: true, after: listening) { daemon in
        guard let address else { return [] }
        return [
          DaemonHTTPServer(of: daemon, at: address, access: access, logger: Self.logger(console, logFormat)) {
            address in
            say(message("Listening on http://%@", "\(address)", comment: "Shown when the server is ready: an address."))
            say(serving)
            listening.open()
          }
        ]
      }
    } catch let error where logFormat == .json {
      // The last line of the log is JSON, too.
      log?.note(.error, "\(error)")
      throw ExitStatus(of: error).code
    }
    traces?.cancel()
    await traces?.value
    say(Self.stopped)
  }

  private static var stopped: String { message("Stopped.", comment: "Shown when the daemon has stopped.") }

  /// Starts a task that sends traces until it is cancelled, and then sends the traces of the last stages.
  /// - Returns: the task; `nil` if the settings name no collector.
  private func startTraces() -> Task<Void, Never>? {
    guard let collector = settings.traces else { return nil }
    let exporter = TraceExporter(collector, version: dragomanVersion) { [log] text in
      log?.note(.warning, text)
    }
    InstrumentationSystem.bootstrap(exporter)
    return Task { await exporter.run { try await Task.sleep(for: $0) } }
  }

  /// Prints a message about the process for people; with JSON logs, adds it to the log.
  private func say(_ text: String) {
    guard logFormat == .json else { return console.say(text) }
    log?.note(.info, text)
  }

  private static func logger(_ console: Console, _ format: LogFormat) -> Logger {
    var logger = Logger(label: "dragoman") { label -> any LogHandler in
      switch format {
      case .json: JSONLogHandler(console: console)
      case .text: StreamLogHandler.standardError(label: label)
      }
    }
    logger.logLevel = console.isVerbose ? .debug : .warning
    return logger
  }
}

extension ExitStatus {
  /// Determines the exit code for an error of any module.
  init(of error: any Error) {
    switch error {
    case let error as any ExitStatusProviding: self = error.exitStatus
    case is InputFault: self = .unreadableInput
    case let error as any DisposableError:
      self =
        switch error.disposition {
        case .retry, .retryAfter: .unavailable
        case .askPerson: .refused
        case .permanent: error.isFaultOfServer ? .unavailable : .ourFault
        }
    default: self = .ourFault
    }
  }

  /// Returns the most serious of the codes; `nil` if there are none. Our own faults are the most serious.
  static func worst(of codes: [ExitStatus]) -> ExitStatus? {
    [.ourFault, .disk, .unreadableInput, .notFound, .refused, .unavailable, .usage, .finding].first {
      codes.contains($0)
    }
  }
}

extension PipelineError: ExitStatusProviding {
  var exitStatus: ExitStatus {
    switch kind {
    case .notFound: .notFound
    case .unreadableInput: .unreadableInput
    case .refused, .conflict: .refused
    case .moved: .unavailable
    case .notBuilt: .usage
    case .inconsistent: disposition == .askPerson ? .refused : .ourFault
    }
  }
}

extension VendorError: ExitStatusProviding {
  var exitStatus: ExitStatus {
    switch kind {
    case .disk: .disk
    case .configuration, .unknownLanguage, .limitReached, .exists, .claimed, .refused, .notAFile: .refused
    case .notBuilt: .usage
    case .missing, .protocolFault: .unavailable
    case .tooLarge: .unreadableInput
    }
  }
}

extension StoreError: ExitStatusProviding {
  var exitStatus: ExitStatus {
    switch kind {
    case .inUse, .busy, .unreachable: .unavailable
    case .refused, .userRefused: .refused
    case .newerSchema, .corrupt: .unreadableInput
    case .unwritable, .full, .replaced: .disk
    default: .ourFault
    }
  }
}

extension ServerFault: ExitStatusProviding {
  var exitStatus: ExitStatus {
    switch kind {
    case .usage: .usage
    case .unavailable: .unavailable
    }
  }
}

extension SettingsFault: ExitStatusProviding {
  var exitStatus: ExitStatus { .usage }
}
