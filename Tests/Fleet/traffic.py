"""Requests to a daemon, and connections without requests."""
import http.client, json, random, socket, threading, time, urllib.parse

class Traffic:
    """A sender of about ten requests per second to the daemon at a port: API, metrics, dashboard and webhooks, some with wrong secrets."""
    def __init__(self, port, token, secret, pipelines, seed):
        self.port, self.token, self.secret, self.pipelines, self.chance = port, token, secret, pipelines, random.Random(seed)
        self.counts, self.ends, self.threads = {}, False, []

    def sign_in(self):
        """Returns the cookie of a dashboard session."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("POST", "/signin", urllib.parse.urlencode({"token": self.token}), {"Content-Type": "application/x-www-form-urlencoded"})
        response = connection.getresponse()
        response.read()
        connection.close()
        return (response.getheader("Set-Cookie") or "").split(";")[0]

    def start(self):
        self.cookie = self.sign_in()
        for target in (self.clients, self.listeners):
            self.threads.append(threading.Thread(target=target, daemon=True))
            self.threads[-1].start()

    def stop(self):
        self.ends = True
        for thread in self.threads:
            thread.join()

    def request(self, method, path, body=None, token=None, **headers):
        """Returns the status, or 0 if there is no response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            response.read()
            status = response.status
        except OSError:
            status = 0
        finally:
            connection.close()
        return status

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def clients(self):
        paths = ["/pipelines", "/rounds?limit=20", "/held", "/events-none", "/search?text=changed", f"/pipelines/{self.pipelines[0]}/missing?branch=main",
                 f"/pipelines/{self.pipelines[1]}/completion/history", "/audit", "/units?key=text-9", f"/pipelines/{self.pipelines[2]}/jobs", "/tokens", "/openapi.json"]
        pages = ["/", f"/pipelines/{self.pipelines[0]}", "/rounds", "/held", "/search?text=text", "/audit", f"/pipelines/{self.pipelines[1]}/release?branch=main", "/signin"]
        number = 0
        while not self.ends:
            number += 1
            self.count(f"API {self.request('GET', '/api/v1' + paths[number % len(paths)], token=self.token)}")
            self.count(f"wrong token {self.request('GET', '/api/v1/pipelines', token='wrong')}")
            self.count(f"metrics {self.request('GET', '/metrics')}")
            self.count(f"dashboard {self.request('GET', pages[number % len(pages)], Cookie=self.cookie)}")
            if number % 5 == 0:
                name = self.pipelines[number // 5 % len(self.pipelines)]
                body = json.dumps({"object_kind": "push", "event_name": "push", "ref": "refs/heads/main", "before": "0" * 40, "after": f"{number:040x}"})
                event = {"Content_Type": "application/json", "X_Gitlab_Event": "Push Hook", "X_Gitlab_Event_UUID": f"{number:08x}-0000-4000-8000-000000000000"}
                self.count(f"webhook {self.request('POST', '/hooks/' + name, body, X_Gitlab_Token=self.secret, **event)}")
                self.count(f"forged webhook {self.request('POST', '/hooks/' + name, body, X_Gitlab_Token='wrong', **event)}")
            if number % 20 == 0:
                self.count(f"look {self.request('POST', f'/api/v1/pipelines/{self.pipelines[3]}/look', token=self.token)}")
                self.count(f"token without a body {self.request('POST', '/api/v1/tokens', '{{', token=self.token, Content_Type='application/json')}")
            time.sleep(0.4)

    def listeners(self):
        """Opens event streams that close abruptly, and connections that send no bytes or half a request."""
        while not self.ends:
            sockets = []
            for text in [f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n\r\n", "", "GET / HT",
                         f"POST /hooks/{self.pipelines[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nhalf"]:
                try:
                    connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                    connection.sendall(text.encode())
                    sockets.append(connection)
                except OSError:
                    pass
            time.sleep(self.chance.uniform(1, 8))
            for connection in sockets:
                connection.close()
            self.count("connections left", len(sockets))
