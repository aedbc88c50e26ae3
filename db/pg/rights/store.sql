-- The rights of the programs' user in a schema (docs/postgres.md §9): in each of the three. @SCHEMA and
-- @USER are replaced by lib/store/pg/pg-migrate.c. What a program may not do for all that is taken
-- away after it: the number of the schema and the digest of the pepper are the owner's.
REVOKE ALL ON ALL TABLES IN SCHEMA @SCHEMA FROM @USER;
GRANT USAGE ON SCHEMA @SCHEMA TO @USER;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA @SCHEMA TO @USER;
REVOKE INSERT, UPDATE, DELETE ON @SCHEMA.store FROM @USER;
