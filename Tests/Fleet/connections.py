#!/usr/bin/env python3
"""Opens 10,000 connections to the daemon at the same time while it runs a round.

    connections.py --dragoman BIN [--count 10000] [--keep]

A third of the connections send no bytes, a third send half a request, and a third send a request with a wrong token and do not read the response.
Meanwhile the round continues. The daemon serves only some connections at once, so its descriptors and memory stay small, and it closes
connections without a complete request. After all connections have ended, the daemon responds as before.
"""
import argparse, errno, http.client, os, resource, selectors, shutil, socket, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from project import Project

TEXTS = [b"", b"GET /api/v1/pipelines HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthor",
         b"GET /api/v1/pipelines HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer wrong\r\n\r\n"]
# The limits of the server: 128 connections at once, and 20 s for a request.
SERVED, MOST_MEMORY = 128, 64

def fail(text):
    print("FAIL " + text)
    sys.exit(1)

class Daemon:
    def __init__(self, dragoman, folder):
        self.folder = folder
        self.project = Project(folder, 0, "crowd")
        os.makedirs(folder + "/pipelines")
        with open(folder + "/pipelines/one.yaml", "w") as file:
            file.write(self.project.file())
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        with open(folder + "/log", "wb") as log:
            self.process = subprocess.Popen([dragoman, "serve", "--pipelines", folder + "/pipelines", "--store", f"sqlite:{folder}/store",
                                             "--listen", f"127.0.0.1:{self.port}"], stdout=log, stderr=log)

    def health(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()

    def delivered(self):
        self.project.translate()
        return self.project.missing() == 0

    def size(self):
        """Returns the number of open descriptors, and the memory in megabytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1000
        return len(os.listdir(f"/proc/{self.process.pid}/fd")), memory

    def wait(self, condition, what, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None:
                fail(f"the daemon exited with {self.process.returncode}: {self.folder}/log")
            if time.monotonic() > end:
                fail(f"{what}: not within {seconds} s, see {self.folder}/log")
            time.sleep(0.2)

def crowd(port, count):
    """Opens connections that all start at once. The system retries those that do not fit into the queue of the port."""
    sockets = []
    for _ in range(count):
        each = socket.socket()
        each.setblocking(False)
        if each.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS):
            fail(f"only {len(sockets)} connections could be opened")
        sockets.append(each)
    return sockets

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < options.count + 100:
        fail(f"this account can open only {hard} files; run ulimit -Hn {options.count + 100}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (options.count + 100, hard))
    folder = tempfile.mkdtemp(prefix="dragoman-connections-")
    daemon = Daemon(os.path.abspath(options.dragoman), folder)
    try:
        daemon.wait(lambda: daemon.health() == 200, "the daemon is not ready")
        daemon.wait(daemon.delivered, "the first round is not delivered")
        before = daemon.size()
        started = time.monotonic()
        sockets = crowd(daemon.port, options.count)
        selector = selectors.DefaultSelector()
        for number, each in enumerate(sockets):
            selector.register(each, selectors.EVENT_WRITE, TEXTS[number % len(TEXTS)])
        daemon.project.push()
        most, sent = before, 0
        delivered_after = None
        # All connections have sent their bytes, and the round is delivered. The server closes incomplete requests after 20 s.
        while time.monotonic() - started < 240 and (delivered_after is None or sent < options.count and time.monotonic() - started < 60):
            for key, _ in selector.select(timeout=0.2):
                selector.unregister(key.fileobj)
                try:
                    key.fileobj.send(key.data)
                except OSError:
                    pass
                sent += 1
            now = daemon.size()
            most = (max(most[0], now[0]), max(most[1], now[1]))
            if delivered_after is None and daemon.delivered():
                delivered_after = time.monotonic() - started
        if delivered_after is None:
            fail(f"the round was not delivered beside {options.count} connections, see {folder}/log")
        for each in sockets:
            each.close()
        closed = time.monotonic()
        daemon.wait(lambda: daemon.health() == 200, "no response after all connections are gone")
        responded = time.monotonic() - closed
        daemon.wait(lambda: daemon.size()[0] <= before[0] + 8, f"descriptors stay: {before[0]} before")
        daemon.project.push()
        daemon.wait(daemon.delivered, "the last round is not delivered")
        if most[0] > before[0] + SERVED + 40 or most[1] > before[1] + MOST_MEMORY:
            fail(f"{before[0]} descriptors and {before[1]:.0f} MB before, {most[0]} and {most[1]:.0f} MB beside the connections")
        daemon.process.terminate()
        if status := daemon.process.wait(timeout=60):
            fail(f"the daemon exited with {status}")
        print(f"PASS {options.count} connections, {sent} of them accepted by the system within {closed - started:.0f} s: the round beside them took {delivered_after:.1f} s; "
              f"{before[0]} descriptors and {before[1]:.0f} MB before, at most {most[0]} and {most[1]:.0f} MB; responded {responded:.1f} s after they were gone")
    finally:
        if daemon.process.poll() is None:
            daemon.process.kill()
            daemon.process.wait()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)

if __name__ == "__main__":
    main()
