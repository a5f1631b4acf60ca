package table_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/invbo/invbo/internal/table"
)

func ExampleRead() {
	tab, err := table.Read(context.Background(), strings.NewReader(`Compound;SMILES;pIC50
LAB-1;CCO;5,31
LAB-1;CCO;5,35
LAB-2;CCN;>4,5
LAB-3;CCC;failed: precipitated
`), table.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tab.Summary("compounds"))
	for _, c := range tab.Compounds() {
		fmt.Println(c.Input, c.Scores)
	}
	if err := tab.WriteReport(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 compounds: 1 replicated, 1 with a bound, 1 failed; column SMILES, score pIC50, id Compound; semicolons, decimal commas
	// CCO [5.31 5.35]
	// CCN [4.5]
	// CCC []
	// line,id,text,input,score,bound,unit,se,kind,reason,note
	// 2,LAB-1,CCO,CCO,5.31,,,,measured,,
	// 3,LAB-1,CCO,CCO,5.35,,,,measured,,
	// 4,LAB-2,CCN,CCN,4.5,>,,,measured,,
	// 5,LAB-3,CCC,CCC,,,,,failed,measurement failed,precipitated
}
