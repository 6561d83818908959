#!/bin/bash
# What mariadb-dump prints of one database, as far as Slurm's has it: each table with its rows, as statements.
# Debian has the program in a package with a hundred others that nothing here needs.
set -eu
options=(--batch --raw --skip-column-names --quick --default-character-set=utf8mb4)
for word; do
    case $word in
    --user=* | --socket=* | --host=*) options+=("$word") ;;
    -*) ;;
    *) database=$word ;;
    esac
done
ask() { mariadb "${options[@]}" --execute="$1" "$database"; }
tables=$(ask "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()")
echo "SET SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO', FOREIGN_KEY_CHECKS = 0;"
for table in $tables; do
    echo "DROP TABLE IF EXISTS \`$table\`;"
    ask "SHOW CREATE TABLE \`$table\`" | sed '1s/^[^\t]*\t//'
    echo ';'
    values=$(ask "SET SESSION group_concat_max_len = 1000000; SELECT GROUP_CONCAT('QUOTE(\`', COLUMN_NAME, '\`)'
        ORDER BY ORDINAL_POSITION) FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '$table'")
    echo 'START TRANSACTION;'
    ask "SELECT CONCAT('INSERT INTO \`$table\` VALUES (', CONCAT_WS(',', $values), ');') FROM \`$table\`"
    echo 'COMMIT;'
done
