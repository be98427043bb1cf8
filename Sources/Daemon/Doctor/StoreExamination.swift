import FoundationEssentials
private import Glibc
import LedgerStore
import PostgreSQLStore
import SQLiteStore
import TranslationVendors

/// A check of the store's folder, its disk and its ledger.
struct StoreExamination: Sendable {
  /// The free space, in bytes, below which a warning is reported, because the next fetch or migration may need more.
  private static let scarce: UInt64 = 1 << 30
  private static let tooLittle: UInt64 = 100 << 20
  private static let networkDisks: Set = [
    "nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse.sshfs", "fuse.s3fs", "davfs",
  ]

  let location: StoreLocation
  let credentials: Credentials
  let now: Date

  private var folder: String { location.folder }
  /// The option or variable that sets the folder. With a database, `--store` is the URL of the database instead.
  private var option: String { location.isLocal ? "--store" : "DRAGOMAN_FOLDER, or --folder of worker" }

  func findings() -> [DoctorFinding] {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      let code = errno
      if let fault = LedgerPresence.brokenLink(in: folder) { return [.problem("store", fault, nil)] }
      errno = code
      guard errno == ENOENT else {
        return [
          .problem(
            "store", "\(folder) cannot be accessed (\(reason))", "Check the permissions of the folders above it")
        ]
      }
      let parent = nearestFolder()
      guard access(parent, W_OK) == 0 else {
        return [
          .problem(
            "store", "\(folder) does not exist, and this account cannot create it in \(parent)",
            "Create the folder for this account, or choose another one with \(option)")
        ]
      }
      if location.isLocal, let new = NewLedger(in: folder), let doubt = new.doubt {
        return [.warning("store", "\(folder) does not exist, although \(doubt.evidence)", doubt.advice)] + disk(parent)
      }
      return [.ok("store", "\(folder) does not exist yet; the first run creates it")] + disk(parent)
        + (location.isLocal ? [] : [ledger()])
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return [.problem("store", "\(folder) is not a folder", "Choose another one with \(option)")]
    }
    guard access(folder, R_OK | W_OK | X_OK) == 0 else {
      return [
        .problem(
          "store", "this account cannot read and write \(folder) (\(reason))",
          "Run this command as the account that runs Dragoman, or correct the owner of the folder")
      ]
    }
    var findings: [DoctorFinding] = []
    guard !StoreFiles.isGivenByGroup(status) else {
      return [.ok("store", "this account can use \(folder) through its group")] + disk(folder) + [ledger()]
    }
    if status.st_mode & 0o077 != 0 {
      findings.append(
        .warning(
          "store", "other accounts can access \(folder)", "Run chmod 700 on it, or start Dragoman, which does this"))
    }
    if status.st_uid != geteuid() {
      findings.append(
        .problem(
          "store", "\(folder) belongs to another account (user id \(status.st_uid))",
          "Run this command as that account, or give the folder to the account that runs Dragoman"))
    }
    if findings.isEmpty { findings.append(.ok("store", "\(folder) belongs to this account only")) }
    return findings + disk(folder) + [ledger()]
  }

  private func disk(_ place: String) -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    if let kind = Self.fileSystem(of: CanonicalPlace.path(place), in: mounts), Self.networkDisks.contains(kind) {
      findings.append(
        .problem(
          "disk", "\(place) is on a network file system (\(kind)), where SQLite's locks cannot be relied on",
          "Choose a folder on a disk of this machine with \(option)"))
    }
    var space = statvfs()
    guard statvfs(place, &space) == 0 else {
      return findings + [.problem("disk", "the free space of \(place) is unknown (\(reason))", "Check the disk")]
    }
    let (free, unit) = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
    let text = "\((unit ? UInt64.max : free) >> 20) MiB free for \(place)"
    if free < Self.tooLittle {
      findings.append(.problem("disk", text, "Free some space: the ledger and the mirrors grow"))
    } else if free < Self.scarce {
      findings.append(.warning("disk", text, "Free some space: a mirror needs as much as its repository"))
    } else {
      findings.append(.ok("disk", text))
    }
    if space.f_files > 0, space.f_favail < 1000 {
      findings.append(
        .problem("disk", "the disk of \(place) has room for fewer than 1000 more files (inodes)", "Delete some files"))
    }
    return findings
  }

  /// Returns the kind of the file system that contains an absolute path; `nil` if no mount point contains the path.
  /// - Parameter mounts: text in the format of /proc/self/mounts. Each line has a device, a mount point, a kind and options.
  static func fileSystem(of path: String, in mounts: String) -> String? {
    var best: (length: Int, kind: String)?
    for line in mounts.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count >= 3 else { continue }
      let place = parts[1].replacing("\\040", with: " ")
      guard place == "/" || path == place || path.hasPrefix(place + "/") else { continue }
      // A later mount hides an earlier mount at the same mount point.
      if place.utf8.count >= best?.length ?? 0 { best = (place.utf8.count, String(parts[2])) }
    }
    return best?.kind
  }

  private func ledger() -> DoctorFinding {
    guard location.isLocal else { return database() }
    let path = folder + "/ledger.sqlite"
    do { try LedgerPresence.require(in: folder) } catch { return .problem("ledger", error.detail, nil) }
    if let new = NewLedger(in: folder) {
      guard let doubt = new.doubt else { return .ok("ledger", "it does not exist yet; the first run creates it") }
      return .warning("ledger", "\(path) does not exist, although \(doubt.evidence)", doubt.advice)
    }
    guard access(path, R_OK | W_OK) == 0 else {
      return .problem(
        "ledger", "this account cannot read and write \(path) (\(reason))",
        "Correct the owner and the permissions of the file. Only this account needs them: chmod 600")
    }
    do {
      let contents = try LedgerCopies.check(file: path)
      let rounds = contents.rounds == 1 ? "1 round" : "\(contents.rounds) rounds"
      return .ok("ledger", "no fault in \(path): \(rounds), \(contents.size >> 10) KiB")
    } catch let error as StoreError {
      let advice = error.kind == .corrupt ? "Follow \"A damaged ledger\" in docs/operating.md" : nil
      return .problem("ledger", error.detail, advice)
    } catch {
      return .problem("ledger", "\(path) cannot be read: \(error)", nil)
    }
  }

  private func database() -> DoctorFinding {
    do {
      let store = try OpenLedger.database(location, credentials, .deciding)
      return .ok("database", "\(store.address) can be used")
    } catch let error as StoreError {
      return .problem("database", error.detail, nil)
    } catch {
      return .problem("database", "\(error)", nil)
    }
  }

  /// Returns the store's folder if it exists, otherwise the nearest existing folder above it.
  private func nearestFolder() -> String {
    var path = folder
    while !path.isEmpty, path != "/", access(path, F_OK) != 0 {
      path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
    return path.isEmpty ? (folder.hasPrefix("/") ? "/" : ".") : path
  }

  private var reason: String { String(cString: strerror(errno)) }
}
