"""Searches for sequences with many A: python3 search.py http://127.0.0.1:8080/studies/enzyme TOKENFILE"""

import sys

from study import Study

study = Study(sys.argv[1], open(sys.argv[2]).read().strip())
for _ in range(3):
    for proposal in study.ask(n=2):
        study.tell(proposal["trial"], proposal["input"].count("A"))
best = max((t for t in study.trials() if "score" in t), key=lambda t: t["score"])
print("best", best["score"], best["input"])
