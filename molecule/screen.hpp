#include "guard.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/QueryOps.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

using namespace shim;

// A screen matches many rules at once, and finds what RDKit finds for each of them, in a hundredth of the time:
//
// 1. What an atom or a bond of a rule asks for depends on a few properties, mostly. So the atoms and bonds of rules that a kind of atom, or of
//    bond, may match are found once for each kind, and remembered as sets of bits. A rule with a bit that no atom or bond of a molecule has
//    does not match.
// 2. Of the others, atoms that cannot be those of the rule are removed, since a neighbour is missing (arc consistency).
// 3. What is left is searched for. Environments, as in [$(C=O)], are patterns of their own, of which each is looked at once for an atom.

namespace {

using Bits = std::vector<uint64_t>;

bool has(const Bits &bits, size_t i) { return bits[i / 64] >> i % 64 & 1; }
void set(Bits &bits, size_t i, bool value) { bits[i / 64] |= uint64_t(value) << i % 64; }
size_t words(size_t bits) { return (bits + 63) / 64; }

// Atoms of a molecule, of which there are 64 or 128 at most. Larger molecules are searched by RDKit.
using Mask64 = uint64_t;
using Mask128 = unsigned __int128;

unsigned lowest(Mask64 m) { return __builtin_ctzll(m); }
unsigned lowest(Mask128 m) { return uint64_t(m) ? __builtin_ctzll(uint64_t(m)) : 64 + __builtin_ctzll(uint64_t(m >> 64)); }
unsigned count(Mask64 m) { return __builtin_popcountll(m); }
unsigned count(Mask128 m) { return __builtin_popcountll(uint64_t(m)) + __builtin_popcountll(uint64_t(m >> 64)); }

using AtomQuery = RDKit::QueryAtom::QUERYATOM_QUERY;

const int first_environment = 1000; // isotopes from here on stand for environments

// environment returns the number of the environment that a query stands for, or −1.
int environment(const AtomQuery &q) {
  const auto equals = q.getDescription() == "AtomIsotope" ? dynamic_cast<const RDKit::ATOM_EQUALS_QUERY *>(&q) : nullptr;
  return equals && equals->getVal() >= first_environment ? equals->getVal() - first_environment : -1;
}

// is returns whether a description is that of a query that depends on kind alone.
template <typename Query>
bool is_transparent(const Query &q) {
  static const std::vector<std::string> all{
      "AtomAliphatic", "AtomAromatic", "AtomAtomicNum", "AtomExplicitDegree", "AtomExplicitValence", "AtomFormalCharge", "AtomHCount", "AtomHasImplicitH",
      "AtomHasRingBond", "AtomHybridization", "AtomImplicitHCount", "AtomImplicitValence", "AtomInNRings", "AtomInRing", "AtomIsotope", "AtomMinRingSize",
      "AtomNegativeFormalCharge", "AtomNull", "AtomRingBondCount", "AtomRingSize", "AtomTotalDegree", "AtomTotalValence", "AtomType", "BondInRing", "BondNull",
      "BondOrder", "DoubleOrAromaticBond", "SingleOrAromaticBond", "SingleOrDoubleBond", "SingleOrDoubleOrAromaticBond",
  };
  return std::binary_search(all.begin(), all.end(), q.getDescription());
}

enum Junction { leaf, all_of, any_of, one_of };

template <typename Query>
Junction junction(const Query &q) {
  const auto &name = q.getDescription();
  if (name == "AtomAnd" || name == "BondAnd") return all_of;
  if (name == "AtomOr" || name == "BondOr") return any_of;
  if (name == "AtomXor" || name == "BondXor") return one_of;
  return leaf;
}

// combine returns what a query that is no leaf says, given what its children say, without its negation.
template <typename Query, typename F>
bool combine(const Query &q, F says) {
  switch (junction(q)) {
  case all_of:
    return std::all_of(q.beginChildren(), q.endChildren(), says);
  case any_of:
    return std::any_of(q.beginChildren(), q.endChildren(), says);
  default:
    return std::count_if(q.beginChildren(), q.endChildren(), says) == 1;
  }
}

// sure reports whether a query depends on kind alone.
template <typename Query>
bool sure(const Query &q) {
  if (junction(q) != leaf) {
    return std::all_of(q.beginChildren(), q.endChildren(), [](const auto &child) { return sure(*child); });
  }
  if constexpr (std::is_same_v<Query, AtomQuery>) {
    if (environment(q) >= 0) return false;
  }
  return is_transparent(q);
}

// may returns false only if nothing of the same kind matches.
template <typename Query, typename Thing>
bool may(const Query &q, const Thing *what) {
  if (sure(q)) return q.Match(what);
  if (q.getNegation() || junction(q) == leaf || junction(q) == one_of) return true;
  return combine(q, [&](const auto &child) { return may(*child, what); });
}

// text writes a query so that equal ones are found. Those that it cannot write are named by their address.
template <typename Query>
std::string text(const Query &q) {
  std::string s = q.getNegation() ? "!" : "";
  if (junction(q) != leaf) {
    s += q.getDescription() + "(";
    for (auto child = q.beginChildren(); child != q.endChildren(); child++) s += text(**child) + " ";
    return s + ")";
  }
  using Equality = std::conditional_t<std::is_same_v<Query, AtomQuery>, RDKit::ATOM_EQUALS_QUERY, RDKit::BOND_EQUALS_QUERY>;
  if (typeid(q) == typeid(Equality)) return s + q.getDescription() + std::to_string(static_cast<const Equality &>(q).getVal());
  if (q.getDescription() == "AtomNull" || q.getDescription() == "BondNull") return s + q.getDescription();
  return s + q.getDescription() + "@" + std::to_string(reinterpret_cast<uintptr_t>(&q));
}

// Kind holds the properties that sure queries ask an atom for. Rings of 66 and more atoms are not told apart.
using Kind = std::array<uint64_t, 2>;

struct HashKind {
  size_t operator()(const Kind &k) const { return (k[0] * 0x9e3779b97f4a7c15 ^ k[1]) * 0xbf58476d1ce4e5b9 >> 7; }
};

Kind kind(const RDKit::Atom *a, const RDKit::RingInfo &rings) {
  uint64_t sizes = 0, in_rings = 0;
  if (rings.numAtomRings(a->getIdx()) > 0) {
    for (const auto bond : a->getOwningMol().atomBonds(a)) in_rings += rings.numBondRings(bond->getIdx()) > 0;
    for (const auto size : rings.atomRingSizes(a->getIdx())) sizes |= uint64_t(1) << std::min(size - 3, 63);
  }
  // [H1] counts hydrogens that are atoms, such as deuterium, and [X4] does not count them twice.
  const uint64_t hydrogens = a->getTotalNumHs(), with_atoms = a->getTotalNumHs(true), implicit = a->getNumImplicitHs();
  return {uint64_t(a->getAtomicNum()) | uint64_t(a->getIsotope() & 1023) << 8 | uint64_t(uint8_t(a->getFormalCharge())) << 18 |
              (a->getDegree() & 15) << 26 | (hydrogens & 15) << 30 | (implicit & 15) << 34 | uint64_t(a->getExplicitValence() & 31) << 38 |
              uint64_t(a->getHybridization()) << 43 | uint64_t(a->getIsAromatic()) << 48 | (in_rings & 15) << 49 |
              uint64_t(rings.numAtomRings(a->getIdx()) & 31) << 53 | (with_atoms & 15) << 58,
          sizes};
}

uint64_t kind(const RDKit::Bond *b, const RDKit::RingInfo &rings) {
  return uint64_t(b->getBondType() & 63) << 2 | uint64_t(b->getIsAromatic()) << 1 | (rings.numBondRings(b->getIdx()) > 0);
}

struct Edge {
  unsigned to, query; // an atom of the pattern; a bond query
};

const size_t most_atoms = 128; // of a pattern

// Pattern is a rule or an environment.
struct Pattern {
  std::unique_ptr<RWMol> query;
  std::vector<unsigned> atoms;               // their queries
  std::vector<std::vector<Edge>> edges;      // of each atom
  std::vector<std::vector<unsigned>> orders; // in which atoms are looked for, by the first one; each is bonded to one before it, if it can be
  std::vector<std::pair<size_t, uint64_t>> wants; // triples that its bonds are: places and words of a set of bits
  bool environments = false;                 // some atom has one
};

// Triple is a bond of a pattern: a bond query between two atom queries.
struct Triple {
  unsigned begin, bond, end;
};

// Term is an atom query with environments: a tree whose leaves are queries that depend on kind alone, environments, and others.
struct Term {
  enum { bit, inside, other, tree } is;
  bool negated = false;
  unsigned number = 0;               // of a query or an environment
  const AtomQuery *query = nullptr;  // of others
  Junction junction = leaf;
  std::vector<Term> children;
};

// Found is what a bond between atoms of some kinds may be.
struct Found {
  const Bits *bonds; // queries that it matches
  Bits triples;      // that it may be
};

uint64_t pair(unsigned a, unsigned b, uint64_t bond) { return uint64_t(std::min(a, b)) << 36 | uint64_t(std::max(a, b)) << 8 | bond; }

struct Screen {
  std::vector<Pattern> rules;
  std::vector<unsigned> counts;                 // of rules
  std::deque<Pattern> environments;             // a deque, as reading one may add others
  std::map<std::string, int> environment_of;    // by SMARTS
  std::vector<const AtomQuery *> atoms;         // different queries
  std::vector<std::unique_ptr<Term>> terms;     // of these, where kind does not tell
  std::vector<const RDKit::QueryBond *> bonds;  // likewise
  std::vector<Triple> triples;
  std::map<std::string, unsigned> numbers;      // of atoms, bonds and triples

  std::shared_mutex mutex; // the fields below
  std::unordered_map<Kind, unsigned, HashKind> kinds;
  std::deque<Bits> of_atoms;                        // queries that a kind of atom may match, by its number
  std::unordered_map<uint64_t, Bits> of_bonds;      // queries that a kind of bond matches
  std::unordered_map<uint64_t, Found> of_triples;   // by the kinds of a bond and its atoms

  Pattern read(const std::string &smarts, bool merge);
  unsigned add(const AtomQuery &q);
  Term term(const AtomQuery &q);
  std::string plain(const std::string &smarts, bool merge);
};

template <typename T>
unsigned numbered(std::map<std::string, unsigned> &numbers, const std::string &name, std::vector<T> &all, const T &value) {
  const auto [at, fresh] = numbers.emplace(name, all.size());
  if (fresh) all.push_back(value);
  return at->second;
}

// plain returns SMARTS in which isotopes stand for the environments.
std::string Screen::plain(const std::string &smarts, bool merge) {
  std::string out;
  size_t digits = 0;
  for (size_t i = 0; i < smarts.size(); i++) {
    if (smarts.compare(i, 2, "$(") != 0) {
      digits = std::isdigit(static_cast<unsigned char>(smarts[i])) ? digits + 1 : 0;
      if (digits > 3) throw std::invalid_argument("a number of four digits cannot be screened for"); // they stand for environments
      out += smarts[i];
      continue;
    }
    digits = 0;
    size_t end = i + 1, depth = 0;
    do {
      if (end == smarts.size()) throw std::invalid_argument("a parenthesis is not closed");
      depth += smarts[end] == '(';
      depth -= smarts[end] == ')';
      end++;
    } while (depth > 0);
    const auto inside = smarts.substr(i + 2, end - i - 3);
    const auto key = (merge ? "merged " : "") + inside;
    auto at = environment_of.find(key);
    if (at == environment_of.end()) {
      auto pattern = read(inside, merge);
      at = environment_of.emplace(key, environments.size()).first;
      environments.push_back(std::move(pattern));
    }
    if (out.empty() || !std::strchr("[!,;&", out.back())) out += '&';
    out += std::to_string(first_environment + at->second);
    if (end < smarts.size() && !std::strchr("],;&", smarts[end])) out += '&';
    i = end - 1;
  }
  return out;
}

// add returns the number of an atom query.
unsigned Screen::add(const AtomQuery &q) {
  const auto n = numbered<const AtomQuery *>(numbers, "atom " + text(q), atoms, &q);
  if (n == terms.size()) {
    terms.emplace_back();
    if (!sure(q)) {
      auto t = std::make_unique<Term>(term(q)); // which may add others
      terms[n] = std::move(t);
    }
  }
  return n;
}

Term Screen::term(const AtomQuery &q) {
  Term t;
  if (sure(q)) {
    t.is = Term::bit;
    t.number = add(q);
    return t;
  }
  t.negated = q.getNegation();
  t.junction = junction(q);
  if (t.junction != leaf) {
    t.is = Term::tree;
    for (auto child = q.beginChildren(); child != q.endChildren(); child++) t.children.push_back(term(**child));
    return t;
  }
  const auto e = environment(q);
  t.is = e < 0 ? Term::other : Term::inside;
  t.number = e;
  t.query = &q;
  return t;
}

// order returns the atoms of a pattern, beginning with one, each bonded to one before it if it can be.
std::vector<unsigned> order(const Pattern &p, unsigned first) {
  std::vector<unsigned> all{first};
  std::vector<bool> queued(p.atoms.size());
  queued[first] = true;
  for (size_t next = 0;; next++) {
    if (next == all.size()) { // another part of the pattern
      const auto rest = std::find(queued.begin(), queued.end(), false);
      if (rest == queued.end()) return all;
      *rest = true;
      all.push_back(rest - queued.begin());
    }
    for (const auto &e : p.edges[all[next]]) {
      if (!queued[e.to]) all.push_back(e.to);
      queued[e.to] = true;
    }
  }
}

Pattern Screen::read(const std::string &smarts, bool merge) {
  RDKit::SmartsParserParams params;
  params.allowCXSMILES = params.parseName = false;
  params.mergeHs = merge;
  Pattern p;
  p.query.reset(RDKit::SmartsToMol(plain(smarts, merge), params));
  if (!p.query || p.query->getNumAtoms() > most_atoms) throw std::invalid_argument("SMARTS that cannot be screened for: " + smarts);
  p.edges.resize(p.query->getNumAtoms());
  for (const auto a : p.query->atoms()) {
    p.atoms.push_back(add(*static_cast<const RDKit::QueryAtom *>(a)->getQuery()));
    p.environments = p.environments || terms[p.atoms.back()];
  }
  std::map<size_t, uint64_t> wants;
  for (const auto b : p.query->bonds()) {
    if (b->getBondType() == RDKit::Bond::DATIVE) throw std::invalid_argument("a dative bond cannot be screened for");
    const auto query = static_cast<const RDKit::QueryBond *>(b);
    const auto n = numbered(numbers, "bond " + text(*query->getQuery()), bonds, query);
    const auto begin = b->getBeginAtomIdx(), end = b->getEndAtomIdx();
    p.edges[begin].push_back({end, n});
    p.edges[end].push_back({begin, n});
    const Triple t{std::min(p.atoms[begin], p.atoms[end]), n, std::max(p.atoms[begin], p.atoms[end])};
    const auto bit = numbered(numbers, "triple " + std::to_string(t.begin) + " " + std::to_string(n) + " " + std::to_string(t.end), triples, t);
    wants[bit / 64] |= uint64_t(1) << bit % 64;
  }
  p.wants.assign(wants.begin(), wants.end());
  for (unsigned first = 0; first < p.atoms.size(); first++) p.orders.push_back(order(p, first));
  return p;
}

// learn remembers the kinds of a molecule.
void learn(Screen &screen, const ROMol &mol) {
  const auto &rings = *mol.getRingInfo();
  std::unique_lock lock(screen.mutex);
  std::vector<unsigned> of(mol.getNumAtoms());
  for (const auto a : mol.atoms()) {
    const auto [at, fresh] = screen.kinds.emplace(kind(a, rings), screen.of_atoms.size());
    of[a->getIdx()] = at->second;
    if (!fresh) continue;
    Bits bits(words(screen.atoms.size()));
    for (size_t i = 0; i < screen.atoms.size(); i++) {
      set(bits, i, screen.terms[i] ? may(*screen.atoms[i], a) : screen.atoms[i]->Match(a));
    }
    screen.of_atoms.push_back(std::move(bits));
  }
  for (const auto b : mol.bonds()) {
    const auto bond = kind(b, rings);
    const auto [with, first] = screen.of_bonds.emplace(bond, words(screen.bonds.size()));
    for (size_t i = 0; first && i < screen.bonds.size(); i++) set(with->second, i, screen.bonds[i]->Match(b));
    const auto begin = of[b->getBeginAtomIdx()], end = of[b->getEndAtomIdx()];
    const auto [at, fresh] = screen.of_triples.emplace(pair(begin, end, bond), Found{&with->second, Bits(words(screen.triples.size()))});
    if (!fresh) continue;
    const Bits &x = screen.of_atoms[begin], &y = screen.of_atoms[end];
    for (size_t i = 0; i < screen.triples.size(); i++) {
      const auto &t = screen.triples[i];
      set(at->second.triples, i, has(with->second, t.bond) && (has(x, t.begin) && has(y, t.end) || has(y, t.begin) && has(x, t.end)));
    }
  }
}

// Target is a molecule that patterns are searched for in.
template <typename Mask>
class Target {
 public:
  Target(Screen &s, const ROMol &mol)
      : screen(s), mol(mol), masks(s.atoms.size()), masked(s.atoms.size()), looked(s.atoms.size()), matched(s.atoms.size()),
        tried(s.environments.size()), within(s.environments.size()), adjacent(s.bonds.size()) {
    while (!look()) learn(screen, mol);
  }

  bool matches(const Pattern &p) {
    if (lacks(p)) return false;
    Mask may[most_atoms];
    if (!candidates(p, may) || !consistent(p, may)) return false;
    if (p.environments) {
      for (size_t i = 0; i < p.atoms.size(); i++) {
        if (!screen.terms[p.atoms[i]]) continue;
        for (Mask rest = may[i]; rest; rest &= rest - 1) {
          const auto a = lowest(rest);
          if (!truly(p.atoms[i], a)) may[i] &= ~(Mask(1) << a);
        }
        if (!may[i]) return false;
      }
      if (!consistent(p, may)) return false;
    }
    unsigned first = 0; // the atom with the fewest candidates
    for (unsigned i = 1; i < p.atoms.size(); i++) {
      if (count(may[i]) < count(may[first])) first = i;
    }
    return search(p, may, first);
  }

 private:
  Screen &screen;
  const ROMol &mol;
  std::vector<const Bits *> atom_bits; // atom queries that an atom may match
  std::vector<const Bits *> bond_bits; // bond queries that a bond matches
  Bits triples;

  std::vector<Mask> masks; // atoms that may match a query
  std::vector<char> masked;
  std::vector<Mask> looked, matched; // atoms that were asked for a query, and those of them that match
  std::vector<Mask> tried, within;   // likewise for an environment
  std::vector<std::vector<Mask>> adjacent; // neighbours of an atom by bonds that match a query; empty: not known

  // look finds what is remembered, and returns false if a kind is new.
  bool look() {
    const auto &rings = *mol.getRingInfo();
    std::shared_lock lock(screen.mutex);
    std::vector<unsigned> of(mol.getNumAtoms());
    atom_bits.resize(mol.getNumAtoms());
    bond_bits.resize(mol.getNumBonds());
    triples.assign(words(screen.triples.size()), 0);
    for (const auto a : mol.atoms()) {
      const auto at = screen.kinds.find(kind(a, rings));
      if (at == screen.kinds.end()) return false;
      of[a->getIdx()] = at->second;
      atom_bits[a->getIdx()] = &screen.of_atoms[at->second];
    }
    for (const auto b : mol.bonds()) {
      const auto at = screen.of_triples.find(pair(of[b->getBeginAtomIdx()], of[b->getEndAtomIdx()], kind(b, rings)));
      if (at == screen.of_triples.end()) return false;
      for (size_t i = 0; i < triples.size(); i++) triples[i] |= at->second.triples[i];
      bond_bits[b->getIdx()] = at->second.bonds;
    }
    return true;
  }

  // lacks reports whether the molecule has no bond that may be one of the pattern.
  bool lacks(const Pattern &p) const {
    return std::any_of(p.wants.begin(), p.wants.end(), [&](const auto &w) { return (w.second & ~triples[w.first]) != 0; });
  }

  Mask mask(unsigned query) {
    if (!masked[query]) {
      masked[query] = true;
      for (size_t a = 0; a < atom_bits.size(); a++) masks[query] |= Mask(has(*atom_bits[a], query)) << a;
    }
    return masks[query];
  }

  const std::vector<Mask> &neighbours(unsigned query) {
    auto &all = adjacent[query];
    if (all.empty()) {
      all.resize(mol.getNumAtoms());
      for (const auto b : mol.bonds()) {
        if (!has(*bond_bits[b->getIdx()], query)) continue;
        all[b->getBeginAtomIdx()] |= Mask(1) << b->getEndAtomIdx();
        all[b->getEndAtomIdx()] |= Mask(1) << b->getBeginAtomIdx();
      }
    }
    return all;
  }

  // candidates sets the atoms that may be those of the pattern, and returns false if there are none for one.
  bool candidates(const Pattern &p, Mask *may) {
    for (size_t i = 0; i < p.atoms.size(); i++) {
      may[i] = mask(p.atoms[i]);
      if (!may[i]) return false;
    }
    return true;
  }

  // consistent removes atoms that lack a neighbour of the pattern, and returns false if none are left for one.
  bool consistent(const Pattern &p, Mask *may) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < p.atoms.size(); i++) {
        const auto before = may[i];
        for (const auto &e : p.edges[i]) {
          const auto &next = neighbours(e.query);
          Mask reached = 0;
          for (Mask rest = may[e.to]; rest; rest &= rest - 1) reached |= next[lowest(rest)];
          may[i] &= reached;
        }
        if (!may[i]) return false;
        changed = changed || may[i] != before;
      }
    }
    return true;
  }

  // truly reports whether an atom that may match a query does.
  bool truly(unsigned query, unsigned a) {
    const auto bit = Mask(1) << a;
    if (!(looked[query] & bit)) {
      looked[query] |= bit;
      if (says(*screen.terms[query], a)) matched[query] |= bit;
    }
    return (matched[query] & bit) != 0;
  }

  bool says(const Term &t, unsigned a) {
    const auto child = [&](const Term &c) { return says(c, a); };
    switch (t.is) {
    case Term::bit:
      return has(*atom_bits[a], t.number);
    case Term::inside:
      return begins(t.number, a) != t.negated;
    case Term::other:
      return t.query->Match(mol.getAtomWithIdx(a)); // which negates
    case Term::tree:
      break;
    }
    switch (t.junction) {
    case all_of:
      return std::all_of(t.children.begin(), t.children.end(), child) != t.negated;
    case any_of:
      return std::any_of(t.children.begin(), t.children.end(), child) != t.negated;
    default:
      return (std::count_if(t.children.begin(), t.children.end(), child) == 1) != t.negated;
    }
  }

  // begins reports whether an atom is the first one of an environment.
  bool begins(unsigned environment, unsigned a) {
    const auto bit = Mask(1) << a;
    if (!(tried[environment] & bit)) {
      tried[environment] |= bit;
      const auto &p = screen.environments[environment];
      Mask may[most_atoms];
      if (!lacks(p) && candidates(p, may) && may[0] & bit) {
        may[0] = bit;
        if (search(p, may, 0)) within[environment] |= bit;
      }
    }
    return (within[environment] & bit) != 0;
  }

  // search looks for different atoms with the bonds of the pattern, among those that may be its atoms.
  bool search(const Pattern &p, const Mask *may, unsigned first) {
    unsigned at[most_atoms];
    bool placed[most_atoms] = {};
    return place(p, may, p.orders[first], 0, 0, at, placed);
  }

  bool place(const Pattern &p, const Mask *may, const std::vector<unsigned> &order, size_t depth, Mask used, unsigned *at, bool *placed) {
    if (depth == order.size()) return true;
    const auto q = order[depth];
    Mask fit = may[q] & ~used;
    for (const auto &e : p.edges[q]) {
      if (placed[e.to]) fit &= neighbours(e.query)[at[e.to]];
    }
    placed[q] = true;
    for (; fit; fit &= fit - 1) {
      at[q] = lowest(fit);
      if (screen.terms[p.atoms[q]] && !truly(p.atoms[q], at[q])) continue;
      if (place(p, may, order, depth + 1, used | Mask(1) << at[q], at, placed)) return true;
    }
    placed[q] = false;
    return false;
  }
};

// screened returns the rules that a molecule matches, by a function that tells whether it matches one.
template <typename F>
std::vector<int64_t> screened(const ROMol &mol, const Screen &s, molecule **queries, bool all, F matches) {
  std::vector<int64_t> matched;
  for (size_t i = 0; i < s.rules.size(); i++) {
    if (!matches(i)) continue;
    if (s.counts[i] > 1) {
      RDKit::SubstructMatchParameters params; // up to 1000 matches
      if (RDKit::SubstructMatch(mol, *rd(queries[i]), params).size() < s.counts[i]) continue;
    }
    matched.push_back(i);
    if (!all) break;
  }
  return matched;
}

Screen *rd(screen *s) { return reinterpret_cast<Screen *>(s); }

}  // namespace

extern "C" {

screen *molecule_screen(const char **smarts, const int64_t *merge, const int64_t *counts, size_t n, char **error) {
  return guarded(error, [&] {
    auto s = std::make_unique<Screen>();
    for (size_t i = 0; i < n; i++) {
      s->rules.push_back(s->read(smarts[i], merge[i] != 0));
      s->counts.push_back(counts[i]);
    }
    return reinterpret_cast<screen *>(s.release());
  });
}

void molecule_screen_free(screen *s) { delete rd(s); }

int64_t *molecule_screened(molecule *m, screen *handle, molecule **queries, int all, char **error) {
  return guarded(error, [&] {
    const auto &mol = *rd(m);
    auto &s = *rd(handle);
    const auto by = [&](auto target) {
      return copy(screened(mol, s, queries, all, [&](size_t i) { return target.matches(s.rules[i]); }));
    };
    if (mol.getNumAtoms() <= 64) return by(Target<Mask64>(s, mol));
    if (mol.getNumAtoms() <= 128) return by(Target<Mask128>(s, mol));
    return copy(screened(mol, s, queries, all, [&](size_t i) {
      RDKit::MatchVectType match;
      return RDKit::SubstructMatch(mol, *rd(queries[i]), match);
    }));
  });
}
}
