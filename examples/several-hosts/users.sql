-- The three users of Galley's database (docs/postgres.md §9), and the database. Once, on the leader, as
-- its superuser: psql -d postgres -f users.sql. Replace the three passwords.
--
-- Whose the tables are. The tool signs in so to make and to change them.
CREATE ROLE galley_owner LOGIN PASSWORD 'FIRST-PASSWORD';
-- The console, the runners and the tool.
CREATE ROLE galley LOGIN PASSWORD 'SECOND-PASSWORD';
-- The API, pages and pictures: what strangers reach.
CREATE ROLE galley_api LOGIN PASSWORD 'THIRD-PASSWORD';

CREATE DATABASE galley OWNER galley_owner ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;
REVOKE ALL ON DATABASE galley FROM PUBLIC;
GRANT CONNECT ON DATABASE galley TO galley, galley_api;
-- The rights on tables are given by galley init, and again by galley migrate.

\c galley
-- Galley has no large objects: nobody shall fill the disk with them.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
-- galley verify compares tables with their indexes.
CREATE EXTENSION amcheck;
GRANT EXECUTE ON FUNCTION bt_index_check(regclass, boolean) TO galley_owner, galley;
