import os
from galley import FolderStore, Galley

galley = Galley("https://api.example.com/api/v1", os.environ["GALLEY_KEY"])
store = FolderStore("articles")
done = galley.sync(store)  # from cron, every ten minutes
for id in store.ids():
    article = store.get(id)["article"]
    print(article["slug"], article["title"], sep="\t")
