#!/bin/bash
# The environment variables of docker.io/library/mariadb that we state: a database and its user, at the first start.
set -eu
data=/var/lib/mysql
settings=(--datadir="$data" --socket=/tmp/mysqld.sock --pid-file=/tmp/mysqld.pid --bind-address=0.0.0.0)
if [ ! -d "$data/mysql" ]; then
    mariadb-install-db --datadir="$data" --skip-test-db --auth-root-authentication-method=normal >/dev/null
    if [ -n "${MARIADB_RANDOM_ROOT_PASSWORD:-}" ]; then MARIADB_ROOT_PASSWORD=$(head -c 24 /dev/urandom | base64); fi
    quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/[\\\\']/\\\\&/g")"; }
    {
        echo "FLUSH PRIVILEGES;"
        echo "CREATE DATABASE IF NOT EXISTS \`$MARIADB_DATABASE\`;"
        echo "CREATE USER IF NOT EXISTS $(quoted "$MARIADB_USER")@'%' IDENTIFIED BY $(quoted "$MARIADB_PASSWORD");"
        echo "GRANT ALL ON \`$MARIADB_DATABASE\`.* TO $(quoted "$MARIADB_USER")@'%';"
        echo "ALTER USER root@localhost IDENTIFIED BY $(quoted "$MARIADB_ROOT_PASSWORD");"
    } | mariadbd "${settings[@]}" --bootstrap
fi
exec mariadbd "${settings[@]}"
