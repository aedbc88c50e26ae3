import os
import pathlib
from wsgiref.simple_server import make_server

from galley import ping_checks


def ping(request, start):
    body = request["wsgi.input"].read(int(request.get("CONTENT_LENGTH") or 0))
    good = ping_checks(os.environ["GALLEY_PING_SECRET"], body, request.get("HTTP_GALLEY_SIGNATURE"))
    if good:
        pathlib.Path("articles/changed").touch()  # cron synchronizes when this file is there
    start("204 No Content" if good else "400 Bad Request", [])
    return []


make_server("127.0.0.1", 8000, ping).serve_forever()
