"""Makes ligands.json: ligands as dockstring's steps make them, with RDKit's own Python (2022.09.3) and Open Babel 3.1.1.

    python3 ligands.py > ligands.json
"""
import json
import subprocess
import sys

from rdkit import Chem
from rdkit.Chem import AllChem
from rdkit.Chem.MolStandardize.rdMolStandardize import Uncharger

SEED = 974528263

SMILES = [
    "CC1=C(C(=O)N2CCCCC2=N1)CCN3CCC(CC3)C4=NOC5=C4C=CC(=C5)F",  # risperidone: a cation at pH 7.4
    "CC(=O)Oc1ccccc1C(=O)O",  # aspirin: an anion
    "[O-]C(=O)[C@@H]([NH3+])CC",  # charges are removed first
    "C[N+](C)(C)CCO",  # this one stays
    "C12C3C4C1C5C2C3C45",
    "CC(=O)OI(OC(C)=O)c1ccccc1",  # MMFF94 has no such iodine
    "ClC1=CC=C(N2N=C3C(C=S(O)(O)=C3)=C2NC(=O)C4CC4)C=C1",  # MMFF94 cannot write Kekulé bonds
]


def babel(text, *args):
    return subprocess.run(["obabel", *args], input=text, capture_output=True, text=True, check=True).stdout


def ligand(smiles):
    mol = Uncharger().uncharge(Chem.MolFromSmiles(Chem.CanonSmiles(smiles)))
    mol = Chem.MolFromSmiles(babel(Chem.MolToSmiles(mol), "-ismi", "-ocan", "-p7.4").strip())
    mol = Chem.AddHs(mol)
    assert AllChem.EmbedMolecule(mol, randomSeed=SEED, maxAttempts=10 * mol.GetNumAtoms()) == 0
    field = "MMFF94" if AllChem.MMFFHasAllMoleculeParams(mol) else "UFF"
    if field == "MMFF94":
        relaxed = Chem.Mol(mol)
        try:
            AllChem.MMFFSanitizeMolecule(relaxed)
            assert AllChem.MMFFOptimizeMolecule(relaxed, mmffVariant="MMFF94", maxIters=1000) == 0
        except Chem.rdchem.KekulizeException:
            field = "UFF"
    if field == "UFF":
        assert AllChem.UFFHasAllMoleculeParams(mol)
        relaxed = Chem.Mol(mol)
        assert AllChem.UFFOptimizeMolecule(relaxed, maxIters=1000) == 0
    return field, babel(Chem.MolToMolBlock(relaxed), "-imol", "-opdbqt", "--partialcharge", "gasteiger")


rows = []
for smiles in SMILES:
    field, pdbqt = ligand(smiles)
    rows.append({"smiles": smiles, "field": field, "pdbqt": pdbqt})
json.dump(rows, sys.stdout, indent=1)
print()
