"""The peer's side of BenchmarkPeer in internal/bench: the same work in PyTorch on the CPU.

It writes one line about itself, and then answers every line of standard input, the name of a kernel, with
the least seconds that one go takes. OMP_NUM_THREADS says how many threads there are, and the arguments how many
tokens the strings of the sequence VAE have.

To be fair to the peer, two things need care. Debian's default libopenblas0-pthread fights with the OpenMP
threads of PyTorch on few cores; install libopenblas0-openmp:

    apt-get install python3-torch libopenblas0-openmp

And OpenBLAS takes a processor that is newer than itself for an old one, and then runs at a fifth of its
speed; so OPENBLAS_CORETYPE is set here by what the processor can do, unless it is set already.
"""
import ctypes
import math
import os
import sys
import time


def cpu_flags():
    if not os.path.exists("/proc/cpuinfo"):
        return set()
    with open("/proc/cpuinfo") as cpuinfo:
        return next((set(line.split()) for line in cpuinfo if line.startswith("flags")), set())


if {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= cpu_flags():
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
elif "avx2" in cpu_flags():
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ImportError as error:
    sys.exit(f"{error}; on Debian: apt-get install python3-torch libopenblas0-openmp")

RULES, LENGTH, LATENT, HIDDEN = 12, 15, 25, 100
KINDS = torch.tensor([0] * 4 + [1] * 7 + [2])  # left-hand sides of the rules; the last is padding


def repeat(work):
    """Returns the least seconds of work, after a warm-up, in about a third of a second; of 2 goes at least, if they
    take no longer than a second."""
    work()
    best, end, goes = float("inf"), time.perf_counter() + 0.3, 0
    while time.perf_counter() < end or goes < (1 if best > 1 else 2):
        start = time.perf_counter()
        work()
        best, goes = min(best, time.perf_counter() - start), goes + 1
    return best


def sgemm(m, k, n):
    a, b, c = torch.randn(m, k), torch.randn(k, n), torch.empty(m, n)
    return repeat(lambda: torch.mm(a, b, out=c))


def cholesky(n):
    a = torch.randn(n, n, dtype=torch.float64)
    a = a + a.T + 8 * n * torch.eye(n, dtype=torch.float64)
    l = torch.empty_like(a)
    return repeat(lambda: torch.linalg.cholesky(a, out=l))


def training_step(exact, batch=600):
    """A pre-training step of the Grammar VAE (Kusner et al. 2017). exact computes what this repository
    does (reset gate before the recurrent matrix, hard sigmoid) in a loop over positions; otherwise nn.GRU
    does nearly the same, fused."""
    torch.manual_seed(0)
    # Lengths of the training expressions: 8, 10, 12 or 14 rules, then padding.
    shares = torch.tensor([0.006, 0.037, 0.281, 0.676])
    lengths = torch.tensor([8, 10, 12, 14])[torch.multinomial(shares, batch, replacement=True)]
    rules = torch.randint(0, RULES - 1, (batch, LENGTH))
    rules[torch.arange(LENGTH) >= lengths.unsqueeze(1)] = RULES - 1
    model = GrammarVAE(exact)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step():
        adam.zero_grad()
        model.loss(rules).backward()
        adam.step()

    return repeat(step)


class ExactGRU(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.w = nn.Linear(inputs, 3 * hidden)
        self.gates = nn.Linear(hidden, 2 * hidden, bias=False)
        self.candidate = nn.Linear(hidden, hidden, bias=False)
        self.hidden = hidden

    def forward(self, x):  # (n, length, inputs)
        n = self.hidden
        wx = self.w(x)
        h = x.new_zeros(x.shape[0], n)
        out = []
        for t in range(x.shape[1]):
            a = torch.clamp(0.2 * (wx[:, t, : 2 * n] + self.gates(h)) + 0.5, 0, 1)
            update, reset = a[:, :n], a[:, n:]
            c = torch.tanh(wx[:, t, 2 * n :] + self.candidate(reset * h))
            h = update * h + (1 - update) * c
            out.append(h)
        return torch.stack(out, 1)


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([ExactGRU(LATENT, HIDDEN), ExactGRU(HIDDEN, HIDDEN), ExactGRU(HIDDEN, HIDDEN)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class GrammarVAE(nn.Module):
    def __init__(self, exact):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(RULES, 2, 2), nn.ReLU(), nn.BatchNorm1d(2),
            nn.Conv1d(2, 3, 3), nn.ReLU(), nn.BatchNorm1d(3),
            nn.Conv1d(3, 4, 4), nn.ReLU(), nn.BatchNorm1d(4),
            nn.Flatten(), nn.Linear(36, 100), nn.ReLU(),
        )
        self.mu, self.logvar = nn.Linear(100, LATENT), nn.Linear(100, LATENT)
        self.latent = nn.Sequential(nn.BatchNorm1d(LATENT), nn.Linear(LATENT, LATENT), nn.ReLU())
        self.gru = Stack() if exact else nn.GRU(LATENT, HIDDEN, num_layers=3, batch_first=True)
        self.logits = nn.Linear(HIDDEN, RULES)

    def loss(self, rules):
        h = self.encoder(F.one_hot(rules, RULES).float().transpose(1, 2))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.exp(logvar / 2) * torch.randn_like(mu)
        h = self.latent(z).unsqueeze(1).expand(-1, LENGTH, -1)
        h = self.gru(h)
        h = h[0] if isinstance(h, tuple) else h
        logits = self.logits(h)
        allowed = KINDS[rules].unsqueeze(-1) == KINDS
        logits = logits.masked_fill(~allowed, -1e30)
        recon = F.cross_entropy(logits.reshape(-1, RULES), rules.reshape(-1), reduction="sum") / len(rules)
        kl = -0.5 * (1 + logvar - mu**2 - logvar.exp()).sum() / len(rules)
        return recon + 0.05 * kl


LENGTHS = [int(n) for n in sys.argv[1:]]  # tokens of the first 100 GuacaMol molecules, with their stops
TOKENS, STOP, WIDTH, VECTORS, HEADS = 97, 1, 128, 2, 8


def positions(n, d):
    rates = torch.exp(torch.arange(0, d, 2) * (-math.log(10000) / d))
    angles = torch.arange(n).unsqueeze(1) * rates
    return torch.stack([torch.sin(angles), torch.cos(angles)], -1).reshape(n, d)


class SequenceVAE(nn.Module):
    """The InfoTransformerVAE of LOL-BO, CoBO and InvBO, or the same with a narrower encoder."""

    def __init__(self, encoder_width=2 * WIDTH, encoder_layers=6, dropout=0.1):
        super().__init__()
        encoder = nn.TransformerEncoderLayer(encoder_width, HEADS, 512, dropout, batch_first=True)
        decoder = nn.TransformerDecoderLayer(WIDTH, HEADS, 256, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(encoder, encoder_layers)
        self.decoder = nn.TransformerDecoder(decoder, 6)
        self.encoder_embedding = nn.Embedding(TOKENS, encoder_width)
        self.decoder_embedding = nn.Embedding(TOKENS, WIDTH)
        self.unembedding = nn.Parameter(torch.randn(WIDTH, TOKENS))
        self.head = nn.Identity() if encoder_width == 2 * WIDTH else nn.Linear(encoder_width, 2 * WIDTH)
        self.dropout = nn.Dropout(dropout)

    def encode(self, x):  # (n, length)
        after = (x == STOP).cumsum(1) > 1  # the first stop
        h = self.dropout(self.encoder_embedding(x) + positions(x.shape[1], self.encoder_embedding.embedding_dim))
        h = self.head(self.encoder(h, src_key_padding_mask=after)[:, :VECTORS])
        return h[..., :WIDTH], F.softplus(h[..., WIDTH:]) + 1e-4

    def decode(self, z, tokens):  # the logits of each position, and of the next, given the tokens before it
        h = F.pad(self.decoder_embedding(tokens), (0, 0, 1, 0))
        h = self.dropout(h + positions(h.shape[1], WIDTH))
        return self.decoder(h, z, tgt_mask=nn.Transformer.generate_square_subsequent_mask(h.shape[1])) @ self.unembedding

    def loss(self, x):
        mu, sigma = self.encode(x)
        logits = self.decode(mu + torch.randn_like(mu) * sigma, x[:, :-1])
        kl = 0.5 * (mu**2 + sigma**2 - 2 * sigma.log() - 1).mean()
        return F.cross_entropy(logits.transpose(1, 2), x) + 0.1 * kl  # padding counts, as published


def molecules(lengths):
    """Random strings of these lengths, padded with stops to the longest: the time does not depend on the tokens."""
    x = torch.randint(2, TOKENS, (len(lengths), max(lengths)))
    x[torch.arange(x.shape[1]) >= torch.tensor(lengths).unsqueeze(1) - 1] = STOP
    return x


def groups(lengths, count):
    """Strings in groups of about equal size and of similar lengths, so that there is little padding."""
    lengths = sorted(lengths)
    size = -(-len(lengths) // count)
    return [molecules(lengths[i : i + size]) for i in range(0, len(lengths), size)]


def inversion_step(published):
    """Loss and gradient of an iteration of inversion (Chu et al. 2024, Algorithm 1) on 64 molecules. published does what the published
    code does: one padded batch, and gradients of all weights, which nobody uses. Otherwise there are gradients of z
    only, and the batch is cut into groups of similar lengths."""
    torch.manual_seed(0)
    model = SequenceVAE().eval().requires_grad_(published)
    batches = groups(LENGTHS[:64], 1 if published else 4)
    latents = [torch.randn(len(x), VECTORS, WIDTH, requires_grad=True) for x in batches]

    def step():
        for x, z in zip(batches, latents):
            logits = model.decode(z, x[:, :-1]).transpose(1, 2)
            F.cross_entropy(logits, x).backward()
            (logits.argmax(1) == x).all(1)

    return repeat(step)


def pretraining_step(count, **sizes):
    """A training step of the sequence VAE on 256 molecules in so many groups of similar lengths."""
    torch.manual_seed(0)
    lengths = [LENGTHS[i % len(LENGTHS)] for i in range(256)]
    batches = groups(lengths, count)
    model = SequenceVAE(**sizes)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step():
        adam.zero_grad()
        for x in batches:
            (model.loss(x) * (len(x) / len(lengths))).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        adam.step()

    return repeat(step)


@torch.no_grad()
def greedy_decoding(n=100):
    """Decodes latents as the published code does: all prefixes anew for each token, until all strings have
    stopped; but it takes the likeliest token, not a random one. Here that is after the longest molecule's length."""
    torch.manual_seed(0)
    model = SequenceVAE().eval()
    z = torch.randn(n, VECTORS, WIDTH)

    def decode():
        tokens = torch.empty(n, 0, dtype=torch.long)
        for _ in range(max(LENGTHS)):
            tokens = torch.cat([tokens, model.decode(z, tokens)[:, -1:].argmax(-1)], 1)

    return repeat(decode)


KERNELS = {
    "sgemm 4096x128x512": lambda: sgemm(4096, 128, 512),
    "sgemm 1024x1024x1024": lambda: sgemm(1024, 1024, 1024),
    "cholesky 1024 float64": lambda: cholesky(1024),
    "grammar-vae-step": lambda: training_step(exact=False),
    "grammar-vae-step, same maths": lambda: training_step(exact=True),
    "inversion, as published": lambda: inversion_step(published=True),
    "inversion, z only, sorted": lambda: inversion_step(published=False),
    "pretraining, padded": lambda: pretraining_step(1),
    "pretraining, sorted": lambda: pretraining_step(8),
    "compact pretraining, padded": lambda: pretraining_step(1, encoder_width=128, encoder_layers=3),
    "compact pretraining, sorted": lambda: pretraining_step(8, encoder_width=128, encoder_layers=3),
    "greedy decoding, as published": lambda: greedy_decoding(),
}


def blas():
    """Returns which OpenBLAS is loaded, and the processor that its kernels are for."""
    if not os.path.exists("/proc/self/maps"):
        return "BLAS unknown"
    with open("/proc/self/maps") as maps:
        path = next((line.split()[-1] for line in maps if "libopenblas" in line), None)
    if path is None:
        return "no OpenBLAS"
    core = ctypes.CDLL(path).openblas_get_corename
    core.restype = ctypes.c_char_p
    return f"{path} for {core().decode()}"


def main():
    threads = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count()))
    torch.set_num_threads(threads)
    load = os.getloadavg()[0]
    print(f"PyTorch {torch.__version__}, {threads} threads, {blas()}; load of the machine {load:.1f}", flush=True)
    for line in sys.stdin:
        print(KERNELS[line.strip()](), flush=True)


if __name__ == "__main__":
    main()
