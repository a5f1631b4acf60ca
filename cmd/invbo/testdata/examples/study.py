"""Ten lines that make a study of invbo serve one of Python: ask, tell, trials."""

import requests


class Study:
    def __init__(self, url, token):
        self.url, self.session = url, requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def call(self, method, verb, **kwargs):
        answer = self.session.request(method, f"{self.url}/{verb}", timeout=600, **kwargs)
        if not answer.ok:
            raise RuntimeError(answer.text)
        return answer.json()

    def ask(self, n=1, lease="1h"):
        return self.call("POST", "ask", json={"n": n, "lease": lease})["proposals"]

    def tell(self, trial, score):
        return self.call("POST", "tell", json={"answers": [{"trial": trial, "score": score}]})["outcomes"][0]["what"]

    def trials(self):
        page = {"more": True, "next": ""}
        while page["more"]:
            page = self.call("GET", "trials", params={"cursor": page["next"]})
            yield from page["trials"]
