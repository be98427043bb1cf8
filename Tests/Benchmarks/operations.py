#!/usr/bin/env python3
"""Figures of operation, measured on the release binary: start, workers, polls, pushes, hooks.

    operations.py --dragoman BIN [start workers polls pushes hooks]

start: `serve` with 1,000 pipelines, until it says READY, on both stores.
workers: rounds of 60 repositories on one PostgreSQL database, with 1, 2 and 4 workers.
polls: processor time of a look over http, https and ssh, beside `git ls-remote`.
pushes: from a push event until the commit is extracted.
hooks: a real event among rejected ones.
"""
import argparse, http.client, json, os, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Fleet"))
from postgresql import PostgreSQL
from project import Project, git
from servers import GitHandler, Server, certify

TICKS = os.sysconf("SC_CLK_TCK")
CORES = os.cpu_count()

class Daemon:
    """`dragoman serve`, with what it reports."""
    def __init__(self, dragoman, pipelines, store, *arguments, **environment):
        self.notices = tempfile.mkdtemp(prefix="dragoman-notify-")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.notices + "/socket")
        self.reports, self.messages, self.started = [], [], time.monotonic()
        self.process = subprocess.Popen(
            [dragoman, "serve", "--pipelines", pipelines, "--store", store, "--progress", "json", *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=dict(os.environ, NOTIFY_SOCKET=self.notices + "/socket", DRAGOMAN_SHUTDOWN_GRACE="2s", **environment))
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            now = time.monotonic()
            try:
                self.reports.append((now, json.loads(line)))
            except ValueError:
                self.messages.append(line.decode(errors="replace").rstrip())

    def ready(self, seconds=300):
        """The seconds from the start to READY."""
        self.socket.settimeout(seconds)
        while not self.socket.recv(4096).startswith(b"READY=1"):
            pass
        return time.monotonic() - self.started

    def ended(self, stage, since=0):
        return [(when, event) for when, event in list(self.reports) if when >= since and event["stage"] == stage and event["state"] == "ended"]

    def wait(self, condition, seconds=300):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit(f"the daemon did not do what was waited for: {self.messages[:5]}")
            time.sleep(0.005)

    def processor(self):
        """Its seconds of processor time, and those of its children that ended."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            return sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:15]) / TICKS

    def megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1000

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        shutil.rmtree(self.notices)

class Bench:
    def __init__(self, dragoman, folder):
        self.dragoman, self.folder = os.path.abspath(dragoman), folder

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
        for name, store in [("SQLite", f"sqlite:{self.folder}/start/store"), ("PostgreSQL", self.database("start"))]:
            for what in ["with an empty store", "again"]:
                daemon = Daemon(self.dragoman, self.folder + "/start/pipelines", store, DRAGOMAN_FOLDER=self.folder + "/start/folder")
                seconds, processor = daemon.ready(), daemon.processor()
                if what != "again":
                    # All have done their first round before the next start.
                    daemon.wait(lambda: len({event["pipeline"] for _, event in daemon.ended("diff")}) == count, 900)
                print(f"start with {count} pipelines, {name}, {what}: READY after {seconds:.2f} s, {processor:.2f} s of processor time (at most 2 s)")
                if what == "again":
                    time.sleep(60)
                    before = daemon.processor()
                    time.sleep(60)
                    print(f"  at rest, polled every 60 s: {100 * (daemon.processor() - before) / 60:.1f} % of a core, {daemon.megabytes():.0f} MB")
                daemon.stop()

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
            for place in [f"{server.folder}/{number}", f"{self.folder}/polls/links"]:
                os.makedirs(place, exist_ok=True)
            os.symlink(project.origin, f"{server.folder}/{number}/0.git")
            os.symlink(project.origin, f"{self.folder}/polls/links/{number}.git")
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
        """Its processor time, with that of its own children."""
        before = os.times()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def hooked(self, name):
        """A daemon with a webhook for one repository over http, which has done its first round."""
        project = Project(self.path(name, "x")[:-2], 0, name)
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
        """Sends a push event. Answers the status and the seconds until the answer."""
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
        times = []
        for number in range(count):
            project.write("Sources/Birds/One.swift", f'import Foundation\nlet one = String(localized: "Text {number}", bundle: .module)\n')
            git(project.work, "add", "-A")
            git(project.work, "commit", "-q", "-m", f"Text {number}")
            git(project.work, "push", "-q", "origin", "main")
            since = time.monotonic()
            status, _ = self.event(port, number + 1)
            if status != 202:
                raise SystemExit(f"the event was answered with {status}")
            daemon.wait(lambda: daemon.ended("extract", since), 60)
            times.append(daemon.ended("extract", since)[0][0] - since)
            # The rest of the commit's work, so that events do not queue.
            daemon.wait(lambda: daemon.ended("deliver", since) or daemon.ended("merge", since), 60)
            time.sleep(0.2)
        daemon.stop()
        times.sort()
        print(f"push event to the end of the extraction, a one-file commit fetched over http, {count} times: median {1000 * statistics.median(times):.0f} ms (under 300), "
              f"99th percentile {1000 * times[max(0, int(count * 0.99) - 1)]:.0f} ms (under 1000), longest {1000 * times[-1]:.0f} ms")

    def hooks(self, seconds=15, rate=10000):
        _, daemon, port = self.hooked("hooks")
        def measure(first):
            times = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                status, took = self.event(port, first + len(times))
                if status != 202:
                    raise SystemExit(f"the event was answered with {status}")
                times.append(took)
                time.sleep(0.1)
            return sorted(times)
        alone = measure(1)
        # The senders are processes of their own, which send on kept connections as fast as the server takes it, up to the rate.
        senders = [subprocess.Popen([sys.executable, "-c", GARBAGE, str(port), str(rate // 2), str(seconds + 4)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
        time.sleep(2)
        beside = measure(100_000)
        refused = sum(float(sender.communicate()[0]) for sender in senders)
        daemon.stop()
        print(f"a real webhook event, time until it is answered: alone median {1000 * statistics.median(alone):.1f} ms, longest {1000 * alone[-1]:.1f} ms; beside {refused:.0f} "
              f"rejected events a second (asked: {rate}) median {1000 * statistics.median(beside):.1f} ms, longest {1000 * beside[-1]:.1f} ms (at most 100 more), "
              f"{CORES} cores shared with the senders")

GARBAGE = r"""
import socket, sys, threading, time
port, rate, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
body = b'{"ref": "refs/heads/main", "after": "%s"}' % (b"f" * 40)
request = (b"POST /hooks/one HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Gitlab-Event: Push Hook\r\n"
           b"X-Gitlab-Token: wrong\r\nContent-Length: %d\r\n\r\n" % len(body)) + body
batch, connections, answered = 50, 4, 0
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
        answered += found
    ahead = started + sent / rate - time.monotonic()
    if ahead > 0: time.sleep(ahead)
print(answered / (time.monotonic() - started))
"""

class SSHD:
    """An OpenSSH server of its own."""
    def __init__(self, folder):
        self.folder = folder
        os.chmod(folder, 0o700)
        os.makedirs("/run/sshd", exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        for name in ["host", "client"]:
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{name}"], check=True)
        with open(folder + "/host.pub") as host, open(folder + "/known_hosts", "w") as known:
            known.write(f"[127.0.0.1]:{self.port} {host.read()}")
        shutil.copy(folder + "/client.pub", folder + "/authorized_keys")
        with open(folder + "/config", "w") as config:
            config.write(f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized_keys\nStrictModes no\n"
                         "UsePAM no\nPidFile none\nPermitRootLogin yes\nMaxStartups 500\n")
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", folder + "/config"], stderr=subprocess.DEVNULL)
        self.command = f"ssh -i {folder}/client -o UserKnownHostsFile={folder}/known_hosts -o IdentitiesOnly=yes -F none"

    def stop(self):
        self.process.terminate()
        self.process.wait()

def main():
    parts = ["start", "workers", "polls", "pushes", "hooks"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("parts", nargs="*", choices=[*parts, []], default=parts)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="dragoman-operations-")
    os.chmod(folder, 0o755)
    bench = Bench(options.dragoman, folder)
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
