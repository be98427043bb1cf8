import Foundation
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct AlarmTests {
  @Test("an alarm fires after its time, even if the time is already past")
  func rings() async {
    let (clock, signal) = (TestClock(), WorkSignal())
    let start = clock.now
    let alarm = Alarm(signal: signal, time: clock.time)
    alarm.set(5)
    await signal.wait()
    #expect(clock.now.timeIntervalSince(start) == 5)
    alarm.set(-3)
    await signal.wait()
    #expect(clock.now.timeIntervalSince(start) < 5.01)
  }

  @Test("setting the alarm again replaces the time, and clearing the alarm ends the wait")
  func replaced() async {
    let signal = WorkSignal()
    let (ended, continuation) = AsyncStream.makeStream(of: Duration.self)
    let time = TimeSource(
      now: { Date(timeIntervalSince1970: 0) },
      sleep: { wait in
        guard wait > .seconds(10) else { return }
        do { try await Task.sleep(for: .seconds(3600)) } catch {
          continuation.yield(wait)
          throw error
        }
      })
    let alarm = Alarm(signal: signal, time: time)
    var waits = ended.makeAsyncIterator()
    alarm.set(100)
    alarm.set(1)
    await signal.wait()
    #expect(await waits.next() == .seconds(100))
    alarm.set(200)
    alarm.cancel()
    #expect(await waits.next() == .seconds(200))
  }
}
