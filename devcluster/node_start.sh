# The first process inside a node: keeps its daemons running.
# What ends is started again, as a service manager does; `wait` also collects orphans, as a first process has to.
keep() {
    while true; do
        "$@"
        echo "$1 has ended with code $?" >&2
        sleep 1
    done
}
keep containerd --config /node/containerd.toml &
keep /programs/control-plane kubelet --config=/node/kubelet.yaml --kubeconfig=/node/kubeconfig \
    --hostname-override="$NAME" --node-ip="$ADDRESS" --node-labels="$LABELS" --register-with-taints="$TAINTS" &
keep /programs/control-plane kube-proxy --config=/node/kube-proxy.yaml --hostname-override="$NAME" &
if [ "$GPUS" -gt 0 ]; then
    # What a driver's device plugin does: the device files become a resource of the node.
    keep /programs/control-plane device-plugin --resource=nvidia.com/gpu --files="$(echo /dev/nvidia* | tr ' ' ,)" &
fi
wait
