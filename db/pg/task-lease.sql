-- Which task runner works on a task (lib/store/lease.h, docs/postgres.md §6). PostgreSQL alone has
-- this table: with SQLite there is one task runner. It is not logged: after a crash of the server it is
-- empty, each runner sees that it has no lease any more, and the tasks are taken again.
CREATE UNLOGGED TABLE task_lease (
	task_id BIGINT PRIMARY KEY,
	place TEXT NOT NULL COLLATE "C",  -- the host (lib/store/lease.h)
	holder TEXT NOT NULL COLLATE "C", -- drawn for each slice
	until BIGINT NOT NULL             -- microseconds, by the database's clock
);
