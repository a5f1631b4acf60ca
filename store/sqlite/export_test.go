package sqlite

import (
	"context"
	"fmt"
	"strings"
)

// Verify reads the whole file and returns an error if it is damaged.
func (f *File) Verify(ctx context.Context) error {
	var said string
	if err := f.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return explain(err)
	}
	if said != "ok" {
		return fmt.Errorf("the file is damaged: %s", strings.Join(strings.Fields(said), " "))
	}
	return nil
}
