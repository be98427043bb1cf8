#!/usr/bin/env python3
"""Measures operation with the release binary: start, workers, facts, polls, pushes, hooks, history.

    operations.py --dragoman BIN [start workers facts polls pushes hooks history]

start: `serve` with 1,000 pipelines until READY: the first time, with queued jobs, and after all work is done, on both stores.
workers: rounds of 60 repositories on one PostgreSQL database, with 1, 2 and 4 workers.
facts: a large project that one worker extracts, and then a second worker on the same database.
polls: processor time of a poll over HTTP, HTTPS and ssh, compared with `git ls-remote`.
pushes: the time from a push event until the commit is extracted.
hooks: a valid event among rejected events.
history: pushes while 1,000 older commits are recorded, and afterwards.
"""
import argparse, http.client, json, os, resource, shutil, signal, socket, sqlite3, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Fleet"))
from daemon import SSHD, Daemon
from postgresql import PostgreSQL
from project import Project, git
from servers import GitHandler, Server, certify

CORES = os.cpu_count()

class Bench:
    def __init__(self, dragoman, folder, store="both"):
        self.dragoman, self.folder, self.store = os.path.abspath(dragoman), folder, store

    def path(self, *names):
        path = "/".join([self.folder, *names])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, name, text):
        with open(self.path(*name.split("/")), "w") as file:
            file.write(text)

    def database(self, name):
        if not hasattr(self, "server"):
            self.server = PostgreSQL(self.folder + "/pg")
            self.server.start()
        return self.server.database(name)

    def end(self):
        if hasattr(self, "server"):
            self.server.stop(signal.SIGINT)

    # MARK: Parts

    def start(self, count=1000):
        template = Project(self.folder + "/start", 0)
        for number in range(count):
            shutil.copytree(template.origin, self.path("start", "repositories", f"{number}.git"), ignore=shutil.ignore_patterns("*.sample"))
            self.write(f"start/pipelines/{number}.yaml",
                       f'pipeline: start-{number}\nrepository: {{ url: "{self.folder}/start/repositories/{number}.git", poll: 60s }}\n'
                       f'languages: [de]\nvendors: [ {{ vendor: pseudo }} ]\n')
        stores = {"sqlite": ("SQLite", lambda: f"sqlite:{self.folder}/start/store"), "postgresql": ("PostgreSQL", lambda: self.database("start"))}
        for kind, (name, place) in stores.items():
            if self.store not in ["both", kind]:
                continue
            store = place()
            def jobs():
                """Returns the number of queued jobs."""
                query = "SELECT count(*) FROM job WHERE state IN ('queued', 'running', 'waiting')"
                if kind == "postgresql":
                    return int(self.server.query("start", query)[0][0])
                with sqlite3.connect(f"{self.folder}/start/store/ledger.sqlite") as ledger:
                    return ledger.execute(query).fetchone()[0]
            def begin(what):
                daemon = Daemon(self.dragoman, self.folder + "/start/pipelines", store, DRAGOMAN_FOLDER=self.folder + "/start/folder")
                seconds, processor = daemon.ready(), daemon.processor()
                print(f"start with {count} pipelines, {name}, {what}: READY after {seconds:.2f} s, {processor:.2f} s of processor time (at most 2 s)", flush=True)
                return daemon
            daemon = begin("with an empty store")
            daemon.wait(lambda: len({event["pipeline"] for _, event in daemon.ended("diff")}) == count, 900)
            daemon.stop()
            since = time.monotonic()
            daemon = begin(f"with {jobs()} jobs in the queue")
            # This daemon's reports do not have the deliveries from before the stop, so only the missing ones are awaited.
            delivered = [pipeline for pipeline in range(count) if not self.delivers(pipeline)]
            daemon.wait(lambda: all(self.delivers(pipeline) for pipeline in delivered), 900)
            print(f"  all {count} first rounds are delivered {time.monotonic() - since:.0f} s after this start", flush=True)
            # The first pull from vendors starts after a minute.
            time.sleep(60)
            before = daemon.processor()
            time.sleep(60)
            print(f"  at rest, polled every 60 s: {100 * (daemon.processor() - before) / 60:.1f} % of a core, {daemon.megabytes():.0f} MB", flush=True)
            daemon.stop()
            begin(f"with {jobs()} jobs in the queue, all done").stop()
            for pipeline in range(count):
                git(f"{self.folder}/start/repositories/{pipeline}.git", "update-ref", "-d", "refs/heads/l10n/main")

    def delivers(self, pipeline):
        return os.path.exists(f"{self.folder}/start/repositories/{pipeline}.git/refs/heads/l10n/main")

    def workers(self, repositories=60):
        for count in [1, 2, 4]:
            folder = f"workers-{count}"
            projects = [Project(self.path(folder, "x")[:-2], number, f"w{count}") for number in range(repositories)]
            store = self.database(f"workers{count}")
            for project in projects:
                self.write(f"{folder}/pipelines/{project.name}.yaml", project.file().replace(f'vendor: folder, path: "{project.drop}", settle: 0s', "vendor: pseudo"))
            subprocess.run([self.dragoman, "pipelines", "apply", self.path(folder, "pipelines"), "--store", store], check=True, capture_output=True)
            started = time.monotonic()
            processes = []
            for number in range(count):
                with open(self.path(folder, f"log-{number}"), "wb") as log:
                    processes.append(subprocess.Popen([self.dragoman, "worker", "--store", store, "--folder", self.path(folder, f"state-{number}")],
                                                      stdout=log, stderr=log))
            while sum(project.delivered() for project in projects) < repositories:
                if time.monotonic() - started > 600:
                    raise SystemExit(f"not all rounds were delivered in 600 s, see {self.folder}/{folder}")
                time.sleep(0.2)
            seconds = time.monotonic() - started
            jobs = int(self.server.query(f"workers{count}", "SELECT count(*) FROM job")[0][0])
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()
            print(f"{count} worker{'s' if count > 1 else ''} on one PostgreSQL, {CORES} cores: {repositories} first rounds (fetch, extract, send, take back, deliver) "
                  f"in {seconds:.1f} s: {repositories / seconds:.1f} rounds a second; {jobs} jobs in the ledger")

    def facts(self, names=("woocommerce+woocommerce-ios", "mullvad+mullvadvpn-app")):
        """Runs workers with separate folders one after another, each with a separate pipeline on the same repository."""
        mirrors = os.environ.get("MIRRORS") or "../.mirror"
        for name in names:
            mirror = os.path.abspath(f"{mirrors}/{name}/repo")
            if not os.path.isdir(mirror):
                print(f"shared facts: skipped, no mirror {mirror}")
                continue
            key = f"facts_{name.split('+')[0]}"
            store = self.database(key)
            branch = git(mirror, "symbolic-ref", "--short", "HEAD")
            for worker, what, environment in [("a", "the first worker", {}), ("b", "a second worker with an empty folder", {}),
                                              ("c", "a worker that shares nothing", {"DRAGOMAN_SHARED_FACTS": "off"})]:
                self.write(f"{key}/{worker}.yaml",
                           f'pipeline: {worker}\nrepository: {{ url: "{mirror}", branches: ["{branch}"] }}\nlanguages: [eo]\n'
                           f'vendors: [ {{ vendor: folder, path: "{self.folder}/{key}/drop-{worker}", settle: 0s }} ]\n')
                process = subprocess.Popen(
                    [self.dragoman, "run", self.path(key, f"{worker}.yaml"), "--once", "--store", store, "--progress", "json"], stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE, text=True, env=dict(os.environ, DRAGOMAN_FOLDER=self.path(key, "state", worker), **environment))
                began, took, detail, messages = None, None, None, []
                for line in process.stderr:
                    try:
                        event = json.loads(line)
                    except ValueError:
                        messages.append(line)
                        continue
                    if event["stage"] == "extract" and event["state"] == "began":
                        began = time.monotonic()
                    elif event["stage"] == "extract":
                        took, detail = time.monotonic() - began, event.get("detail")
                if process.wait() or detail is None:
                    raise SystemExit(f"{name}: the run exited with {process.returncode}: {messages[-5:]}")
                print(f"shared facts, {name}, {what}: {detail}, in {took:.1f} s", flush=True)
            size = int(self.server.query(key, "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c WHERE relname LIKE 'shared%' AND relkind = 'r'")[0][0])
            print(f"  in the database: {size / 1e6:.0f} MB")

    def polls(self, count=20, seconds=30):
        project = Project(self.folder + "/polls", 0)
        server = Server(GitHandler)
        server.folder = self.folder + "/polls/origin"
        certificate, context = certify(self.folder + "/polls", "DNS:localhost")
        secure = Server(GitHandler, context)
        secure.folder = server.folder
        ssh = SSHD(self.path("polls", "ssh", "x")[:-2])
        urls = {
            "http": (server.url + "/{}/0.git", ""),
            "https": (secure.url.replace("http://127.0.0.1", "https://localhost") + "/{}/0.git", f', certificates: "{certificate}"'),
            "ssh": (f"ssh://root@127.0.0.1:{ssh.port}{self.folder}/polls/links/{{}}.git",
                    f', credentials: "file:{ssh.folder}/client", known_hosts: "{ssh.folder}/known_hosts"'),
            "local": (self.folder + "/polls/links/{}.git", ""),
        }
        os.makedirs(self.folder + "/polls/links")
        for number in range(count):
            os.makedirs(f"{server.folder}/{number}", exist_ok=True)
            os.symlink(project.origin, f"{server.folder}/{number}/0.git")
            # Two pipelines cannot deliver to one repository, whatever their names are.
            shutil.copytree(project.origin, f"{self.folder}/polls/links/{number}.git")
        try:
            for name, (url, options) in urls.items():
                for number in range(count):
                    self.write(f"polls/{name}/{number}.yaml",
                               f'pipeline: {name}-{number}\nrepository: {{ url: "{url.format(number)}", poll: 1s{options} }}\nlanguages: [de]\n'
                               f'vendors: [ {{ vendor: pseudo }} ]\n')
                daemon = Daemon(self.dragoman, f"{self.folder}/polls/{name}", f"sqlite:{self.folder}/polls/store-{name}")
                daemon.wait(lambda: len({event["pipeline"] for _, event in daemon.ended("deliver") + daemon.ended("merge")}) == count)
                time.sleep(5)
                before, since = daemon.processor(), time.monotonic()
                time.sleep(seconds)
                used, looks = daemon.processor() - before, len(daemon.ended("watch", since))
                took = time.monotonic() - since
                daemon.stop()
                environment = dict(os.environ, GIT_SSL_CAINFO=certificate, GIT_SSH_COMMAND=ssh.command)
                reference = min(self.child(["git", "-c", "safe.directory=*", "ls-remote", "--heads", url.format(0)], environment) for _ in range(5))
                print(f"a poll of an unchanged repository, {name}: {1000 * used / looks:.2f} ms of processor time of the whole daemon ({looks / took:.1f} polls a second of "
                      f"{count} pipelines at 1 s); `git ls-remote` {1000 * reference:.2f} ms; ratio {used / looks / reference:.3f}")
        finally:
            ssh.stop()

    @staticmethod
    def child(command, environment):
        """Runs a command. Returns the seconds of processor time that the command and its child processes used."""
        def used():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime

        before = used()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        return used() - before

    def hooked(self, name, prepare=lambda project: None):
        """Starts a daemon with a webhook for one repository over HTTP, and waits for its first round. Returns project, daemon and port."""
        project = Project(self.path(name, "x")[:-2], 0, name)
        prepare(project)
        server = Server(GitHandler)
        server.folder = self.folder + f"/{name}/origin"
        self.write(f"{name}/pipelines/one.yaml",
                   f'pipeline: one\nrepository: {{ url: "{server.url}/0.git", webhook: env:HOOK }}\nlanguages: [de]\nvendors: [ {{ vendor: pseudo }} ]\n')
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        daemon = Daemon(self.dragoman, f"{self.folder}/{name}/pipelines", f"sqlite:{self.folder}/{name}/store", "--listen", f"127.0.0.1:{port}",
                        HOOK="a-secret-of-some-length")
        daemon.wait(lambda: daemon.ended("deliver"))
        time.sleep(3)
        return project, daemon, port

    def event(self, port, number, token="a-secret-of-some-length"):
        """Sends a push event. Returns the status and the seconds until the response."""
        started = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        body = json.dumps({"object_kind": "push", "event_name": "push", "ref": "refs/heads/main", "before": "0" * 40, "after": f"{number:040x}"})
        connection.request("POST", "/hooks/one", body, {"Content-Type": "application/json", "X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": token,
                                                        "X-Gitlab-Event-UUID": f"{number:08x}-0000-4000-8000-000000000000"})
        status = connection.getresponse().status
        connection.close()
        return status, time.monotonic() - started

    def pushes(self, count=50):
        project, daemon, port = self.hooked("pushes")
        times = self.pushed(project, daemon, port, range(count))
        daemon.stop()
        print(f"push event to the end of the extraction, a one-file commit fetched over http, {count} times: {self.spread(times)}")

    @staticmethod
    def spread(times):
        times = sorted(times)
        return (f"median {1000 * statistics.median(times):.0f} ms (under 300), 99th percentile "
                f"{1000 * times[max(0, int(len(times) * 0.99) - 1)]:.0f} ms (under 1000), longest {1000 * times[-1]:.0f} ms")

    def pushed(self, project, daemon, port, numbers):
        """Returns for each one-file commit the seconds from its push event to the end of the extraction."""
        times = []
        for number in numbers:
            project.write("Sources/Birds/One.swift", f'import Foundation\nlet one = String(localized: "Text {number}", bundle: .module)\n')
            git(project.work, "add", "-A")
            git(project.work, "commit", "-q", "-m", f"Text {number}")
            git(project.work, "push", "-q", "origin", "main")
            since = time.monotonic()
            status, _ = self.event(port, number + 1)
            if status != 202:
                raise SystemExit(f"the response to the event has the status {status}")
            daemon.wait(lambda: daemon.ended("extract", since), 60)
            times.append(daemon.ended("extract", since)[0][0] - since)
            # Waits for the rest of the commit's work, so that events are not queued.
            daemon.wait(lambda: daemon.ended("deliver", since) or daemon.ended("merge", since), 60)
            time.sleep(0.2)
        return times

    def history(self, commits=1000, count=20):
        def prepare(project):
            """Creates commits that each add a string."""
            stream = []
            for number in range(commits):
                lines = "".join(f'let t{n} = String(localized: "Old {n}", bundle: .module)\n' for n in range(number % 100, number + 1))
                text = f"import Foundation\n{lines}"
                stream.append(f"commit refs/heads/main\ncommitter Ann <ann@example.com> {1_700_000_000 + number} +0000\ndata 3\nAdd\n"
                              + ("from refs/heads/main^0\n" if number == 0 else "")
                              + f"M 100644 inline Sources/Birds/Old{number // 100}.swift\ndata {len(text)}\n{text}\n")
            subprocess.run(["git", "-C", project.origin, "fast-import", "--quiet"], input="".join(stream), text=True, check=True)
            git(project.work, "pull", "-q", "origin", "main")
        started = time.monotonic()
        project, daemon, port = self.hooked("history", prepare)
        store = f"sqlite:{self.folder}/history/store"
        def recorded():
            out = subprocess.run([self.dragoman, "history", "--all", "--limit", str(commits * 2), "--format", "json", "--quiet", "--store", store],
                                 capture_output=True, text=True, check=True).stdout
            return sum(len(branch["commits"]) for branch in json.loads(out))
        behind = recorded()
        beside = self.pushed(project, daemon, port, range(count))
        late = recorded()
        daemon.wait(lambda: recorded() >= commits + count or time.sleep(1), 900)
        seconds = time.monotonic() - started
        after = self.pushed(project, daemon, port, range(count, 2 * count))
        daemon.stop()
        print(f"push event to the end of the extraction while {commits} commits are caught up with ({behind} recorded at the first push, {late} at the last), "
              f"{count} times: {self.spread(beside)}; afterwards, {count} times: {self.spread(after)}; all were recorded {seconds:.0f} s after the start")

    def hooks(self, seconds=15, rate=10000):
        _, daemon, port = self.hooked("hooks")
        def measure(first):
            times = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                status, took = self.event(port, first + len(times))
                if status != 202:
                    raise SystemExit(f"the response to the event has the status {status}")
                times.append(took)
                time.sleep(0.1)
            return sorted(times)
        alone = measure(1)
        # The senders are separate processes. They send over persistent connections as fast as the server accepts requests, up to the rate.
        senders = [subprocess.Popen([sys.executable, "-c", GARBAGE, str(port), str(rate // 2), str(seconds + 4)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
        time.sleep(2)
        beside = measure(100_000)
        refused = sum(float(sender.communicate()[0]) for sender in senders)
        daemon.stop()
        print(f"a real webhook event, time until the response: alone median {1000 * statistics.median(alone):.1f} ms, longest {1000 * alone[-1]:.1f} ms; beside {refused:.0f} "
              f"rejected events a second (asked: {rate}) median {1000 * statistics.median(beside):.1f} ms, longest {1000 * beside[-1]:.1f} ms (at most 100 more), "
              f"{CORES} cores shared with the senders")

GARBAGE = r"""
import socket, sys, threading, time
port, rate, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
body = b'{"ref": "refs/heads/main", "after": "%s"}' % (b"f" * 40)
request = (b"POST /hooks/one HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Gitlab-Event: Push Hook\r\n"
           b"X-Gitlab-Token: wrong\r\nContent-Length: %d\r\n\r\n" % len(body)) + body
batch, connections, responses = 50, 4, 0
sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
for each in sockets: each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
started = time.monotonic()
sent = 0
while time.monotonic() - started < seconds:
    for each in sockets:
        each.sendall(request * batch)
        sent += batch
    for each in sockets:
        found, rest = 0, b""
        while found < batch:
            data = rest + each.recv(1 << 18)
            found += data.count(b"HTTP/1.1 401")
            # What a chunk cuts in two is counted with the next.
            cut = data.rfind(b"HTTP/1.1 401")
            rest = data[max(cut + 12, len(data) - 11):]
        responses += found
    ahead = started + sent / rate - time.monotonic()
    if ahead > 0: time.sleep(ahead)
print(responses / (time.monotonic() - started))
"""

def main():
    parts = ["start", "workers", "facts", "polls", "pushes", "hooks", "history"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both", help="the stores of the part start")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("parts", nargs="*", choices=[*parts, []], default=parts)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="dragoman-operations-")
    os.chmod(folder, 0o755)
    bench = Bench(options.dragoman, folder, options.store)
    try:
        for part in options.parts:
            getattr(bench, part)()
            sys.stdout.flush()
    finally:
        bench.end()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)

if __name__ == "__main__":
    main()
