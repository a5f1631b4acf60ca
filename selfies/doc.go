// Package selfies translates molecules between SMILES and SELFIES (Krenn et al. 2020; Lo et al. 2023), like the Python
// library selfies 2.0.0.
//
// Most strings of SMILES characters are not valid molecules. Every sequence of SELFIES tokens is one, which suits
// generative models. The decoder keeps the last atom and the number of bonds it can still make: initially the number
// for its element and charge, less the bonds it has made.
//
//   - An atom, [C], [=N+1], [13CH3], [/O], is bonded to the last atom and replaces it. The bond has the given order (none, =, #; or
//     / and \, which are single), or the highest order that both atoms allow. When the last atom has no free bond, its
//     chain ends and the rest of the chain is skipped.
//   - [Branch1], [=Branch1], [#Branch1] begin a branch at the last atom, with a first bond of order at most 1, 2, 3. The next token
//     is a digit Q, and the Q + 1 tokens after it are the branch. The chain then continues at the last atom, which keeps at least
//     one bond for it. [Branch2] has two digits, [Branch3] three.
//   - [Ring1], [=Ring1], [#Ring1] (and so on) bond the last atom to the atom Q + 1 positions before it, or to the first atom. Rings are
//     closed at the end, as far as both atoms have free bonds. [/\Ring1] also gives the directions that SMILES
//     writes before the two ring numbers, with - for none.
//   - The digits are [C] 0, [Ring1] 1, [Ring2] 2, [Branch1] 3, [=Branch1] 4, [#Branch1] 5, [Branch2] 6,
//     [=Branch2] 7, [#Branch2] 8, [O] 9, [N] 10, [=N] 11, [=C] 12, [#C] 13, [S] 14, [P] 15; the most
//     significant comes first. Any other token counts as 0.
//   - A branch at an atom without a free bond, and a branch or ring before the first atom, are ignored, and their digits are
//     read as ordinary tokens.
//   - [nop] is skipped, [epsilon] ends a chain, and a dot separates molecules.
//
// For example, [C][C][=Branch1][C][=O][O] is acetic acid: [=Branch1] begins a branch at the second atom, [C] is the
// digit 0, the branch is [=O], and [O] continues the chain.
//
// Encode writes the atoms in the order of the SMILES and makes aromatic bonds (lower case) single and double. Decode writes
// the atoms in the order of the tokens. Hence y = Decode(Encode(x)) is the same molecule as x, in general as another
// SMILES, and Decode(Encode(y)) is y.
//
// The package differs from the Python library where that would write another molecule or an invalid one: ring numbers
// from 100 are read and written as %(100), not %100; %01 is ring number 1. Errors here but not there are branches and
// rings too long for three digits, SMILES of more than 1 MiB, and text between tokens.
package selfies
