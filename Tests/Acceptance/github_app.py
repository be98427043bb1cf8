#!/usr/bin/env python3
"""Tests a GitHub App with a release build: its key signs a token that GitHub can verify, and the resulting token opens a pull request.

    github_app.py --dragoman BIN

The server in this script replaces GitHub's API and verifies the app's signature with openssl. The package's tests run debug builds, in which a
key whose memory was freed too early still worked. The script needs openssl and git.
"""
import argparse, base64, json, os, subprocess, sys, tempfile, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "ghs_installation"


class GitHub(BaseHTTPRequestHandler):
    """A handler for the requests of a delivery. Its server has the attributes `folder`, `key` (the file of the public key), `head` and `seen`."""

    def log_message(self, *words):
        pass

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def git(self, path, query):
        """Serves git over HTTP with git's own CGI program."""
        name_and_token = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {name_and_token}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            return self.end_headers()
        environment = dict(
            PATH="/usr/bin:/bin", HOME=self.server.folder, GIT_CONFIG_NOSYSTEM="1", GIT_PROJECT_ROOT=self.server.folder,
            GIT_HTTP_EXPORT_ALL="1", REMOTE_USER="app", PATH_INFO=path, QUERY_STRING=query, REQUEST_METHOD=self.command,
            CONTENT_TYPE=self.headers.get("Content-Type") or "", HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding") or "")
        end = subprocess.run(["git", "http-backend"], input=self.body(), env=environment, capture_output=True)
        head, _, data = end.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        if "git-receive-pack" in path and self.command == "POST":
            self.server.seen.append("pushed")

    def respond(self):
        path, _, query = self.path.partition("?")
        if path.startswith("/acme/birds.git/"):
            return self.git(path, query)
        sent = json.loads(self.body() or "{}")
        path = path.split("/")[1:]
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        call = f"{self.command} {'/'.join(path)}"
        if call.startswith("GET repos/acme/birds/installation") or path[-1:] == ["access_tokens"]:
            if not self.is_signed(token):
                return self.send(401, {"message": "A JSON web token could not be decoded"})
            self.server.seen.append("signed")
            if self.command == "GET":
                return self.send(200, {"id": 7, "permissions": {"contents": "write", "pull_requests": "write"}})
            return self.send(201, {"token": TOKEN, "expires_at": "2100-01-01T00:00:00Z"})
        if token != TOKEN:
            return self.send(401, {"message": "Bad credentials"})
        if call == "GET repos/acme/birds":
            return self.send(200, {"full_name": "acme/birds", "default_branch": "main", "permissions": {"push": True}})
        if call == "GET repos/acme/birds/pulls":
            return self.send(200, [])
        if call == "POST repos/acme/birds/pulls":
            self.server.seen.append(f"opened {sent['head']} for {sent['base']}")
            return self.send(201, {
                "number": 1, "html_url": "https://github.com/acme/birds/pull/1", "state": "open", "title": sent["title"],
                "body": sent["body"], "head": {"ref": sent["head"], "sha": "0" * 40}, "base": {"ref": sent["base"], "sha": "0" * 40}})
        return self.send(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = respond

    def is_signed(self, token):
        """Verifies the RS256 signature of header and claims (RFC 7515, RFC 7518)."""
        parts = token.split(".")
        if len(parts) != 3:
            return False
        decode = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        if json.loads(decode(parts[0])).get("alg") != "RS256" or str(json.loads(decode(parts[1])).get("iss")) != "12345":
            return False
        signature = os.path.join(self.server.folder, f"signature-{threading.get_ident()}")
        with open(signature, "wb") as file:
            file.write(decode(parts[2]))
        end = subprocess.run(
            ["openssl", "dgst", "-sha256", "-verify", self.server.key, "-signature", signature],
            input=f"{parts[0]}.{parts[1]}".encode(), capture_output=True)
        return end.returncode == 0


def run(*words, where):
    environment = dict(
        PATH="/usr/bin:/bin", HOME=where, LC_ALL="C", GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="T",
        GIT_AUTHOR_EMAIL="t@example.com", GIT_COMMITTER_NAME="T", GIT_COMMITTER_EMAIL="t@example.com")
    end = subprocess.run(words, cwd=where, env=environment, capture_output=True, text=True, timeout=120)
    if end.returncode != 0:
        sys.exit(f"FAILED: {' '.join(words)} exited with {end.returncode}: {(end.stderr or end.stdout)[-800:]}")
    return end.stdout


def play(program, folder, name, make_key):
    """Makes one delivery with one kind of key file."""
    place = os.path.join(folder, name)
    os.makedirs(os.path.join(place, "work/App"))
    key, public = os.path.join(place, "app.pem"), os.path.join(place, "app.pub")
    run(*make_key, "-out", key, "2048", where=place)
    run("openssl", "rsa", "-in", key, "-pubout", "-out", public, where=place)
    work = os.path.join(place, "work")
    with open(os.path.join(work, "App/Localizable.xcstrings"), "w") as file:
        file.write('{ "sourceLanguage" : "en", "strings" : { "Hello" : { } }, "version" : "1.0" }')
    run("git", "init", "-q", "-b", "main", where=work)
    run("git", "add", "-A", where=work)
    run("git", "commit", "-q", "-m", "Add a string", where=work)
    bare = os.path.join(place, "acme/birds.git")
    run("git", "clone", "-q", "--bare", work, bare, where=place)
    run("git", "-C", bare, "config", "http.receivepack", "true", where=place)
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    server.folder, server.key, server.seen = place, public, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server_url = f"http://127.0.0.1:{server.server_port}"
    with open(os.path.join(place, "birds.yaml"), "w") as file:
        file.write(
            f"pipeline: birds\nrepository: {{ url: {server_url}/acme/birds.git }}\nlanguages: [de]\nvendors: [{{ vendor: pseudo }}]\n"
            f"deliver:\n  mode: pull-request\n  forge: github\n  api: {server_url}\n"
            f"  app: 12345\n  app_key: file:{key}\n")
    run(program, "run", "birds.yaml", "--once", "--progress", "none", where=place)
    server.shutdown()
    if not {"signed", "pushed", "opened l10n/main for main"} <= set(server.seen):
        sys.exit(f"FAILED: {name}: the server received only {server.seen}")
    print(f"{name}: the signature is valid, and a pull request was opened")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    program = os.path.abspath(parser.parse_args().dragoman)
    with tempfile.TemporaryDirectory() as folder:
        play(program, folder, "pkcs1", ["openssl", "genrsa", "-traditional"])
        play(program, folder, "pkcs8", ["openssl", "genrsa"])


main()
