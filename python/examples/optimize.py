"""Maximize a plain function of strings: the hydrophobic moment of 12 residues in a helix.

python3 optimize.py helix.db
"""

import cmath
import math
import random
import sys

import invbo

# Consensus hydrophobicities of the amino acids (Eisenberg et al. 1984).
HYDROPHOBICITY = {
    "A": 0.62, "R": -2.53, "N": -0.78, "D": -0.90, "C": 0.29, "Q": -0.85, "E": -0.74, "G": 0.48, "H": -0.40, "I": 1.38,
    "L": 1.06, "K": -1.50, "M": 0.64, "F": 1.19, "P": 0.12, "S": -0.18, "T": -0.05, "W": 0.81, "Y": 0.26, "V": 1.08,
}  # fmt: skip


def moment(sequence: str) -> float:
    """Return the mean hydrophobic moment of a helix, in which residues are 100° apart."""
    turn = cmath.exp(1j * math.radians(100))
    return abs(sum(HYDROPHOBICITY[letter] * turn**i for i, letter in enumerate(sequence))) / len(sequence)


def main() -> None:
    rng = random.Random(0)
    first = ["".join(rng.choices(list(HYDROPHOBICITY), k=12)) for _ in range(20)]
    with invbo.Study.create(sys.argv[1], [(s, moment(s)) for s in first], direction="maximize", length=12) as study:
        print(study.report)
        study.optimize(moment, 30)
        for trial in study.status().ranked:
            print(trial.number, trial.input, trial.score)


if __name__ == "__main__":
    main()
