"""Who may come in: the token of the link, the Host and the Origin of every request; and what browsers are told.

The link of `ka serve` carries a token; whoever opens it gets a cookie with it, and a name for the limits. Cookies go by
host, not by port, so their names hold the port.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
CLOSED = "This table is not open to you: use the link that `ka serve` printed.\n"
FOREIGN = "This request came from another page or to another name than this server's.\n"


class Guard:
    """Stands before the app; puts the client's name into `scope["client_name"]`."""

    def __init__(self, app: ASGIApp, token: str, port: int, hosts: tuple[str, ...] | None = LOCAL) -> None:
        """`hosts`: names under which the server may be asked for; None: any, where only the token counts."""
        self.app, self.token, self.hosts = app, token, hosts
        self.pass_cookie, self.name_cookie = f"ka_pass_{port}", f"ka_name_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        answer = self._refusal(request, scope)
        if answer is None:
            scope["client_name"] = self._cookies(request).get(self.name_cookie, "")
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not open to you"})
        else:
            await answer(scope, receive, _with_headers(send))

    def _refusal(self, request: HTTPConnection, scope: Scope) -> Response | None:
        """The answer to whoever may not come in, or has just shown the token; None lets the request pass."""
        if not self._right_host(request) or not self._right_origin(request, scope):
            return PlainTextResponse(FOREIGN, 403)
        shown = dict(parse_qsl(request.url.query)).get("token")
        if shown is not None and scope["type"] == "http" and self._is_token(shown):
            return self._welcome(request)
        cookies = self._cookies(request)
        if self._is_token(cookies.get(self.pass_cookie, "")) and cookies.get(self.name_cookie):
            return None
        return PlainTextResponse(CLOSED, 403)

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())

    def _welcome(self, request: HTTPConnection) -> Response:
        """The cookies, and the same page without the token in its address."""
        answer = RedirectResponse(request.url.path or "/", 303)
        kept = self._cookies(request).get(self.name_cookie)
        for name, value in ((self.pass_cookie, self.token), (self.name_cookie, kept or secrets.token_urlsafe(16))):
            answer.set_cookie(name, value, httponly=True, samesite="lax", path="/")
        return answer

    def _cookies(self, request: HTTPConnection) -> dict[str, str]:
        try:
            jar: SimpleCookie = SimpleCookie(request.headers.get("cookie", ""))
        except CookieError:
            return {}
        return {name: found.value for name, found in jar.items()}

    def _right_host(self, request: HTTPConnection) -> bool:
        if self.hosts is None:
            return True
        return _host_of(f"http://{request.headers.get('host', '')}") in self.hosts

    def _right_origin(self, request: HTTPConnection, scope: Scope) -> bool:
        """A page of ours, or no page at all; sockets always name theirs."""
        origin = request.headers.get("origin")
        if origin is None:
            return scope["type"] != "websocket"
        return origin in (f"http://{request.headers.get('host')}", f"https://{request.headers.get('host')}")


def _host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _with_headers(send: Send) -> Send:
    async def send_more(message: Message) -> Any:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in {**HEADERS, "Content-Security-Policy": POLICY}.items():
                headers.setdefault(name, value)
        await send(message)

    return send_more
