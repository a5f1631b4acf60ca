"""make.py writes fragments.bin from the fragment table of RDKit's Contrib (SA_Score/fpscores.pkl.gz, BSD-3-Clause):

    python3 make.py /usr/share/RDKit/Contrib/SA_Score/fpscores.pkl.gz

The file holds varints, as encoding/binary has them, of the number of scores and the number of fragments; the scores, in
ten-thousandths, as signed varints, the most frequent first; for each fragment, in ascending order of ids, the difference of its id from the
one before; and for each the number of its score."""
import collections, gzip, pickle, sys


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return out


with gzip.open(sys.argv[1]) as f:
    scores = {fragment: row[0] for row in pickle.load(f) for fragment in row[1:]}
order = [score for score, _ in collections.Counter(scores.values()).most_common()]
number = {score: i for i, score in enumerate(order)}
fragments = sorted(scores)
out = varint(len(order)) + varint(len(fragments))
for score in order:
    n = round(score * 10_000)
    assert n / 10_000 == score
    out += varint(n << 1 if n >= 0 else (-n << 1) - 1)
before = 0
for fragment in fragments:
    out += varint(fragment - before)
    before = fragment
for fragment in fragments:
    out += varint(number[scores[fragment]])
with open("fragments.bin", "wb") as f:
    f.write(out)
