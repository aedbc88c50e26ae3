-- What the programs' user may not do with credits: nothing but the ledger's trigger, which has the
-- rights of the owner, moves a balance (db/pg/guards.sql); a movement and an account stay.
REVOKE INSERT, UPDATE, DELETE ON content.account FROM @USER;
GRANT INSERT (uuid, name, verified, created_at) ON content.account TO @USER;
GRANT UPDATE (verified, suspended, asked_at, declined_at, created_at) ON content.account TO @USER;
REVOKE UPDATE, DELETE ON content.ledger FROM @USER;
