"""`dragoman serve` with its reports, and an OpenSSH server, for measurements."""
import json, os, shutil, socket, subprocess, tempfile, threading, time

TICKS = os.sysconf("SC_CLK_TCK")

class Daemon:
    """A `dragoman serve` process with its reports."""
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
        """Returns the seconds from the start to READY."""
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
                raise SystemExit(f"the expected report did not arrive from the daemon: {self.messages[:5]}")
            time.sleep(0.005)

    def processor(self):
        """Returns the process's seconds of processor time, including those of its ended children."""
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

class SSHD:
    """A temporary OpenSSH server."""
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
