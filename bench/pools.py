"""What others find in a pool of measured molecules: random forest and ridge regression on counted Morgan fingerprints (radius 2, 2,048 bins).

    /usr/bin/python3 bench/pools.py FILE COLUMN min|max INITIAL BATCH [SEEDS]

FILE is a CSV with a column of SMILES. INITIAL molecules are drawn at random, then five batches of those with the best predictions. It prints
how many of the hundred best scores were found, mean and standard error over seeds. It needs Debian's python3-rdkit and python3-sklearn.
"""
import csv, gzip, sys
from collections import Counter

import numpy as np
from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge

RDLogger.DisableLog("rdApp.*")
path, column, way, initial, batch = sys.argv[1:4] + [int(v) for v in sys.argv[4:6]]
seeds = int(sys.argv[6]) if len(sys.argv) > 6 else 5

found = {}
for row in csv.DictReader(gzip.open(path, "rt")):
    smiles = next(row[c] for c in row if c.lower() == "smiles")
    mol = Chem.MolFromSmiles(smiles)
    if mol is not None and row[column]:
        found.setdefault(Chem.MolToSmiles(mol), (mol, []))[1].append(float(row[column]))
sign = 1 if way == "max" else -1
y = sign * np.array([np.mean(v) for _, v in found.values()])
x = np.zeros((len(y), 2048), np.float32)
for i, (mol, _) in enumerate(found.values()):
    for bit, n in AllChem.GetHashedMorganFingerprint(mol, 2, 2048).GetNonzeroElements().items():
        x[i, bit] = n
best = Counter(np.sort(y)[::-1][:100])

for name, model in [("random forest", lambda s: RandomForestRegressor(100, n_jobs=-1, random_state=s)), ("ridge", lambda s: Ridge(1.0))]:
    shares = []
    for seed in range(seeds):
        known = list(np.random.default_rng(seed).permutation(len(y))[:initial])
        for _ in range(5):
            predicted = model(seed).fit(x[known], y[known]).predict(x)
            predicted[known] = -np.inf
            known += list(np.argsort(-predicted)[:batch])
        shares.append(sum((Counter(y[known]) & best).values()))
    print(f"{name}: {np.mean(shares):.1f} ± {np.std(shares, ddof=1) / len(shares) ** 0.5:.1f}")
