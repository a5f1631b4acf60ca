# Writes 4,000 variants of magainin 2, rows of an alignment: awk -f variants.awk > variants.txt
BEGIN {
    srand(1)
    parent = "GIGKFLHSAKKFGKAFVGEIMNS"
    letters = "ACDEFGHIKLMNPQRSTVWY"
    for (i = 0; i < 4000; i++) {
        x = ""
        for (k = 1; k <= length(parent); k++) {
            u = rand()
            x = x (u < 0.03 ? "-" : u < 0.15 ? substr(letters, 1 + int(20 * rand()), 1) : substr(parent, k, 1))
        }
        print x
    }
}
