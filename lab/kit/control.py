"""Short words over a socket pair between the keeper and a machine's first process: the steps of starting up.

pair       two ends
Channel    send a word, expect a word; the other end's failure is told in its own words
"""

import socket


class Channel:
    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def send(self, word: str) -> None:
        self._end.send(word.encode()[:60000])

    def expect(self, word: str, seconds: float = 60) -> None:
        self._end.settimeout(seconds)
        try:
            got = self._end.recv(65536).decode()
        except TimeoutError:
            raise SystemExit(f"lab: a machine did not say {word!r} within {seconds:.0f} s") from None
        if got != word:
            raise SystemExit(f"lab: expected {word!r} from a machine, got: {got or 'its end'}")

    def close(self) -> None:
        self._end.close()


def pair() -> tuple[Channel, Channel]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return Channel(ours), Channel(theirs)
