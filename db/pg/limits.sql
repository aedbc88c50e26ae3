-- What all hosts share of requests (docs/postgres.md §5, §6). PostgreSQL alone has these tables: with
-- SQLite they are files of run/.

-- Whether a cached answer is still right: slot 0 is for keys and accounts, slot n for the workspace
-- with the internal id n. Each transaction that changes one draws another number, which is random:
-- no copy of the database that is older, and goes on, has a number of what was lost. No row: nothing
-- was changed yet.
CREATE TABLE stamp (
	slot BIGINT PRIMARY KEY,
	value BIGINT NOT NULL
) WITH (fillfactor = 40);

CREATE FUNCTION stamp_draw() RETURNS BIGINT
	LANGUAGE sql VOLATILE AS $$ SELECT floor(random() * 9007199254740991)::bigint $$;

INSERT INTO stamp VALUES (0, stamp_draw());

-- Limits (lib/store/limit.h). They are not logged: after a crash of the server, and on a standby that
-- is promoted, they are empty, and counting begins again.
--
-- Times are microseconds. A row is locked before the clock is read. A test may step the clock by
-- `ahead`, or stop it: `told` is the time of a clock that does not move, else NULL.

-- The last times of a key, the newest first.
CREATE UNLOGGED TABLE limit_key (
	key_id BIGINT PRIMARY KEY,
	times BIGINT[] NOT NULL
) WITH (fillfactor = 40);

-- The last failures of a network.
CREATE UNLOGGED TABLE limit_network (
	is_site BOOLEAN NOT NULL,
	place BIGINT NOT NULL,
	times BIGINT[] NOT NULL,
	PRIMARY KEY (is_site, place)
) WITH (fillfactor = 40);

-- Returns the times of the window that ends with `now`, the newest first. One in the future counts
-- as absent.
CREATE FUNCTION limit_window(times BIGINT[], now BIGINT, span BIGINT) RETURNS BIGINT[]
	LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(array_agg(t ORDER BY t DESC), '{}')
	FROM unnest(times) t WHERE t <= now AND t > now - span
$$;

CREATE FUNCTION limit_now(told BIGINT, ahead BIGINT) RETURNS BIGINT
	LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(told, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint) + ahead
$$;

-- Counts a request of a good key, unless `quota` is 0. Returns NULL, or the requests of the window
-- before this one, the time after whose window one more may come, and now.
CREATE FUNCTION limit_count(key BIGINT, expires_at BIGINT, quota BIGINT, counted BOOLEAN,
	told BIGINT, ahead BIGINT)
	RETURNS BIGINT[]
	LANGUAGE plpgsql AS $$
DECLARE
	known BIGINT[];
	used BIGINT;
	now BIGINT;
BEGIN
	IF quota = 0 OR key IS NULL OR expires_at <= limit_now(told, ahead) THEN
		RETURN NULL;
	END IF;
	LOOP
		SELECT l.times INTO known FROM limit_key l WHERE l.key_id = key FOR UPDATE;
		EXIT WHEN FOUND;
		INSERT INTO limit_key VALUES (key, '{}') ON CONFLICT DO NOTHING;
	END LOOP;
	now := limit_now(told, ahead);
	known := limit_window(known, now, 60000000);
	used := cardinality(known);
	IF used < quota OR counted THEN
		UPDATE limit_key l SET times = (now || known)[1:120] WHERE l.key_id = key;
	END IF;
	RETURN ARRAY[used, coalesce(known[least(used, quota)], now), now];
END $$;

-- Counts a failure of networks, unless one of them is full. Returns the time until which they must
-- wait, and now; 0: it was counted.
CREATE FUNCTION limit_fail(sites BOOLEAN[], places BIGINT[], most BIGINT[], counted BOOLEAN,
	told BIGINT, ahead BIGINT)
	RETURNS TABLE (until BIGINT, now BIGINT)
	LANGUAGE plpgsql AS $$
DECLARE
	known BIGINT[];
BEGIN
	until := 0;
	INSERT INTO limit_network SELECT unnest(sites), unnest(places), '{}' ON CONFLICT DO NOTHING;
	FOR i IN 1 .. cardinality(places) LOOP
		PERFORM 1 FROM limit_network n WHERE n.is_site = sites[i] AND n.place = places[i] FOR UPDATE;
	END LOOP;
	now := limit_now(told, ahead);
	FOR i IN 1 .. cardinality(places) LOOP
		SELECT limit_window(n.times, now, 300000000) INTO known FROM limit_network n
			WHERE n.is_site = sites[i] AND n.place = places[i];
		IF cardinality(known) >= most[i] AND NOT counted THEN
			until := greatest(until, known[most[i]] + 300000000);
		END IF;
	END LOOP;
	FOR i IN 1 .. cardinality(places) LOOP
		EXIT WHEN until <> 0;
		UPDATE limit_network n SET times = (now || limit_window(n.times, now, 300000000))[1:most[i]]
			WHERE n.is_site = sites[i] AND n.place = places[i];
	END LOOP;
	RETURN NEXT;
END $$;
