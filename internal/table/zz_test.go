package table_test
import ("testing";"os";"syscall";"time";"fmt";"github.com/invbo/invbo/internal/table")
func zcpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0, &r); return time.Duration(r.Utime.Nano()) + time.Duration(r.Stime.Nano()) }
func TestZZ(t *testing.T) {
	n, err := table.Molecules(false); if err != nil { t.Fatal(err) }
	for _, norm := range []func(string)(string,string,error){nil, n} {
	f, _ := os.Open("/tmp/mol/hiv4k.csv")
	a := zcpu(); w := time.Now()
	tab, err := table.Read(f, table.Options{Normalize: norm}); if err != nil { t.Fatal(err) }
	fmt.Println(norm != nil, len(tab.Records), (zcpu()-a)/time.Duration(len(tab.Records)), time.Since(w))
	}
}
