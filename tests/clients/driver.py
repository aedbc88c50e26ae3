"""Calls of clients/python/galley.py, for tests/lib/Clients.pm: each is a line on
standard input, a JSON object, and so is its result on standard output. Waits are
noted and not waited; `kill_at` is the step at which the process kills itself."""
import json
import os
import signal
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../clients/python"))
import galley as module  # noqa: E402


def run(galley, call, step):
    name, words = call["call"], call.get("with", {})
    if name == "sync":
        return galley.sync(module.FolderStore(call["store"], step), **words)
    if name == "articles":
        return [article["id"] for article in galley.articles(**words)]
    if name == "twice":
        return [galley.article(words["id"])["revision"] for _ in range(2)]
    if name == "page":
        article = galley.article(words["id"])
        return {"script": module.json_ld_script(article), "metadata": module.metadata(article)}
    if name == "ping":
        return module.ping_checks(words["secret"], words["body"], words["signature"], now=words["now"])
    if name == "get":
        return galley.get(words["path"], words["query"]).data
    order = words.pop("order", {})
    return getattr(galley, name)(**words, **order)


def answer_of(call):
    steps, waits = [], []

    def step(word):
        steps.append(word)
        if len(steps) == call.get("kill_at"):
            os.kill(os.getpid(), signal.SIGKILL)

    options = {name: call[name] for name in ("workspace", "tries", "wait_max") if name in call}
    answer = {}
    try:
        galley = module.Galley(
            call["url"],
            call["key"],
            on_step=step,
            sleep=waits.append,
            clock=lambda: time.monotonic() + sum(waits),
            **options,
        )
        answer["result"] = run(galley, call, step)
    except module.GalleyError as error:
        answer["error"] = type(error).__name__
        answer["sentence"] = str(error)
        for name in ("status", "code", "param", "details", "job"):
            if hasattr(error, name):
                answer[name] = getattr(error, name)
    except TypeError as error:
        answer["error"], answer["sentence"] = "TypeError", str(error)
    answer["waits"], answer["steps"] = waits, steps
    return answer


for line in sys.stdin:
    print(json.dumps(answer_of(json.loads(line))), flush=True)
