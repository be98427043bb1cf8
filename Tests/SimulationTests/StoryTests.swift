import Foundation
import Simulation
import TestSupport
import Testing

struct StoryTests {
  /// Runs the program, which SwiftPM builds into the folder of the tests.
  private func simulate(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "dragoman-simulation").path
    let end = try ProgramEnd.of(program, arguments)
    return (end.status, end.output)
  }

  @Test("the same seed gives the same scenario, byte for byte", arguments: [3, 4])
  func determinism(_ seed: Int) throws {
    let first = try simulate(["\(seed)", "--log"])
    let second = try simulate(["\(seed)", "--log"])
    #expect(first.output.split(separator: "\n").count > 20)
    #expect(first.output == second.output)
  }

  @Test("an invalid seed is refused with exit code 64")
  func wrongSeeds() throws {
    #expect(try simulate(["x"]).status == 64)
    #expect(try simulate(["9-1"]).status == 64)
    #expect(try simulate(["--days", "0"]).status == 64)
    #expect(try simulate(["--days", "7", "--pipelines", "none"]).status == 64)
  }

  @Test("the patch that reintroduces old bugs for mutate.sh still applies to the sources")
  func mistakes() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
    let end = try ProgramEnd.of("/usr/bin/git", ["-C", root, "apply", "--check", "Tests/Simulate/mistakes.patch"])
    #expect(end.status == 0, "\(end.output)")
  }

  @Test("a scenario depends only on its seed")
  func stories() {
    #expect(Story(seed: 5).events == Story(seed: 5).events)
    #expect(Story(seed: 5).events != Story(seed: 6).events)
    let times = Story(seed: 5).events.map(\.at)
    #expect(times == times.sorted())
  }
}
