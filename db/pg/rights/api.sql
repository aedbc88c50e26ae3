-- The rights of the user of the API, of pages and of pictures: what these programs ask, and no more.
-- They have none on people and on counts, on forms and notes of editors, and on what was written
-- and not saved. tests/postgres/roles-may-do-what-they-must.t reads each statement out of the programs
-- and compares.
REVOKE ALL ON ALL TABLES IN SCHEMA content FROM @USER;
GRANT USAGE ON SCHEMA content TO @USER;
GRANT SELECT ON content.store, content.account, content.api_key, content.article, content.article_name,
	content.edition, content.export, content.job, content.ledger, content.listed, content.media,
	content.media_bytes, content.public_slug, content.share, content.stamp, content.word, content.workspace,
	content.workspace_more TO @USER;
GRANT SELECT, INSERT, UPDATE ON content.limit_key, content.limit_network TO @USER;
-- To order, and to end what was left for too long. The guards hold both, and credits are granted by
-- others.
GRANT INSERT (uuid, account_id, workspace_id, api_key_id, ordered_by, kind, topic, image,
	auto_publish, research_id, article_uuid, reserved_credits, cost, created_at)
	ON content.job TO @USER;
GRANT UPDATE (status, cost, settled_at, tries, deaths, error, error_code, steps, lease_token, lease_until,
	lease_boot, lease_locked) ON content.job TO @USER;
GRANT INSERT ON content.ledger TO @USER;
-- To lock an account's row needs the right to change a column: this one nobody changes.
GRANT UPDATE (created_at) ON content.account TO @USER;
