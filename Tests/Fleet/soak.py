#!/usr/bin/env python3
"""Runs the daemon under a small load for some time, and checks that its memory, descriptors, threads and child processes do not grow.

    soak.py --dragoman BIN [--minutes 30] [--store sqlite|postgresql] [--commits 12] [--seed 1] [--keep]

There are six repositories (three local, three over HTTP), each with two vendors: a drop folder and the vendor `http`. Each of `--commits` commits
per minute changes one text, adds one and removes one, so that catalogs keep their size. Half of the repositories get translations on the watched
branch, and the others on a branch that is merged. In addition, there are requests to the API with right and wrong tokens, events, metrics, the
dashboard, webhooks with right and wrong secrets, and connections that send no bytes. In turn, a vendor responds with 503, a repository is missing,
a pipeline file is broken, and SIGHUP is sent.

After a third of the time, the process counts as warm. The median of its own memory (RssAnon, without the pages of files), and the maximum of
descriptors, packs, threads and children in the last third may exceed those of the middle third only by the tolerances below. Data that is
no longer needed is freed every 15 minutes, so a run of less than 30 minutes proves little. At the end, every text must be delivered once.
"""
import argparse, base64, collections, os, re, shutil, signal, socket, sqlite3, statistics, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from changing import ChangingProject
from postgresql import PostgreSQL
from servers import GitHandler, Server, VendorHandler, sign
from traffic import Traffic

COUNT, SECRET = 6, "a-secret-of-some-length"
VENDOR_SECRET = "whsec_" + base64.b64encode(b"a secret of the vendor").decode()
# The amounts by which the last third may exceed the middle third. In twenty minutes, a leak of 1 kB per request would add some megabytes.
TOLERANCE = {"memory": 6.0, "descriptors": 8, "packs": 12, "threads": 4, "children": 2}

class Vendor(VendorHandler):
    """The vendor `http`, which fails at times."""
    def perform(self):
        if self.server.is_away:
            self.body()
            self.send(503, [], b"")
        else:
            self.respond()

    do_GET = do_PUT = do_POST = perform

class Soak:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.dragoman = os.path.abspath(options.dragoman)
        self.git, self.vendor = Server(GitHandler), Server(Vendor)
        self.git.folder, self.vendor.is_away = folder, False
        self.repositories = [ChangingProject(folder, number) for number in range(COUNT)]
        os.makedirs(folder + "/pipelines")
        for repository in self.repositories:
            self.restore(repository)
        self.server = PostgreSQL(folder + "/pg") if options.store == "postgresql" else None
        if self.server:
            self.server.start()
        self.url = self.server.database("soak") if self.server else f"sqlite:{folder}/store"
        self.samples, self.told = [], 0
        self.token = subprocess.run([self.dragoman, "tokens", "add", "soak", "--role", "admin", "--store", self.url], check=True,
                                    capture_output=True, text=True, env=self.environment()).stdout.split()[-1]

    def environment(self):
        return dict(os.environ, HOOK=SECRET, VENDOR_HOOK=VENDOR_SECRET, DRAGOMAN_FOLDER=self.folder + "/state", GIT_CONFIG_GLOBAL="/dev/null")

    def restore(self, repository):
        """Writes the pipeline file."""
        url = repository.origin if repository.number < COUNT / 2 else f"{self.git.url}/origin/{repository.number}.git"
        self.write(repository, repository.file(url, self.vendor.url))

    def write(self, repository, text):
        path = f"{self.folder}/pipelines/{repository.name}.yaml"
        with open(path + ".part", "w") as file:
            file.write(text)
        os.rename(path + ".part", path)

    def start(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.traffic = Traffic(port, self.token, SECRET, [repository.name for repository in self.repositories], self.options.seed)
        with open(self.folder + "/log", "wb") as log:
            self.process = subprocess.Popen(
                [self.dragoman, "serve", "--pipelines", self.folder + "/pipelines", "--store", self.url, "--listen", f"127.0.0.1:{port}"],
                stdout=log, stderr=log, env=self.environment())
        self.until(lambda: self.traffic.request("GET", "/readyz") == 200, "the daemon is not ready", 60)

    def until(self, condition, what, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"FAIL {what}; see {self.folder}/log")
            time.sleep(0.5)

    def translate(self):
        """Translates all sent strings, and notifies the daemon about the vendor `http`, one project after another."""
        for repository in self.repositories:
            repository.translate()
            self.vendor.translate(repository.name, "uk")
        self.told += 1
        name = self.repositories[self.told % COUNT].name
        headers = {**sign(VENDOR_SECRET, f"event-{self.told}", "{}"), "Content-Type": "application/json"}
        self.traffic.count(f"vendor webhook {self.traffic.request('POST', f'/hooks/{name}/house', '{}', **headers)}")

    # MARK: Measuring

    def sample(self, started):
        root = f"/proc/{self.process.pid}"
        with open(root + "/status") as file:
            fields = dict(line.split(":", 1) for line in file.read().splitlines() if ":" in line)
        with open(f"{root}/task/{self.process.pid}/children") as file:
            children = len(file.read().split())
        files = []
        for name in os.listdir(root + "/fd"):
            try:
                files.append(os.readlink(f"{root}/fd/{name}"))
            except FileNotFoundError:
                pass
        # A mirror's packs stay open. Maintenance combines them after every 20 fetches. Deleted packs count as long as they are open.
        packs = sum(path.removesuffix(" (deleted)").endswith(".pack") for path in files)
        kinds = collections.Counter(re.sub(r":\[?\d+\]?$", "", path) if not path.startswith("/") else os.path.splitext(path)[1] or os.path.basename(path)
                                    for path in files)
        self.samples.append({"minute": (time.monotonic() - started) / 60, "memory": int(fields["RssAnon"].split()[0]) / 1000,
                             "descriptors": len(files) - packs, "packs": packs, "threads": int(fields["Threads"]), "children": children, "kinds": kinds})

    def verdict(self):
        """Returns the values that have grown."""
        whole = self.options.minutes
        parts = [[sample for sample in self.samples if low * whole / 3 <= sample["minute"] < (low + 1) * whole / 3] for low in range(3)]
        found = []
        for what, tolerance in TOLERANCE.items():
            of = statistics.median if what == "memory" else max
            first, middle, last = (of([sample[what] for sample in part]) for part in parts)
            print(f"{what}: {'median' if what == 'memory' else 'most'} of the thirds {first:.0f}, {middle:.0f}, {last:.0f}{' MB' if what == 'memory' else ''}")
            if last > middle + tolerance:
                found.append(f"{what} grew from {middle:.1f} to {last:.1f}")
                if what == "descriptors":
                    found.append("the most had " + ", ".join(f"{count} x {kind}" for kind, count in max(parts[2], key=lambda sample: sample[what])["kinds"].most_common(12)))
        return found

    def rows(self, sql):
        if self.server:
            return self.server.query("soak", sql)
        with sqlite3.connect(f"file:{self.folder}/store/ledger.sqlite?mode=ro", uri=True) as ledger:
            return [[str(value) for value in row] for row in ledger.execute(sql)]

    def faults(self):
        found = []
        for what, sql in {
            "units sent twice": "SELECT pipeline, source_id, language, count(*) FROM sent_unit GROUP BY pipeline, source_id, language HAVING count(*) > 1",
            "unbalanced books": "SELECT round_id, language FROM books WHERE sent <> returned + outstanding + withdrawn + superseded",
            "stuck jobs": "SELECT pipeline, stage, scope, state, failure FROM job WHERE state IN ('failed', 'running')",
            "deliveries that were not made": "SELECT pipeline, target FROM delivery WHERE state = 'planned'",
        }.items():
            if rows := self.rows(sql):
                found.append(f"{what}: {rows[:5]}")
        return found

    # MARK: The run

    def disturb(self, number):
        """Starts a disturbance. Returns the function that ends it."""
        repository = self.repositories[number % COUNT]
        kind = number % 4
        self.traffic.count(["vendor away", "repository away", "broken file", "SIGHUP"][kind])
        if kind == 0:
            self.vendor.is_away = True
            return lambda: setattr(self.vendor, "is_away", False)
        if kind == 1:
            os.rename(repository.origin, repository.origin + ".away")
            return lambda: os.rename(repository.origin + ".away", repository.origin)
        if kind == 2:
            self.write(repository, "pipeline: [\n")
            return lambda: self.restore(repository)
        self.process.send_signal(signal.SIGHUP)
        return lambda: None

    def play(self):
        started, every = time.monotonic(), 60 / self.options.commits
        self.traffic.start()
        commits, disturbances, mend, mend_at, next_line = 0, 0, None, 0, 1
        while (now := (time.monotonic() - started)) < self.options.minutes * 60:
            if self.process.poll() is not None:
                raise SystemExit(f"FAIL the daemon exited with {self.process.returncode}; see {self.folder}/log")
            if mend and now > mend_at:
                mend()
                mend = None
            # There is one disturbance of 15 s every 45 s.
            if not mend and now > (disturbances + 1) * 45:
                mend, mend_at = self.disturb(disturbances), now + 15
                disturbances += 1
            if commits < now / every:
                repository = self.repositories[commits % COUNT]
                if os.path.exists(repository.origin):
                    repository.push()
                    self.traffic.count("commits")
                commits += 1
            self.translate()
            self.sample(started)
            if now / 60 > next_line:
                sample = self.samples[-1]
                print(f"minute {next_line}: {sample['memory']:.0f} MB, {sample['descriptors']} descriptors and {sample['packs']} packs, {sample['threads']} threads, {sample['children']} children", flush=True)
                next_line += 1
            time.sleep(2)
        if mend:
            mend()
        self.traffic.stop()

    def finish(self):
        def is_done():
            self.translate()
            return sum(repository.lacking() for repository in self.repositories) == 0
        self.until(is_done, "not everything is delivered", 300)
        self.until(lambda: not self.faults(), f"the ledger has {self.faults()}", 120)
        self.process.terminate()
        if status := self.process.wait(timeout=60):
            raise SystemExit(f"FAIL the daemon exited with {status}")

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--commits", type=float, default=12, help="commits per minute, on all repositories together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="dragoman-soak-")
    os.chmod(folder, 0o755)
    soak = Soak(options, folder)
    try:
        soak.start()
        soak.play()
        soak.finish()
        found = soak.verdict()
        print(", ".join(f"{count} x {what}" for what, count in sorted(soak.traffic.counts.items())))
        rounds = soak.rows("SELECT count(*) FROM round")[0][0]
        with open(folder + "/log") as log:
            lines = len(log.read().splitlines())
        print(f"{options.minutes:g} minutes on {options.store}: {rounds} rounds, {len(soak.samples)} samples; the log has {lines} lines")
        for text in found:
            print("FAIL " + text)
        if found:
            options.keep = True
            sys.exit(1)
        print("PASS memory, descriptors, threads and children are flat; everything is delivered once")
    except SystemExit:
        options.keep = True
        raise
    finally:
        if hasattr(soak, "process") and soak.process.poll() is None:
            soak.process.kill()
            soak.process.wait()
        if soak.server:
            soak.server.stop(signal.SIGINT)
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)

if __name__ == "__main__":
    main()
