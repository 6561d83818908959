# Imports an archive of images into a folder of containerd's, in a mount and pid namespace of its own.
# Arguments: a root filesystem with containerd, the folder, the archive.
set -e
root=$(mktemp -d)
mount -t tmpfs import "$root"
mkdir "$root/upper" "$root/work" "$root/root"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$root/upper,workdir=$root/work" "$root/root"
mkdir -p "$root/root/var/lib/containerd"
mount --bind "$2" "$root/root/var/lib/containerd"
touch "$root/root/images.tar"
mount --bind "$3" "$root/root/images.tar"
mount -t proc proc "$root/root/proc"
mount -t sysfs -o ro sysfs "$root/root/sys"
mount -t tmpfs dev "$root/root/dev"
cp -a /dev/null /dev/urandom "$root/root/dev/"
chroot "$root/root" sh -c '
    containerd --log-level error &
    until ctr version >/dev/null 2>&1; do kill -0 $! || exit 1; sleep 0.05; done
    ctr --namespace k8s.io images import /images.tar >/dev/null
    kill $!
    wait $! || true'
umount -R "$root/root" "$root"
rmdir "$root"
