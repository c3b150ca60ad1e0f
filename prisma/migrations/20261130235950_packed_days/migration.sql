-- Days of points as the text that answers are made of: one row is read where there are a hundred runs.

-- Columns of JSON without their brackets, in the order of time. A row counts unless its day waits in "touched_days".
CREATE TABLE "packed_days" (
    "series_metric_id" BIGINT NOT NULL,
    "branch" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "team_id" UUID NOT NULL,
    "runs" INTEGER NOT NULL,
    -- Milliseconds since 1970.
    "at_ms" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "run_ids" TEXT NOT NULL,
    CONSTRAINT "packed_days_pkey" PRIMARY KEY ("series_metric_id", "branch", "day"),
    CONSTRAINT "packed_days_series_metric_id_fkey" FOREIGN KEY ("series_metric_id") REFERENCES "series_metrics"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Random digits get no smaller, and the times of an answer should not go into unpacking.
ALTER TABLE "packed_days"
    ALTER COLUMN "at_ms" SET STORAGE EXTERNAL,
    ALTER COLUMN "value" SET STORAGE EXTERNAL,
    ALTER COLUMN "run_ids" SET STORAGE EXTERNAL;

GRANT SELECT, INSERT, UPDATE, DELETE ON "packed_days" TO "stallscope_app";
ALTER TABLE "packed_days" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "team_isolation" ON "packed_days" TO "stallscope_app"
    USING ("team_id" = (SELECT "current_team_id"())) WITH CHECK ("team_id" = (SELECT "current_team_id"()));

-- Makes the packed day of every metric of a series anew; none of days with few runs, which cost nothing, or with more than
-- an answer may have.
CREATE FUNCTION "pack_day"("of_team" UUID, "of_series" UUID, "of_branch" TEXT, "of_day" DATE) RETURNS VOID
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    day_start TIMESTAMPTZ := "of_day"::timestamp AT TIME ZONE 'UTC';
BEGIN
    DELETE FROM "packed_days" d USING "series_metrics" m
    WHERE m."team_id" = "of_team" AND m."series_id" = "of_series" AND d."team_id" = "of_team"
      AND d."series_metric_id" = m."id" AND d."branch" = "of_branch" AND d."day" = "of_day";
    INSERT INTO "packed_days" ("series_metric_id", "branch", "day", "team_id", "runs", "at_ms", "value", "run_ids")
    SELECT p."series_metric_id", "of_branch", "of_day", "of_team", count(*),
        string_agg(round(date_part('epoch', p."at") * 1000)::bigint::text, ',' ORDER BY p."at", p."run_id"),
        string_agg(p."value"::text, ',' ORDER BY p."at", p."run_id"),
        string_agg('"' || p."run_id" || '"', ',' ORDER BY p."at", p."run_id")
    FROM "points" p JOIN "series_metrics" m ON m."id" = p."series_metric_id" AND m."team_id" = "of_team"
    WHERE m."series_id" = "of_series" AND p."team_id" = "of_team" AND p."branch" = "of_branch"
      AND p."at" >= day_start AND p."at" < day_start + interval '24 hours'
    GROUP BY p."series_metric_id"
    -- Not a number and infinity are above all others, and no JSON.
    HAVING count(*) BETWEEN 4 AND 10000 AND max(p."value") < 'Infinity' AND min(p."value") > '-Infinity';
END $$;

-- As before, and packs the day. One process at a time, so that no day is made from points that are being deleted.
CREATE OR REPLACE FUNCTION "roll_up_day"("of_team" UUID, "of_series" UUID, "of_branch" TEXT, "of_day" DATE) RETURNS VOID
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    day_start TIMESTAMPTZ := "of_day"::timestamp AT TIME ZONE 'UTC';
    day_end TIMESTAMPTZ := day_start + interval '24 hours';
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws(' ', "of_series", "of_day", "of_branch"), 0));
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
    GROUP BY v."series_metric_id";
    PERFORM "pack_day"("of_team", "of_series", "of_branch", "of_day");
END $$;

-- As before; the runs of a final day go one after the other, and what is left of it is read from its points.
CREATE OR REPLACE FUNCTION "finish_days_of_run"("of_team" UUID, "of_run" UUID) RETURNS VOID
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    found RECORD;
BEGIN
    FOR found IN SELECT * FROM "days_of_run"("of_team", "of_run") LOOP
        PERFORM "roll_up_day"("of_team", found."series_id", found."branch", found."day");
        UPDATE "point_days" d SET "is_final" = true FROM "series_metrics" m
        WHERE m."team_id" = "of_team" AND m."series_id" = found."series_id" AND d."team_id" = "of_team"
          AND d."series_metric_id" = m."id" AND d."branch" = found."branch" AND d."day" = found."day";
        DELETE FROM "packed_days" d USING "series_metrics" m
        WHERE m."team_id" = "of_team" AND m."series_id" = found."series_id" AND d."team_id" = "of_team"
          AND d."series_metric_id" = m."id" AND d."branch" = found."branch" AND d."day" = found."day";
    END LOOP;
END $$;

-- Days of before are packed by the workers, as if they had been touched.
INSERT INTO "touched_days" ("team_id", "series_id", "branch", "day")
SELECT DISTINCT m."team_id", m."series_id", d."branch", d."day"
FROM "point_days" d JOIN "series_metrics" m ON m."id" = d."series_metric_id"
WHERE NOT d."is_final" AND d."runs" BETWEEN 4 AND 10000;
