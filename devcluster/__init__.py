"""The embedded toolchain and control plane: builds what `make up` needs and runs it, all in the user's own folders."""
