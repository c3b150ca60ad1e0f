-- Trends: series of comparable runs, their points, and the regressions found in them.

-- When the training ran, which orders a series; a run may be uploaded much later.
ALTER TABLE "runs"
    ADD COLUMN "started_at" TIMESTAMPTZ(6),
    -- What the client says makes runs comparable, instead of the conditions that are known.
    ADD COLUMN "comparability" TEXT,
    -- Generation whose metrics are in the series; behind "generation" of a finished run there is work to do.
    ADD COLUMN "trended_generation" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "series_id" UUID;
CREATE INDEX "runs_not_trended_idx" ON "runs"("state_changed_at") WHERE "state" = 'done' AND "trended_generation" < "generation";
CREATE INDEX "runs_series_id_idx" ON "runs"("series_id", "started_at");

CREATE TABLE "series" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "workload" TEXT NOT NULL DEFAULT '',
    "comparability" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_run_at" TIMESTAMPTZ(6) NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "series_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "series_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "series_identity_key" ON "series"("team_id", "model", "cluster", "workload", "comparability");

-- One metric of a series: the narrow key that points stand under.
CREATE TABLE "series_metrics" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "team_id" UUID NOT NULL,
    "series_id" UUID NOT NULL,
    "metric_id" TEXT NOT NULL,
    CONSTRAINT "series_metrics_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "series_metrics_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "series_metrics_series_id_metric_id_key" ON "series_metrics"("series_id", "metric_id");
CREATE INDEX "series_metrics_team_id_metric_id_idx" ON "series_metrics"("team_id", "metric_id");

-- Partitioned by the month in which the training ran. The index covers what a trend shows, so that it is read alone.
CREATE TABLE "points" (
    "series_metric_id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "run_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "branch" TEXT NOT NULL DEFAULT '',
    "value" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "points_pkey" PRIMARY KEY ("series_metric_id", "at", "run_id"),
    CONSTRAINT "points_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
) PARTITION BY RANGE ("at");
CREATE INDEX "points_trend_idx" ON "points"("team_id", "series_metric_id", "at") INCLUDE ("value", "run_id", "branch");
CREATE INDEX "points_run_id_idx" ON "points"("run_id");
-- Runs of long ago or with a wrong clock.
CREATE TABLE "points_default" PARTITION OF "points" DEFAULT;
-- Nobody reads a partition but through its parent, whose policy counts.
ALTER TABLE "points_default" ENABLE ROW LEVEL SECURITY;

-- Makes the partition of the month of the given time, unless it is there or the default partition has rows of that month.
-- Not for months long ago: clients choose the times, and each partition costs every query.
CREATE FUNCTION "ensure_point_partition"("month_of" TIMESTAMPTZ) RETURNS BOOLEAN
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    first_day DATE := date_trunc('month', "month_of" AT TIME ZONE 'UTC')::date;
    next_month DATE := (first_day + interval '1 month')::date;
    partition_name TEXT := 'points_' || to_char(first_day, 'YYYY_MM');
BEGIN
    IF "month_of" < now() - interval '36 months' OR "month_of" > now() + interval '2 months' THEN RETURN false; END IF;
    IF to_regclass(format('public.%I', partition_name)) IS NOT NULL THEN RETURN false; END IF;
    EXECUTE format('CREATE TABLE %I PARTITION OF "points" FOR VALUES FROM (%L) TO (%L)',
        partition_name, first_day::text || ' 00:00:00+00', next_month::text || ' 00:00:00+00');
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', partition_name);
    RETURN true;
EXCEPTION
    -- Another process made it; or the default partition has rows of that month, which then stay there.
    WHEN duplicate_table OR check_violation THEN RETURN false;
END $$;

-- One day of a metric of a series, for views over long times.
CREATE TABLE "point_days" (
    "series_metric_id" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "team_id" UUID NOT NULL,
    "branch" TEXT NOT NULL DEFAULT '',
    "runs" INTEGER NOT NULL,
    "min" DOUBLE PRECISION NOT NULL,
    "p50" DOUBLE PRECISION NOT NULL,
    "p95" DOUBLE PRECISION NOT NULL,
    "max" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "point_days_pkey" PRIMARY KEY ("series_metric_id", "branch", "day"),
    CONSTRAINT "point_days_series_metric_id_fkey" FOREIGN KEY ("series_metric_id") REFERENCES "series_metrics"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "point_days_team_id_day_idx" ON "point_days"("team_id", "day");

-- From "at" on there is another level. One that people accepted ("accepted_by") is the new baseline; of one that was only
-- detected, runs are still judged by the level before.
CREATE TABLE "series_segments" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "series_id" UUID NOT NULL,
    "branch" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(6) NOT NULL,
    "reason" TEXT NOT NULL,
    "accepted_by" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "series_segments_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "series_segments_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "series_segments_series_id_branch_at_key" ON "series_segments"("series_id", "branch", "at");

-- What each run was against the runs before it, by metric.
CREATE TABLE "run_verdicts" (
    "run_id" UUID NOT NULL,
    "metric_id" TEXT NOT NULL,
    "team_id" UUID NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT,
    "change_ratio" DOUBLE PRECISION,
    "score" DOUBLE PRECISION,
    "baseline_median" DOUBLE PRECISION,
    "baseline_low" DOUBLE PRECISION,
    "baseline_high" DOUBLE PRECISION,
    "baseline_commits" INTEGER,
    CONSTRAINT "run_verdicts_pkey" PRIMARY KEY ("run_id", "metric_id"),
    CONSTRAINT "run_verdicts_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "run_verdicts_team_id_idx" ON "run_verdicts"("team_id");

CREATE TYPE "regression_state" AS ENUM ('open', 'acknowledged', 'resolved');
CREATE TABLE "regressions" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "series_id" UUID NOT NULL,
    "branch" TEXT NOT NULL DEFAULT '',
    "state" "regression_state" NOT NULL DEFAULT 'open',
    -- The metric that speaks for it, and all that moved with it.
    "metric_id" TEXT NOT NULL,
    "metrics" JSONB NOT NULL,
    "before" DOUBLE PRECISION NOT NULL,
    "after" DOUBLE PRECISION NOT NULL,
    "change_ratio" DOUBLE PRECISION NOT NULL,
    "first_bad_run_id" UUID,
    "first_bad_at" TIMESTAMPTZ(6) NOT NULL,
    -- Time of the first run that is good again: runs from "first_bad_at" until then are no baseline.
    "good_again_at" TIMESTAMPTZ(6),
    "first_bad_commit" TEXT,
    "last_good_run_id" UUID,
    "last_good_commit" TEXT,
    "explanation" JSONB,
    "explained_at" TIMESTAMPTZ(6),
    "opened_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "acknowledged_by" UUID,
    "acknowledged_reason" TEXT,
    "assigned_to" UUID,
    "muted_until" TIMESTAMPTZ(6),
    "resolved_at" TIMESTAMPTZ(6),
    "resolution" TEXT,
    "times_reopened" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "regressions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "regressions_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "regressions_resolved_has_resolution" CHECK (("state" = 'resolved') = ("resolved_at" IS NOT NULL AND "resolution" IS NOT NULL))
);
-- The open ones of a team are asked for all the time; one series and branch has one at most.
CREATE INDEX "regressions_open_idx" ON "regressions"("team_id", "opened_at" DESC) WHERE "state" <> 'resolved';
CREATE UNIQUE INDEX "regressions_one_open_key" ON "regressions"("series_id", "branch") WHERE "state" <> 'resolved';
CREATE INDEX "regressions_not_explained_idx" ON "regressions"("opened_at") WHERE "explained_at" IS NULL;
CREATE INDEX "regressions_team_id_id_idx" ON "regressions"("team_id", "id" DESC);

-- What people and the detector did with it.
CREATE TABLE "regression_acts" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "regression_id" UUID NOT NULL,
    "act" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT,
    "reason" TEXT,
    "run_id" UUID,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "regression_acts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "regression_acts_regression_id_fkey" FOREIGN KEY ("regression_id") REFERENCES "regressions"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "regression_acts_regression_id_id_idx" ON "regression_acts"("regression_id", "id");

-- How sensitive detection is, for the team ("metric_id" = '') and for single metrics.
CREATE TABLE "trend_settings" (
    "team_id" UUID NOT NULL,
    "metric_id" TEXT NOT NULL DEFAULT '',
    "min_change_ratio" DOUBLE PRECISION,
    "min_score" DOUBLE PRECISION,
    "alerts" BOOLEAN,
    CONSTRAINT "trend_settings_pkey" PRIMARY KEY ("team_id", "metric_id"),
    CONSTRAINT "trend_settings_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A named sequence of runs, baseline first.
CREATE TABLE "ladders" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "ladders_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "ladders_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "ladders_team_id_name_key" ON "ladders"("team_id", "name");
CREATE TABLE "ladder_rungs" (
    "ladder_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "team_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    CONSTRAINT "ladder_rungs_pkey" PRIMARY KEY ("ladder_id", "ordinal"),
    CONSTRAINT "ladder_rungs_ladder_id_fkey" FOREIGN KEY ("ladder_id") REFERENCES "ladders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ladder_rungs_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "ladder_rungs_run_id_idx" ON "ladder_rungs"("run_id");

-- Policies of gates, each version kept.
CREATE TABLE "gate_policies" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "policy" JSONB NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "gate_policies_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gate_policies_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "gate_policies_team_id_name_revision_key" ON "gate_policies"("team_id", "name", "revision");

GRANT SELECT, INSERT, UPDATE, DELETE ON
    "series", "series_metrics", "points", "point_days", "series_segments", "run_verdicts", "regressions", "regression_acts",
    "trend_settings", "ladders", "ladder_rungs", "gate_policies"
TO "stallscope_app";

DO $$
DECLARE
    table_name TEXT;
BEGIN
    FOREACH table_name IN ARRAY ARRAY['series', 'series_metrics', 'points', 'point_days', 'series_segments', 'run_verdicts',
                                      'regressions', 'regression_acts', 'trend_settings', 'ladders', 'ladder_rungs', 'gate_policies'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
        EXECUTE format('CREATE POLICY "team_isolation" ON %I TO "stallscope_app" '
            'USING ("team_id" = (SELECT "current_team_id"())) WITH CHECK ("team_id" = (SELECT "current_team_id"()))', table_name);
    END LOOP;
END $$;

CREATE FUNCTION "find_unexplained_regressions"("max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id", "team_id" FROM "regressions" WHERE "explained_at" IS NULL ORDER BY "opened_at" LIMIT "max_rows" $$;

-- Finished runs whose metrics are not in their series yet, the oldest first.
CREATE FUNCTION "find_untrended_runs"("max_rows" INTEGER) RETURNS TABLE ("id" UUID, "team_id" UUID, "at" TIMESTAMPTZ)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "id", "team_id", coalesce("started_at", "created_at") FROM "runs" WHERE "state" = 'done' AND "trended_generation" < "generation"
   ORDER BY "state_changed_at" LIMIT "max_rows" $$;

REVOKE ALL ON FUNCTION "ensure_point_partition"(TIMESTAMPTZ), "find_unexplained_regressions"(INTEGER), "find_untrended_runs"(INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "ensure_point_partition"(TIMESTAMPTZ), "find_unexplained_regressions"(INTEGER), "find_untrended_runs"(INTEGER) TO "stallscope_app";
