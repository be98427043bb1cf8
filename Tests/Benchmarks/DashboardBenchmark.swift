import Foundation
import Pipeline

/// A benchmark of the pages of a dashboard whose ledger has 1,000 pipelines and 1,000,000 units. Real rounds create these units. The server has one
/// core.
struct DashboardBenchmark {
  let dragoman: String
  var pipelines = 1_000
  /// The number of units of each pipeline in each of two languages.
  var strings = 500
  private static let port = 18_451

  /// Measures the pages. Filling the ledger takes minutes, so the folder in `DASHBOARD_FOLDER` keeps the ledger for the next run.
  func run() throws {
    if let path = ProcessInfo.processInfo.environment["DASHBOARD_FOLDER"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try run(in: BenchmarkFolder(path: path))
    } else {
      try BenchmarkFolder.with { try run(in: $0) }
    }
  }

  private func run(in folder: BenchmarkFolder) throws {
    if !FileManager.default.fileExists(atPath: folder.file("filled")) {
      try fill(folder)
      try folder.write("", to: "filled")
    }
    let added = try Measure.child(
      dragoman,
      ["tokens", "add", "bench-\(getpid())", "--role", "operator", "--store", "sqlite:" + folder.file("state")])
    let token = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard added.status == 0, !token.isEmpty else { throw BenchmarkFailure("the token could not be created") }
    let served = try ServedProcess(dragoman, in: folder, port: Self.port, core: 0)
    defer { served.terminate() }
    // The first poll of each pipeline must end before the pages are measured.
    guard
      served.wait(
        atMost: .seconds(240), until: { Set($0.ended(.watch).map(\.event.pipeline)).count >= pipelines })
    else { throw BenchmarkFailure("not all pipelines were polled: \(served.messages.prefix(3))") }
    print(
      "dashboard with \(pipelines) pipelines, \(pipelines * strings * 2) units, on one core:"
        + " \(decimal(try served.usage.megabytes, 0)) MB before the first page")
    let child = try Measure.child(
      "taskset", ["-c", "1", "python3", "-c", Self.load, "127.0.0.1:\(Self.port)", token, "\(pipelines)", "\(strings)"])
    print(child.output.trimmingCharacters(in: .newlines))
    guard child.status == 0 else { throw BenchmarkFailure("pages of the dashboard failed") }
    print("  \(decimal(try served.usage.megabytes, 0)) MB after the pages")
  }

  /// Runs real rounds on real repositories. Each string is sent to a drop folder in each language.
  private func fill(_ folder: BenchmarkFolder) throws {
    try folder.create("repositories")
    try folder.create("pipelines")
    try MadeRepository.make(folder.file("template.git"), files: 5, strings: strings / 5, in: folder)
    try folder.git(["-C", folder.file("template.git"), "repack", "-adq"])
    try FileManager.default.removeItem(atPath: folder.file("template.git/hooks"))
    for number in 0..<pipelines {
      let origin = folder.file("repositories/\(number).git")
      try FileManager.default.copyItem(atPath: folder.file("template.git"), toPath: origin)
      try folder.create("drop/\(number)")
      try folder.write(
        """
        pipeline: fleet-\(number)
        repository: { url: "\(origin)", poll: 30m }
        languages: [de, fr]
        rounds: { quiet: 0s, latest: 0s }
        vendors:
          - { vendor: folder, path: "\(folder.file("drop/\(number)"))", settle: 0s }
        """, to: "pipelines/\(number).yaml")
    }
    let served = try ServedProcess(dragoman, in: folder)
    defer { served.terminate() }
    let start = ContinuousClock.now
    let isFilled = served.wait(atMost: .seconds(1800), every: .seconds(5)) { reports in
      Set(reports.ended(.push).filter { $0.event.detail?.contains(" sent to ") == true }.map(\.event.pipeline)).count
        == pipelines
    }
    guard isFilled else { throw BenchmarkFailure("not all rounds were sent: \(served.messages.prefix(3))") }
    print("  filled in \(decimal((ContinuousClock.now - start).seconds, 0)) s")
  }

  /// A script in which first one connection and then four connections request pages of all kinds, each kind equally often, as fast as the server
  /// responds.
  private static let load = """
    import http.client, random, re, sys, threading, time
    from urllib.parse import quote, urlencode
    host, token, pipelines, strings = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    first = http.client.HTTPConnection(host)
    first.request('POST', '/signin', urlencode({'token': token, 'next': '/'}), {'Content-Type': 'application/x-www-form-urlencoded'})
    response = first.getresponse(); response.read()
    assert response.status == 303, response.status
    headers = {'Cookie': response.getheader('Set-Cookie').split(';')[0], 'Accept-Language': 'en'}
    def get(connection, path):
        connection.request('GET', path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read()
    status, page = get(first, '/rounds')
    rounds = re.findall(rb'href="(/rounds/\\d+)"', page)
    assert status == 200 and rounds, 'no rounds'
    key = lambda n: 'Sentence number %05d of the benchmark, as people write them' % n
    def paths(chance):
        name, number = 'fleet-%d' % chance.randrange(pipelines), chance.randrange(strings)
        return {'portfolio': '/', 'pipeline': '/pipelines/' + name, 'release': '/pipelines/%s/release?branch=main' % name,
                'preview': '/pipelines/%s/preview?branch=main&style=accented' % name, 'rounds': '/rounds', 'rounds of one': '/rounds?pipeline=' + name,
                'round': chance.choice(rounds).decode(), 'held': '/held', 'string': '/strings?pipeline=%s&key=%s' % (name, quote(key(number))),
                'search': '/search?text=' + quote('number %05d' % number), 'search in vain': '/search?text=nothing%20like%20this', 'audit': '/audit'}
    times, wrong, lock = {}, [], threading.Lock()
    def run(seed, end):
        connection, chance = http.client.HTTPConnection(host), random.Random(seed)
        while time.time() < end:
            for kind, path in sorted(paths(chance).items(), key=lambda _: chance.random()):
                start = time.perf_counter()
                status, page = get(connection, path)
                took = time.perf_counter() - start
                with lock:
                    times.setdefault(kind, []).append(took)
                    if status != 200: wrong.append((kind, status))
    def measure(count, seconds):
        times.clear()
        start = time.time()
        threads = [threading.Thread(target=run, args=(seed, start + seconds)) for seed in range(count)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        return time.time() - start
    part = lambda found, share: 1000 * sorted(found)[min(len(found) - 1, int(len(found) * share))]
    measure(1, 10)  # the first pages of an hour are no measure
    for count in (1, 4):
        took = measure(count, 30)
        every = [one for found in times.values() for one in found]
        print('  %d at a time: %.0f requests a second (200 needed), half in %.0f ms, 95 %% in %.0f ms (100)' % (count, len(every) / took, part(every, 0.5), part(every, 0.95)))
        for kind in sorted(times):
            print('    %-14s half %6.1f ms, 95 %% %6.1f ms, of %d' % (kind, part(times[kind], 0.5), part(times[kind], 0.95), len(times[kind])))
    if wrong: print('  status other than 200: %s' % wrong[:5]); sys.exit(1)
    """
}
