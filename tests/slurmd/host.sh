# Turns the namespaces that it is started in into a host of a site, and holds them until its input closes.
# Arguments: a folder to mount on, the image's root, the host name, its cgroup, made here.
# The input is a pipe from the test runner: however the runner ends, the pipe closes, this ends, and with the first
# process of a pid namespace the kernel ends all others in it. Mounts and network go with the last process.
set -e
base=$1 image=$2 name=$3 group=$4

# Mounts one hierarchy of cgroups, as /proc/self/cgroup names it: "" is v2, the rest are those of v1.
mount_hierarchy() {
    case $1 in
    "") mount -t cgroup2 cgroup2 "$2" ;;
    name=*) mount -t cgroup -o "none,$1" cgroup "$2" ;;
    *) mount -t cgroup -o "$1" cgroup "$2" ;;
    esac
}
hierarchies=$(cut -d : -f 2 /proc/self/cgroup)

if [ -n "$group" ]; then
    echo "$hierarchies" | while read -r hierarchy; do
        mount_hierarchy "$hierarchy" "$base"
        # A group of v2 has the controllers that those above it pass on, as a kubelet has them do for pods.
        if [ -z "$hierarchy" ]; then
            tr ' ' '\n' <"$base/cgroup.controllers" | while read -r controller; do
                echo "+$controller" >"$base/cgroup.subtree_control" || true
            done 2>/dev/null
        fi
        mkdir "$base/$group"
        for file in cpuset.cpus cpuset.mems; do
            # A group of v1 without CPUs takes no process.
            if [ "$hierarchy" = cpuset ]; then cat "$base/$file" >"$base/$group/$file"; fi
        done
        echo $$ >"$base/$group/cgroup.procs"
        umount "$base"
    done
    # Only now: the cgroup namespace is rooted where its first process is.
    exec unshare --cgroup sh "$0" "$base" "$image" "$name" ""
fi

mount -t tmpfs -o mode=755 host "$base"
mkdir "$base/upper" "$base/work" "$base/root"
root=$base/root
mount -t overlay overlay -o "lowerdir=$image,upperdir=$base/upper,workdir=$base/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
if [ -z "$hierarchies" ]; then
    mount_hierarchy "" "$root/sys/fs/cgroup"
    # A group of v2 that shall have controllers for groups in it may have no process itself.
    mkdir "$root/sys/fs/cgroup/first"
    echo $$ >"$root/sys/fs/cgroup/first/cgroup.procs"
    sed 's/[a-z_]*/+&/g' "$root/sys/fs/cgroup/cgroup.controllers" >"$root/sys/fs/cgroup/cgroup.subtree_control"
else
    mount -t tmpfs -o mode=755 cgroup "$root/sys/fs/cgroup"
    echo "$hierarchies" | while read -r hierarchy; do
        folder=${hierarchy#name=}
        folder=$root/sys/fs/cgroup/${folder:-unified}
        mkdir "$folder"
        mount_hierarchy "$hierarchy" "$folder"
    done
fi
mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty; do
    cp -a "/dev/$device" "$root/dev/"
    # Whatever this machine lets its own users do with it.
    chmod 666 "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
chmod 1777 "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
hostname "$name"
ip link set lo up

exec 3<&0
# `wait` also collects processes whose parents have ended, as the first process has to.
exec chroot "$root" sh -c 'echo ready; cat <&3 >/dev/null & exec 3<&-; wait $!'
