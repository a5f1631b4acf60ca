"""The peer's side of `invbo bench peer`: the same work in PyTorch on the CPU.

It writes one line about itself, and then answers every line of standard input, the name of a kernel, with
the least seconds that one go takes. OMP_NUM_THREADS says how many threads there are.

To be fair to the peer, two things need care. Debian's default libopenblas0-pthread fights with the OpenMP
threads of PyTorch on few cores; install libopenblas0-openmp:

    apt-get install python3-torch libopenblas0-openmp

And OpenBLAS takes a processor that is newer than itself for an old one, and then runs at a fifth of its
speed; so OPENBLAS_CORETYPE is set here by what the processor can do, unless it is set already.
"""
import ctypes
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
    """Returns the least seconds of work, after a warm-up, in about a third of a second; of 2 goes at least."""
    work()
    best, end, goes = float("inf"), time.perf_counter() + 0.3, 0
    while time.perf_counter() < end or goes < 2:
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


KERNELS = {
    "sgemm 4096x128x512": lambda: sgemm(4096, 128, 512),
    "sgemm 1024x1024x1024": lambda: sgemm(1024, 1024, 1024),
    "cholesky 1024 float64": lambda: cholesky(1024),
    "grammar-vae-step": lambda: training_step(exact=False),
    "grammar-vae-step, same maths": lambda: training_step(exact=True),
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
