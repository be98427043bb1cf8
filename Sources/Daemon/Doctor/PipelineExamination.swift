import ChildPrograms
import FoundationEssentials
import GitSource
private import Glibc
import HTTPTransport
import LedgerStore
import Localization
import Pipeline
import TranslationVendors

/// A check of everything that one pipeline needs: its secrets and other files, its repository, vendors, mail servers and forge.
struct PipelineExamination: Sendable {
  let definition: PipelineDefinition
  let composition: Composition
  let environment: [String: String]
  let disk: BlockingPool

  func subject(_ part: String) -> String { "\(definition.name): \(part)" }

  func findings() async throws -> [DoctorFinding] {
    var findings = try await disk.run { secrets() + resources() }
    findings += try await repository()
    findings += try await vendors()
    findings += try await mailServers()
    if let forge = try await forge() { findings.append(forge) }
    return findings
  }

  // MARK: Secrets

  private func secrets() -> [DoctorFinding] {
    var references = [
      (definition.repository.credentials, "the repository"), (definition.repository.webhook, "the webhook"),
      (definition.deliver.credentials, "pushing"), (definition.deliver.token, "pull requests"),
      (definition.deliver.sign, "signing commits"),
      (definition.repository.clientCertificate, "the client certificate"),
      (definition.repository.clientKey, "the key of the client certificate"),
      (definition.deliver.app?.key ?? .none, "the GitHub app"),
      (definition.deliver.oauth?.secret ?? .none, "the GitLab application"),
      (definition.deliver.oauth?.refreshToken ?? .none, "the refresh token of the GitLab application"),
    ]
    if case .server(_, let credentials) = definition.repository.proxy { references.append((credentials, "the proxy")) }
    references += definition.submodules.map { ($0.credentials, "submodule \($0.path)") }
    references += definition.vendors.map { ($0.credentials, "vendor \($0.name ?? $0.kind)") }
    references += definition.vendors.map { ($0.webhook, "the webhook of vendor \($0.name ?? $0.kind)") }
    references += definition.notify.flatMap {
      [
        ($0.webhook, "notifications"), ($0.secret, "signing notifications"),
        ($0.mail?.credentials ?? .none, "the mail server"),
      ]
    }
    return notificationAddresses()
      + references.compactMap { reference, purpose in
        do {
          guard try composition.credentials.secret(reference, for: purpose) != nil else { return nil }
        } catch {
          return .problem(subject("secrets"), "\(error)", nil)
        }
        var status = stat()
        guard case .file(let path) = reference, stat(path, &status) == 0 else { return nil }
        // In containers, secrets are owned by root, and this account reads them through its group. In this case the group may read them.
        let isOwn = status.st_uid == geteuid()
        guard status.st_mode & (isOwn ? 0o077 : 0o027) != 0 else { return nil }
        return .warning(
          subject("secrets"), "other accounts can read or change \(path), the secret for \(purpose)",
          isOwn ? "chmod 600 \(path)" : "chmod 640 \(path)")
      }
  }

  /// Checks the URLs of webhooks, and the secrets with which notifications are signed. Sends nothing.
  private func notificationAddresses() -> [DoctorFinding] {
    definition.notify.compactMap { settings in
      guard settings.mail == nil else { return nil }
      // An unreadable secret is reported separately.
      guard let address = try? composition.credentials.secret(settings.webhook, for: "notifications") else {
        return nil
      }
      do {
        _ = try NoticeAddress.url(address, settings.webhook)
        // An unreadable signing secret is also reported separately.
        if let secret = try? composition.credentials.secret(settings.secret, for: "notifications") {
          _ = try NoticeBody.key(secret)
        }
        return nil
      } catch {
        return .problem(subject("notifications"), "\(error)", nil)
      }
    }
  }

  /// Connects to mail servers and authenticates, without sending a message.
  private func mailServers() async throws -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    for settings in definition.notify {
      guard let mail = settings.mail else { continue }
      let secret = try? composition.credentials.secret(mail.credentials, for: "the mail server")
      // An unreadable secret is reported separately.
      guard secret != nil || mail.credentials == .none else { continue }
      findings.append(try await check(NoticeMail.server(mail, secret)))
    }
    return findings
  }

  private func check(_ server: MailServer) async throws -> DoctorFinding {
    let place = subject("notifications")
    do {
      try await disk.run { try MailTransport.check(server) }
      return .ok(place, "\(server) accepts mail from this account")
    } catch let error as TransportError {
      return .problem(place, "\(error)", "Correct server or credentials of the entry in notify")
    }
  }

  // MARK: Repository

  private func repository() async throws -> [DoctorFinding] {
    let place = subject("repository")
    let mirror: GitMirror
    var findings: [DoctorFinding] = []
    do {
      mirror = try composition.mirror(of: definition)
      let (branches, defaultBranch) = try await mirror.lookAtRemote()
      let watched = branches.map(\.name).filter { definition.watches($0, defaultBranch: defaultBranch) }
      if branches.isEmpty {
        findings.append(.warning(place, "\(definition.repository.url) has no branches yet", "Push a first commit"))
      } else if watched.isEmpty {
        let patterns = definition.repository.branches.map(\.text)
        let excluded = definition.excludedByDelivery(among: branches.map(\.name), defaultBranch: defaultBranch)
        findings.append(
          .problem(
            place,
            !excluded.isEmpty
              ? "no branch is watched: deliver.branch (\(definition.deliver.branch)) includes \(Self.some(excluded))"
              : patterns.isEmpty
                ? "the server reports no default branch"
                : "no branch of the repository matches \(patterns.joined(separator: ", "))",
            excluded.isEmpty
              ? "Correct repository.branches; the repository has \(Self.some(branches.map(\.name)))"
              : "Set another deliver.branch, such as l10n/{branch}"))
      } else {
        findings.append(.ok(place, "can be read; watched: \(Self.some(watched))"))
        findings += await excludedBranches(among: branches.map(\.name), defaultBranch: defaultBranch)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return [.problem(place, "\(error)", nil)]
    }
    findings += try await submodules(of: mirror)
    findings += try await screenshots(in: mirror)
    do {
      if try await mirror.checkSigning() { findings.append(.ok(subject("signing"), "the key can sign")) }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      findings.append(.problem(subject("signing"), "\(error)", nil))
    }
    do {
      try await mirror.checkPush()
      findings.append(.ok(subject("push"), "the server accepts this account; branch rules are only checked at a push"))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The error for a repository on this machine, or for a refused push, already contains the next step.
      // For a network failure or an unsupported repository, access is not the cause.
      let kind = (error as? GitError)?.kind
      let isMissing =
        mirror.url.localPath == nil && !"\(error)".contains("deliver.credentials")
        && (kind == .unauthorized || kind == .refused || kind == .noSuchRemote)
      findings.append(
        .problem(
          subject("push"), "\(error)",
          isMissing ? "Give the account write access, or name one that has it in deliver.credentials" : nil))
    }
    return findings
  }

  /// Returns a warning for the branches that match a watched pattern but are not watched, because `deliver.branch` includes their names.
  /// Branches to which this pipeline delivered earlier are left out.
  private func excludedBranches(among branches: [String], defaultBranch: String?) async -> [DoctorFinding] {
    var names = Set(definition.excludedByDelivery(among: branches, defaultBranch: defaultBranch))
    guard !names.isEmpty else { return [] }
    let deliveries = try? await ledger()?.deliveries(of: definition.name, since: .distantPast)
    names.subtract(deliveries?.map(\.target) ?? [])
    guard !names.isEmpty else { return [] }
    return [
      .warning(
        subject("repository"),
        "not watched, because deliver.branch (\(definition.deliver.branch)) includes them: \(Self.some(names.sorted()))",
        "Set another deliver.branch, such as l10n/{branch}; or delete the branches if they are old delivery branches")
    ]
  }

  private static func some(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }

  // MARK: Vendors and forge

  private func vendors() async throws -> [DoctorFinding] {
    let inspection = VendorInspection(
      definition, environment: environment, stateFolder: composition.vendorFolder(of: definition.name),
      installation: composition.installation, hasWorkOut: hasWorkOut)
    return try await inspection.findings().flatMap { finding -> [DoctorFinding] in
      let place = subject("vendor \(finding.name)")
      switch finding.result {
      case .success(let probe) where probe.faults.isEmpty:
        return [.ok(place, probe.facts.isEmpty ? "nothing to check" : probe.facts.joined(separator: "; "))]
      case .success(let probe): return probe.faults.map { .problem(place, $0, nil) }
      case .failure(let error): return [.problem(place, "\(error)", nil)]
      }
    }
  }

  /// Returns whether units are outstanding at a vendor; `false` if the ledger cannot be read, which is reported separately.
  private func hasWorkOut(_ vendor: String) async -> Bool {
    let work = try? await ledger()?.pendingWork(of: definition.name)
    return work?.vendors[vendor]?.outstanding ?? 0 > 0
  }

  /// Returns the ledger; `nil` if it cannot be read, which is reported separately.
  private func ledger() async -> (any SQLLedger)? {
    let location = composition.location
    return try? await disk.run { try OpenLedger.reading(location, composition.credentials) }
  }

  /// Checks the token by looking up a pull request. Whether the token may open pull requests cannot be checked without opening a pull request.
  private func forge() async throws -> DoctorFinding? {
    guard definition.deliver.usesForge else { return nil }
    let place = subject("forge")
    do {
      guard let forge = try composition.forge(of: definition, composition.tokens(of: definition)) else { return nil }
      let base = definition.repository.branches.first { !$0.text.contains { "*?".contains($0) } }?.text ?? "main"
      _ = try await forge.pullRequest(from: definition.deliver.target(for: base), into: base)
      return .ok(
        place, "the server's API accepts the token; write permission is only checked when a pull request is opened")
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return .problem(place, "\(error)", nil)
    }
  }
}
