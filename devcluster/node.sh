# Turns the namespaces that it is started in into a node: a machine with a root filesystem, a host name, cgroups and a
# network of its own, and in it containerd, kubelet and kube-proxy. As the first process of its pid namespace it takes
# all of them, and every pod, with it when it ends.
# It finds in its environment: CLUSTER, a process in the cluster's network; FOLDER, the node's; IMAGE, the root below;
# CONTAINERD, PROGRAMS and VOLUMES, folders that it sees; NAME, NUMBER; ADDRESS, POD_RANGE and GATEWAY, the node's, its
# pods' and the control plane's addresses in the cluster's network; CGROUP, made here and then unset; GPUS, how many
# device files of GPUs it has.
set -e
base=$FOLDER/root

# Mounts one hierarchy of cgroups, as /proc/self/cgroup names it: "" is v2, the rest are those of v1.
mount_hierarchy() {
    case $1 in
    "") mount -t cgroup2 cgroup2 "$2" ;;
    name=*) mount -t cgroup -o "none,$1" cgroup "$2" ;;
    *) mount -t cgroup -o "$1" cgroup "$2" ;;
    esac
}
# Of a machine with both versions those of v1 alone: v2 has the last line, of which no text is left.
hierarchies=$(cut -d : -f 2 /proc/self/cgroup)

if [ -n "$CGROUP" ]; then
    mkdir -p "$base"
    echo "$hierarchies" | while read -r hierarchy; do
        mount_hierarchy "$hierarchy" "$base"
        # Groups that a killed node has left: kubelet would look three seconds for the container of each, at its start.
        while [ -d "$base/$CGROUP" ] && ! find "$base/$CGROUP" -depth -type d -exec rmdir {} + 2>/dev/null; do
            sleep 0.1
        done
        mkdir "$base/$CGROUP"
        for file in cpuset.cpus cpuset.mems; do
            # A group of v1 without CPUs takes no process.
            if [ "$hierarchy" = cpuset ]; then cat "$base/$file" >"$base/$CGROUP/$file"; fi
        done
        echo $$ >"$base/$CGROUP/cgroup.procs"
        umount "$base"
    done
    # Only now: the cgroup namespace is rooted where its first process is.
    CGROUP='' exec unshare --cgroup sh "$0"
fi

# The network first, because /proc still shows the cluster's process. 1 is this process, in this pid namespace.
nsenter --net="/proc/$CLUSTER/ns/net" sh -c "
    ip link delete node$NUMBER 2>/dev/null
    ip link add node$NUMBER type veth peer name eth0 netns 1
    ip link set node$NUMBER master nodes up
    ip route replace $POD_RANGE via $ADDRESS"
ip link set lo up
ip address add "$ADDRESS/24" dev eth0
ip link set eth0 up
ip route add default via "$GATEWAY"
echo 1 >/proc/sys/net/ipv4/ip_forward

# The root: the image below, and what the node writes in memory. Images and pods are on disk, where overlays can be.
mkdir -p "$FOLDER/kubelet" "$FOLDER/pods"
mount -t tmpfs -o mode=755 node "$base"
mkdir "$base/upper" "$base/work" "$base/root"
root=$base/root
mount -t overlay overlay -o "lowerdir=$IMAGE,upperdir=$base/upper,workdir=$base/work" "$root"
mkdir -p "$root/var/lib/containerd" "$root/var/lib/kubelet" "$root/var/log/pods" "$root/node" "$root/programs" "$root$VOLUMES"
mount --bind "$CONTAINERD" "$root/var/lib/containerd"
mount --bind "$FOLDER/kubelet" "$root/var/lib/kubelet"
mount --make-rshared "$root/var/lib/kubelet"
mount --bind "$FOLDER/pods" "$root/var/log/pods"
mount --bind "$FOLDER/config" "$root/node"
mount --bind "$PROGRAMS" "$root/programs"
mount --bind "$VOLUMES" "$root$VOLUMES"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
if [ -z "$hierarchies" ]; then
    mount_hierarchy "" "$root/sys/fs/cgroup"
    # A group of v2 that shall have controllers for groups in it may have no process itself.
    mkdir "$root/sys/fs/cgroup/node"
    echo $$ >"$root/sys/fs/cgroup/node/cgroup.procs"
    sed 's/[a-z_]*/+&/g' "$root/sys/fs/cgroup/cgroup.controllers" >"$root/sys/fs/cgroup/cgroup.subtree_control"
else
    mount -t tmpfs -o mode=755 cgroup "$root/sys/fs/cgroup"
    echo "$hierarchies" | while read -r hierarchy; do
        # "name=systemd" is the hierarchy of that name, which programs look for under /sys/fs/cgroup/systemd.
        mount_point=$root/sys/fs/cgroup/${hierarchy#name=}
        mkdir "$mount_point"
        mount_hierarchy "$hierarchy" "$mount_point"
    done
fi
mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty kmsg fuse; do
    if [ -e "/dev/$device" ]; then cp -a "/dev/$device" "$root/dev/"; fi
done
# Whatever this machine lets its own users do with them.
chmod 666 "$root/dev/null" "$root/dev/zero" "$root/dev/full" "$root/dev/random" "$root/dev/urandom" "$root/dev/tty"
mkdir "$root/dev/pts" "$root/dev/shm" "$root/dev/mqueue"
chmod 1777 "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t mqueue mqueue "$root/dev/mqueue"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
index=0
while [ $index -lt "$GPUS" ]; do
    # Files that a job can open or not, as those of a driver: each is a /dev/null with a number of its own.
    mknod -m 666 "$root/dev/nvidia$index" c 195 $index
    index=$((index + 1))
done
hostname "$NAME"
cp "$FOLDER/config/hosts" "$root/etc/hosts"
cp "$FOLDER/config/resolv.conf" "$root/etc/resolv.conf"
cd "$root"
mkdir host
# Not a mere chroot: what joins a pod's mount namespace, as an exec does, would find itself in this machine's root.
pivot_root . host
exec chroot . sh -c 'umount -l /host && rmdir /host && exec sh /node/start.sh'
