// A device plugin that offers the device files it is given, as those of accelerators do: kubelet then counts them as a
// resource of the node, and a container that asks for some gets exactly these files.
// Source of the protocol: https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

type devicePlugin struct {
	api.UnimplementedDevicePluginServer
	files map[string]string
}

func newDevicePluginCommand() *cobra.Command {
	var resource string
	var files []string
	command := &cobra.Command{
		Use: "device-plugin",
		RunE: func(command *cobra.Command, _ []string) error {
			plugin := &devicePlugin{files: map[string]string{}}
			for _, file := range files {
				plugin.files[filepath.Base(file)] = file
			}
			// kubelet forgets its plugins when it starts anew, and removes their sockets.
			for {
				if err := plugin.serve(command.Context(), resource); err != nil {
					fmt.Fprintln(os.Stderr, err)
				}
				time.Sleep(time.Second)
			}
		},
	}
	command.Flags().StringVar(&resource, "resource", "", "name of the resource, such as nvidia.com/gpu")
	command.Flags().StringSliceVar(&files, "files", nil, "the device files")
	return command
}

func (p *devicePlugin) serve(ctx context.Context, resource string) error {
	socket := filepath.Join(api.DevicePluginPath, strings.ReplaceAll(resource, "/", "-")+".sock")
	_ = os.Remove(socket)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	defer server.Stop()
	api.RegisterDevicePluginServer(server, p)
	go server.Serve(listener)

	connection, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	request := &api.RegisterRequest{Version: api.Version, Endpoint: filepath.Base(socket), ResourceName: resource}
	if _, err := api.NewRegistrationClient(connection).Register(ctx, request); err != nil {
		return err
	}
	for {
		time.Sleep(time.Second)
		if _, err := os.Stat(socket); errors.Is(err, os.ErrNotExist) {
			return nil
		}
	}
}

func (p *devicePlugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (p *devicePlugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	response := &api.ListAndWatchResponse{}
	for name := range p.files {
		response.Devices = append(response.Devices, &api.Device{ID: name, Health: api.Healthy})
	}
	if err := stream.Send(response); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (p *devicePlugin) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	response := &api.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		devices := &api.ContainerAllocateResponse{}
		for _, name := range container.DevicesIds {
			file := p.files[name]
			devices.Devices = append(devices.Devices, &api.DeviceSpec{ContainerPath: file, HostPath: file, Permissions: "rw"})
		}
		response.ContainerResponses = append(response.ContainerResponses, devices)
	}
	return response, nil
}

func (p *devicePlugin) GetPreferredAllocation(context.Context, *api.PreferredAllocationRequest) (*api.PreferredAllocationResponse, error) {
	return &api.PreferredAllocationResponse{}, nil
}

func (p *devicePlugin) PreStartContainer(context.Context, *api.PreStartContainerRequest) (*api.PreStartContainerResponse, error) {
	return &api.PreStartContainerResponse{}, nil
}
