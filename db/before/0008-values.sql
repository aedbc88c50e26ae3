-- What rows of a database of schema 7 or less lack, once they are in the tables of
-- db/schema.sql.

UPDATE api_key SET lifetime = expires_at - created_at WHERE expires_at IS NOT NULL;
