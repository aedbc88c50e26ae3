-- The same for the people, and a table that the made-up release has no more.
ALTER TABLE person ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
UPDATE person SET nickname = 'called ' || name;
DROP TABLE recovery;
CREATE TABLE made_up (
	id INTEGER PRIMARY KEY,
	text TEXT NOT NULL
) STRICT;
CREATE INDEX made_up_text ON made_up (text);
INSERT INTO made_up (text) SELECT name FROM person;
