-- What questions over many runs are answered from: daily values of series, and where the time of each run went.

-- How long the job ran, which a trace does not tell; with the number of its GPUs it gives GPU-hours.
ALTER TABLE "runs" ADD COLUMN "duration_s" INTEGER,
    ADD CONSTRAINT "runs_duration_is_positive" CHECK ("duration_s" > 0);

-- Counted analyses, not runs; runs are counted where they are asked for.
ALTER TABLE "series" DROP COLUMN "runs";
CREATE INDEX "series_team_id_last_run_at_idx" ON "series"("team_id", "last_run_at" DESC, "id" DESC);

-- Where the step time of a finished run went, as shares of the step that together are 1. Null without steps.
CREATE TABLE "run_usage" (
    "run_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "model" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "workload" TEXT NOT NULL,
    -- Null where nobody said it.
    "gpus" INTEGER,
    "duration_s" INTEGER,
    "bottleneck" TEXT NOT NULL,
    "compute" REAL,
    "exposed_communication" REAL,
    "exposed_memcpy" REAL,
    "input_wait" REAL,
    "sync_wait" REAL,
    "allocator" REAL,
    "launch_gap" REAL,
    "host_other" REAL,
    "dependency" REAL,
    "unexplained" REAL,
    -- By rule: the share of the step that is gone when what the rule found is gone.
    "gains" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "run_usage_pkey" PRIMARY KEY ("run_id"),
    CONSTRAINT "run_usage_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "run_usage_team_id_at_idx" ON "run_usage"("team_id", "at");

ALTER TABLE "point_days"
    -- The values of the day in order, at most 500: every "stride"-th of them, each standing for as many runs.
    ADD COLUMN "values" DOUBLE PRECISION[] NOT NULL DEFAULT '{}',
    ADD COLUMN "stride" INTEGER NOT NULL DEFAULT 1,
    -- Retention has deleted runs of the day: it stays as it was when all of them were there.
    ADD COLUMN "is_final" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "point_days_day_idx" ON "point_days"("day");

-- Days of series whose points were added, replaced or deleted; their daily values are made anew.
CREATE TABLE "touched_days" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "team_id" UUID NOT NULL,
    "series_id" UUID NOT NULL,
    "branch" TEXT NOT NULL,
    "day" DATE NOT NULL,
    CONSTRAINT "touched_days_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "touched_days_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "touched_days_team_id_id_idx" ON "touched_days"("team_id", "id");

GRANT SELECT, INSERT, UPDATE, DELETE ON "run_usage", "touched_days" TO "stallscope_app";
DO $$
DECLARE
    table_name TEXT;
BEGIN
    FOREACH table_name IN ARRAY ARRAY['run_usage', 'touched_days'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
        EXECUTE format('CREATE POLICY "team_isolation" ON %I TO "stallscope_app" '
            'USING ("team_id" = (SELECT "current_team_id"())) WITH CHECK ("team_id" = (SELECT "current_team_id"()))', table_name);
    END LOOP;
END $$;

-- Where the points of a run are, with the rights of whoever asks.
CREATE FUNCTION "days_of_run"("of_team" UUID, "of_run" UUID) RETURNS TABLE ("series_id" UUID, "branch" TEXT, "day" DATE)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS
$$ SELECT DISTINCT m."series_id", p."branch", (p."at" AT TIME ZONE 'UTC')::date
   FROM "points" p JOIN "series_metrics" m ON m."id" = p."series_metric_id" AND m."team_id" = "of_team"
   WHERE p."team_id" = "of_team" AND p."run_id" = "of_run" $$;

-- Has the days of a run made anew. Call it before its points are deleted, and after new ones are written.
CREATE FUNCTION "touch_days_of_run"("of_team" UUID, "of_run" UUID) RETURNS VOID
LANGUAGE sql SET search_path = public, pg_temp AS
$$ INSERT INTO "touched_days" ("team_id", "series_id", "branch", "day")
   SELECT "of_team", d."series_id", d."branch", d."day" FROM "days_of_run"("of_team", "of_run") d $$;

-- Makes the daily values of every metric of a series on a day from the points there are, unless the day is final.
CREATE FUNCTION "roll_up_day"("of_team" UUID, "of_series" UUID, "of_branch" TEXT, "of_day" DATE) RETURNS VOID
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    day_start TIMESTAMPTZ := "of_day"::timestamp AT TIME ZONE 'UTC';
    day_end TIMESTAMPTZ := day_start + interval '24 hours';
BEGIN
    IF EXISTS (SELECT FROM "point_days" d JOIN "series_metrics" m ON m."id" = d."series_metric_id" AND m."team_id" = "of_team"
        WHERE m."series_id" = "of_series" AND d."team_id" = "of_team" AND d."branch" = "of_branch" AND d."day" = "of_day"
          AND d."is_final")
    THEN RETURN; END IF;
    DELETE FROM "point_days" d USING "series_metrics" m
    WHERE m."team_id" = "of_team" AND m."series_id" = "of_series" AND d."team_id" = "of_team"
      AND d."series_metric_id" = m."id" AND d."branch" = "of_branch" AND d."day" = "of_day";
    INSERT INTO "point_days" ("series_metric_id", "day", "team_id", "branch", "runs", "min", "p50", "p95", "max", "values", "stride")
    SELECT v."series_metric_id", "of_day", "of_team", "of_branch", count(*), min(v."value"),
        percentile_cont(0.5) WITHIN GROUP (ORDER BY v."value"), percentile_cont(0.95) WITHIN GROUP (ORDER BY v."value"),
        max(v."value"), array_agg(v."value" ORDER BY v."value") FILTER (WHERE v."place" % v."stride" = v."stride" / 2), min(v."stride")
    FROM (
        SELECT p."series_metric_id", p."value", row_number() OVER (PARTITION BY p."series_metric_id" ORDER BY p."value") - 1 AS "place",
            ceil(count(*) OVER (PARTITION BY p."series_metric_id") / 500.0)::integer AS "stride"
        FROM "points" p JOIN "series_metrics" m ON m."id" = p."series_metric_id" AND m."team_id" = "of_team"
        WHERE m."series_id" = "of_series" AND p."team_id" = "of_team" AND p."branch" = "of_branch"
          AND p."at" >= day_start AND p."at" < day_end) v
    GROUP BY v."series_metric_id"
    -- Another process was faster.
    ON CONFLICT ("series_metric_id", "branch", "day") DO NOTHING;
END $$;

-- Brings the days of a run up to date and keeps them so: retention is about to delete it.
CREATE FUNCTION "finish_days_of_run"("of_team" UUID, "of_run" UUID) RETURNS VOID
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    found RECORD;
BEGIN
    FOR found IN SELECT * FROM "days_of_run"("of_team", "of_run") LOOP
        PERFORM "roll_up_day"("of_team", found."series_id", found."branch", found."day");
        UPDATE "point_days" d SET "is_final" = true FROM "series_metrics" m
        WHERE m."team_id" = "of_team" AND m."series_id" = found."series_id" AND d."team_id" = "of_team"
          AND d."series_metric_id" = m."id" AND d."branch" = found."branch" AND d."day" = found."day";
    END LOOP;
END $$;

CREATE FUNCTION "find_touched_days"("max_rows" INTEGER) RETURNS TABLE ("id" TEXT, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id"::text, "team_id" FROM "touched_days" ORDER BY "id" LIMIT "max_rows" $$;

-- Deletes daily values of days before the given one, of all teams.
CREATE FUNCTION "delete_old_point_days"("before" DATE, "max_rows" INTEGER) RETURNS INTEGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    deleted INTEGER;
BEGIN
    DELETE FROM "point_days" WHERE "ctid" = ANY(ARRAY(SELECT "ctid" FROM "point_days" WHERE "day" < "before" LIMIT "max_rows"));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END $$;

-- Drops partitions of points of past months that have no rows; gives their number. A late run makes its partition again.
CREATE FUNCTION "drop_empty_point_partitions"() RETURNS INTEGER
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    name TEXT;
    has_rows BOOLEAN;
    dropped INTEGER := 0;
    this_month TEXT := 'points_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM');
BEGIN
    FOR name IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'points'::regclass AND c.relname ~ '^points_\d{4}_\d{2}$' AND c.relname < this_month ORDER BY 1
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
        CONTINUE WHEN has_rows;
        -- Readers and writers wait from here on; whoever wrote in between is seen.
        LOCK TABLE "points" IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
        CONTINUE WHEN has_rows;
        EXECUTE format('DROP TABLE %I', name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
EXCEPTION
    -- Somebody works with the points all the time; later, then.
    WHEN lock_not_available THEN RETURN 0;
END $$;

REVOKE ALL ON FUNCTION "find_touched_days"(INTEGER), "delete_old_point_days"(DATE, INTEGER), "drop_empty_point_partitions"() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "find_touched_days"(INTEGER), "delete_old_point_days"(DATE, INTEGER), "drop_empty_point_partitions"() TO "stallscope_app";
