# Turns the network namespace that it is started in into the network of a cluster: a bridge to which nodes plug in, with
# the control plane's address. Then holds it until it is ended, as `sleep`, by which others know that it is up.
# Arguments: the bridge's address with its prefix length; the range of the Services and the node that leads to them.
set -e
ip link set lo up
ip link add nodes type bridge
ip address add "$1" dev nodes
ip link set nodes up
ip route add "$2" via "$3"
echo 1 >/proc/sys/net/ipv4/ip_forward
exec sleep infinity
