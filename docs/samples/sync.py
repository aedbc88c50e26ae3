"""Keeps store.json in step with a workspace. Run it from cron.

GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... python3 sync.py
"""
import json, os, time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL, KEY = os.environ["GALLEY_URL"], os.environ["GALLEY_KEY"]


def get(path, **query):
    query = {name: value for name, value in query.items() if value is not None}
    address = URL + path + ("?" + urlencode(query) if query else "")
    for attempt in range(6):
        try:
            request = Request(address, headers={"Authorization": "Bearer " + KEY})
            with urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise
            time.sleep(int(error.headers.get("Retry-After", 2 ** attempt)))
    raise RuntimeError("the service does not answer")


def sync(store):
    pair, articles = store["pair"], dict(store["articles"])
    cursor = None
    while True:
        page = get("/sync", cursor=cursor, **pair)
        if store["workspace"] not in (None, page["workspace_id"]):
            raise RuntimeError("this is the key of another workspace")
        for item in page["data"]:
            held = articles.get(item["id"])
            if held and held["manifest"] == item["revision"]:
                continue
            try:
                article = get("/articles/" + item["id"])["data"][0]
                articles[item["id"]] = {"manifest": item["revision"], "article": article}
            except HTTPError as error:
                if error.code != 404:
                    raise
                articles.pop(item["id"], None)
        cursor = page["pagination"]["next_cursor"]
        if cursor is None:
            break
    # Only now, and both together.
    pair = {"since": page["checkpoint"], "settings_revision": page["settings_revision"]}
    return {"workspace": page["workspace_id"], "pair": pair, "articles": articles}


try:
    with open("store.json", encoding="utf-8") as file:
        store = json.load(file)
except FileNotFoundError:
    store = {"workspace": None, "pair": {}, "articles": {}}
store = sync(store)
with open("store.new", "w", encoding="utf-8") as file:
    json.dump(store, file)
os.replace("store.new", "store.json")
print(len(store["articles"]), "articles")
