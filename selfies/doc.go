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
//     one that is asked for, none, =, # (or / and \, which are single), or the largest that both
//     atoms can make. If the last atom is full, the chain ends and what follows in it is not read.
//   - [Branch1], [=Branch1], [#Branch1] begin a branch at the last atom, with a first bond of at most
//     1, 2, 3. The token after it is a digit Q: 16 tokens also stand for the numbers 0 to 15,
//     and all others for 0. The next Q + 1 tokens are the branch. [Branch2] and [Branch3] have 2 and 3 digits.
//   - [Ring1], [=Ring1], [#Ring1] (and so on) bind the last atom to the one written Q + 1 atoms before it,
//     or to the first. They do so when all has been read, and only as far as both atoms have room.
//     [/\Ring1] also says what SMILES writes before the two ring numbers, - for nothing.
//   - A branch or ring token for which the last atom has no room, or that comes before any atom, says
//     nothing, and its digits are read as the tokens they are.
//   - [nop] is skipped, [epsilon] ends a chain, and a dot stands between molecules.
//
// So [C][C][=Branch1][C][=O][O] is acetic acid: at the second atom [=Branch1] begins a branch, [C] is the
// digit 0, the branch is [=O], and [O] goes on behind it.
//
// Encode writes the atoms in the order of the SMILES. Aromatic bonds (lower case) become single and double.
// Decode writes them in the order of the tokens. So y = Decode(Encode(x)) is the molecule x, though in
// general another SMILES; and Decode(Encode(y)) is y.
//
// Where the library would write what means another molecule or none, or is lenient with what is not
// SELFIES, this package differs. Ring numbers from 100 are %(100), in and out, not %100. %01 is 1. What
// exceeds three digits is an error, as is text between tokens.
package selfies
