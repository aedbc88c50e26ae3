import os
from galley import Galley

galley = Galley("https://api.example.com/api/v1", os.environ["GALLEY_KEY"])
print(galley.connection()["workspace"]["id"])
for article in galley.articles():
    print(article["title"])
