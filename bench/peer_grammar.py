"""Seconds per pre-training step of the Grammar VAE (Kusner et al. 2017) in PyTorch on the CPU.

The peer of BenchmarkTrainingStep in vae/grammar: batch 600, 15 rules of 12, conv 2/3/4 filters, three GRU
layers of 100. Two variants:

  fast   nn.GRU (fused; reset gate after the recurrent matrix, logistic gates)
  exact  the maths of the paper and of this repository (reset before, hard sigmoid), a loop over steps

    apt-get install python3-torch libopenblas0-openmp
    OMP_NUM_THREADS=2 /usr/bin/python3 bench/peer_grammar.py
"""
import argparse
import time

import torch
from torch import nn
from torch.nn import functional as F

RULES, LENGTH, LATENT, HIDDEN = 12, 15, 25, 100
KINDS = torch.tensor([0] * 4 + [1] * 7 + [2])


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=600)
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    # Lengths of the training expressions: 8, 10, 12 or 14 rules, then padding.
    lengths = torch.tensor([8, 10, 12, 14])[torch.multinomial(torch.tensor([0.006, 0.037, 0.281, 0.676]), args.batch, replacement=True)]
    rules = torch.randint(0, 11, (args.batch, LENGTH))
    rules[torch.arange(LENGTH) >= lengths.unsqueeze(1)] = 11
    for name in ["fast", "exact"]:
        model = GrammarVAE(name == "exact")
        adam = torch.optim.Adam(model.parameters(), lr=1e-3)
        seconds = []
        for _ in range(args.steps + 3):
            start = time.perf_counter()
            adam.zero_grad()
            model.loss(rules).backward()
            adam.step()
            seconds.append(time.perf_counter() - start)
        seconds = sorted(seconds[3:])
        print(f"{name:5}  median {seconds[len(seconds) // 2]:.4f} s/step  best {seconds[0]:.4f} s/step")


if __name__ == "__main__":
    main()
