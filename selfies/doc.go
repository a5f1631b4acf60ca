// Package selfies translates molecules between SMILES and SELFIES (Krenn et al. 2020; Lo et al. 2023), as
// the Python library selfies 2.0.0 does.
//
// SMILES writes a molecule as a walk along its bonds: CC(=O)O is acetic acid, parentheses hold a branch,
// and a number that stands twice, as in C1CC1, closes a ring. Most strings of its characters are no
// molecule. Every sequence of SELFIES tokens is one, which is what a generative model needs.
//
// A SELFIES string is a sequence of tokens in brackets. Reading it, one keeps an atom, the last one, and
// how many bonds it can still make: at first those of its element and charge (see Constraints), less
// those it has made.
//
//   - An atom, [C], [=N+1], [13CH3], [/O], is bound to the last one, and takes its place. The bond is the
//     one that is asked for (none, =, #; or / and \, which are single), or the largest that both atoms
//     can make. When the last atom can make no more, its chain ends: what follows in it is not read.
//   - [Branch1], [=Branch1], [#Branch1] begin a branch at the last atom, whose first bond is at most 1, 2, 3.
//     The token behind it is a digit Q, and the Q + 1 tokens behind that are the branch. Then the chain goes
//     on at the last atom, for which at least one bond was kept. [Branch2] has two digits, [Branch3] three.
//   - [Ring1], [=Ring1], [#Ring1] (and so on) bind the last atom to the one written Q + 1 atoms before it,
//     or to the first. They do so when all has been read, as far as both atoms can make more bonds.
//     [/\Ring1] also says what SMILES writes before the two ring numbers, - for nothing.
//   - The digits are [C] 0, [Ring1] 1, [Ring2] 2, [Branch1] 3, [=Branch1] 4, [#Branch1] 5, [Branch2] 6,
//     [=Branch2] 7, [#Branch2] 8, [O] 9, [N] 10, [=N] 11, [=C] 12, [#C] 13, [S] 14, [P] 15; the highest
//     comes first. Any other token there counts as 0.
//   - A branch for which the last atom has no room, and a branch or ring before any atom, says nothing,
//     and its digits are read as the tokens they are.
//   - [nop] is skipped, [epsilon] ends a chain, and a dot stands between molecules.
//
// So [C][C][=Branch1][C][=O][O] is acetic acid: at the second atom [=Branch1] begins a branch, [C] is the
// digit 0, the branch is [=O], and [O] goes on behind it.
//
// Encode writes the atoms in the order of the SMILES. Aromatic bonds (lower case) become single and double.
// Decode writes them in the order of the tokens. So y = Decode(Encode(x)) is the molecule x, though in
// general another SMILES; and Decode(Encode(y)) is y.
//
// The package differs from the library where that would write another molecule or none: ring numbers
// from 100 are %(100), read and written, not %100; %01 is the ring number 1; a branch or ring that three
// digits cannot count is an error. So is a SMILES of more than 1 MiB, and text between tokens.
package selfies
