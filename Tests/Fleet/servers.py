"""Servers on threads of this process: git over HTTP (HTTPS as a separate program), and the vendor `http` of docs/vendors/http.md.

    servers.py REPOSITORIES STATE DNS:localhost,IP:127.0.0.1 PORT [clients]
"""
import base64, hashlib, hmac, http.server, json, os, subprocess, sys, threading, time, urllib.parse

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def send(self, status, headers, data):
        try:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True  # The client was killed.

class GitHandler(Handler):
    """A server that runs `git http-backend` for the bare repositories below a folder."""
    def respond(self):
        target, body = urllib.parse.urlsplit(self.path), self.body()
        environment = dict(
            os.environ, GIT_PROJECT_ROOT=self.server.folder, GIT_HTTP_EXPORT_ALL="1", REQUEST_METHOD=self.command, PATH_INFO=target.path,
            QUERY_STRING=target.query, CONTENT_TYPE=self.headers.get("Content-Type") or "", CONTENT_LENGTH=str(len(body)),
            GIT_PROTOCOL=self.headers.get("Git-Protocol") or "", HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding") or "",
            GIT_CONFIG_COUNT="2", GIT_CONFIG_KEY_0="safe.directory", GIT_CONFIG_VALUE_0="*",
            GIT_CONFIG_KEY_1="http.receivepack", GIT_CONFIG_VALUE_1="true")
        out = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        head, _, rest = out.partition(b"\r\n\r\n")
        status, headers = 200, []
        for line in head.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            if name == "Status":
                status = int(value[:3])
            elif name:
                headers.append((name, value))
        self.send(status, headers, rest)

    do_GET = do_POST = respond

class VendorHandler(Handler):
    """A server with a separate path for each scenario. Requests are stored, so that a string that is sent twice is detected."""
    def respond(self):
        story, *path = self.path.strip("/").split("/")
        body = json.loads(self.body() or b"{}")
        with self.server.lock:
            state = self.server.stories.setdefault(story, {"strings": {}, "translations": {}, "puts": []})
            response = {} if self.command != "GET" else {"languages": ["de", "uk"]}
            strings, translations = state["strings"], state["translations"]
            keys = [(id["catalog"], id["name"]) for id in body.get("ids", [])]
            if self.command == "PUT":
                for string in body.get("strings", []):
                    key = (string["id"]["catalog"], string["id"]["name"])
                    state["puts"].append((*key, json.dumps(string["source"])))
                    strings[key] = string
                for translation in body.get("translations", []):
                    translations.setdefault((path[1], translation["id"]["catalog"], translation["id"]["name"]), translation)
            elif self.command == "POST" and path == ["strings", "query"]:
                response = {"strings": [strings[key] for key in keys if key in strings]}
            elif self.command == "POST" and path[0] == "translations":
                response = {"translations": [translations[(path[1], *key)] for key in keys if (path[1], *key) in translations]}
            elif self.command == "POST":
                for key in keys:
                    if path[1] == "delete":
                        strings.pop(key, None)
                    elif key in strings:
                        strings[key]["archived"] = True
        self.send(200, [("Content-Type", "application/json")], json.dumps(response).encode())

    do_GET = do_PUT = do_POST = respond

class Server(http.server.ThreadingHTTPServer):
    daemon_threads, request_queue_size = True, 128

    def __init__(self, handler, wrap=lambda socket: socket, port=0):
        super().__init__(("127.0.0.1", port), handler)
        self.socket = wrap(self.socket)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock, self.stories, self.folder = threading.Lock(), {}, None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        """Clients may be killed in the middle of a request."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, address)

    def translate(self, story, language):
        """Translates the newest text of every string at the vendor."""
        with self.lock:
            state = self.stories.get(story, {"strings": {}})
            for key, string in state["strings"].items():
                target = {"text": "«" + string["source"]["text"] + "»"}
                state["translations"][(language, *key)] = {
                    "id": string["id"], "source": string["source"], "target": target, "state": "reviewed"}

def sign(secret, number, body):
    """Returns the header fields of Standard Webhooks. The secret is `whsec_` followed by Base64."""
    key, stamp = base64.b64decode(secret.removeprefix("whsec_")), str(int(time.time()))
    mac = hmac.new(key, f"{number}.{stamp}.{body}".encode(), hashlib.sha256).digest()
    return {"webhook-id": str(number), "webhook-timestamp": stamp, "webhook-signature": "v1," + base64.b64encode(mac).decode()}

def certify(state, names="IP:127.0.0.1", clients=None):
    """Creates a self-signed certificate. Returns its file and a function that wraps a listening socket. `clients` requires client certificates."""
    import ssl
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test",
                    "-addext", f"subjectAltName={names}", "-keyout", state + "/key.pem", "-out", state + "/certificate.pem"],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(state + "/certificate.pem", state + "/key.pem")
    if clients:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(clients)
    return state + "/certificate.pem", lambda socket: context.wrap_socket(socket, server_side=True, do_handshake_on_connect=False)

def main():
    """Serves the bare repositories below a folder over HTTPS with a separate certificate. Creates STATE/ready once it listens."""
    folder, state, names, port, *clients = sys.argv[1:]
    if clients:
        os.mkdir(state + "/client")
        clients = certify(state + "/client", "DNS:client")[0]
    server = Server(GitHandler, certify(state, names, clients)[1], int(port))
    server.folder = folder
    open(state + "/ready", "w").close()
    threading.Event().wait()

if __name__ == "__main__":
    main()
