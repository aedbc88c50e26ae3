import os
from galley import Galley

galley = Galley("https://api.example.com/api/v1", os.environ["GALLEY_KEY"])
# The name of the intended job: the same again is the same job.
job = galley.generate("Composting in winter", idempotency_key="compost-in-winter", max_credits=40)
print(job["article_id"], "for", job["cost"], "credits")
