"""Galley's publishing API, for the server of a website. Python 3.8, no packages.

    from galley import Galley, FolderStore

    galley = Galley("https://api.example.com/api/v1", key)
    store = FolderStore("articles")
    galley.sync(store)                  # from cron, every ten minutes
    for id in store.ids():
        article = store.get(id)["article"]

Every error is a GalleyError. A request that fails with a passing error (429, 5xx,
no answer) is tried again a few times, after the wait that the service asks for.
The key stays on the server: never put it into a page.
"""
import contextlib
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import OrderedDict
from typing import Any, Callable, ContextManager, Dict, Iterator, List, Mapping, Optional, Protocol, Union

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

Json = Dict[str, Any]

SHORT = 1000  # Ten requests list so many articles; up to this number all are listed each time.
HOUR = 55 * 60  # With more articles a full scan is due after this: a little less than cron's hour.
KEPT_ANSWERS = 64  # Answers that are kept for their ETags.
FIRST_POLLS = (1, 2, 3, 5)  # Seconds: most jobs end soon, or take minutes.
RESTARTS = 5  # Scans and listings in a row whose cursors are rejected.
PARAMETERS = {
    "/connection": (),
    "/articles": ("limit", "offset", "cursor", "drafts"),
    "/articles/{id}": ("drafts",),
    "/sync": ("limit", "since", "settings_revision", "cursor"),
    "/pricing": (),
    "/jobs/{id}": (),
}


# ---- errors


class GalleyError(Exception):
    """The base of all errors that this module raises."""


class InvalidArgument(GalleyError, ValueError):
    """An argument is not an address, a key or an id, or a parameter has a name that is
    not known. Nothing was sent."""


class ApiError(GalleyError):
    """The service refused. `status`, `code` and `request_id` describe the refusal;
    `details` is the whole body."""

    def __init__(self, status: int, details: Json, retry_after: Optional[float] = None) -> None:
        self.status = status
        self.details = details
        self.code: Optional[str] = details.get("code")
        self.param: Optional[str] = details.get("param")
        self.request_id: Optional[str] = details.get("request_id")
        self.retry_after = retry_after
        super().__init__(details.get("error") or "The service answered %d." % status)


class InvalidRequest(ApiError):
    """400: `param` names what was wrong."""


class Unauthorized(ApiError):
    """401: the key is unknown or revoked."""


class InsufficientCredits(ApiError):
    """402: see `details["required_credits"]` and `["available_credits"]`."""


class Forbidden(ApiError):
    """403: the key lacks a scope, or the account is restricted."""


class NotFound(ApiError):
    """404 from the API itself. Only this answer means that the article must be taken down."""


class Conflict(ApiError):
    """409: the reservation exceeds max_credits."""


class RateLimited(ApiError):
    """429, after the last try, or if the wait would be too long."""


class ServiceUnavailable(ApiError):
    """5xx: this says nothing about any article."""


class Unreachable(GalleyError):
    """There was no answer, or another program answered."""


class WrongWorkspace(GalleyError):
    """The key belongs to another workspace than the expected one. Nothing was written."""


class TooManyRemovals(GalleyError):
    """So many articles would be removed that a person should look. All other changes were applied."""

    def __init__(self, count: int, held: int) -> None:
        self.count = count
        self.held = held
        super().__init__(
            "{:,} of {:,} would be removed; allow it with allow_removals={}".format(count, held, count)
        )


class StoreBusy(GalleyError):
    """Another sync of the same store is running."""


class StoreBroken(GalleyError):
    """The store's folder cannot be read or written."""


class JobFailed(GalleyError):
    """The job failed and its credits came back; `job` says why."""

    def __init__(self, job: Json) -> None:
        self.job = job
        super().__init__(job.get("error") or "The job failed.")


class DeadlinePassed(GalleyError):
    """The job continues. Order again with the same key to wait again. `job` is its
    last known state."""

    def __init__(self, job: Json) -> None:
        self.job = job
        super().__init__("The job was not finished before the deadline; order again with the same idempotency_key.")


REFUSALS = {
    400: InvalidRequest,
    401: Unauthorized,
    402: InsufficientCredits,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}
PASSING = (RateLimited, ServiceUnavailable, Unreachable)


# ---- requests


class Answer:
    """`data` is the JSON, or None if `unchanged` (304)."""

    def __init__(self, data: Any, etag: Optional[str], unchanged: bool = False) -> None:
        self.data = data
        self.etag = etag
        self.unchanged = unchanged


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it would carry the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Galley:
    """The API of one workspace.

    workspace  the id of the workspace that the key must belong to; by default the
               first one that a store sees
    timeout    seconds for one answer
    tries      of one request, including the first one
    wait_max   seconds; if the service asks for a longer wait, the error is raised
               at once
    on_step    is called with a word before each request and each write of sync()
    sleep, clock  replace time.sleep and time.monotonic
    """

    def __init__(
        self, url: str, key: str, *, workspace: Optional[str] = None, timeout: float = 30, tries: int = 5,
        wait_max: float = 120, on_step: Optional[Callable[[str], Any]] = None,
        sleep: Callable[[float], Any] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if not isinstance(url, str) or not re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", url):
            raise InvalidArgument("not the address of an API, like https://api.example.com/api/v1: %r" % (url,))
        if not isinstance(key, str) or not re.fullmatch("[!-~]*", key):
            raise InvalidArgument("a key has no space, line break or other letter: is one left at its end?")
        self.url = url.rstrip("/")
        self.workspace = workspace
        self._key = key
        self._timeout = timeout
        self._tries = tries
        self._wait_max = wait_max
        self.step = on_step or (lambda word: None)
        self._sleep = sleep
        self._clock = clock
        self._kept: "OrderedDict[str, Any]" = OrderedDict()
        self._opener = urllib.request.build_opener(_NoRedirect)

    def get(
        self, path: str, query: Optional[Mapping[str, Any]] = None, *, etag: Optional[str] = None,
        until: Optional[float] = None
    ) -> Answer:
        """Returns an Answer. With the `etag` of your own copy it may be `unchanged`.
        Without one, answers are kept here for the next request of the same address. A
        parameter that the path does not have is an InvalidArgument: the API would ignore
        it."""
        _check_parameters(path, query or {})
        target = path
        query = {name: value for name, value in (query or {}).items() if value is not None}
        if query:
            target += "?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        kept: Any = None if etag else self._kept.get(target)
        headers = {}
        if etag or kept:
            headers["If-None-Match"] = etag or kept[0]
        status, body, tag = self._patiently("GET", target, headers, None, until)
        if status == 304 and kept:
            self._kept.move_to_end(target)
            return Answer(json.loads(kept[1]), kept[0])
        if status == 304:
            return Answer(None, etag, unchanged=True)
        if tag and not etag:
            self._kept[target] = (tag, body)
            while len(self._kept) > KEPT_ANSWERS:
                self._kept.popitem(last=False)
        return Answer(json.loads(body), tag)

    def connection(self) -> Any:
        return self.get("/connection").data

    def pricing(self) -> Any:
        return self.get("/pricing").data

    def article(self, id: str, *, drafts: bool = False) -> Any:
        """Returns one article, or raises NotFound. With `drafts`, which needs a key with
        drafts:read, it may be a draft."""
        return self.get("/articles/" + _uuid(id), {"drafts": "true" if drafts else None}).data["data"][0]

    def articles(self, *, drafts: bool = False, limit: int = 100) -> Iterator[Json]:
        """Yields all articles, newest first, and reads each page when it is needed. With
        `drafts`, which needs a key with drafts:read, it yields drafts, too."""
        seen = set()
        query = {"limit": limit, "drafts": "true" if drafts else None}
        for _ in range(RESTARTS):
            cursor = None
            try:
                while True:
                    page = self.get("/articles", dict(query, cursor=cursor)).data
                    for article in page["data"]:
                        if article["id"] not in seen:
                            seen.add(article["id"])
                            yield article
                    cursor = page["pagination"]["next_cursor"]
                    if cursor is None:
                        return
            except InvalidRequest as error:
                if cursor is None or error.param not in (None, "cursor"):
                    raise
                rejected = error
        raise rejected

    def _patiently(self, method, target, headers, body, until):
        attempt = 0
        while True:
            attempt += 1
            self.step(method + " " + target)
            try:
                return self._once(method, target, headers, body, until)
            except PASSING as error:
                wait = getattr(error, "retry_after", None)
                if wait is None:
                    wait = min(30, 2 ** (attempt - 1)) * random.uniform(0.5, 1)
                late = until is not None and self._clock() + wait >= until
                if attempt >= self._tries or wait > self._wait_max or late:
                    raise
            self._sleep(wait)

    def _once(self, method, target, headers, body, until):
        request = urllib.request.Request(self.url + target, data=body, method=method, headers=headers)
        request.add_header("Accept", "application/json")
        request.add_header("User-Agent", "galley-python/1")
        request.add_unredirected_header("Authorization", "Bearer " + self._key)
        timeout = self._timeout
        if until is not None:
            timeout = max(1, min(timeout, until - self._clock()))
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                text = answer.read()
                json.loads(text)
                return answer.status, text, answer.headers.get("ETag")
        except urllib.error.HTTPError as answer:
            with answer:
                if answer.code == 304:
                    return 304, None, None
                raise _refusal(answer) from None
        except ValueError:
            raise Unreachable("What answered at %s is not the API." % self.url) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable("No answer from %s: %s" % (self.url, error)) from error

    # ---- jobs

    def job(self, id: str, *, until: Optional[float] = None) -> Any:
        return self.get("/jobs/" + _uuid(id), until=until).data

    def order(
        self, topic: str = "", *, idempotency_key: str, kind: Optional[str] = None, image: Optional[bool] = None,
        auto_publish: Optional[bool] = None, research_id: Optional[str] = None, max_credits: Optional[int] = None,
        until: Optional[float] = None
    ) -> Any:
        """Orders a job, or finds the one that was ordered with the same
        `idempotency_key`: store that value before you call, and use it again when a
        call has failed. Returns the present state of the job."""
        order = {
            "topic": topic, "kind": kind, "image": image, "autoPublish": auto_publish, "researchId": research_id,
            "maxCredits": max_credits,
        }
        if not isinstance(idempotency_key, str) or not re.fullmatch("[ -~]*", idempotency_key):
            raise InvalidArgument("not an idempotency_key, which is printable ASCII: %r" % (idempotency_key,))
        body = json.dumps({name: value for name, value in order.items() if value is not None})
        headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key}
        answer = self._patiently("POST", "/generate", headers, body.encode(), until)
        return json.loads(answer[1])

    def generate(
        self, topic: str = "", *, idempotency_key: str, deadline: float = 900, poll: float = 10, **order: Any
    ) -> Json:
        """Orders a job and waits for it, `deadline` seconds in all. Returns the
        completed job, or raises JobFailed or DeadlinePassed. It asks for the job after
        1, 2, 3 and 5 seconds, then every `poll` seconds, which grow to 30."""
        until, polls = self._clock() + deadline, _polls(poll)
        job: Json = self.order(topic, idempotency_key=idempotency_key, until=until, **order)
        while job["status"] in ("queued", "running"):
            left = until - self._clock()
            if left <= 0:
                raise DeadlinePassed(job)
            self._sleep(min(next(polls), left))
            try:
                job = self.job(job["id"], until=until)
            except PASSING:
                if self._clock() >= until:
                    raise DeadlinePassed(job) from None
        if job["status"] == "failed":
            raise JobFailed(job)
        return job

    # ---- sync

    def sync(self, store: "Store", *, full: bool = False, allow_removals: int = 0) -> Json:
        """Makes a store equal to what is published. Returns {added, updated, removed:
        ids, full}.

        Everything is listed while the store holds 1,000 articles or fewer; with more,
        once an hour, and with `full`. An article that the store holds, but that was not
        listed, is asked for by id: only a 404 removes it. If more than 10 and more than
        a tenth of the store would be removed, nothing is removed, all other changes are
        applied, and TooManyRemovals is raised; its count as `allow_removals` allows the
        removal. The program may be killed at any time: the next sync continues from the
        last completed one."""
        with store.lock():
            return _Sync(self, store).run(full, allow_removals)


def _refusal(answer):
    try:
        details = json.loads(answer.read())
    except (ValueError, OSError, http.client.HTTPException):
        details = None
    ours = isinstance(details, dict) and isinstance(details.get("code"), str)
    if answer.code == 404 and not (ours and details["code"] == "not_found"):
        return Unreachable("The 404 is not the API's: is the address right?")
    kind = REFUSALS.get(answer.code, ServiceUnavailable if answer.code >= 500 else ApiError)
    return kind(answer.code, details if ours else {}, _retry_after(answer.headers.get("Retry-After")))


def _retry_after(text):
    """Returns seconds, from either form of the field, or None."""
    text = (text or "").strip()
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    try:
        return max(0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, IndexError):
        return None


def _polls(poll):
    yield from (min(wait, poll) for wait in FIRST_POLLS)
    while True:
        yield poll
        poll = max(poll, min(poll * 1.5, 30))


def _check_parameters(path, query):
    """Refuses a parameter that a path of the API does not have."""
    path, _, rest = path.partition("?")
    names = PARAMETERS.get(re.sub("^/(articles|jobs)/.*", r"/\1/{id}", path))
    for name in [*query, *(name for name, _ in urllib.parse.parse_qsl(rest, keep_blank_values=True))]:
        if names is not None and name not in names:
            has = ", ".join(names) or "none"
            raise InvalidArgument("%s has no parameter %s; it has %s" % (path, name, has))


def _uuid(id):
    """Refuses what is not an id: ids become parts of addresses and names of files."""
    if not isinstance(id, str) or not re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", id):
        raise InvalidArgument("not an id: %r" % (id,))
    return id


class _Sync:
    """One run of the protocol. Bodies are fetched after the whole manifest was read, so
    that they are never older than the revision with which they are stored."""

    def __init__(self, galley, store):
        self.galley = galley
        self.store = store
        self.added, self.updated, self.gone = [], [], []

    def run(self, full, allow_removals):
        state = self.store.state()
        self.expected = self.galley.workspace or state.get("workspace_id")
        self.confirm(state.get("workspace_id") or self.expected)
        self.confirm(self.galley.connection()["workspace"]["id"])
        if state.get("workspace_id") is None:
            state = {"workspace_id": self.expected}
            self.save(state)
        self.before = set(self.store.ids())
        pair = None
        if not (full or len(self.before) <= SHORT or _full_due(state)):
            pair = {"since": state["checkpoint"], "settings_revision": state["settings_revision"]}
        page, listed, complete = self.scan(pair)
        self.fetch(listed)
        if complete:
            self.ask_for(sorted(self.before - set(listed)))
        count, held = len(self.gone), len(self.before)
        braked = count > max(allow_removals, 10) and count * 10 > held
        if not braked:
            self.remove()
        scanned_at = int(time.time()) if complete else state.get("full_scan_at")
        self.save({
            "workspace_id": self.expected,
            "checkpoint": page["checkpoint"],
            "settings_revision": page["settings_revision"],
            "full_scan_at": None if braked else scanned_at,
        })
        if braked:
            raise TooManyRemovals(count, held)
        return {"added": self.added, "updated": self.updated, "removed": self.gone, "full": complete}

    def confirm(self, workspace):
        self.expected = self.expected or workspace
        if workspace != self.expected:
            raise WrongWorkspace(
                "The key or store is of workspace %s; expected %s. Nothing was written." % (workspace, self.expected)
            )

    def scan(self, pair):
        """Returns the last page, {id: revision}, and whether all published articles were
        listed. A rejected cursor starts the scan again; a rejected pair starts it
        without the pair."""
        for _ in range(RESTARTS):
            cursor, listed = None, {}
            try:
                while True:
                    page = self.galley.get("/sync", dict(pair or {}, limit=100, cursor=cursor)).data
                    self.confirm(page["workspace_id"])
                    for item in page["data"]:
                        listed[self.listed_id(item)] = item["revision"]
                    cursor = page["pagination"]["next_cursor"]
                    if cursor is None:
                        complete = pair is None or pair["settings_revision"] != page["settings_revision"]
                        return page, listed, complete
            except InvalidRequest as error:
                if cursor is None and pair is None:
                    raise
                if cursor is None:
                    pair = None
                rejected = error
        raise rejected

    def listed_id(self, item):
        try:
            return _uuid(item["id"])
        except InvalidArgument as error:
            raise Unreachable("What answered at %s is not the API: %s" % (self.galley.url, error)) from None

    def fetch(self, listed):
        missing = {}
        for id, revision in listed.items():
            record = self.store.get(id)
            if record is None or record["manifest"] != revision:
                missing[id] = revision
        if len(missing) > 100:
            for article in self.galley.articles(limit=100):
                if article["id"] in missing:
                    self.put(article, missing.pop(article["id"]), None)
                if not missing:
                    break
        for id, revision in missing.items():
            record = self.store.get(id)
            try:
                answer = self.galley.get("/articles/" + id, etag=record and record["etag"])
            except NotFound:
                if id in self.before:
                    self.gone.append(id)
                continue
            article = record["article"] if answer.unchanged else answer.data["data"][0]
            self.put(article, revision, answer.etag)

    def put(self, article, manifest, etag):
        id = article["id"]
        self.galley.step("put " + id)
        self.store.put(id, {"manifest": manifest, "etag": etag, "article": article})
        (self.updated if id in self.before else self.added).append(id)

    def ask_for(self, ids):
        for id in ids:
            record = self.store.get(id)
            try:
                self.galley.get("/articles/" + id, etag=record and record["etag"])
            except NotFound:
                self.gone.append(id)

    def remove(self):
        for id in self.gone:
            self.galley.step("remove " + id)
            self.store.remove(id)

    def save(self, state):
        self.galley.step("save the pair")
        self.store.save_state(state)


def _full_due(state):
    scanned_at = state.get("full_scan_at")
    if not state.get("checkpoint") or not state.get("settings_revision") or scanned_at is None:
        return True
    return not 0 <= time.time() - scanned_at < HOUR


# ---- stores


class Store(Protocol):
    """The place of a site's copies: a folder, or your own database. save_state() must be one write."""

    def lock(self) -> ContextManager[Any]:
        """Keeps others out while it is entered. Raises StoreBusy if another one is."""

    def state(self) -> Json:
        """Returns what save_state() got last; {} at first."""

    def save_state(self, state: Json) -> None: ...

    def ids(self) -> List[str]: ...

    def get(self, id: str) -> Optional[Json]:
        """Returns {manifest, etag, article}, or None."""

    def put(self, id: str, record: Json) -> None: ...

    def remove(self, id: str) -> None: ...


class FolderStore:
    """Articles as files: articles/ID.json with {manifest, etag, article}, and
    state.json with the pair. Each file is replaced whole."""

    def __init__(self, folder: "Union[str, os.PathLike[str]]", on_step: Optional[Callable[[str], Any]] = None) -> None:
        self.folder = os.fspath(folder)
        self._step = on_step or (lambda word: None)
        with self._named("articles"):
            os.makedirs(os.path.join(self.folder, "articles"), exist_ok=True)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        with self._named("lock"):
            file = open(os.path.join(self.folder, "lock"), "w")
        with file:
            try:
                if fcntl:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreBusy("Another sync of %s is running." % self.folder) from None
            yield

    def state(self) -> Json:
        try:
            state = self._read("state.json")
        except ValueError:
            state = False
        if state is not None and not isinstance(state, dict):
            raise StoreBroken("%s/state.json is damaged; without it the next sync lists everything." % self.folder)
        return state or {}

    def save_state(self, state: Json) -> None:
        self._write("state.json", state)

    def ids(self) -> List[str]:
        with self._named("articles"):
            names = os.listdir(os.path.join(self.folder, "articles"))
        return [name[:-5] for name in names if name.endswith(".json")]

    def get(self, id: str) -> Any:
        """Returns {manifest, etag, article}, or None. A damaged file counts as missing: a
        full scan fetches it again."""
        name = "articles/" + _uuid(id) + ".json"
        try:
            return self._read(name)
        except ValueError:
            return None

    def put(self, id: str, record: Json) -> None:
        self._write("articles/" + _uuid(id) + ".json", record)

    def remove(self, id: str) -> None:
        name = "articles/" + _uuid(id) + ".json"
        with self._named(name), contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(self.folder, name))

    @contextlib.contextmanager
    def _named(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreBroken("%s/%s: %s" % (self.folder, name, error.strerror or error)) from error

    def _read(self, name):
        with self._named(name), contextlib.suppress(FileNotFoundError):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                return json.load(file)
        return None

    def _write(self, name, value):
        path = os.path.join(self.folder, name)
        with self._named(name):
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(value, file, ensure_ascii=False)
                file.flush()
                os.fsync(file.fileno())
            self._step("rename " + name)
            os.replace(path + ".new", path)


# ---- pages


def direction(article: Json) -> str:
    """Returns `rtl` or `ltr`, the direction of its language, for the page around it."""
    return "rtl" if re.match(r'<article [^>]*dir="rtl"', article["html"]) else "ltr"


def json_ld_script(article: Json) -> str:
    """Returns the script element with the structured data. No text in it can end it."""
    text = json.dumps(article["json_ld"], ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, "\\u%04x" % ord(character))
    return '<script type="application/ld+json">' + text + "</script>"


def metadata(article: Json) -> Json:
    """Returns `seo` as the head object of a framework: {title, language, direction, meta:
    [{name or property, content}], link: [{rel, href}]}. The template must escape the
    values. Use it with json_ld_script(), or use head_html alone."""
    seo = article["seo"]
    graph, card = seo["openGraph"], seo["twitter"]
    meta: List[Dict[str, str]] = []

    def add(kind: str, name: str, *values: Any) -> None:
        meta.extend({kind: name, "content": str(value)} for value in values if value not in (None, ""))

    add("name", "description", seo["description"])
    add("name", "robots", seo["robots"])
    for name, member in (
        ("type", "type"), ("title", "title"), ("description", "description"), ("url", "url"),
        ("site_name", "siteName"), ("locale", "locale"),
    ):
        add("property", "og:" + name, graph.get(member))
    for image in graph.get("images", []):
        add("property", "og:image", image["url"])
        for name in ("type", "width", "height", "alt"):
            add("property", "og:image:" + name, image.get(name))
    add("property", "article:published_time", graph.get("publishedTime"))
    add("property", "article:modified_time", graph.get("modifiedTime"))
    add("property", "article:author", *graph.get("authors", []))
    add("property", "article:section", graph.get("section"))
    add("property", "article:tag", *graph.get("tags", []))
    for name in ("card", "title", "description"):
        add("name", "twitter:" + name, card.get(name))
    for image in card.get("images", []):
        add("name", "twitter:image", image["url"])
        add("name", "twitter:image:alt", image.get("alt"))
    link = [{"rel": "canonical", "href": seo["canonical"]}] if seo["canonical"] else []
    return {
        "title": seo["title"], "language": seo["language"], "direction": direction(article), "meta": meta,
        "link": link,
    }


def ping_checks(
    secret: str, body: Union[str, bytes, bytearray], signature: Optional[str], *, tolerance: float = 300,
    now: Optional[float] = None
) -> bool:
    """Return whether a POST is a ping of Galley. `body` are the bytes as they came, `signature` is
    the header Galley-Signature, and `tolerance` the seconds for which a ping is good."""
    found = re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", signature or "", re.ASCII)
    if found is None or abs((time.time() if now is None else now) - int(found[1])) > tolerance:
        return False
    body = body.encode() if isinstance(body, str) else bytes(body)
    expected = hmac.new(secret.encode(), found[1].encode() + b"." + body, hashlib.sha256)
    return hmac.compare_digest(expected.hexdigest(), found[2])
