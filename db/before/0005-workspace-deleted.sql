-- A deleted workspace keeps its row, because its jobs are what the ledger's
-- movements are about. Its articles are gone, its keys revoked, its settings
-- blank.
ALTER TABLE workspace ADD COLUMN
	-- when it was deleted; NULL: it is not
	deleted_at INTEGER;
