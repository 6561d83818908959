// The Pulumi provider for Kubernetes, built from the provider's own packages.
//
// Upstream embeds its schema in a file that only its release process generates, so this main reads the same two files
// from the folder of the executable, where the toolchain build puts them.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

// version is the release whose sources these are; the engine compares it with what the Python SDK asks for.
const version = "4.25.0"

func main() {
	executable, err := os.Executable()
	exitOn(err)
	folder := filepath.Dir(executable)
	schema, err := os.ReadFile(filepath.Join(folder, "schema.json"))
	exitOn(err)
	mapping, err := os.ReadFile(filepath.Join(folder, "terraform-mapping.json"))
	exitOn(err)
	provider.Serve("kubernetes", version, schema, mapping)
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
