// One binary that holds etcd, the Kubernetes control plane, the programs of a node and CoreDNS: the first argument says
// which of them to run.
//
// One link step instead of seven saves minutes of build time and several hundred megabytes, because the programs share
// nearly all of their packages.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/hosts"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/log"
	_ "github.com/coredns/coredns/plugin/loop"
	_ "github.com/coredns/coredns/plugin/ready"
	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var commands = map[string]func() *cobra.Command{
	"device-plugin":           newDevicePluginCommand,
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-proxy":              proxy.NewProxyCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
}

func main() {
	names := strings.Join(slices.Sorted(maps.Keys(commands)), ", ")
	if len(os.Args) < 2 {
		fmt.Fprintf(os.Stderr, "usage: %s PROGRAM [FLAG ...], PROGRAM is one of coredns, etcd, %s\n", filepath.Base(os.Args[0]), names)
		os.Exit(2)
	}
	program := os.Args[1]
	os.Args = os.Args[1:]
	switch program {
	case "coredns":
		coremain.Run()
		return
	case "etcd":
		etcdmain.Main(os.Args)
		return
	}
	command, known := commands[program]
	if !known {
		fmt.Fprintf(os.Stderr, "unknown program %q: use one of coredns, etcd, %s\n", program, names)
		os.Exit(2)
	}
	os.Exit(cli.Run(command()))
}
