"""Keeps store.json in step with a workspace. Run it from cron.

GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... python3 sync.py
"""
import json, os, sys, time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL, KEY = os.environ["GALLEY_URL"], os.environ["GALLEY_KEY"]


def get(path, **query):
    """The answer's JSON, or None for the API's own 404."""
    query = {name: value for name, value in query.items() if value is not None}
    address = URL + path + ("?" + urlencode(query) if query else "")
    for attempt in range(6):
        try:
            request = Request(address, headers={"Authorization": "Bearer " + KEY})
            with urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code == 404 and b'"not_found"' in error.read():
                return None
            if error.code != 429 and error.code < 500:
                raise
            time.sleep(int(error.headers.get("Retry-After", 2 ** attempt)))
    raise RuntimeError("the service does not answer")


def scan(workspace, pair):
    """The last page, and {id: revision} of all pages."""
    listed, cursor = {}, None
    while True:
        page = get("/sync", limit=100, cursor=cursor, **pair)
        if workspace not in (None, page["workspace_id"]):
            raise RuntimeError("this is the key of another workspace")
        listed.update((item["id"], item["revision"]) for item in page["data"])
        cursor = page["pagination"]["next_cursor"]
        if cursor is None:
            return page, listed


def sync(store):
    pair, held, scanned = store["pair"], store["articles"], store.get("scanned", 0)
    # All is listed where that takes ten requests at most; else once an hour.
    if len(held) <= 1000 or not 0 <= time.time() - scanned < 3300:
        pair = {}
    page, listed = scan(store["workspace"], pair)
    full = pair.get("settings_revision") != page["settings_revision"]
    articles, gone = dict(held), []
    changed = [id for id in listed if held.get(id, {}).get("manifest") != listed[id]]
    # The feed tells of no deletion: ask for what is held and was not listed.
    for id in changed + [id for id in held if full and id not in listed]:
        found = get("/articles/" + id)
        if found is None:
            gone.append(id)
        elif id in listed:
            articles[id] = {"manifest": listed[id], "article": found["data"][0]}
    # So much at once is more likely a mistake: a person looks first.
    allowed = max(10, int(os.environ.get("ALLOW_REMOVALS", 0)))
    stopped = len(gone) > allowed and len(gone) * 10 > len(held)
    for id in [] if stopped else gone:
        articles.pop(id, None)
    # Only now, and both together.
    pair = {"since": page["checkpoint"], "settings_revision": page["settings_revision"]}
    scanned = 0 if stopped else int(time.time()) if full else scanned
    store = {"workspace": page["workspace_id"], "pair": pair, "scanned": scanned, "articles": articles}
    return store, len(gone) if stopped else 0


try:
    with open("store.json", encoding="utf-8") as file:
        store = json.load(file)
except FileNotFoundError:
    store = {"workspace": None, "pair": {}, "articles": {}}
store, too_many = sync(store)
with open("store.new", "w", encoding="utf-8") as file:
    json.dump(store, file)
os.replace("store.new", "store.json")
print(len(store["articles"]), "articles")
if too_many:
    sys.exit("%d would be removed; ALLOW_REMOVALS=%d allows it" % (too_many, too_many))
