"""For sqlmap: each payload in an order of its own. Under the key of an order that
was placed the API answers with that order, and the payload would go nowhere."""

import uuid

from lib.core.enums import PRIORITY

__priority__ = PRIORITY.NORMAL


def tamper(payload, **kwargs):
    kwargs["headers"]["Idempotency-Key"] = uuid.uuid4().hex
    return payload
