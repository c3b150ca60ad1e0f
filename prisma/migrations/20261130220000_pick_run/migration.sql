-- When the worker at the run last gave a sign of life; NULL since its state changed. "state_changed_at" is what people see.
ALTER TABLE "runs" ADD COLUMN "alive_at" TIMESTAMPTZ(6);

-- The teams that have runs waiting or being analysed. A step over the index for each of them, however many their runs are.
CREATE FUNCTION "find_waiting_teams"() RETURNS TABLE ("team_id" UUID)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH RECURSIVE waiting AS (
       (SELECT r."team_id" FROM "runs" r WHERE r."state" IN ('queued', 'analyzing') ORDER BY r."team_id" LIMIT 1)
       UNION ALL
       SELECT (SELECT r."team_id" FROM "runs" r WHERE r."state" IN ('queued', 'analyzing') AND r."team_id" > w."team_id"
               ORDER BY r."team_id" LIMIT 1)
       FROM waiting w WHERE w."team_id" IS NOT NULL)
   SELECT w."team_id" FROM waiting w WHERE w."team_id" IS NOT NULL $$;
-- For the functions below alone.
REVOKE ALL ON FUNCTION "find_waiting_teams"() FROM PUBLIC;

-- As before: of the team with the fewest analyses going on, then of the one that was served longest ago, the run that waits
-- longest. Of each team only the head of its line is read, so a long one costs no more than a short one.
CREATE OR REPLACE FUNCTION "pick_run"("silent_since" TIMESTAMPTZ, "default_concurrency" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "generation" INTEGER)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH busy AS (
       SELECT r."team_id", count(*) AS "analyses" FROM "runs" r
       WHERE r."state" = 'analyzing' AND coalesce(r."alive_at", r."state_changed_at") >= "silent_since" GROUP BY r."team_id")
   SELECT w."id", t."id", w."generation"
   FROM "find_waiting_teams"() f JOIN "teams" t ON t."id" = f."team_id" LEFT JOIN busy b ON b."team_id" = t."id" JOIN LATERAL (
       SELECT r."id", r."generation", r."queued_at" FROM "runs" r
       WHERE r."team_id" = t."id" AND r."state" IN ('queued', 'analyzing')
         AND (r."state" = 'queued' OR coalesce(r."alive_at", r."state_changed_at") < "silent_since")
         AND (r."not_before" IS NULL OR r."not_before" <= now())
       ORDER BY r."queued_at", r."id" LIMIT 1) w ON true
   WHERE t."deleted_at" IS NULL AND coalesce(b."analyses", 0) < coalesce(t."max_concurrent_analyses", "default_concurrency")
   ORDER BY coalesce(b."analyses", 0), t."last_served_at" NULLS FIRST, w."queued_at" LIMIT 1 $$;

CREATE OR REPLACE FUNCTION "find_lost_runs"("silent_since" TIMESTAMPTZ, "default_concurrency" INTEGER, "max_rows" INTEGER)
RETURNS TABLE ("id" UUID, "team_id" UUID, "generation" INTEGER, "state" TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ WITH busy AS (
       SELECT r."team_id", count(*) AS "analyses" FROM "runs" r
       WHERE r."state" = 'analyzing' AND coalesce(r."alive_at", r."state_changed_at") >= "silent_since" GROUP BY r."team_id")
   SELECT r."id", r."team_id", r."generation", r."state"::text
   FROM "find_waiting_teams"() f JOIN "teams" t ON t."id" = f."team_id" LEFT JOIN busy b ON b."team_id" = t."id" JOIN LATERAL (
       SELECT w."id", w."team_id", w."generation", w."state", coalesce(w."alive_at", w."state_changed_at") AS "alive_at"
       FROM "runs" w
       WHERE w."team_id" = t."id" AND w."state" IN ('queued', 'analyzing')
         AND coalesce(w."alive_at", w."state_changed_at") < "silent_since" AND (w."not_before" IS NULL OR w."not_before" <= now())
       ORDER BY w."queued_at", w."id"
       LIMIT greatest(0, coalesce(t."max_concurrent_analyses", "default_concurrency") - coalesce(b."analyses", 0))) r ON true
   WHERE t."deleted_at" IS NULL ORDER BY r."alive_at" LIMIT "max_rows" $$;

CREATE OR REPLACE FUNCTION "measure_backlog"()
RETURNS TABLE ("state" TEXT, "runs" BIGINT, "oldest" TIMESTAMPTZ, "teams" BIGINT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT r."state"::text, sum(r."runs")::bigint, min(r."oldest"), count(*)
   FROM (SELECT "state", count(*) AS "runs", min("queued_at") AS "oldest" FROM "runs"
         WHERE "state" IN ('queued', 'analyzing') GROUP BY "state", "team_id") r
   GROUP BY r."state" $$;
