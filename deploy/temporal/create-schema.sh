#!/bin/sh
# Creates Temporal's two databases and brings their schemas up to date. What is there already stays, so it runs at every
# start, before the server. The SQL_* variables name the database server; the schemas are those that the tool contains.
set -eu

for part in temporal visibility; do
  if [ "$part" = temporal ]; then SQL_DATABASE=temporal; else SQL_DATABASE=temporal_visibility; fi
  export SQL_DATABASE
  temporal-sql-tool create-database
  temporal-sql-tool setup-schema --version 0.0
  temporal-sql-tool update-schema --schema-name "postgresql/v12/$part"
done
