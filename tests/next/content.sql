-- The step of the made-up next release: what the tables of make.sh hold besides.
ALTER TABLE account ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
UPDATE account SET nickname = 'called ' || name;
CREATE TABLE made_up (id INTEGER PRIMARY KEY, text);
INSERT INTO made_up (text) SELECT name FROM account;
