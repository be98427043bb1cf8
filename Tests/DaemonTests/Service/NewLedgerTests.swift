import Foundation
import TestSupport
import Testing

@testable import Daemon

@Suite struct NewLedgerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func find(mountTable: String = "", mounts: String = "") -> NewLedger? {
    NewLedger(in: folder.file("store"), mountTable: mountTable, mounts: mounts)
  }

  @Test("a missing folder, or a folder without files of Dragoman, causes no warning about a lost ledger")
  func first() throws {
    let path = folder.file("store/ledger.sqlite")
    #expect(find()?.text == "created a new ledger, \(path)" && find()?.isSuspicious == false)
    try folder.write("*\n", to: "store/.gitignore")
    #expect(find()?.isSuspicious == false)
  }

  @Test("a new ledger next to files of an earlier run is reported as suspicious")
  func remains() throws {
    try folder.write("", to: "store/mirrors/a.git/HEAD")
    try folder.write("x", to: "store/ledger.sqlite.before-20261126T080000Z")
    let text = try #require(find()).text
    #expect(text.contains("created a new, empty ledger") && text.contains("`dragoman store restore FILE`"))
    #expect(text.contains("it has ledger.sqlite.before-20261126T080000Z, mirrors."))
    try folder.write("x", to: "store/ledger.sqlite")
    #expect(find() == nil)
  }

  @Test("tokens that a dry run renewed before the first run are not reported as suspicious")
  func tokens() throws {
    try folder.write("{}", to: "store/tokens/gitlab-1.json")
    #expect(find()?.isSuspicious == false)
    try folder.write("x", to: "store/cache.sqlite")
    #expect(find()?.text.contains("it has cache.sqlite, tokens.") == true)
  }

  @Test("a disk in /etc/fstab that is not mounted is reported")
  func unmounted() throws {
    let table = "# disks\n/dev/sda1 / ext4 defaults 0 1\nUUID=1 \(folder.path)\text4 defaults 0 2\n"
    let root = "/dev/sda1 / ext4 rw 0 0\n"
    let found = try #require(find(mountTable: table, mounts: root))
    #expect(found.isSuspicious && found.text.contains("/etc/fstab, and nothing is mounted there. Stop Dragoman"))
    #expect(find(mountTable: table, mounts: root + "/dev/sdb1 \(folder.path) ext4 rw 0 0\n")?.isSuspicious == false)
    #expect(NewLedger.unmounted(above: "/data base/x", mountTable: "a /data\\040base b", mounts: "") == "/data base")
    #expect(NewLedger.unmounted(above: "/database/x", mountTable: "a /data b", mounts: "") == nil)
  }
}
