// generate-sdk writes the SDK of a package for a language, as `pulumi package gen-sdk` does by the language's host:
//
//	generate-sdk python|nodejs|go SCHEMA FOLDER
//
// The hosts that do so can't be built, since Go's module proxy doesn't serve them; what they call can. A schema that
// refers to those of other packages needs the engine to load them, and is refused.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "generate-sdk"

func main() {
	if len(os.Args) != 4 {
		fail("usage: generate-sdk python|nodejs|go SCHEMA FOLDER")
	}
	files, err := generate(os.Args[1], os.Args[2])
	if err != nil {
		fail(err.Error())
	}
	for name, text := range files {
		path := filepath.Join(os.Args[3], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fail(err.Error())
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			fail(err.Error())
		}
	}
}

func generate(language, file string) (map[string][]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s is no schema: %w", file, err)
	}
	pkg, problems, err := schema.BindSpec(spec, noOther{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, problems
	}
	// As `pulumi package add` does: an SDK for Go is then a module of its own.
	pkg.SupportPack = true
	switch language {
	case "python":
		return python.GeneratePackage(tool, pkg, nil, noOther{})
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, noOther{})
	case "go":
		return golang.GeneratePackage(tool, pkg, nil)
	}
	return nil, fmt.Errorf("no SDK is generated for %s: take python, nodejs or go", language)
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "error: "+why)
	os.Exit(1)
}

// noOther is the loader of the other packages that a schema refers to.
type noOther struct{}

func (noOther) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return nil, fmt.Errorf("the schema refers to the package %s, which only an engine can load", name)
}

func (l noOther) LoadPackageV2(_ context.Context, other *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(other.Name, other.Version)
}

func (l noOther) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	_, err := l.LoadPackage(name, version)
	return nil, err
}

func (l noOther) LoadPackageReferenceV2(
	_ context.Context, other *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(other.Name, other.Version)
}
