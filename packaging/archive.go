package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name, path string // in the archive, and here
	mode       fs.FileMode
}

// writeTar writes a compressed archive whose files have that time, and no owner.
func writeTar(path string, files []entry, modified time.Time) error {
	return create(path, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		archive := tar.NewWriter(z)
		for _, f := range files {
			data, err := os.ReadFile(f.path)
			if err != nil {
				return err
			}
			if err := archive.WriteHeader(&tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: modified}); err != nil {
				return err
			}
			if _, err := archive.Write(data); err != nil {
				return err
			}
		}
		return errors.Join(archive.Close(), z.Close())
	})
}

// writeZip is writeTar for Windows.
func writeZip(path string, files []entry, modified time.Time) error {
	return create(path, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		for _, f := range files {
			data, err := os.ReadFile(f.path)
			if err != nil {
				return err
			}
			header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified}
			header.SetMode(f.mode)
			out, err := archive.CreateHeader(header)
			if err != nil {
				return err
			}
			if _, err := out.Write(data); err != nil {
				return err
			}
		}
		return archive.Close()
	})
}

// compressAll compresses the files of a folder into another one, as Debian has manual pages.
func compressAll(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if err := create(filepath.Join(to, e.Name()+".gz"), func(w io.Writer) error {
			z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
			if err != nil {
				return err
			}
			_, err = z.Write(data)
			return errors.Join(err, z.Close())
		}); err != nil {
			return err
		}
	}
	return nil
}

// create writes a file.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
