-- The places of lib/store/limit.h: how often strangers tried to sign in, counted by all hosts. PostgreSQL
-- alone has this table: with SQLite it is a file of run/. It is not logged: after a crash of the server,
-- and on a standby that is promoted, it is empty, and counting begins again. No address and no
-- login can be read from a number.
CREATE UNLOGGED TABLE limit_place (
	number BIGINT PRIMARY KEY,
	bytes BYTEA NOT NULL
) WITH (fillfactor = 40);
