"""A client that costs little: one kept connection, requests as bytes. The server has the machine's time, not we."""

import socket
from urllib.parse import urlsplit


class Connection:
    """One HTTP/1.1 connection to the server at `url`."""

    def __init__(self, url: str) -> None:
        self.host = urlsplit(url).netloc
        name, port = self.host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def request(self, method: str, path: str, body: bytes = b"", headers: str = "") -> tuple[int, bytes]:
        """The status and the body of the answer."""
        self.send(method, path, body, headers)
        return self.receive()

    def send(self, method: str, path: str, body: bytes = b"", headers: str = "") -> None:
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)

    def receive(self) -> tuple[int, bytes]:
        """The answer to what was sent last."""
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._receive()
        head, _, answer = answer.partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        length = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")), 0)
        while len(answer) < length:
            answer += self._receive()
        return int(lines[0].split()[1]), answer

    def _receive(self) -> bytes:
        received = self.socket.recv(65536)
        if not received:
            raise ConnectionError("the server hung up")
        return received

    def close(self) -> None:
        self.socket.close()
